import type { ChangeDesc, ChangeSet, Text } from '@codemirror/state'
import { knownIn, later, partsWithin, type KnownPart } from './known-parts.ts'
import { followTaken, type TakenWords } from './taken-words.ts'

/** Words that were taken out here in one go. */
export interface Removal extends Pick<TakenWords, 'words' | 'at' | 'numbers'> {
  /** Those that the server’s text has: all but what was put in here since. */
  known: readonly KnownPart[]
  /** Those that what is on its way takes out and undo had brought back, in the text before it. */
  sent: readonly KnownPart[]
}

export interface Removed {
  /** Where it stood before. */
  from: number
  to: number
  now: Removal
}

/** What a change takes out. */
export function removedBy(
  changes: ChangeSet,
  text: Text,
  numbers: Removal['numbers'],
  {
    unsent,
    back,
    moved,
  }: { unsent: ChangeSet | null; back: readonly KnownPart[]; moved: readonly KnownPart[] },
): Removed[] {
  const all: Removed[] = []
  changes.iterChangedRanges((from, to, start, end) => {
    if (from === to) return
    const known = [
      ...(unsent ? knownIn(unsent, from, to) : [{ start: 0, end: to - from, in: from }]),
      ...partsWithin(moved, from, to),
    ]
    const now = {
      ...{ words: text.sliceString(from, to), known, sent: partsWithin(back, from, to) },
      ...{ at: { start, end }, numbers },
    }
    all.push({ from, to, now })
  }, true)
  return all
}

/** What of it isn’t put in again elsewhere, as others’ words that are moved are; `returned` is told of what is. */
export function withoutPutElsewhere(
  removed: readonly Removed[],
  changes: ChangeSet,
  returned: { known: KnownPart[]; sent: KnownPart[] },
): Removed[] {
  const left = [...removed]
  changes.iterChanges((_fromA, _toA, from, _toB, inserted) => {
    const text = inserted.toString()
    // White space comes and goes by itself.
    const index = left.findIndex(({ now }) => now.words.trim() !== '' && text.includes(now.words))
    if (index < 0) return
    const [{ now }] = left.splice(index, 1) as [Removed]
    const at = from + text.indexOf(now.words)
    returned.known.push(...now.known.map((part) => later(part, at)))
    returned.sent.push(...now.sent.map((part) => later(part, at)))
  })
  return left
}

/** What is taken out key by key as one, since undo brings it back as one; null where it doesn’t touch. */
export function joinedTo(last: Removal, { from, to, now }: Removed): Removal | null {
  const { start, end } = last.at
  if (start < end || now.at.start < now.at.end) return null
  const pair = start === to ? [now, last] : start === from ? [last, now] : null
  if (!pair) return null
  const [{ words, known, sent }, behind] = pair as [Removal, Removal]
  return {
    ...now,
    numbers: last.numbers && now.numbers && [...last.numbers, ...now.numbers],
    words: words + behind.words,
    known: [...known, ...behind.known.map((one) => later(one, words.length))],
    sent: [...sent, ...behind.sent.map((one) => later(one, words.length))],
  }
}

export const followed = (one: Removal, changes: ChangeDesc): Removal => ({
  ...one,
  at: followTaken({ ...one, taken: [] }, changes).at,
})
