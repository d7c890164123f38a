import type { ChangeSet } from '@codemirror/state'
import { commonEnds } from '../../server/domain/common-ends.ts'
import type { Hunk } from '../../server/domain/hunk.ts'
import { letterHunks } from '../../server/domain/same-letters.ts'
import { toldBy, wholeEnds } from '../../server/domain/whole-ends.ts'
import { ofWholeGraphemes } from '../../server/domain/whole-graphemes.ts'

export interface LetterChange {
  from: number
  to: number
  insert: string
}

/** Where marks go and come, those that come are another’s, though they read the same. */
const onlyMarks = /^[*_~`[]+$|^\]\([^()\s]*\)$/

/**
 * What makes one text of the other, to the letter. Hunks are of whole words: where someone else wrote against a word of
 * ours, ours would go and come back as theirs, and undo would find nothing of it.
 */
export function letterChanges(before: string, after: string, hunks: readonly Hunk[]): LetterChange[] {
  return hunks.map(({ fromA, toA, fromB, toB }) => {
    const old = before.slice(fromA, toA)
    const now = after.slice(fromB, toB)
    const { head, tail } = onlyMarks.test(old) ? { head: 0, tail: 0 } : commonEnds(old, now)
    return { from: fromA + head, to: toA - tail, insert: now.slice(head, now.length - tail) }
  })
}

/** Pairs of letters that are compared at most where words differ in more than their middle. */
const mostCompared = 250_000

/** What differs between two short texts, to the character: not more than is changed of a word. */
export function closestChanges(before: string, after: string): LetterChange[] {
  if (before === after) return []
  const { head, tail } = commonEnds(before, after)
  const middle = { fromA: head, toA: before.length - tail, fromB: head, toB: after.length - tail }
  const hunks = letterHunks([middle], before, after, { left: mostCompared })
  return ofWholeGraphemes(before, after, hunks).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: after.slice(fromB, toB),
  }))
}

/** The same for what was changed here, and is yet to be brought over what others write: it cuts no word. */
export const wordChanges = (before: string, after: string, hunks: readonly Hunk[]): LetterChange[] =>
  closely(before, after, hunks).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: after.slice(fromB, toB),
  }))

/** The same differences without what stays at their ends: white space, which a comparison takes as a whole, and whole words. */
export function closely(before: string, after: string, hunks: readonly Hunk[]): Hunk[] {
  return hunks.map(({ fromA, toA, fromB, toB }) => {
    const { head, tail } = wholeEnds(before.slice(fromA, toA), after.slice(fromB, toB), {
      before: before.slice(Math.max(0, fromA - toldBy), fromA),
      behind: before.slice(toA, toA + toldBy),
    })
    return { fromA: fromA + head, toA: toA - tail, fromB: fromB + head, toB: toB - tail }
  })
}

/** Neighbours that undo one another are looked for so far. */
const neighbours = 32

/** What a change does to a text, without places that only together leave all as it is: words that come back beside where they went. */
export function withoutReturning(changes: ChangeSet, before: string, after: string): Hunk[] {
  const places: Hunk[] = []
  changes.iterChanges((fromA, toA, fromB, toB) => places.push({ fromA, toA, fromB, toB }))
  const left: Hunk[] = []
  for (let i = 0; i < places.length; i++) {
    const { fromA, fromB } = places[i]!
    const length = places
      .slice(i, i + neighbours)
      .findIndex(
        ({ toA, toB }) => toA - fromA === toB - fromB && before.slice(fromA, toA) === after.slice(fromB, toB),
      )
    if (length < 0) left.push(places[i]!)
    else i += length
  }
  return left
}
