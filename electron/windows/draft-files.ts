import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { writeFileAtomic } from '../../server/platform/atomic-file.ts'

const Kept = Type.Object({ key: Type.String(), text: Type.String() })

/** What was typed and isn't stored or sent yet, one file each. */
export interface DraftFiles {
  keep(key: string, text: string): Promise<void>
  forget(key: string): Promise<void>
  /** All whose key begins so. */
  list(prefix: string): Promise<[key: string, text: string][]>
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>
}

/**
 * Drafts, kept in a folder of the profile's. A browser's own storage belongs to an address with its port, so
 * what is in it would be out of reach when the app comes up on another one.
 */
export function openDraftFiles(folder: string): DraftFiles {
  let last: Promise<unknown> = Promise.resolve()
  /** One thing after the other, in the order in which it was asked for. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  const fileOf = (key: string) =>
    path.join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)

  return {
    keep: (key, text) =>
      inTurn(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFileAtomic(fileOf(key), JSON.stringify({ key, text } satisfies Static<typeof Kept>))
      }),
    forget: (key) => inTurn(() => rm(fileOf(key), { force: true })),
    list: (prefix) =>
      inTurn(async () => {
        const kept = await Promise.all((await filesIn(folder)).map(read))
        return kept
          .filter((one) => one !== undefined)
          .filter(({ key }) => key.startsWith(prefix))
          .map(({ key, text }): [string, string] => [key, text])
      }),
    settled: () => inTurn(() => Promise.resolve()),
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.json')).map((name) => path.join(folder, name))
}

/** What a file holds; one that can't be read stays where it is, for a person to look at. */
async function read(file: string): Promise<Static<typeof Kept> | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Check(Kept, content) ? content : undefined
  } catch {
    return undefined
  }
}
