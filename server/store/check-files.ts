import { shownName } from '../domain/shown-name.ts'
import { checkBlobs } from './carry-blobs.ts'
import type { Db } from './database.ts'
import { isDamage } from './database-trouble.ts'
import { usedBlobs } from './files.ts'

export interface FileReport {
  /** One line each. */
  findings: string[]
  /** Of documents; null where they can't be counted. */
  files: number | null
  /** Contents that no document uses any more. */
  unused: { count: number; bytes: number }
}

/** Where the database can't say which files there are, that is what is found. */
export async function checkFiles(...asked: Parameters<typeof checkKnownFiles>): Promise<FileReport> {
  try {
    return await checkKnownFiles(...asked)
  } catch (error) {
    if (!isDamage(error)) throw error
    const findings = ['which files documents have can’t be read']
    return { findings, files: null, unused: { count: 0, bytes: 0 } }
  }
}

/** Looks whether the bytes of all files are there, and are what they were when they were stored. Writes nothing. */
async function checkKnownFiles(
  db: Db,
  folder: string,
  onProgress?: (done: number, of: number) => void,
): Promise<FileReport> {
  const used = usedBlobs(db)
  const count = used.length === 0 ? 0 : (db.prepare('SELECT count(*) FROM files').pluck().get() as number)
  const { missing, damaged } = await checkBlobs(used, folder, onProgress)
  const findings = [...missing, ...damaged].flatMap((sha256) =>
    namesOf(db, sha256).map(
      ({ document, title, name }) =>
        `document ${document} “${shownName(title).slice(0, 100).toWellFormed()}”: its file ${name} is ${missing.has(sha256) ? 'missing' : 'not what was stored'} (${sha256})`,
    ),
  )
  return { findings, files: count, unused: unusedOf(db) }
}

const namesOf = (db: Db, sha256: string) =>
  db
    .prepare<[string], { document: string; title: string; name: string }>(
      `SELECT d.id AS document, d.title, f.name FROM files f JOIN documents d ON d.number = f.document
       WHERE f.blob = ? ORDER BY d.number, f.name`,
    )
    .all(sha256)

function unusedOf(db: Db): FileReport['unused'] {
  const hasFiles = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'blobs'").pluck().get() === 1
  if (!hasFiles) return { count: 0, bytes: 0 }
  return db
    .prepare<[], FileReport['unused']>(
      `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM blobs
       WHERE sha256 NOT IN (SELECT blob FROM files)`,
    )
    .get()!
}
