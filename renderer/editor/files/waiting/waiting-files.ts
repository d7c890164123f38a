import { answerAs, notHeld } from './open-windows.ts'
import { NoRoomToWait, timesLeadingTo, type WaitingFile, type WayOfAdding } from './waiting-file.ts'
import type { WaitingFileStore } from './waiting-files-database.ts'

interface Options {
  store: WaitingFileStore
  documentId: string
  token: string | null
  /** The name under which this window writes. */
  writer: string
  /** One is kept: it may be asked for that it stays. */
  onKept?: () => void
  /** Told whenever that changes. */
  onWaiting?: (waiting: FilesWaiting) => void
}

/** Whether this window has files that wait for the server; “on the page” are those that would go with it. */
export type FilesWaiting = 'none' | 'kept' | 'on the page'

const fresh = { placing: null, ledThere: 0, refusal: null }

export type NewWaitingFile = Pick<WaitingFile, 'id' | 'way' | 'name' | 'anchor'>

/** The files of one text that wait for the server, in the browser or, where that takes nothing, on this page alone. */
export class WaitingFiles {
  readonly #options: Options
  readonly #passing = new Map<string, { file: WaitingFile; bytes: Blob }>()
  /** Which wait here, kept or not. */
  readonly #ids = new Set<string>()
  /** Those that this window sends, without those that were refused. */
  readonly #here = new Set<string>()
  readonly #under = new Set<Promise<unknown>>()
  readonly #listeners = new Set<() => void>()
  readonly #stopAnswering: () => void
  #order = Date.now()

  constructor(options: Options) {
    this.#options = options
    this.#stopAnswering = answerAs(options.writer)
  }

  /** Whether some would go with the page. */
  get wouldLose(): boolean {
    return this.#passing.size > 0
  }

  get areSome(): boolean {
    return this.#ids.size > 0
  }

  /** Whether some are to be sent, which those that were refused are not. */
  get areDue(): boolean {
    return this.#here.size > 0
  }

  /** Whether it outlives the page that it is kept. Rejects with NoRoomToWait where too much waits already. */
  keep(begun: NewWaitingFile, bytes: Blob): Promise<boolean> {
    const { documentId, token, writer, store, onKept } = this.#options
    const { type, size } = bytes
    const order = (this.#order = Math.max(this.#order + 1, Date.now()))
    const file = { ...begun, documentId, token, writer, order, type, size, ...fresh }
    const keeping = store.add(file, bytes).then(
      () => {
        this.#ids.add(file.id)
        onKept?.()
        this.#note(file)
        return true
      },
      (error: unknown) => {
        if (error instanceof NoRoomToWait) throw error
        this.#ids.add(file.id)
        this.#passing.set(file.id, { file, bytes })
        this.#note(file)
        return false
      },
    )
    return this.#during(keeping)
  }

  /**
   * To be called right before a file is written into the text, which from then on nobody else does. Resolves to false where
   * another window has taken it up meanwhile, or it was put away there: then it isn’t this one’s to write.
   */
  claim(id: string, placing: string, text: string): Promise<boolean> {
    const { store, writer } = this.#options
    const placed = { placing, ledThere: timesLeadingTo(text, placing) }
    const passing = this.#passing.get(id)
    if (passing) {
      this.#passing.set(id, { ...passing, file: { ...passing.file, ...placed } })
      return Promise.resolve(true)
    }
    const claiming = store.change(id, (file) => (file.writer === writer ? { ...file, ...placed } : undefined))
    return this.#during(
      claiming.then(
        (file) => file?.writer === writer,
        // Nobody else can have it where the browser keeps nothing any more.
        () => true,
      ),
    )
  }

  change(id: string, changed: Partial<Pick<WaitingFile, 'anchor' | 'refusal'>>): Promise<void> {
    const passing = this.#passing.get(id)
    if (changed.refusal !== undefined) this.#note({ id, refusal: changed.refusal })
    if (passing) {
      this.#passing.set(id, { ...passing, file: { ...passing.file, ...changed } })
      return Promise.resolve()
    }
    return this.#write(id, (file) => ({ ...file, ...changed }))
  }

  /** It is another window’s. */
  leave(id: string): void {
    this.#ids.delete(id)
    this.#here.delete(id)
    this.#tell()
  }

  /** It is in the text, or given up. */
  discard(id: string): Promise<void> {
    const isPassing = this.#passing.delete(id)
    this.leave(id)
    if (isPassing) return Promise.resolve()
    return this.#write(id, () => null)
  }

  /** Those that were added in one way, also by windows that are gone; they are this one’s from now on. */
  async takeUp(way: WayOfAdding): Promise<WaitingFile[]> {
    const { store, writer } = this.#options
    const mine: WaitingFile[] = []
    for (const left of await this.#left()) {
      if (left.way !== way) continue
      const taken = await store.change(left.id, (file) =>
        file.writer === left.writer ? { ...file, writer } : undefined,
      )
      if (taken?.writer === writer) mine.push(taken)
    }
    for (const file of mine) {
      this.#ids.add(file.id)
      this.#note(file)
    }
    const passing = [...this.#passing.values()].map(({ file }) => file)
    return [...mine, ...passing.filter((file) => file.way === way)]
  }

  async bytesOf(file: WaitingFile): Promise<Blob | null> {
    return this.#passing.get(file.id)?.bytes ?? (await this.#options.store.bytesOf(file).catch(() => null))
  }

  /** Whether some are left that this window would take up. */
  async areLeft(): Promise<boolean> {
    return (await this.#left()).some(({ refusal }) => refusal === null)
  }

  /** Has a listener called when there is reason to think that the server answers. Returns what stops that. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  isThere(): void {
    for (const listener of this.#listeners) listener()
  }

  /** No other window finds this one open any more. */
  async close(): Promise<void> {
    await this.settled()
    this.#stopAnswering()
  }

  /** Resolves once all that is to be kept is. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#under)
  }

  #note({ id, refusal }: Pick<WaitingFile, 'id' | 'refusal'>): void {
    if (refusal === null) this.#here.add(id)
    else this.#here.delete(id)
    this.#tell()
  }

  #tell(): void {
    const isPassing = [...this.#here].some((id) => this.#passing.has(id))
    this.#options.onWaiting?.(this.#here.size === 0 ? 'none' : isPassing ? 'on the page' : 'kept')
  }

  async #left(): Promise<WaitingFile[]> {
    const { documentId, store, writer } = this.#options
    await this.settled()
    return notHeld(await store.list(documentId).catch(() => []), writer)
  }

  #write(id: string, change: (file: WaitingFile) => WaitingFile | null): Promise<void> {
    // Where that can’t be now, it is kept as it was, and looked for by what stands around it.
    return this.#during(
      this.#options.store.change(id, change).then(
        () => {},
        () => {},
      ),
    )
  }

  #during<T>(work: Promise<T>): Promise<T> {
    this.#under.add(work)
    void work.then(
      () => this.#under.delete(work),
      () => this.#under.delete(work),
    )
    return work
  }
}
