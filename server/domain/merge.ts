import type { Range } from './anchor.ts'
import { textDiff, type Hunk } from './text-diff.ts'

/** A place that both sides changed. Both texts are kept in the merged one, mine first. */
export interface Conflict {
  base: Range
  mine: string
  theirs: string
  /** Where both stand in the merged text. */
  at: Range
}

/**
 * Joins two texts that were both made from `base`. Changes that don't meet are both taken; where they do, both texts
 * are kept one after the other and reported, so that a person can choose. No word that either side wrote is dropped.
 */
export function mergeTexts(
  base: string,
  mine: string,
  theirs: string,
): { text: string; conflicts: Conflict[] } {
  let text = ''
  const conflicts: Conflict[] = []
  let at = 0
  for (const { start, end, byMine, byTheirs } of clusters(textDiff(base, mine), textDiff(base, theirs))) {
    text += base.slice(at, start)
    const touchesLast = start === at
    at = end
    const myText = rewritten(base, mine, start, end, byMine)
    const theirText = rewritten(base, theirs, start, end, byTheirs)
    // Two changes that touch come from different sides; their words must not run into each other.
    if (touchesLast) text += separator(text, byMine.length > 0 ? myText : theirText)
    if (byTheirs.length === 0 || myText === theirText) text += myText
    else if (byMine.length === 0) text += theirText
    else {
      const from = text.length
      text += myText + separator(myText, theirText) + theirText
      conflicts.push({
        base: { start, end },
        mine: myText,
        theirs: theirText,
        at: { start: from, end: text.length },
      })
    }
  }
  return { text: text + base.slice(at), conflicts }
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

const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}_'’]$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{N}\p{M}_'’]/u

function separator(mine: string, theirs: string): string {
  if (!ENDS_IN_WORD.test(mine.slice(-2)) || !BEGINS_WITH_WORD.test(theirs)) return ''
  return mine.includes('\n') || theirs.includes('\n') ? '\n' : ' '
}
