import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import type { TextChange } from '../change-map.ts'
import type { Readable } from '../pieced-text.ts'
import { rangesWithin } from '../ranges.ts'
import { besideLine } from '../line-edges.ts'
import { followInsertion } from './insertion-place.ts'
import { mapAnchors, type Anchored } from './anchors-after-changes.ts'
import { placeWithin } from './place-within.ts'
import { placesAsTheyWere } from './places-as-they-were.ts'
import { placesPutBack } from './places-put-back.ts'
import { Surroundings } from './surroundings.ts'

/** So much of what stands on a side of a place says where that is. */
const SIDE = 32
/** So many characters next to it have to be the same where the words of a side stand, */
const LEAST = 12
/** and so many where only the comparison says so. Where both agree, little is enough. */
const TELLING = 16

/** What is put in for a place to be found in it that had gone. */
const INSERTED = 8
const WORD = /[\p{L}\p{N}]/u
const SIGN = /\S/
/** So far a line is looked for around a place. */
const LINE = 2_000
/** What is compared is taken from so much, of which repeated signs and white space are left out. */
const WIDE = 96
const BLANK_LINE = /\n[^\S\n]*\n/

/** Where something is to be put in; null while that stands nowhere. */
export interface Insertion {
  anchor: Anchor
  range: Range | null
  /** What is suggested there. */
  suggested_text?: string
}

/** What stands on both sides of a place. */
interface Around {
  left: string
  right: string
}

/**
 * Where places are after a change at which something is to be put in. Of a change that is known as it was made, the
 * change itself says that, unless it took away all words of the line, which was what the place was in; behind an item of
 * a list, or a table's row, that is gone it is between the others, and where a decision took the line out, it is where
 * that stood. One that is told
 * by comparing may take words for others that are alike, and knows nothing of passages that were moved. Then the words
 * on both sides of a place say where it is, as those of a comment say where it stands; and so they do of one that stood
 * nowhere, in what the change has put in. Null where they are gone, or stand apart now and it isn't known which side it
 * belongs to.
 */
export function mapInsertions(
  insertions: readonly Insertion[],
  change: TextChange<Readable>,
  budget: Budget,
): (Range | null)[] {
  const { map, before, after, isKnown = false, isDecided = false } = change
  // In a few words nothing goes astray, nor does enough stand around to tell.
  const isCertain = isKnown || before.length <= 2 * SIDE
  const lost = insertions.flatMap(({ anchor, range }) => (range ? [] : [anchor]))
  const places = placesPutBack(lost, change, { left: budget.left })
  const putBack = new Map(lost.map((anchor, i) => [anchor, places[i]!]))
  const followed = insertions.map(({ anchor, range, suggested_text: words = '' }) => {
    if (!range) {
      const at = putBack.get(anchor) ?? null
      if (at !== null) return { start: at, end: at }
      return isDecided ? withinReturned(anchor, change) : null
    }
    return (
      (isDecided && behindReturned(anchor, range, change)) ||
      followInsertion(range, [map], { words, text: after })
    )
  })
  // A decision says itself on which side of a place it puts something.
  const back = placesAsTheyWere(
    insertions.map(({ anchor, range }, i) =>
      range && isKnown && !isDecided
        ? { anchor, at: followed[i]?.start ?? map.place(range.start, -1) }
        : null,
    ),
    change,
    { left: budget.left },
  )
  const moving = { left: budget.left }
  const moved = insertions.map(({ range }, i) =>
    range && followed[i] === null ? withStretch(range.start, change, moving) : null,
  )
  const isSaid = insertions.map(({ range }, i) =>
    range
      ? isCertain &&
        followed[i] !== null &&
        (!isLineGone(range.start, change) ||
          isAmongItems(range.start, change) ||
          (isDecided && !isLineElsewhere(range.start, change)))
      : map.size.inserted < INSERTED || followed[i] !== null,
  )
  const arounds = insertions.map(({ anchor, range }): Around => {
    if (!range) return { left: anchor.prefix.slice(-SIDE), right: anchor.suffix.slice(0, SIDE) }
    const { start } = range
    return { left: before.slice(Math.max(0, start - SIDE), start), right: before.slice(start, start + SIDE) }
  })
  const sides = insertions.map(({ range, anchor }, i): [Anchored | null, Anchored | null] => {
    if (isSaid[i] || moved[i]) return [null, null]
    const { left, right } = ofLine(arounds[i]!)
    const start = range?.start ?? anchor.start
    return [
      sideOf(left, start - left.length, range !== null, { prefix: '', suffix: right }),
      sideOf(right, start, range !== null, { prefix: left, suffix: '' }),
    ]
  })
  const all = sides.flat().filter((side) => side !== null)
  const surroundings = new Surroundings(change, { left: budget.left })
  const now = mapAnchors(all, change, budget, surroundings)
  const found = new Map(all.map((side, i) => [side, now[i]!]))
  const nowOf = (side: Anchored | null) => (side === null ? null : found.get(side)!)
  return insertions.map(({ range, suggested_text: words = '' }, i) => {
    const returned = back[i]!
    if (returned !== null) return { start: returned, end: returned }
    if (isSaid[i]) return followed[i]!
    if (moved[i]) return moved[i]
    const { left: prefix, right: suffix } = arounds[i]!
    const was = range ? comparable(before, range.start) : comparable(prefix + suffix, prefix.length)
    const [left, right] = sides[i]!.map(nowOf) as [Range | null, Range | null]
    // Where all of its line has gone, what it says is beside others' words.
    const here = isKnown || !range ? undefined : followed[i]?.start
    const [behind, ahead] = [left?.end, right?.start]
    const told = [here, behind, ahead].filter((at) => at !== undefined)
    const likely = told.flatMap((at): { at: number; score: number }[] => {
      const same = sameAround(was, comparable(after, at))
      const agreed = told.filter((other) => other === at).length
      const isSure =
        agreed > 1 && at === here
          ? isAgreed(was, same, agreed, hasWords(arounds[i]!))
          : same.length >= (range && at !== here ? LEAST : TELLING)
      return isSure ? [{ at, score: same.length }] : []
    })
    const [best, ...others] = likely.toSorted((one, other) => other.score - one.score)
    const isClear =
      best?.at === here ||
      others.every(({ at, score }) => at === best!.at || score < best!.score) ||
      (here === undefined && isNewBetween(change, behind!, ahead!))
    const place = best && isClear ? { start: best.at, end: best.at } : null
    if (isKnown || !range) return place
    const own = place && surroundings.isOfOthers(range, place) ? null : place
    const at = own ? own.start : surroundings.placeOf(range.start)
    if (at === null) return isLineGone(range.start, change) ? null : besideTold(range, change)
    const start = besideLine(words, after, { start: at, end: endOfNew(change, at) }, at)
    return { start, end: start }
  })
}

/**
 * Whether places that agree are believed. Where a line has no words, as a fence, those of the next paragraph may be all
 * that they go by.
 */
function isAgreed({ left, right }: Around, same: string, agreed: number, inWords: boolean): boolean {
  if (inWords) return agreed === 3 || same.trim() !== ''
  return WORD.test(same) || same === left + right
}

/** Whether all between two places of a paragraph came with the change. */
function isNewBetween({ after, map }: TextChange<Readable>, start: number, end: number): boolean {
  const inserted = rangesWithin(map.inserted, { start, end })
  const size = inserted.reduce((sum, one) => sum + one.end - one.start, 0)
  return start < end && size >= end - start - 1 && !BLANK_LINE.test(after.slice(start, end))
}

/** Where what came with the change at a place ends. */
function endOfNew({ map }: TextChange<Readable>, at: number): number {
  const [first] = rangesWithin(map.inserted, { start: at, end: at + LINE })
  return first?.start === at ? first.end : at
}

/** What of it is in the line itself: at the end of a paragraph what follows belongs to the next. All where that is nothing. */
function ofLine(around: Around): Around {
  return hasWords(around) ? lineOf(around) : around
}

const lineOf = ({ left, right }: Around): Around => ({
  left: left.slice(left.lastIndexOf('\n') + 1),
  right: right.split('\n', 1)[0]!,
})

function hasWords(around: Around): boolean {
  const { left, right } = lineOf(around)
  return WORD.test(left + right)
}

/**
 * Whether a change has left no word of the line that a place is in, and put none in their place; of a line of signs, no
 * sign. What decisions do to such a line they say themselves.
 */
function isLineGone(at: number, { before, after, map, isDecided }: TextChange<Readable>): boolean {
  const from = Math.max(0, at - LINE)
  const start = from + before.slice(from, at).lastIndexOf('\n') + 1
  const rest = before.slice(at, at + LINE).indexOf('\n')
  const end = rest < 0 ? Math.min(before.length, at + LINE) : at + rest
  if (start >= end || !map.touches({ start, end })) return false
  const line = before.slice(start, end)
  const telling = WORD.test(line) || isDecided ? WORD : SIGN
  if (!telling.test(line)) return false
  // Words that were typed over others are the line's now; what came in the place of its end, too, is another's.
  const isEndKept = end === before.length || map.kept({ start: end, end: end + 1 }).length > 0
  const now = { start: map.place(start, -1), end: map.place(end, 1) }
  const left = isEndKept ? [now] : map.kept({ start, end })
  return !left.some((piece) => telling.test(after.slice(piece.start, piece.end)))
}

/**
 * Where a place is within what a comparison tells as taken out, if as many letters beside the place may have been: of
 * “two ” and “ two” between other words, nothing tells which it was. Words are left on one side of it then.
 */
function besideTold({ start }: Range, { before, map }: TextChange<Readable>): Range | null {
  const index = map.hunks.findIndex(({ fromA, toA }) => fromA < start && toA > start)
  const hunk = map.hunks[index]
  if (!hunk || hunk.fromB < hunk.toB) return null
  const { fromA, toA, fromB } = hunk
  const [ahead, behind] = [before.slice(fromA, start), before.slice(start, toA)]
  const isFree = (from: number, to: number) =>
    from >= (map.hunks[index - 1]?.toA ?? 0) && to <= (map.hunks[index + 1]?.fromA ?? before.length)
  const same = (from: number, words: string) =>
    isFree(from, from + words.length) && before.slice(from, from + words.length) === words
  if (same(fromA - behind.length, behind)) return { start: fromB - behind.length, end: fromB - behind.length }
  if (same(toA, ahead)) return { start: fromB + ahead.length, end: fromB + ahead.length }
  // The first word of a line goes with the space behind it.
  return [ahead, behind].some((words) => /^[ \t]*$/.test(words)) ? { start: fromB, end: fromB } : null
}

/** Behind what a change has put at a place, where its anchor says that this stood before it: it is back. */
function behindReturned(
  anchor: Anchor,
  { start }: Range,
  { after, map }: TextChange<Readable>,
): Range | null {
  const put = map.hunks.find(({ fromA, toA }) => fromA === start && toA === start)
  if (!put) return null
  const words = after.slice(put.fromB, put.toB)
  const { prefix, suffix } = anchor
  const isBefore = prefix !== '' && (words.endsWith(prefix) || prefix.endsWith(words))
  const isBehind = suffix !== '' && (words.startsWith(suffix) || suffix.startsWith(words))
  // At an end of the text, little stood on one side.
  const isRather = isBefore && (!isBehind || Math.min(prefix.length, words.length) > suffix.length)
  return isRather ? { start: put.toB, end: put.toB } : null
}

/** Where all of a stretch stands that a change took out with a place in it, if it put that elsewhere. */
function withStretch(at: number, change: TextChange<Readable>, budget: Budget): Range | null {
  const { before, after, map } = change
  budget.left -= map.size.inserted
  const taken = map.hunks.find(({ fromA, toA }) => fromA < at && toA > at)
  if (!taken || budget.left < 0) return null
  const stretch = before.slice(taken.fromA, taken.toA)
  const [whole, ...more] = map.hunks.filter(({ fromB, toB }) => after.slice(fromB, toB) === stretch)
  if (whole && more.length === 0) {
    const now = whole.fromB + at - taken.fromA
    return { start: now, end: now }
  }
  const prefix = before.slice(Math.max(taken.fromA, at - SIDE), at)
  const suffix = before.slice(at, Math.min(taken.toA, at + SIDE))
  const anchor = { exact: '', prefix, suffix, start: at }
  return prefix.length + suffix.length < TELLING ? null : withinReturned(anchor, change)
}

/** Within what a change has put in, where all of it stood around a place that went with it. */
function withinReturned(anchor: Anchor, { after, map }: TextChange<Readable>): Range | null {
  const [at, ...more] = map.hunks.flatMap((hunk) => placeWithin(hunk, anchor, after) ?? [])
  return at === undefined || more.length > 0 ? null : { start: at, end: at }
}

/** Whether a change has put the words of the line that a place is in somewhere. */
function isLineElsewhere(at: number, { before, after, map }: TextChange<Readable>): boolean {
  const left = before.slice(Math.max(0, at - LINE), at)
  const [right = ''] = before.slice(at, at + LINE).split('\n', 1)
  const line = (left.slice(left.lastIndexOf('\n') + 1) + right).trim()
  return map.hunks.some(({ fromB, toB }) => after.slice(fromB, toB).includes(line))
}

const ITEM = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|\|)/

/** Whether a place is behind an item of a list, or a table’s row, that is taken out, or is another now, and stands nowhere else. */
function isAmongItems(at: number, { before, after, map }: TextChange<Readable>): boolean {
  const [rest = '', ...behind] = before.slice(at, at + LINE).split('\n')
  const [item = '', ...ahead] = before
    .slice(Math.max(0, at - LINE), at)
    .split('\n')
    .toReversed()
  const next = [ahead, behind].map((lines) => lines.find((line) => line.trim() !== '') ?? '')
  if (rest.trim() !== '' || !ITEM.test(item) || !next.some((line) => ITEM.test(line))) return false
  const words = item.replace(ITEM, '').trim()
  return words === '' || !map.hunks.some(({ fromB, toB }) => after.slice(fromB, toB).includes(words))
}

/**
 * What stands on both sides of a place, to be compared: of its paragraph, however that is wrapped, and of a sign that is
 * repeated, as in a fence, one.
 */
function comparable(text: Readable, at: number): Around {
  const plain = (part: string) => part.replaceAll(/([^\p{L}\p{N}\s])\1+/gu, '$1').replaceAll(/\s+/g, ' ')
  const left = text
    .slice(Math.max(0, at - WIDE), at)
    .split(BLANK_LINE)
    .at(-1)!
  const right = text.slice(at, at + WIDE).split(BLANK_LINE, 1)[0]!
  return { left: plain(left).slice(-SIDE), right: plain(right).slice(0, SIDE) }
}

/** What next to a place is the same on both sides. */
function sameAround(was: Around, now: Around): string {
  let back = 0
  while (back < was.left.length && was.left.at(-1 - back) === now.left.at(-1 - back)) back++
  let ahead = 0
  while (ahead < was.right.length && was.right[ahead] === now.right[ahead]) ahead++
  return was.left.slice(was.left.length - back) + was.right.slice(0, ahead)
}

function sideOf(
  exact: string,
  start: number,
  isThere: boolean,
  around: Pick<Anchor, 'prefix' | 'suffix'>,
): Anchored | null {
  if (exact === '') return null
  return { anchor: { exact, start, ...around }, range: isThere ? { start, end: start + exact.length } : null }
}
