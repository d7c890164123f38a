import { ChangeSet } from '@codemirror/state'
import { limits } from '../../server/contract/limits.ts'
import { textDiff } from '../../server/domain/diff/index.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import { closestChanges, type LetterChange } from './letter-changes.ts'

type Side = readonly LetterChange[]

const wordsChanged = (base: string, now: string): LetterChange[] =>
  textDiff(base, now).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: now.slice(fromB, toB),
  }))

const isInsertion = ({ from, to }: LetterChange) => from === to
const isDeletion = ({ insert }: LetterChange) => insert === ''

const meet = (mine: Side, theirs: Side, areOne: (one: LetterChange, other: LetterChange) => boolean) =>
  mine.some((one) => theirs.some((other) => areOne(one, other)))

/** Words that both have changed, and not only beside one another. */
const isSameWord = (one: LetterChange, other: LetterChange) => one.from < other.to && other.from < one.to

/** Letters at one place of which both haven’t just put some in, or taken some out. */
const isSamePlace = (one: LetterChange, other: LetterChange) =>
  one.from <= other.to &&
  other.from <= one.to &&
  ![isInsertion, isDeletion].some((is) => is(one) && is(other))

/**
 * A title with what two have changed of it, each word of one’s own before what came at the same place. Null where
 * both have written another word for the same, or it would be longer than a title may be: then one has to be chosen.
 */
export function mergedTitle(base: string, mine: string, theirs: string): string | null {
  let sides: [Side, Side] = [wordsChanged(base, mine), wordsChanged(base, theirs)]
  if (meet(...sides, isSameWord)) {
    sides = [closestChanges(base, mine), closestChanges(base, theirs)]
    if (meet(...sides, isSamePlace)) return null
  }
  const [ours, came] = sides.map((side) => ChangeSet.of([...side], base.length))
  const merged = came!.compose(ours!.map(came!, true)).apply(textOf(base)).toString()
  return [...merged].length > limits.titleLength ? null : merged
}

/** Whether a title is another with more in it. */
export const growsFrom = (before: string, after: string): boolean =>
  closestChanges(before, after).every(isInsertion)
