import type { ChangeSet } from '@codemirror/state'
import type { Anchor, Range } from '../contract/records.ts'
import {
  bestMatch,
  CONTEXT,
  contextLikeness,
  findAlike,
  findExact,
  likeness,
  type Match,
  type SearchBudget,
} from './quote-search.ts'
import { splitsPair } from './text-diff.ts'

export type { Anchor, Range }

// Below this share of unchanged characters, words that are merely similar would be taken for the quoted ones.
const ALIKE = 0.75
// In very short quotes one character makes another word.
const ALIKE_SHORT = 0.9
const SHORT = 8
// A quote this long is its own evidence; shorter ones must also stand in their old surroundings to be known again.
const TELLING = 16
// Half of an edited word or passage is enough when it stands exactly where the old one stood.
const ALIKE_IN_PLACE = 0.5
const NEAR = 500_000

/** What finding lost words again may still read; one change shares it among all its anchors. */
export interface CarryBudget {
  exact: SearchBudget
  alike: SearchBudget
}
export const carryBudget = (alike = 200_000): CarryBudget => ({
  exact: { characters: 200_000_000 },
  alike: { characters: alike },
})
// Reading on is a small part of the work of comparing a place, and judging one by its surroundings a large one.
const SCAN = 1 / 16
const JUDGEMENT = 5_000

/** The anchor of a stretch of text: its words, up to 32 characters on each side, and where it begins. */
export function anchorAt(content: string, start: number, end: number): Anchor {
  let before = Math.max(0, start - CONTEXT)
  let after = Math.min(content.length, end + CONTEXT)
  if (splitsPair(content, before)) before++
  if (splitsPair(content, after)) after--
  return {
    exact: content.slice(start, end),
    prefix: content.slice(before, start),
    suffix: content.slice(end, after),
    start,
  }
}

/**
 * Where an anchor that was made elsewhere (or long ago) stands in this text: exactly at its offset; else at the exact
 * occurrence that fits its context best; else where nearly the same words stand. Null when they are nowhere.
 */
export function placeAnchor(content: string, anchor: Anchor): Range | null {
  const { exact, start } = anchor
  if (!exact) return null
  if (content.startsWith(exact, start) && start >= 0) return { start, end: start + exact.length }
  const exactly = bestMatch(content, anchor, findExact(content, exact))
  if (exactly) return rangeOf(exactly)
  const from = Math.max(0, Math.min(start, content.length) - NEAR)
  const alike = findAlike(content, exact, leastLikeness(exact), start, from, from + 2 * NEAR)
  return rangeOf(bestMatch(content, anchor, alike))
}

const leastLikeness = (quote: string) => (quote.length < SHORT ? ALIKE_SHORT : ALIKE)
const rangeOf = (match: Match | null): Range | null => match && { start: match.start, end: match.end }

/**
 * Where a range stands after the changes. Text inserted exactly at either end stays outside. Null when nothing of the
 * old text in it is left.
 */
export function carryRange(changes: ChangeSet, range: Range): Range | null {
  const mapped = mapEnds(changes, range)
  return mapped && keptPieces(changes, range).length > 0 ? mapped : null
}

function mapEnds(changes: ChangeSet, { start, end }: Range): Range | null {
  if (start < 0 || start >= end || end > changes.length) return null
  const mapped = { start: changes.mapPos(start, 1), end: changes.mapPos(end, -1) }
  return mapped.start < mapped.end ? mapped : null
}

/** What is left of a range after the changes, as pieces of the new text. */
function keptPieces(changes: ChangeSet, { start, end }: Range): Range[] {
  const pieces: Range[] = []
  changes.iterGaps((fromA, fromB, length) => {
    const from = Math.max(start, fromA)
    const to = Math.min(end, fromA + length)
    if (from < to) pieces.push({ start: from - fromA + fromB, end: to - fromA + fromB })
  })
  return pieces
}

/**
 * Where an anchor stands after a change of its document, given where it stood before (null: nowhere). This is the
 * whole rule:
 * - Words that are still there, edited or not, keep their anchor, wherever the change has moved them.
 * - Words replaced by recognisably the same ones (a corrected spelling) keep it too.
 * - Words that are gone may have been put somewhere else by the change: cut and pasted, or brought back by an undo.
 *   Only text that this change inserted is searched, so an anchor never jumps to another occurrence that was there
 *   all along.
 * - Otherwise the anchor stands nowhere for now.
 */
export function carryAnchor(
  { anchor, range }: { anchor: Anchor; range: Range | null },
  after: string,
  changes: ChangeSet,
  budget: CarryBudget = carryBudget(),
): Range | null {
  if (!anchor.exact) return null
  if (!range) return findInserted(after, anchor, changes, anchor.start, budget)

  const mapped = mapEnds(changes, range)
  const text = mapped && after.slice(mapped.start, mapped.end)
  if (text === anchor.exact && mapped) return mapped
  const kept = keptPieces(changes, range)
  if (mapped && keepsWords(after, kept, anchor)) {
    const left = kept.reduce((sum, piece) => sum + piece.end - piece.start, 0)
    // A word or two may agree by chance where a passage was moved away and another one written in its place.
    const moved =
      left * 4 < range.end - range.start && findExactInserted(after, anchor, changes, mapped.start, budget)
    return moved || mapped
  }
  if (mapped && likeness(anchor.exact, text!) >= ALIKE_IN_PLACE) return mapped
  return findInserted(after, anchor, changes, changes.mapPos(Math.min(range.start, changes.length)), budget)
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u

function keepsWords(after: string, kept: Range[], anchor: Anchor): boolean {
  if (!WORD_CHARACTER.test(anchor.exact)) return kept.length > 0
  return kept.some((piece) => WORD_CHARACTER.test(after.slice(piece.start, piece.end)))
}

function findInserted(
  after: string,
  anchor: Anchor,
  changes: ChangeSet,
  hint: number,
  budget: CarryBudget,
): Range | null {
  return (
    findExactInserted(after, anchor, changes, hint, budget) ??
    findAlikeInserted(after, anchor, changes, hint, budget)
  )
}

function findExactInserted(
  after: string,
  anchor: Anchor,
  changes: ChangeSet,
  hint: number,
  { exact: budget }: CarryBudget,
): Range | null {
  const { exact } = anchor
  const inserted = insertedRanges(changes)
  const known: Match[] = []
  // Words can be completed by what was inserted before, within or after them.
  for (const { start, end } of widened(inserted, exact.length - 1, after.length)) {
    budget.characters -= (end - start) * SCAN
    if (budget.characters < 0) break
    for (const match of findExact(after, exact, start, end, budget)) {
      if (known.length === 1000 || budget.characters < 0) break
      budget.characters -= JUDGEMENT
      if (newCharacters(match, inserted) > 0 && isKnown(after, anchor, match)) known.push(match)
    }
  }
  return rangeOf(bestMatch(after, anchor, known, hint))
}

function findAlikeInserted(
  after: string,
  anchor: Anchor,
  changes: ChangeSet,
  hint: number,
  budget: CarryBudget,
): Range | null {
  const { exact } = anchor
  if (exact.length < SHORT) return null
  const inserted = insertedRanges(changes)
  const known: Match[] = []
  for (const { start, end } of widened(inserted, exact.length, after.length)) {
    if (budget.alike.characters < end - start) break
    budget.alike.characters -= end - start
    for (const match of findAlike(after, exact, ALIKE, hint, start, end)) {
      const mostlyNew = newCharacters(match, inserted) * 2 >= match.end - match.start
      if (mostlyNew && isKnown(after, anchor, match)) known.push(match)
    }
  }
  return rangeOf(bestMatch(after, anchor, known, hint))
}

function insertedRanges(changes: ChangeSet): Range[] {
  const ranges: Range[] = []
  changes.iterChangedRanges((_fromA, _toA, start, end) => {
    if (start < end) ranges.push({ start, end })
  })
  return ranges
}

function widened(ranges: Range[], by: number, length: number): Range[] {
  const wide: Range[] = []
  for (const range of ranges) {
    const start = Math.max(0, range.start - by)
    const end = Math.min(length, range.end + by)
    const last = wide.at(-1)
    if (last && start <= last.end) last.end = end
    else wide.push({ start, end })
  }
  return wide
}

function newCharacters(match: Range, inserted: Range[]): number {
  let low = 0
  let high = inserted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (inserted[middle]!.end <= match.start) low = middle + 1
    else high = middle
  }
  let sum = 0
  for (let range = inserted[low]; range && range.start < match.end; range = inserted[++low]) {
    sum += Math.min(match.end, range.end) - Math.max(match.start, range.start)
  }
  return sum
}

/** Whether words found in new text are to be taken for the ones that were lost. */
function isKnown(content: string, anchor: Anchor, place: Range): boolean {
  if (anchor.exact.length >= TELLING) return true
  const { prefix, suffix } = contextLikeness(content, anchor, place)
  if (prefix === undefined && suffix === undefined) return place.start === anchor.start
  const sides = [prefix, suffix].filter((side) => side !== undefined)
  const mean = sides.reduce((sum, side) => sum + side, 0) / sides.length
  if (mean >= 0.5) return true
  return Math.max(prefix ?? 0, suffix ?? 0) >= 0.9
}
