import type { Anchor, Range } from '../../contract/records/anchors.ts'
import { ChangeMap } from '../change-map.ts'
import { hunksFromJson, type LoggedChanges } from '../change-set.ts'
import { CONTEXT } from './anchor.ts'
import { findExact } from './exact-search.ts'
import { findInsertion, followInsertion, isInsertion } from './insertion-place.ts'
import { mapEnds } from './anchors-after-changes.ts'
import { placeAnchor } from './place-anchor.ts'
import { isCorrected } from './similarity.ts'
import type { Budget } from '../budget.ts'

const WORK = 20_000_000
/** Words this long are known by themselves; shorter ones only with what stood around them. */
const TELLING = 16
/** How much of a log is read a second time, backwards, to know where words came from. */
const READ_BACK = 1024 * 1024

/**
 * Where the words of an anchor stand today that was made on an older text, given the changes since, oldest first.
 * Their places are mapped, not guessed. Where a change took the words away, they are looked for only where exactly
 * one place has them today that hadn't when the anchor was made: moved there, or brought back by an undo. Null if
 * they are gone.
 */
function placeThroughLog(
  content: string,
  anchor: Anchor,
  log: readonly LoggedChanges[],
  budget: Budget = { left: WORK },
): Range | null {
  const { exact, start } = anchor
  if (!exact) return null
  let range: Range | null = { start, end: start + exact.length }
  // A word may have been replaced by itself, spelled otherwise: then the text it has become decides.
  let isReplaced = false
  let left: KeptPart[] = [{ was: range, now: range }]
  for (const changes of log) {
    const map: ChangeMap = mapOf(changes)
    const mapped: Range | null = mapEnds(map, range)
    if (!mapped) return cameBack(content, anchor, log, budget)
    isReplaced ||= map.kept(range).length === 0
    left = left.flatMap((piece) => keptOf(piece, map))
    range = mapped
  }
  // Whoever made it may be wrong about what stood there.
  const isTrue = left.every(({ was, now }) =>
    exact.startsWith(content.slice(now.start, now.end), was.start - start),
  )
  if (!isTrue) return cameBack(content, anchor, log, budget)
  const now = content.slice(range.start, range.end)
  if (now === exact) return range
  const isSame = !isReplaced || isCorrected(exact, now, budget)
  return isSame && range.end <= content.length ? range : cameBack(content, anchor, log, budget)
}

export interface NewlyPlaced {
  content: string
  anchor: Anchor
  /** The changes since it was made, oldest first; absent if it was made on the text as it is. */
  log?: readonly LoggedChanges[] | undefined
  /** What is suggested there. */
  words?: string | undefined
}

/** Where an anchor stands that somebody has just made. */
export function placeNewAnchor({ content, anchor, log, words }: NewlyPlaced): Range | null {
  if (isInsertion(anchor)) return placeInsertion({ content, anchor, log, words })
  return log === undefined ? placeAnchor(content, anchor) : placeThroughLog(content, anchor, log)
}

function placeInsertion({ content, anchor, log, words = '' }: NewlyPlaced): Range | null {
  if (log === undefined) return findInsertion(content, anchor, { left: WORK })
  const { start } = anchor
  if (start > (log[0] ? mapOf(log[0]).length : content.length)) return null
  return followInsertion({ start, end: start }, log.map(mapOf), { words, text: content })
}

/** A part of an anchor's words that no change has touched: where it was when the anchor was made, and where it is. */
interface KeptPart {
  was: Range
  now: Range
}

const keptOf = ({ was, now: before }: KeptPart, map: ChangeMap): KeptPart[] =>
  map.keptPairs(before).map(({ old, now }) => {
    const start = was.start + old.start - before.start
    return { was: { start, end: start + old.end - old.start }, now }
  })

function mapOf(changes: LoggedChanges): ChangeMap {
  const { hunks, length } = hunksFromJson(changes)
  return new ChangeMap(hunks, length)
}

/**
 * Where the words of an anchor that stood nowhere at the time stand after the changes since, oldest first: where these
 * have brought them back. What stood there all along is another's.
 */
export function placeReturned(content: string, anchor: Anchor, log: readonly LoggedChanges[]): Range | null {
  const budget = { left: WORK }
  return isInsertion(anchor) ? findInsertion(content, anchor, budget) : cameBack(content, anchor, log, budget)
}

function cameBack(
  content: string,
  anchor: Anchor,
  log: readonly LoggedChanges[],
  budget: Budget,
): Range | null {
  const { exact, prefix, suffix } = anchor
  const size = log.reduce((sum, changes) => sum + changes.length * 10, 0)
  if (size > READ_BACK) return null
  const places = findExact(content, exact, 0, content.length, budget)
  if (budget.left < 0) return null
  const isAmongTheSame = ({ start, end }: Range) =>
    content.endsWith(prefix.slice(-CONTEXT), start) && content.startsWith(suffix.slice(0, CONTEXT), end)
  const isTelling = exact.length >= TELLING && places.length === 1
  const [only, ...more] = isTelling ? places : places.filter(isAmongTheSame)
  if (!only || more.length > 0 || stoodThere(only, log)) return null
  return { start: only.start, end: only.end }
}

/** Whether all of a stretch of today's text was in the text before the changes. */
function stoodThere(today: Range, log: readonly LoggedChanges[]): boolean {
  let range = today
  for (const changes of log.toReversed()) {
    const { hunks, newLength } = hunksFromJson(changes)
    const back = new ChangeMap(hunks, newLength).inverse(newLength)
    const [only, ...more] = back.kept(range)
    if (!only || more.length > 0 || only.end - only.start !== range.end - range.start) return false
    range = only
  }
  return true
}
