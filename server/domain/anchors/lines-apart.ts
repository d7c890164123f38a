import type { Range } from '../../contract/records/anchors.ts'
import type { ChangeMap } from '../change-map.ts'
import type { AnchoredRecord, Edit } from '../document-change.ts'
import { isInsertion } from './insertion-place.ts'
import {
  apartAt,
  countOf,
  endsOf,
  isAtEnd,
  isAtStart,
  isOfLines,
  PARAGRAPHS,
  type Apart,
  type LineEnds,
} from './lines-after-decisions.ts'

/** Something that is to be put in, or was, with the line ends that its author put around it if a decision put others. */
interface Words {
  suggested_text: string
  lineEnds?: LineEnds | null | undefined
}

/** Words that a decision puts in at a place of the text. */
export interface PutAt extends Words {
  at: number
  /** Where it stands in the new text. */
  place: Range
}

/** So much around a place says how lines end there. */
const NEAR = 200

type Change = Readonly<{ before: string; after: string; map: ChangeMap }>

/** How many line ends lines have on a side where they are put: their author knew what stood there. */
function needOf({ suggested_text, lineEnds }: Words, there: Apart, side: keyof Apart): number {
  const { before, behind } = countOf(lineEnds ?? endsOf(suggested_text))
  const own = Math.min(PARAGRAPHS, Math.max(before, behind))
  return Math.min(own, there[side] + countOf(endsOf(suggested_text))[side])
}

const opposite = { before: 'behind', behind: 'before' } as const

/** How many are missing between two that come to the same place; those that nobody has put elsewhere may be as they are. */
function missingBetween(own: Words, other: Words, there: Apart, side: keyof Apart, apart: number): number {
  if (apart > 0 && !own.lineEnds && !other.lineEnds) return 0
  return Math.max(0, Math.max(needOf(own, there, side), needOf(other, there, opposite[side])) - apart)
}

/**
 * Keeps lines that are to be put in apart from others that a decision puts in at the same place, and from words that it
 * puts in the place of the lines beside them. Each knew of what stood there, not of the others.
 * @param moved what the decision does to all places
 */
export function keepLinesApart(
  moved: Edit['moved'],
  anchors: readonly AnchoredRecord[],
  put: readonly PutAt[],
  { before, after, map }: Change,
): Edit['moved'] {
  const movedOf = new Map(moved.map((one) => [one.id, one]))
  const reworded = anchors.flatMap(({ id, kind, anchor, range, ...one }): Edit['moved'] => {
    const now = movedOf.get(id)
    const place = now ? now.range : range
    const { suggested_text } = one
    if (!anchor || !range || !place || suggested_text === undefined || now?.suggested_text !== undefined)
      return []
    if (!isInsertion(anchor)) {
      if (suggested_text.trim() === '') return []
      // What it replaces ends in a line end, and others’ lines follow that.
      const end = place.start + anchor.exact.length
      const isThere = after.slice(place.start, end) === anchor.exact && !isAtEnd(after, end)
      const isPutBehind = map.hunks.some(
        ({ fromA, toA, fromB, toB }) =>
          fromA === toA && fromB <= end && end < toB && after.slice(fromB, toB).includes('\n'),
      )
      if (!isThere || !isPutBehind) return []
      const more = { before: 0, behind: 1 }
      const put = said({ ...one, suggested_text }, more, anchor.exact)
      return [{ id, kind, range: { start: place.start, end }, ...put }]
    }
    const { start } = range
    const own = { suggested_text, lineEnds: one.lineEnds }
    if (!isLines(own)) return []
    if (!isAtStart(before, start) && !isAtEnd(before, start)) return []
    const there = put.filter(({ at }) => at === start)
    const beside = {
      before: there.find((other) => other.place.end === place.start),
      behind: there.find((other) => other.place.start === place.start),
    }
    const isCut = map.hunks.some(({ fromA, toA }) => fromA < toA && fromA <= start && toA >= start)
    const [was, is] = [apartAt(before, start), apartAt(after, place.start)]
    const has = countOf(endsOf(suggested_text))
    const missing = (side: keyof Apart) => {
      const other = beside[side]
      const apart = is[side] + has[side]
      if (!other) return isCut ? Math.max(0, needOf(own, was, side) - apart) : 0
      return isLines(other) ? missingBetween(own, other, was, side, apart) : 0
    }
    const more = { before: missing('before'), behind: missing('behind') }
    if (more.before === 0 && more.behind === 0) return []
    const like = before.slice(Math.max(0, start - NEAR), start + NEAR)
    return [{ id, kind, range: place, ...said(own, more, like) }]
  })
  const known = new Set(reworded.map(({ id }) => id))
  return [...moved.filter(({ id }) => !known.has(id)), ...reworded]
}

/** How long the line end is that both what is replaced and what replaces it have so, and is neither’s alone. */
export function sharedEnd({
  original_text,
  suggested_text,
  lineEnds,
}: Words & { original_text: string }): number {
  if (!lineEnds || !original_text.endsWith('\n') || !suggested_text.endsWith('\n')) return 0
  return original_text.endsWith('\r\n') && suggested_text.endsWith('\r\n') ? 2 : 1
}

/**
 * The same of several that a decision puts in together.
 * @param turnOf when one was made: what was made first stands first at a place
 */
export function keepApartTogether<One extends Words & { original_text: string; range: Range | null }>(
  suggestions: readonly One[],
  content: string,
  turnOf: (one: One) => number,
): One[] {
  const lastAt = new Map<number, Words>()
  const all = [...suggestions]
  const inOrder = [...all.entries()].map(([i, one]) => ({ i, one, turn: turnOf(one) }))
  for (const { i, one } of inOrder.toSorted((a, b) => (a.turn === b.turn ? 0 : a.turn - b.turn))) {
    const { original_text, range } = one
    if (original_text !== '' || !range || !isLines(one)) continue
    const last = lastAt.get(range.start)
    const words = last && behindOther(one, last, apartAt(content, range.start))
    if (words) all[i] = { ...one, ...words }
    lastAt.set(range.start, all[i]!)
  }
  return all
}

function behindOther(one: Words, last: Words, there: Apart): Words | null {
  const apart = countOf(endsOf(last.suggested_text)).behind + countOf(endsOf(one.suggested_text)).before
  const before = missingBetween(one, last, there, 'before', apart)
  return before === 0 ? null : said(one, { before, behind: 0 }, last.suggested_text)
}

const isLines = ({ suggested_text, lineEnds }: Words) => Boolean(lineEnds) || isOfLines(suggested_text)

function said({ suggested_text: words, lineEnds }: Words, more: Apart, like: string) {
  const own = lineEnds ?? endsOf(words)
  const eol = [words, own.before, own.behind, like].join('').includes('\r\n') ? '\r\n' : '\n'
  const suggested_text = eol.repeat(more.before) + words + eol.repeat(more.behind)
  return { suggested_text, lineEnds: own }
}
