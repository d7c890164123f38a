import type { StoredFile } from '../../../server/contract/records/files.ts'

/** What a file is, as far as showing it goes. */
export type KnownFile = Pick<StoredFile, 'type' | 'size' | 'width' | 'height' | 'sha256'>

/** Where what the server has can't be heard, a file is taken for a picture of any size. */
const untold: KnownFile = { type: '', size: 0, width: null, height: null, sha256: '' }

/** What is known of a document's files. It is asked for once a text shows a file that isn't known yet. */
export class KnownFiles {
  readonly #list: () => Promise<StoredFile[]>
  readonly #files = new Map<string, KnownFile>()
  readonly #asked = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #wanted = false
  #asking: Promise<void> | null = null
  #failed = false

  constructor(list: () => Promise<StoredFile[]>) {
    this.#list = list
  }

  /** Null where the document has none of that name; undefined while that isn't known yet. */
  readonly find = (name: string): KnownFile | null | undefined => {
    const file = this.#files.get(name)
    if (file) return file
    if (!this.#asked.has(name)) {
      this.#asked.add(name)
      this.#wanted = true
      this.#asking ??= this.#ask()
    }
    if (this.#asking) return undefined
    return this.#failed ? untold : null
  }

  add(file: StoredFile): void {
    this.#files.set(file.name, file)
  }

  /** Has a listener called whenever more is known. Returns what stops that. */
  readonly follow = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whoever asks for several at once has them asked for together. */
  async #ask(): Promise<void> {
    await Promise.resolve()
    while (this.#wanted) {
      this.#wanted = false
      try {
        const files = await this.#list()
        this.#files.clear()
        for (const file of files) this.add(file)
        this.#failed = false
      } catch {
        this.#failed = true
      }
    }
    this.#asking = null
    for (const listener of this.#listeners) listener()
  }
}
