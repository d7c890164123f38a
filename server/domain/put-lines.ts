import type { Range } from '../contract/records/anchors.ts'
import type { Hunk } from './hunk.ts'
import type { JoinedText } from './joined-text.ts'
import { beginningOfLeft, goesOnWithLast, isMarked, isPartedBehind } from './line-marks.ts'
import { separator } from './separator.ts'
import { blanksBehind, spaceBehind } from './white-space.ts'

/** Words that one side put in within whole lines which the other took out: they have lines of their own. */

interface Cluster extends Range {
  byMine: Hunk[]
}

/** What was put in within one line of the base. */
interface Left {
  /** From its beginning to that of the next one. */
  line: Range
  put: string
  /** Where it stands in my text. */
  pieces: Range[]
  beganLine: boolean
}

/**
 * Adds what I put in, each line of it as the one in the base begins, without anything else of that.
 * @param behind what comes behind all of it; null where that isn’t known
 */
export function addLines(
  joined: JoinedText,
  base: string,
  mine: string,
  cluster: Cluster,
  behind: string | null,
): void {
  const { start, end, byMine } = cluster
  const all = linesLeft(base, mine, byMine)
  let at = byMine[0]!.fromB - (byMine[0]!.fromA - start)
  for (const [i, left] of all.entries()) {
    const isLast = i === all.length - 1
    const place = { start: i === 0 ? start : all[i - 1]!.line.end, end: isLast ? end : left.line.end }
    const { head, front } = beginning(joined.text, base, place, left)
    const { tail, back } = ending(base, place, left, isLast ? behind : null)
    at = addPieces(joined, mine, left, at, { head, front, tail })
    joined.setApart(back)
  }
  const last = byMine.at(-1)!
  joined.add('', last.toB + (end - last.toA) - at, 0)
}

/** White space alone is nothing that was written. */
function linesLeft(base: string, mine: string, byMine: readonly Hunk[]): Left[] {
  const all: Left[] = []
  for (const { fromA, toA, fromB, toB } of byMine) {
    const words = mine.slice(fromB, toB)
    if (words.trim() === '') continue
    const start = base.lastIndexOf('\n', fromA - 1) + 1
    const end = base.indexOf('\n', toA) + 1 || base.length
    const last = all.at(-1)
    if (last && start < last.line.end) {
      last.line.end = end
      last.put += words
      last.pieces.push({ start: fromB, end: toB })
    } else
      all.push({
        ...{ line: { start: fromA === 0 ? 0 : start, end }, put: words },
        ...{ pieces: [{ start: fromB, end: toB }], beganLine: fromA === start },
      })
  }
  return all
}

/** What is left out of what was put in at its beginning, and what stands there instead. */
function beginning(
  before: string,
  base: string,
  { start }: Range,
  { line, put, beganLine }: Left,
): { head: number; front: string } {
  const lead = /^\s*/.exec(put)![0]
  const below = lead.lastIndexOf('\n') + 1
  const isOwnLine = below > 0 ? lineFeeds(lead) > 1 || isMarked(put.slice(below)) : beganLine
  const { mark, isParted } = beginningOfLeft(base, start, line.start)
  const isLine = before === '' || before.endsWith('\n')
  const isApart = before === '' || /\n[ \t>]*\n$/.test(before.slice(-40))
  const isParagraph =
    isParted || lineFeeds(lead) > 1 || goesOnWithLast(before, isOwnLine ? put.slice(below) : mark)
  const head = isOwnLine ? below : lead.length
  const front = (isLine ? '' : '\n') + (isParagraph && !isApart ? '\n' : '') + (isOwnLine ? '' : mark)
  // What was put in there is taken for that, or else undo would take it.
  let same = 0
  while (same < Math.min(head, front.length) && put[head - 1 - same] === front.at(-1 - same)) same++
  return { head: head - same, front: front.slice(0, front.length - same) }
}

function ending(
  base: string,
  { start, end }: Range,
  { line, put }: Left,
  behind: string | null,
): { tail: number; back: string } {
  const trail = spaceBehind(put)
  const isTaken = line.end <= end && base[line.end - 1] === '\n'
  const isParted = isPartedBehind(base, { start, line, end }, behind)
  const wanted = (isTaken ? 1 : 0) + (isParted ? 1 : 0)
  const missing = Math.max(0, wanted - lineFeeds(trail))
  const tail = missing > 0 || behind === '' ? blanksBehind(put).length : 0
  return { tail, back: '\n'.repeat(missing) }
}

/** @returns up to where all of my text is taken in */
function addPieces(
  joined: JoinedText,
  mine: string,
  { put, pieces }: Left,
  at: number,
  { head, front, tail }: { head: number; front: string; tail: number },
): number {
  let offset = 0
  for (const { start, end } of pieces) {
    const isFirst = offset === 0
    const isBesideSpace = !isFirst && /[ \t]$/.test(joined.text.slice(-1))
    const words = mine.slice(start, end)
    const from = isFirst ? head : isBesideSpace ? words.search(/[^ \t]|$/) : 0
    const to = Math.max(from, Math.min(words.length, put.length - tail - offset))
    const kept = words.slice(from, to)
    joined.add('', start + from - at, 0)
    if (isFirst) joined.setApartBefore(front)
    else joined.setApart(separator(joined.text, kept))
    joined.add(kept, null, 0)
    offset += words.length
    at = start + to
  }
  return at
}

const lineFeeds = (text: string) => text.split('\n').length - 1
