import type { ChangeDesc, ChangeSet, Text } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import { afterDoing, touches, type Doing, type Since } from './doing.ts'
import { knownIn, later, stillThere, without, type KnownPart } from './known-parts.ts'
import { followTaken, partsIn, type TakenWords } from './taken-words.ts'

/** Words that were taken out here in one go. */
interface Removal {
  words: string
  /** Those that the server’s text has: all but what was put in here since. */
  known: readonly KnownPart[]
  /** What stands in their place. */
  at: Range
  since: Since
}

/** What undo or redo has brought back: where it stands, and where in the text that the server knows. */
export interface Returned {
  at: number
  in: number
  length: number
}

const most = 200

/**
 * What was taken out here and the server may not know of, each for itself as undo brings it back: what was put in here
 * and taken out again stands in one word with what others take out meanwhile.
 */
export class OwnRemovals {
  /** Of the change that is on its way, in places of the server’s text, and of what isn’t yet, in those of the text that it leaves. */
  #sending: readonly Removal[] = []
  #unsent: readonly Removal[] = []

  /**
   * Takes in a change of the text here. Answers what it brings back of what is yet to be sent.
   * @param unsent what made the text until then of the one that what is on its way leaves
   */
  add(
    changes: ChangeSet,
    { text, unsent }: { text: Text; unsent: ChangeSet | null },
    doing: Doing,
  ): Returned[] {
    const returned: Returned[] = []
    let all = this.#unsent
    if ((doing === 'undo' || doing === 'redo') && this.#sending.length + all.length > 0)
      changes.iterChanges((fromA, toA, fromB, _toB, inserted) => {
        if (inserted.length === 0) return
        const back = { fromA, toA, fromB, text: inserted.toString() }
        all = withoutReturned(all, back, doing, returned)
        this.#sending = withoutReturned(this.#sending, back, doing, [])
      })
    const last = all.at(-1)
    const removed = removedBy(changes, text, unsent)
    this.#sending = this.#sending.map((one) => moved(one, changes, doing))
    all = all.map((one) => moved(one, changes, doing))
    const [first] = removed
    const joined = last && first && removed.length === 1 ? joinedTo(last, first) : null
    this.#unsent = (
      joined ? [...all.slice(0, -1), joined] : [...all, ...removed.map(({ now }) => now)]
    ).slice(-most)
    return returned
  }

  /** What isn’t sent goes on its way. */
  sent(): void {
    this.#sending = this.#unsent
    this.#unsent = []
  }

  arrived(): void {
    this.#sending = []
  }

  /** What was on its way isn’t any more. */
  takenBack(sending: ChangeSet): void {
    const unsent = this.#unsent.map((one) => ({
      ...one,
      known: one.known.flatMap((part) =>
        knownIn(sending, part.in, part.in + part.end - part.start).map((of) => later(of, part.start)),
      ),
    }))
    this.#unsent = [...this.#sending, ...unsent]
    this.#sending = []
  }

  /**
   * Takes in what others have changed of the server’s text, and answers what of that was taken out here as well.
   * @param sending what was on its way before
   * @param over what it is for the text here
   */
  takeIn(changes: ChangeDesc, sending: ChangeSet | null, over: ChangeDesc): TakenWords[] {
    const taken: TakenWords[] = []
    const map = (all: readonly Removal[], by: ChangeDesc) =>
      all.map((one) => {
        const known = one.known.flatMap((part) => stillThere(by, part))
        const gone = one.known.flatMap((part) => without(part, known))
        const now = { ...followed(one, over), known }
        if (gone.length > 0) taken.push({ words: one.words, taken: gone, at: now.at, since: one.since })
        return now
      })
    if (this.#sending.length > 0) this.#sending = map(this.#sending, changes)
    if (this.#unsent.length > 0)
      this.#unsent = map(this.#unsent, sending ? changes.mapDesc(sending) : changes)
    return taken
  }
}

interface Removed {
  /** Where it stood before. */
  from: number
  to: number
  now: Removal
}

/** What a change takes out. */
function removedBy(changes: ChangeSet, text: Text, unsent: ChangeSet | null): Removed[] {
  const all: Removed[] = []
  changes.iterChangedRanges((from, to, start, end) => {
    if (from === to) return
    const known = unsent ? knownIn(unsent, from, to) : [{ start: 0, end: to - from, in: from }]
    const now = { words: text.sliceString(from, to), known, at: { start, end }, since: { undo: 0, redo: 0 } }
    all.push({ from, to, now })
  }, true)
  return all
}

/** What is taken out key by key as one, since undo brings it back as one; null where it isn’t gone on with. */
function joinedTo(last: Removal, { from, to, now }: Removed): Removal | null {
  const { start, end } = last.at
  if (start < end || now.at.start < now.at.end || last.since.undo > 0) return null
  const pair = start === to ? [now, last] : start === from ? [last, now] : null
  if (!pair) return null
  const [{ words, known }, behind] = pair as [Removal, Removal]
  return {
    ...now,
    words: words + behind.words,
    known: [...known, ...behind.known.map((one) => later(one, words.length))],
  }
}

const followed = (one: Removal, changes: ChangeDesc): Removal => ({
  ...one,
  at: followTaken({ ...one, taken: [] }, changes).at,
})

function moved(one: Removal, changes: ChangeDesc, doing: Doing): Removal {
  const { at, since } = afterDoing({ ...one, taken: [] }, changes, doing)
  return { ...one, at, since }
}

/** What is left of removals after some of them came back. */
function withoutReturned(
  all: readonly Removal[],
  back: { fromA: number; toA: number; fromB: number; text: string },
  doing: 'undo' | 'redo',
  returned: Returned[],
): readonly Removal[] {
  const found: Range[] = []
  return all
    .toReversed()
    .flatMap((one) => {
      if (one.since[doing] > 0 || !touches(one, back.fromA, back.toA)) return [one]
      const parts = partsIn(back.text, one.words, one.known)
      const places = parts.map(({ of, by }) => ({ start: of.start + by, end: of.end + by }))
      if (
        parts.length === 0 ||
        places.some((place) => found.some((other) => place.start < other.end && other.start < place.end))
      )
        return [one]
      found.push(...places)
      for (const { of, by } of parts)
        for (const part of one.known) {
          const [start, end] = [Math.max(of.start, part.start), Math.min(of.end, part.end)]
          if (start < end)
            returned.push({
              at: back.fromB + start + by,
              in: part.in + start - part.start,
              length: end - start,
            })
        }
      const left = leftOf(
        one,
        parts.map(({ of }) => of),
      )
      return left.words === '' ? [] : [left]
    })
    .reverse()
}

function leftOf(one: Removal, parts: readonly Range[]): Removal {
  let { words, known } = one
  for (const part of parts.toSorted((a, b) => b.start - a.start)) {
    words = words.slice(0, part.start) + words.slice(part.end)
    const place = (at: number) => at - Math.max(0, Math.min(at, part.end) - part.start)
    known = known.flatMap((range) =>
      without(range, [part]).map(({ start, end }) => ({
        start: place(start),
        end: place(end),
        in: range.in + start - range.start,
      })),
    )
  }
  return { ...one, words, known }
}
