import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomicSync } from '../platform/atomic-file.ts'
import { CommandError } from './command.ts'

/** Which document a file is, and what of it has been taken. */
export interface RememberedFile {
  id: string
  /** The revision that had the file’s text; where none had just that, what it was stands in `text`. */
  revision: number
  /** SHA-256 of the file as it was taken last. */
  hash: string
  text?: string
}

export const memoryName = '.galley.json'
export const hashOf = (content: string) => createHash('sha256').update(content).digest('hex')

/**
 * Remembers beside the files which document each of them is: so it goes where they go, also into another checkout of
 * them, and works with a Galley anywhere.
 */
export class ImportMemory {
  readonly #file: string
  readonly #folder: string
  /** Whether all of the folder is meant. */
  readonly isOfFolder: boolean
  readonly #known: Map<string, RememberedFile>
  readonly #titles: Map<string, string>
  /** Those that were gone when it was asked first: looking for each of many new files would take long. */
  #lost: [file: string, known: RememberedFile][] | undefined

  /**
   * @param named a folder, or a file, whose folder is meant
   * @throws CommandError where what is there can't be read, or nothing can be written
   */
  constructor(named: string) {
    this.isOfFolder = statSync(named).isDirectory()
    this.#folder = this.isOfFolder ? named : path.dirname(named)
    this.#file = path.join(this.#folder, memoryName)
    const { known, titles } = readMemory(this.#file)
    this.#known = known
    this.#titles = titles
    // Rather now than after documents were made that nobody would know of.
    this.save()
  }

  covers(file: string): boolean {
    const inside = path.relative(this.#folder, path.resolve(file))
    return !inside.startsWith('..') && !path.isAbsolute(inside)
  }

  find = (file: string): RememberedFile | undefined => this.#known.get(this.#key(file))
  note = (file: string, known: RememberedFile): void => void this.#known.set(this.#key(file), known)

  /** Notes what a file’s document is called, or, where it is undefined, that the file tells so. */
  noteTitle(file: string, title: string | undefined): void {
    if (title === undefined) this.#titles.delete(this.#key(file))
    else this.#titles.set(this.#key(file), title)
  }

  /** Each file that is known, in the order of their paths. */
  files = (): [file: string, known: RememberedFile][] =>
    this.#sorted().map(([key, known]) => [path.join(this.#folder, key), known])

  /** Those of them that aren’t there any more, as far as no other has taken their place. */
  gone = (): [file: string, known: RememberedFile][] => this.files().filter(([file]) => !existsSync(file))

  /**
   * Knows a new file by the name it had before: one that is gone had just this text.
   * @returns that name, within the folder
   */
  followRename(file: string, content: string): string | undefined {
    // Files without text are all the same.
    if (this.find(file) || content.trim() === '') return undefined
    this.#lost ??= this.gone()
    const hash = hashOf(content)
    const could = this.#lost.filter(([, known]) => known.hash === hash)
    const found = could.find(([before]) => path.basename(before) === path.basename(file)) ?? could[0]
    if (!found) return undefined
    const [before, known] = found
    this.#lost = this.#lost.filter((one) => one !== found)
    const key = this.#key(before)
    this.#known.delete(key)
    this.note(file, known)
    this.noteTitle(file, this.#titles.get(key))
    this.#titles.delete(key)
    return key
  }

  save(): void {
    const documents = Object.fromEntries(this.#sorted())
    const titles = this.#titles.size === 0 ? undefined : Object.fromEntries([...this.#titles].sort(byKey))
    try {
      writeFileAtomicSync(this.#file, `${JSON.stringify({ version: 1, documents, titles }, null, 2)}\n`)
    } catch (error) {
      throw new CommandError(
        `${this.#file} can’t be written: ${(error as Error).message}. There --track remembers which document each file is.`,
      )
    }
  }

  readonly #sorted = () => [...this.#known].sort(byKey)
  readonly #key = (file: string) => path.relative(this.#folder, path.resolve(file)).split(path.sep).join('/')
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

interface MemoryContent {
  known: Map<string, RememberedFile>
  /** Of the documents of those files that don’t give them themselves, by heading or name. */
  titles: Map<string, string>
}

/** @throws CommandError */
export function readMemory(file: string): MemoryContent {
  let written: string
  try {
    written = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return { known: new Map(), titles: new Map() }
    throw new CommandError(`${file} can’t be read: ${(error as Error).message}.`)
  }
  try {
    const { version, documents, titles = {} } = JSON.parse(written) as Written
    const entries = Object.entries(documents) as [string, RememberedFile][]
    const isKnown = ({ id, revision, hash }: RememberedFile) =>
      typeof id === 'string' && Number.isInteger(revision) && typeof hash === 'string'
    const isTitle = ([, title]: [string, unknown]) => typeof title === 'string' && title.isWellFormed()
    if (version === 1 && entries.every(([, entry]) => isKnown(entry)))
      return { known: new Map(entries), titles: new Map(Object.entries(titles).filter(isTitle)) }
  } catch {
    // Told below.
  }
  throw new CommandError(
    `${file} isn’t as Galley wrote it. Put it right, or remove it, and all files become new documents.`,
  )
}

interface Written {
  version: number
  documents: object
  titles?: Record<string, string>
}
