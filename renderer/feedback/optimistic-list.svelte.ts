import { Delays } from './delays.ts'
import { keepingSame } from './keeping-same.ts'
import type { Wanted } from './wanted.ts'

/** What is known of each that is listed. */
interface Listed {
  id: string
  parent_id?: string | null
  created_at?: string
  updated_at?: string
  resolved_at?: string | null
}

interface Overlay<T> {
  apply: (items: readonly T[]) => readonly T[]
}

/**
 * A list as the server has it, with the changes on top that it hasn’t confirmed yet. What is shown is always
 * the server’s list with those changes applied, so taking one back can’t undo anything else.
 */
export class OptimisticList<T extends Listed> {
  #confirmed = $state.raw<readonly T[]>([])
  #overlays = $state.raw<readonly Overlay<T>[]>([])
  /** Counts confirmed changes, so that an answer asked for before one can’t bring back what it replaced. */
  #epoch = 0
  readonly #delays = new Delays()
  #placedIn = $state.raw<ReadonlyMap<string, number>>(new Map())
  /** Whether the server has said all that there is. */
  isKnown = $state(false)
  /** Whether the server’s lists tell of places. */
  #hasPlaces = false

  readonly items = $derived(this.#overlays.reduce((items, overlay) => overlay.apply(items), this.#confirmed))

  /** In which revision of the text an item has its place; undefined for one that no list has told of as it is now. */
  placedIn(id: string): number | undefined {
    return this.#placedIn.get(id)
  }

  /**
   * Takes over what is wanted of the server’s list, unless a change was confirmed while it was being fetched. Where what
   * came lacks something that was wanted, all of it is asked for.
   */
  async load(fetch: Fetch<T>, wanted: Wanted = 'all'): Promise<void> {
    if (wanted === 'nothing') return
    let revision: number | undefined
    const placedIn = (told: number) => (revision = told)
    const take = this.begin(wanted)
    if (take(await fetch(this.query(wanted), placedIn), revision) || wanted === 'all') return
    const takeAll = this.begin()
    takeAll(await fetch(undefined, placedIn), revision)
  }

  /** With which query what is wanted is asked for; none for all of it. */
  query(wanted: Wanted): Since | undefined {
    if (typeof wanted === 'string') return undefined
    const untold = this.#hasPlaces ? this.#confirmed.filter(({ id }) => !this.#placedIn.has(id)) : []
    // An answer that would have told their places may have been outrun by a change.
    const since =
      untold.length > 0
        ? untold.map(changedAt).reduce((first, at) => (at < first ? at : first))
        : this.#confirmed.reduce((last, item) => later(last, changedAt(item)), '')
    return since === '' ? undefined : { since }
  }

  /**
   * What takes over what is wanted of a list, which is asked for from now on; it answers false where a change was
   * confirmed since, or where what came isn’t all that was wanted. `revision`: of the text in which the list has its
   * places.
   */
  begin(wanted: Wanted = 'all'): (fetched: readonly T[], revision?: number) => boolean {
    const epoch = this.#epoch
    return (fetched, revision) => {
      if (wanted === 'nothing') return true
      this.#hasPlaces ||= revision !== undefined
      if (epoch !== this.#epoch) return false
      const items = wanted === 'all' ? fetched : merged(this.#confirmed, fetched, wanted)
      if (items) {
        this.#confirmed = keepingSame(this.#confirmed, items)
        this.isKnown ||= wanted === 'all'
        const placed = new Map(wanted === 'all' ? [] : this.#placedIn)
        for (const { id } of fetched) {
          if (revision === undefined) placed.delete(id)
          else placed.set(id, revision)
        }
        this.#placedIn = placed
      }
      return items !== null
    }
  }

  /** The same of all of them, to be kept. */
  get places(): ReadonlyMap<string, number> {
    return this.#placedIn
  }

  /** Goes on from a list as it was kept. */
  restore(items: readonly T[], places: ReadonlyMap<string, number>): void {
    this.#epoch++
    this.#confirmed = items
    this.#placedIn = places
  }

  /** Records what the server has just confirmed. */
  confirm(apply: (items: readonly T[]) => readonly T[]): void {
    this.#epoch++
    const before = new Set(this.#confirmed)
    this.#confirmed = apply(this.#confirmed)
    const placed = new Map(this.#placedIn)
    for (const item of this.#confirmed) if (!before.has(item)) placed.delete(item.id)
    this.#placedIn = placed
  }

  /** Shows `apply` while `call` runs; then `settle` records the answer. Rejects, with nothing changed, if `call` does. */
  async change<Answer>(
    apply: Overlay<T>['apply'],
    call: () => Promise<Answer>,
    settle: (items: readonly T[], answer: Answer) => readonly T[],
  ): Promise<Answer> {
    const takeBack = this.#show(apply)
    try {
      const answer = await call()
      this.confirm((items) => settle(items, answer))
      return answer
    } finally {
      takeBack()
    }
  }

  /**
   * Shows `apply` now and calls `call` after `ms`, or at once by `flush`. The returned function takes it back before
   * then, and says whether it still could.
   */
  later(
    key: string,
    ms: number,
    apply: Overlay<T>['apply'],
    call: (leaving: boolean) => Promise<void>,
    failed: (error: unknown) => void,
  ): () => boolean {
    const takeBack = this.#show(apply)
    const cancel = this.#delays.put(key, ms, async (leaving) => {
      try {
        await call(leaving)
        this.confirm(apply)
      } catch (error) {
        failed(error)
      } finally {
        takeBack()
      }
    })
    return () => {
      const inTime = cancel()
      if (inTime) takeBack()
      return inTime
    }
  }

  /** Does now what was put off. */
  flush(): Promise<void> {
    return this.#delays.flush()
  }

  #show(apply: Overlay<T>['apply']): () => void {
    const overlay: Overlay<T> = { apply }
    this.#overlays = [...this.#overlays, overlay]
    return () => {
      this.#overlays = this.#overlays.filter((other) => other !== overlay)
    }
  }
}

export interface Since {
  since: string
}

/** Asks for a list, and tells in which revision of the text it has its places. */
type Fetch<T> = (query: Since | undefined, placedIn: (revision: number) => void) => Promise<readonly T[]>

const changedAt = ({ updated_at, resolved_at, created_at }: Listed) =>
  updated_at ?? resolved_at ?? created_at ?? ''
const later = (one: string, other: string) => (other > one ? other : one)

/** The list with what has come of it, and without what is gone; null where something is missing. */
function merged<T extends Listed>(
  items: readonly T[],
  fetched: readonly T[],
  { ids, gone }: Exclude<Wanted, string>,
): readonly T[] | null {
  const come = new Map(fetched.map((item) => [item.id, item]))
  if ([...ids].some((id) => !come.has(id))) return null
  const isGone = ({ id, parent_id }: Listed) =>
    gone.has(id) || (typeof parent_id === 'string' && gone.has(parent_id))
  const known = items.map((item) => come.get(item.id) ?? item)
  const had = new Set(items.map(({ id }) => id))
  return [...known, ...fetched.filter(({ id }) => !had.has(id))].filter((item) => !isGone(item))
}

/** The list with the item of that id replaced; of what that doesn’t tell, such as replies, it keeps what it had. */
export function replaced<T extends { id: string }>(items: readonly T[], item: T): readonly T[] {
  return items.map((other) => (other.id === item.id ? { ...other, ...item } : other))
}
