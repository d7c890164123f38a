import type { ChangeSet } from '@codemirror/state'
import { commonEnds } from './common-ends.ts'
import { joinTouching, type Hunk } from './hunk.ts'

const ofWord = /[\p{L}\p{N}\p{M}_'’]/u
/** A word that is longer is none that anybody reads. */
const longest = 100

const isWord = (text: string, at: number) => at >= 0 && at < text.length && ofWord.test(text[at]!)

/** Whether a place is within a word. */
const isIn = (text: string, at: number) => isWord(text, at - 1) && isWord(text, at)

/**
 * The differences that a change is known to have made, in order, each of whole words: where a letter was put into a
 * word, the word was rewritten. A comparison of the two texts may find others, where they have the same words often.
 */
export function knownHunks(before: string, after: string, changes: ChangeSet): Hunk[] {
  const hunks: Hunk[] = []
  changes.iterChanges((fromA, toA, fromB, toB) => {
    const ends = commonEnds(before.slice(fromA, toA), after.slice(fromB, toB))
    // What was taken out and came back stays; what merely begins like what it replaces is another.
    const isKept = ends.head + ends.tail === Math.min(toA - fromA, toB - fromB)
    const { head, tail } = isKept ? ends : { head: 0, tail: 0 }
    const hunk = { fromA: fromA + head, toA: toA - tail, fromB: fromB + head, toB: toB - tail }
    if (hunk.fromA === hunk.toA && hunk.fromB === hunk.toB) return
    const last = hunks.at(-1)
    const isCut = () =>
      isIn(before, last!.toA) || isIn(after, last!.toB) || isIn(before, hunk.fromA) || isIn(after, hunk.fromB)
    if (last && isOfWord(before, last.toA, hunk.fromA) && isCut())
      Object.assign(last, { toA: hunk.toA, toB: hunk.toB })
    else hunks.push(hunk)
  })
  for (const hunk of hunks) widen(hunk, before, after)
  return joinTouching(hunks)
}

/** Whether nothing but a word, or a part of one, stands between two places. */
function isOfWord(text: string, from: number, to: number): boolean {
  if (to - from > longest) return false
  for (let at = from; at < to; at++) if (!isWord(text, at)) return false
  return true
}

/** Up to where the words begin and end that it is in. What is around is the same in both texts. */
function widen(hunk: Hunk, before: string, after: string): void {
  const takesAway = () => hunk.fromA < hunk.toA
  // What it takes in on one side may have been a part of the word on the other.
  for (let i = 0; i < 2; i++) {
    if ((takesAway() && isIn(before, hunk.fromA)) || isIn(after, hunk.fromB))
      for (let n = 0; n < longest && isWord(before, hunk.fromA - 1); n++) {
        hunk.fromA--
        hunk.fromB--
      }
    if ((takesAway() && isIn(before, hunk.toA)) || isIn(after, hunk.toB))
      for (let n = 0; n < longest && isWord(before, hunk.toA); n++) {
        hunk.toA++
        hunk.toB++
      }
  }
}
