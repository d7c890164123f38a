import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomicSync } from '../platform/atomic-file.ts'
import { CommandError } from './command.ts'

/** Which document a file is, and what of it has been taken. */
export interface KnownFile {
  id: string
  /** The revision that had the file’s text; where none had just that, what it was stands in `text`. */
  revision: number
  /** SHA-256 of the file as it was taken last. */
  hash: string
  text?: string
}

const fileName = '.galley.json'
export const hashOf = (content: string) => createHash('sha256').update(content).digest('hex')

/**
 * Remembers beside the files which document each of them is: so it goes where they go, also into another checkout of
 * them, and works with a Galley anywhere.
 */
export class ImportMemory {
  readonly #file: string
  readonly #folder: string
  readonly #known: Map<string, KnownFile>

  /**
   * @param named a folder, or a file, whose folder is meant
   * @throws CommandError where what is there can't be read, or nothing can be written
   */
  constructor(named: string) {
    this.#folder = path.resolve(statSync(named).isDirectory() ? named : path.dirname(named))
    this.#file = path.join(this.#folder, fileName)
    this.#known = read(this.#file)
    // Rather now than after documents were made that nobody would know of.
    this.save()
  }

  covers(file: string): boolean {
    const inside = path.relative(this.#folder, path.resolve(file))
    return !inside.startsWith('..') && !path.isAbsolute(inside)
  }

  find = (file: string): KnownFile | undefined => this.#known.get(this.#key(file))
  note = (file: string, known: KnownFile): void => void this.#known.set(this.#key(file), known)

  save(): void {
    const documents = Object.fromEntries([...this.#known].sort(([a], [b]) => (a < b ? -1 : 1)))
    try {
      writeFileAtomicSync(this.#file, `${JSON.stringify({ version: 1, documents }, null, 2)}\n`)
    } catch (error) {
      throw new CommandError(
        `${this.#file} can’t be written: ${(error as Error).message}. There --track remembers which document each file is.`,
      )
    }
  }

  #key = (file: string) => path.relative(this.#folder, path.resolve(file)).split(path.sep).join('/')
}

function read(file: string): Map<string, KnownFile> {
  let written: string
  try {
    written = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return new Map()
    throw new CommandError(`${file} can’t be read: ${(error as Error).message}.`)
  }
  try {
    const { version, documents } = JSON.parse(written) as { version: number; documents: object }
    const entries = Object.entries(documents) as [string, KnownFile][]
    const isKnown = ({ id, revision, hash }: KnownFile) =>
      typeof id === 'string' && Number.isInteger(revision) && typeof hash === 'string'
    if (version === 1 && entries.every(([, entry]) => isKnown(entry))) return new Map(entries)
  } catch {
    // Told below.
  }
  throw new CommandError(
    `${file} isn’t as Galley wrote it. Put it right, or remove it, and all files become new documents.`,
  )
}
