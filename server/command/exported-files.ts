import { constants, copyFileSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileNameOf } from '../domain/file-name.ts'
import { titleIn, titleOr } from '../domain/title.ts'
import { makeFolder } from '../make-folder.ts'
import { draftBeside, putInPlace, syncFiles, syncFolder } from '../platform/atomic-file.ts'
import type { ExportFormat } from './export-format.ts'
import { hashOf, type RememberedFile } from './import-memory.ts'

/** So many are synced together: one by one, each would wait for the disk. */
const syncedTogether = 100

interface ExportedFile {
  draft: string
  name: string
}
/** A document as it is written; one with feedback has a text that no revision has. */
interface WrittenText {
  id: string
  revision?: number
  title: string
  /** What the file is named by, where that isn't the title. */
  named?: string
  content: string | Uint8Array
  updated_at: string
}
interface ExportedText extends ExportedFile {
  id: string
  known: RememberedFile | undefined
  title: string
  /** The title that the text itself gives. */
  told: string
  /** What it has beside it. */
  files: ExportedFile[]
}

/** What is told of a file that has got its name. */
export interface NamedFile {
  file: string
  id: string
  /** Which document it is, where its text is a revision’s. */
  known: RememberedFile | undefined
  /** What that is called, where an import couldn’t tell it by the file. */
  title: string | undefined
}

/**
 * Files that get their names only once they are whole and on the disk. A document that has files gets a folder, with its
 * text and its `files` in it: so the text leads there as it is.
 */
export class ExportedFiles {
  readonly #folder: string
  readonly #blobs: string
  readonly #replace: boolean
  /** Names in lower case: many file systems take those that differ in case only for one. */
  readonly #taken = new Set<string>()
  #drafts: ExportedText[] = []

  readonly #format: ExportFormat
  readonly #onNamed: (named: NamedFile) => void
  /** The titles that an import gets from the files, in lower case: it tells those apart that are alike. */
  readonly #titles = new Set<string>()

  /** @param blobs the folder that has the bytes of files */
  constructor(
    folder: string,
    blobs: string,
    replace: boolean,
    onNamed: (named: NamedFile) => void,
    format: ExportFormat = 'md',
  ) {
    this.#format = format
    this.#onNamed = onNamed
    this.#folder = folder
    this.#blobs = blobs
    this.#replace = replace
  }

  /** @returns the names of those files that are missing */
  async write(of: WrittenText, attached: readonly { name: string; sha256: string }[]): Promise<string[]> {
    const { id, revision, title, named = title, content, updated_at } = of
    const known = revision === undefined ? undefined : { id, revision, hash: hashOf(String(content)) }
    const name = fileNameOf(named)
    const text: ExportedText = {
      id,
      draft: this.#draft(),
      name,
      known,
      title,
      told: titleIn(String(content)),
      files: [],
    }
    this.#drafts.push(text)
    writeFileSync(text.draft, content, { flag: 'wx' })
    const changed = new Date(updated_at)
    utimesSync(text.draft, changed, changed)
    const missing: string[] = []
    for (const { name, sha256 } of attached) {
      const draft = this.#draft()
      try {
        copyFileSync(path.join(this.#blobs, sha256), draft, constants.COPYFILE_EXCL)
        text.files.push({ draft, name })
      } catch (error) {
        rmSync(draft, { force: true })
        if ((error as { code?: unknown }).code !== 'ENOENT') throw error
        missing.push(name)
      }
    }
    if (this.#drafts.length >= syncedTogether || attached.length > 0) await this.finish()
    return missing
  }

  readonly #draft = () => draftBeside(path.join(this.#folder, 'file'))

  /** Gives those that are written their names. */
  async finish() {
    await syncFiles(this.#drafts.flatMap(({ draft, files }) => [draft, ...files.map((file) => file.draft)]))
    for (let next = this.#drafts[0]; next; next = this.#drafts[0]) {
      this.#name(next)
      this.#drafts.shift()
    }
  }

  #name({ draft, name, id, known, title, told, files }: ExportedText) {
    for (let number = 1; ; number++) {
      const unique = number === 1 ? name : `${name} (${number})`
      if (this.#taken.has(unique.toLowerCase())) continue
      this.#taken.add(unique.toLowerCase())
      const folder = files.length === 0 ? this.#folder : path.join(this.#folder, unique)
      // What lies in a folder that was there may be somebody's.
      if (files.length > 0 && !this.#replace && existsSync(folder)) continue
      if (files.length > 0) makeFolder(path.join(folder, 'files'))
      const file = path.join(folder, `${unique}.${this.#format}`)
      if (!putInPlace(draft, file, this.#replace)) continue
      const isTold = titleOr(told, `${unique}.md`) === title && !this.#titles.has(title.toLowerCase())
      if (isTold) this.#titles.add(title.toLowerCase())
      this.#onNamed({ file, id, known, title: isTold ? undefined : title })
      for (const one of files) putInPlace(one.draft, path.join(folder, 'files', one.name), true)
      if (files.length > 0) for (const synced of [path.join(folder, 'files'), folder]) syncFolder(synced)
      return
    }
  }

  /** Leaves nothing behind that has no name. */
  close() {
    for (const { draft, files } of this.#drafts)
      for (const one of [draft, ...files.map((file) => file.draft)]) rmSync(one, { force: true })
    syncFolder(this.#folder)
  }
}
