import type { Comment } from '../../../server/contract/records/comments.ts'
import type { LinkAccess } from '../../../server/domain/access.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { ApiError, newIdempotencyKey } from '../../api/client-of.ts'
import { isMutation, type Message, type Mutation } from '../../feedback/message.ts'
import { askToPersist } from './ask-to-persist.ts'
import { deliver, refuseAll, type Ending, type DeliveryRoute } from './delivery.ts'
import { indexedDbEntries, type EntryStore } from './entries.ts'
import { isChangeable, isPermittedNow, withBody, type Entry, type NewEntry } from './entry.ts'
import { keep } from './keep.ts'
import { isInFallback, localStorageEntries, type FallbackStore } from './local-storage-entries.ts'

/** `sent`: it has arrived. `kept`: it waits here, and is delivered by itself. */
export type PostedEntry =
  { kind: 'sent'; record: Comment | Suggestion | null } | { kind: 'kept'; entry: Entry }

interface Options extends Omit<DeliveryRoute, 'store' | 'onDelivered'> {
  documentId: string
  database?: EntryStore
  /** Takes what the database doesn’t. */
  fallback?: FallbackStore
  /** Something that had waited has arrived. */
  onArrival: (arrived: { entry: Entry; record: Comment | Suggestion | null }[]) => void
  onEnding: (ending: Ending) => void
  /** After so many milliseconds without an answer something counts as kept. */
  patience?: number
}

const channelName = 'galley-outbox'

/** What the reader has written and the server hasn’t got yet. It outlives the page, and other tabs may deliver it. */
export class Outbox {
  entries = $state.raw<readonly Entry[]>([])
  /** Records that waited here before they arrived, for as long as the page is open. */
  arrived = $state.raw<ReadonlySet<string>>(new Set())
  /** The orders of those that don’t outlive the page. */
  #passing = $state.raw<ReadonlySet<number>>(new Set())
  readonly waiting = $derived(this.entries.filter(({ state }) => state === 'waiting'))
  readonly refused = $derived(this.entries.filter(({ state }) => state === 'refused'))

  readonly #database: EntryStore
  readonly #fallback: FallbackStore
  readonly #options: Options
  readonly #others: BroadcastChannel | null
  #delivering: Promise<Ending> | null = null
  #again = false
  #loaded = false
  #notBefore = 0
  /** What has arrived and is still shown as waiting, until what came of it can be shown in its place. */
  readonly #arriving = new Map<number, Entry>()
  /** Those whose sender is still there, waiting for the answer. */
  readonly #watched = new Set<number>()
  readonly #records = new Map<number, Comment | Suggestion | null>()

  constructor(options: Options) {
    this.#options = options
    this.#database = options.database ?? indexedDbEntries()
    this.#fallback = options.fallback ?? localStorageEntries()
    this.#others = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : null
    this.#others?.addEventListener('message', () => void this.load())
  }

  /** Whether something that waits outlives the page. */
  lasts(entry: Entry): boolean {
    return !this.#passing.has(entry.order)
  }

  /** Whether something waits that would go with the page. */
  get wouldLose(): boolean {
    return this.#passing.size > 0
  }

  /** A draft is gone, and with it what it took of the browser’s storage: there may be room for what found none. */
  async settle(): Promise<void> {
    if (this.wouldLose) await this.load()
  }

  /** Looks what there is, after other tabs and the worker. */
  async load(): Promise<void> {
    const { token } = this.#options
    const inFallback = await this.#fallback.list(token)
    // What can’t be read just now is still there.
    const stored = await this.#database.list(token).catch(() => this.#known)
    const all = [...stored, ...inFallback]
    // What was never shown here as waiting is another tab's to welcome.
    const mayWelcome = (entry: Entry) =>
      !this.#loaded ||
      this.entries.some(({ order }) => order === entry.order) ||
      this.#records.has(entry.order)
    const arrived = all.filter(
      (entry) => entry.state === 'delivered' && !this.#watched.has(entry.order) && mayWelcome(entry),
    )
    this.#loaded = true
    for (const { order } of arrived) {
      const shown = this.entries.find((entry) => entry.order === order)
      if (shown) this.#arriving.set(order, shown)
    }
    const left = all.filter(({ state }) => state !== 'delivered')
    this.entries = [...this.#arriving.values(), ...left]
    const passing = left.filter(({ order }) => isInFallback(order) && !this.#fallback.lasts(order))
    this.#passing = new Set(passing.map(({ order }) => order))
    if (arrived.length > 0) await this.#welcome(arrived)
  }

  /**
   * Keeps something and delivers it. Rejects with the server’s refusal, and then keeps nothing: whoever wrote it still
   * has it before them.
   */
  async post(message: Message): Promise<PostedEntry> {
    const { documentId, token } = this.#options
    const fresh = { ...message, key: newIdempotencyKey(), token, documentId, writtenAt: Date.now() }
    return this.#send(await this.#keep(fresh))
  }

  /** Delivers what waits, unless the server has asked for patience. */
  async deliver({ now = false } = {}): Promise<Ending | null> {
    if (!now && (this.waiting.length === 0 || performance.now() < this.#notBefore)) return null
    this.#again = true
    let ending: Ending | null = null
    // One round at a time; what was added meanwhile has its own.
    while (this.#again || this.#delivering) {
      if (!this.#delivering) {
        this.#again = false
        this.#delivering = this.#round().finally(() => (this.#delivering = null))
      }
      ending = await this.#delivering
    }
    return ending
  }

  /** What is being done to a comment or suggestion. */
  mutationsOn(id: string): (Entry & Mutation)[] {
    return this.entries.filter(isMutation).filter(({ target }) => target === id)
  }

  /** Other words in the place of what waits. False if it is on its way already. */
  async change(order: number, words: string): Promise<boolean> {
    const changed = await this.#storeOf(order).change(order, (entry) => {
      if (!isChangeable(entry)) return undefined
      switch (entry.kind) {
        case 'comment':
          return withBody(entry, { ...entry.body, body: words })
        case 'edit':
          return withBody(entry, { body: words })
        case 'reason':
          return withBody(entry, { note: words || null })
        case 'suggestion':
          return withBody(entry, { ...entry.body, suggested_text: words })
        default:
          return undefined
      }
    })
    this.#tellOthers()
    await this.load()
    void this.deliver()
    return Boolean(changed)
  }

  /** Tries again what was refused, in the same words and under the same key. */
  async retry(order: number): Promise<void> {
    await this.#storeOf(order).change(order, (entry) =>
      entry.state === 'refused' ? { ...entry, state: 'waiting', refusal: null, faults: 0 } : undefined,
    )
    this.#tellOthers()
    await this.load()
    await this.deliver({ now: true })
  }

  /** Gives it up. Answers what brings it back; null if it has arrived meanwhile. */
  async discard(order: number): Promise<(() => Promise<void>) | null> {
    let gone: Entry | null = null
    await this.#storeOf(order).change(order, (entry) => {
      if (entry.state === 'delivered') return undefined
      gone = entry
      return null
    })
    this.#tellOthers()
    await this.load()
    const taken = gone as Entry | null
    if (!taken) return null
    return async () => {
      await this.#storeOf(order).restore(taken)
      this.#tellOthers()
      await this.load()
      void this.deliver()
    }
  }

  /** The link no longer works. */
  async giveUp(): Promise<void> {
    for (const store of [this.#database, this.#fallback]) {
      await refuseAll({ store, token: this.#options.token }).catch(() => undefined)
    }
    this.#tellOthers()
    await this.load()
  }

  /**
   * The link works and permits so much, whatever was said of it before: its owner may have stopped it for a while, or
   * lowered it. What was refused for that alone waits again.
   */
  async takeUp(permission: LinkAccess): Promise<void> {
    const given = this.refused.filter(
      (entry) => entry.refusal?.code === 'UNAUTHORIZED' || isPermittedNow(entry, permission),
    )
    for (const { order } of given) {
      await this.#storeOf(order).change(order, (entry) =>
        entry.state === 'refused' ? { ...entry, state: 'waiting', refusal: null } : undefined,
      )
    }
    if (given.length > 0) await this.load()
  }

  /** Where the database takes nothing, the fallback does; and while there is something in it, what follows stays behind. */
  async #keep(message: NewEntry): Promise<Entry> {
    if ((await this.#fallback.list(message.token)).length > 0) return keep(this.#fallback, message)
    return keep(this.#database, message).catch(() => keep(this.#fallback, message))
  }

  async #send(entry: Entry): Promise<PostedEntry> {
    const { token, patience = 4_000 } = this.#options
    const { order } = entry
    const store = this.#storeOf(order)
    this.#watched.add(order)
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, patience, null))
    const ending = await Promise.race([this.deliver({ now: true }), timeout])
    this.#watched.delete(order)
    if (ending?.kind === 'dead') {
      await this.#remove(order)
      throw new ApiError('UNAUTHORIZED', 401, 'Unauthorized')
    }
    const left = await store.list(token).then(
      (all) => all.find((one) => one.order === order),
      () => {
        // What can’t be read just now is still there.
        this.entries = [...this.entries.filter((one) => one.order !== order), entry]
        return entry
      },
    )
    if (left?.state === 'refused' && left.refusal) {
      await this.#remove(order)
      const { code, message } = left.refusal
      throw new ApiError(code === 'UNSURE' ? 'INTERNAL_ERROR' : code, 0, message)
    }
    if (left?.state === 'delivered' || this.#records.has(order)) {
      await this.#remove(order)
      return { kind: 'sent', record: this.#records.get(order) ?? null }
    }
    if (!left) return this.#sendAgain(entry)
    void askToPersist()
    await this.load()
    this.#tellOthers()
    return { kind: 'kept', entry: left }
  }

  /**
   * Sends what is no longer there, though nobody here has heard that it was delivered: another tab may have taken it
   * once it was, or the browser its storage. Under its key it is done once, whichever it was.
   */
  async #sendAgain(entry: Entry): Promise<PostedEntry> {
    const { order } = await this.#fallback.add(entry)
    const again = await this.#fallback.change(order, (added) => ({ ...added, unsureSince: Date.now() }))
    return this.#send(again!)
  }

  async #round(): Promise<Ending> {
    const ending = await this.#deliverAll()
    this.#notBefore = ending.kind === 'later' ? performance.now() + ending.seconds * 1000 : 0
    this.#tellOthers()
    await this.load()
    this.#options.onEnding(ending)
    return ending
  }

  async #deliverAll(): Promise<Ending> {
    let missed = false
    for (const store of [this.#database, this.#fallback]) {
      const onDelivered = (entry: Entry, record: Comment | Suggestion | null) =>
        void this.#records.set(entry.order, record)
      const ending = await deliver({ ...this.#options, store, onDelivered }).catch(() => null)
      if (ending && ending.kind !== 'done') return ending
      missed ||= ending === null
    }
    // A database that never held anything is not waited for.
    return missed && this.#known.length > 0 ? { kind: 'later', seconds: 30 } : { kind: 'done' }
  }

  async #welcome(arrived: readonly Entry[]): Promise<void> {
    // Another tab may be welcoming it too; whoever takes it away says so.
    const mine: { entry: Entry; record: Comment | Suggestion | null }[] = []
    const orders = new Set(arrived.map(({ order }) => order))
    try {
      for (const entry of arrived) {
        const taken = await this.#storeOf(entry.order).change(entry.order, () => null)
        if (taken === null) mine.push({ entry, record: this.#records.get(entry.order) ?? null })
      }
    } finally {
      for (const order of orders) this.#arriving.delete(order)
      this.entries = this.entries.filter(({ order }) => !orders.has(order))
    }
    if (mine.length === 0) return
    const ids = mine.flatMap(({ entry }) => entry.recordId ?? [])
    this.arrived = new Set([...this.arrived, ...ids])
    this.#options.onArrival(mine)
  }

  async #remove(order: number): Promise<void> {
    await this.#storeOf(order)
      .change(order, () => null)
      .catch(() => undefined)
    await this.load()
  }

  #tellOthers(): void {
    this.#others?.postMessage(this.#options.token)
  }

  get #known(): readonly Entry[] {
    return this.entries.filter(({ order }) => !isInFallback(order))
  }

  #storeOf(order: number): EntryStore {
    return isInFallback(order) ? this.#fallback : this.#database
  }
}
