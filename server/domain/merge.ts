import type { Range } from '../contract/records/anchors.ts'
import { textDiff } from './diff/index.ts'
import { joinTouching, type Hunk } from './hunk.ts'

/** A place that both sides changed. Both texts are kept in the merged one, mine first. */
export interface Conflict {
  base: Range
  mine: string
  /** What stands in the text of mine, where that isn’t all. */
  put?: string
  theirs: string
  /** Where both stand in the merged text. */
  at: Range
}

export interface Merged {
  text: string
  conflicts: Conflict[]
  /** What makes the merged text of mine: what the other side did, and nothing that I did. */
  changes: Hunk[]
  /** What makes it of theirs: what I did, and nothing that the other side did. */
  changesOfTheirs: Hunk[]
}

/** How a text that grows is made of another. */
class Made {
  readonly changes: Hunk[] = []
  #at = 0
  #length = 0

  /** Adds words for so many characters of the other text; null for words that are the same there. */
  add(words: string, of: number | null): void {
    const replaced = of ?? words.length
    const [fromA, fromB] = [this.#at, this.#length]
    this.#at += replaced
    this.#length += words.length
    if (of !== null && (replaced > 0 || words !== ''))
      this.changes.push({ fromA, toA: this.#at, fromB, toB: this.#length })
  }
}

/**
 * Joins two texts that were both made from `base`. Changes that don't meet are both taken; where they do, both texts
 * are kept one after the other and reported, so that a person can choose; where both only put words in and one has all
 * that the other put, in one piece or in long ones, it is taken once. No word that either side wrote is dropped.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  return mergeClusters(base, mine, theirs, clusters(textDiff(base, mine), textDiff(base, theirs)))
}

/**
 * The same where it is known what either side did, and others may be merging at this moment. Where both changed a passage,
 * only what I put in there stands beside theirs: what they took away and I left would come back with each who was away.
 */
export function mergeChanges(
  base: string,
  [mine, byMine]: readonly [string, Hunk[]],
  [theirs, byTheirs]: readonly [string, Hunk[]],
): Merged {
  return mergeClusters(base, mine, theirs, clusters(byMine, byTheirs), putBy)
}

function mergeClusters(
  base: string,
  mine: string,
  theirs: string,
  all: readonly Cluster[],
  putBy?: (side: string, hunks: readonly Hunk[]) => string,
): Merged {
  let text = ''
  const conflicts: Conflict[] = []
  const [ofMine, ofTheirs] = [new Made(), new Made()]
  let at = 0
  /** Adds words, and says for how many characters of either side; null for words that are the same there. */
  const add = (words: string, replacedMine: number | null, replacedTheirs: number | null) => {
    text += words
    ofMine.add(words, replacedMine)
    ofTheirs.add(words, replacedTheirs)
  }
  for (const [index, { start, end, byMine, byTheirs }] of all.entries()) {
    add(base.slice(at, start), null, null)
    const touchesLast = start === at
    at = end
    const myText = rewritten(base, mine, start, end, byMine)
    const theirText = rewritten(base, theirs, start, end, byTheirs)
    // Two changes that touch come from different sides; their words must not run into each other, nor, where the
    // second one took away what stood between, into what follows.
    const theirNext = byTheirs.length > 0 ? theirText : ''
    const next = (byMine.length > 0 && myText) || theirNext || base.slice(end, all[index + 1]?.start)
    if (touchesLast) add(separator(text, next), 0, 0)
    if (myText === theirText) add(myText, null, null)
    else if (byTheirs.length === 0) add(myText, null, end - start)
    else if (byMine.length === 0) add(theirText, end - start, null)
    else {
      const differing = start === end ? whereOneHasAll(myText, theirText) : null
      if (differing) {
        let kept = 0
        for (const { fromA, toA, fromB, toB } of differing) {
          add(myText.slice(kept, fromA), null, null)
          add(myText.slice(fromA, toA), null, 0)
          add(theirText.slice(fromB, toB), 0, null)
          kept = toA
        }
        add(myText.slice(kept), null, null)
        continue
      }
      const from = text.length
      const put = putBy?.(mine, byMine) ?? myText
      add(put, put === myText ? null : myText.length, 0)
      add(separator(put, theirText), 0, 0)
      add(theirText, 0, null)
      conflicts.push({
        base: { start, end },
        mine: myText,
        ...(put === myText ? {} : { put }),
        theirs: theirText,
        at: { start: from, end: text.length },
      })
    }
  }
  text += base.slice(at)
  const [changes, changesOfTheirs] = [ofMine, ofTheirs].map((made) => joinTouching(made.changes))
  return { text, conflicts, changes: changes!, changesOfTheirs: changesOfTheirs! }
}

/**
 * Where two texts differ that were put in at one place, as when a paragraph comes back from both sides, if one of them
 * has all that the other has; else null.
 */
function whereOneHasAll(mine: string, theirs: string): Hunk[] | null {
  const differing = textDiff(mine, theirs)
  const inMine = differing.map(({ fromA, toA }) => ({ start: fromA, end: toA }))
  const inTheirs = differing.map(({ fromB, toB }) => ({ start: fromB, end: toB }))
  const hasTheirs = differing.every(({ fromB, toB }) => fromB === toB) && isOfOnePiece(mine, inMine)
  const hasMine = differing.every(({ fromA, toA }) => fromA === toA) && isOfOnePiece(theirs, inTheirs)
  return hasTheirs || hasMine ? differing : null
}

/** Stretches this long stand in two texts by no chance. */
const TELLING = 16

/** Whether what is left of a text without some ranges is one stretch of it, or long ones: not letters from here and there. */
function isOfOnePiece(text: string, without: readonly Range[]): boolean {
  let at = 0
  const left = [...without, { start: text.length, end: text.length }].map(({ start, end }) => {
    const length = start - at
    at = end
    return length
  })
  const stretches = left.filter((length) => length > 0)
  return stretches.length <= 1 || stretches.every((length) => length >= TELLING)
}

interface Cluster extends Range {
  byMine: Hunk[]
  byTheirs: Hunk[]
}

/** Hunks of both sides in the order of the base, those that meet put together. */
function clusters(byMine: Hunk[], byTheirs: Hunk[]): Cluster[] {
  const all = [
    ...byMine.map((hunk) => ({ hunk, isMine: true })),
    ...byTheirs.map((hunk) => ({ hunk, isMine: false })),
  ].sort((a, b) => a.hunk.fromA - b.hunk.fromA || a.hunk.toA - b.hunk.toA)
  const found: Cluster[] = []
  for (const { hunk, isMine } of all) {
    let last = found.at(-1)
    if (!last || !meets(last, hunk)) {
      found.push((last = { start: hunk.fromA, end: hunk.toA, byMine: [], byTheirs: [] }))
    }
    last.end = Math.max(last.end, hunk.toA)
    ;(isMine ? last.byMine : last.byTheirs).push(hunk)
  }
  return found
}

// Changes that merely touch don't meet, but two insertions at one place do: nobody can know their order.
function meets(cluster: Range, hunk: Hunk): boolean {
  if (hunk.fromA < cluster.end) return true
  return hunk.fromA === hunk.toA && cluster.start === cluster.end && hunk.fromA === cluster.end
}

function rewritten(base: string, side: string, start: number, end: number, hunks: Hunk[]): string {
  let text = ''
  let at = start
  for (const { fromA, toA, fromB, toB } of hunks) {
    text += base.slice(at, fromA) + side.slice(fromB, toB)
    at = toA
  }
  return text + base.slice(at, end)
}

/** What one side put in, of all that it has there. */
const putBy = (side: string, hunks: readonly Hunk[]) =>
  hunks.reduce((all, { fromB, toB }) => {
    const words = side.slice(fromB, toB)
    return all + separator(all, words) + words
  }, '')

const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}_'’]$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{N}\p{M}_'’]/u

/** What has to stand between two texts so that the words at their ends don’t run into each other. */
export function separator(mine: string, theirs: string): string {
  if (!ENDS_IN_WORD.test(mine.slice(-2)) || !BEGINS_WITH_WORD.test(theirs)) return ''
  return mine.includes('\n') || theirs.includes('\n') ? '\n' : ' '
}
