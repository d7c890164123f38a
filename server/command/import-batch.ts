import type { ImportedText } from '../domain/imported-text.ts'
import type { TakenFile } from './files-beside.ts'

/** One transaction's worth of files: few commits, and a server beside never waits long for one. */
export const batchFiles = 100
const batchCharacters = 4 * 1024 * 1024

export interface Imported extends ImportedText {
  id: string
  /** The file it was made of. */
  path: string
  /** What of its CriticMarkup stayed text. */
  kept: string[]
}

/** A file that was read, and what it is to become. */
export interface ReadFile extends Omit<Imported, 'id'> {
  content: string
  /** As it stands in the file. */
  source: string
  files: TakenFile[]
}

/** Documents that are made together, and those that were made so far. */
export class ImportBatch {
  readonly imported: Imported[] = []
  /** How many files came with them. */
  taken = 0
  readonly #make: (files: readonly ReadFile[]) => Promise<string[]>
  readonly #onMade: (file: ReadFile, id: string) => void
  #files: ReadFile[] = []
  #characters = 0

  /** `make` makes documents of files, and answers their ids. */
  constructor(
    make: (files: readonly ReadFile[]) => Promise<string[]>,
    onMade: (file: ReadFile, id: string) => void,
  ) {
    this.#make = make
    this.#onMade = onMade
  }

  get isEmpty(): boolean {
    return this.#files.length === 0
  }

  get isFull(): boolean {
    return this.#files.length >= batchFiles || this.#characters >= batchCharacters
  }

  add(file: ReadFile): void {
    this.#files.push(file)
    this.#characters += file.content.length
  }

  async write(): Promise<void> {
    const made = this.#files
    const ids = await this.#make(made)
    made.forEach((one, index) => {
      const { content: _content, source: _source, files, ...file } = one
      const id = ids[index]!
      this.taken += files.length
      this.imported.push({ ...file, id })
      this.#onMade(one, id)
    })
    this.#files = []
    this.#characters = 0
  }
}
