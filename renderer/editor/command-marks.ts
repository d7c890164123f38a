import { ChangeSet, type Text } from '@codemirror/state'
import type { InlineMark } from './emphasis.ts'
import {
  areMarks,
  pairsIn,
  placeFor,
  signsOf,
  without,
  withMarks,
  type LineRange,
} from './emphasis-places.ts'
import { readersLine } from './readers-line.ts'

/** Marks of the commands that mean nothing where they stand, so that readers would see their signs. */

const longest = 10_000

interface Pair extends LineRange {
  mark: InlineMark
}

/** The lines around a place with none between them that is empty: what marks can be read in. */
function blockAround(doc: Text, at: number): LineRange {
  let first = doc.lineAt(at)
  let last = first
  const isEmpty = (number: number) => doc.line(number).text.trim() === ''
  while (first.number > 1 && last.to - first.from < longest && !isEmpty(first.number - 1))
    first = doc.line(first.number - 1)
  while (last.number < doc.lines && last.to - first.from < longest && !isEmpty(last.number + 1))
    last = doc.line(last.number + 1)
  return { from: first.from, to: last.to }
}

/** Which words the signs are around, by places without them: those in a row open what isn’t open, and close it else. */
function pairsOf(text: string, signs: readonly number[]): Pair[] {
  const pairs: Pair[] = []
  const open: { sign: string; count: number; at: number }[] = []
  for (let i = 0; i < signs.length;) {
    const from = i
    const sign = text[signs[from]!]!
    while (i < signs.length && signs[i] === signs[from]! + i - from && text[signs[i]!] === sign) i++
    const at = signs[from]! - from
    let count = i - from
    for (let last = open.findLastIndex((one) => one.sign === sign); count > 0 && last >= 0;) {
      const begun = open[last]!
      const closed = Math.min(count, begun.count)
      count -= closed
      begun.count -= closed
      for (const mark of marksOfSize(sign, closed)) pairs.push({ mark, from: begun.at, to: at })
      open.splice(begun.count === 0 ? last : last + 1)
      last = open.findLastIndex((one) => one.sign === sign)
    }
    if (count > 0) open.push({ sign, count, at })
  }
  return pairs.filter(({ from, to }) => to > from)
}

const marksOfSize = (sign: string, count: number): InlineMark[] =>
  sign === '~' ? (count >= 2 ? ['~~'] : []) : count >= 3 ? ['*', '**'] : count === 2 ? ['**'] : ['*']

/** A text around a place, the commands’ signs in it, and what it is without them. */
export interface SignedBlock extends LineRange {
  text: string
  signs: readonly number[]
  bare: string
}

/** Null where it can’t be told that signs which readers see should mean something. */
export function signedBlock(doc: Text, at: number, commandSigns: readonly number[]): SignedBlock | null {
  const { from, to } = blockAround(doc, at)
  const own = commandSigns.filter((one) => one >= from && one < to).map((one) => one - from)
  if (own.length === 0 || to - from > longest) return null
  const text = doc.sliceString(from, to)
  const signs = withOtherMarks(text, own)
  const bare = without(text, signs.map(stretchOf))
  // Around code, or escaped, marks may be meant to be seen.
  if (/[`\\]|^\s*~~~|^(?: {4}|\t)/m.test(bare)) return null
  return { from, to, text, signs, bare }
}

/**
 * With all that mean something: a command may have put one half of a pair only, as for words that join bold ones, and
 * what others have put beside its marks may mean something only there.
 */
const withOtherMarks = (text: string, signs: readonly number[]): readonly number[] =>
  [
    ...new Set([
      ...signs,
      ...pairsIn(text).flatMap(({ open, close }) => [...signsOf(open), ...signsOf(close)]),
    ]),
  ].sort((a, b) => a - b)

const stretchOf = (sign: number): LineRange => ({ from: sign, to: sign + 1 })

/** What puts the commands’ marks to where they mean something, or takes away those that can’t. */
export function mendedSigns(doc: Text, block: SignedBlock): ChangeSet | null {
  const { text, signs, bare } = block
  const { words } = readersLine(bare)
  if (readersLine(text).words === words && areMarks(text, signs)) return null
  let result = bare
  let placed = ChangeSet.empty(bare.length)
  // What is inside others first.
  for (const { mark, ...pair } of pairsOf(text, signs).sort((a, b) => a.to - a.from - (b.to - b.from))) {
    const from = placed.mapPos(pair.from, 1)
    const to = placed.mapPos(pair.to, -1)
    const start = result.lastIndexOf('\n', from - 1) + 1
    const end = `${result}\n`.indexOf('\n', from)
    if (to <= from || to > end) continue
    const place = placeFor(result.slice(start, end), { from: from - start, to: to - start }, mark)
    if (!place) continue
    const stretch = { from: start + place.from, to: start + place.to }
    const next = withMarks(result, stretch, mark)
    if (readersLine(next).words !== words) continue
    placed = placed.compose(
      ChangeSet.of(
        [stretch.from, stretch.to].map((one) => ({ from: one, insert: mark })),
        result.length,
      ),
    )
    result = next
  }
  if (result === text) return null
  const bared = ChangeSet.of(signs.map(stretchOf), text.length)
  const changes: { from: number; to: number; insert: string }[] = []
  bared
    .compose(placed)
    .iterChanges((from, to, _from, _to, inserted) =>
      changes.push({ from: block.from + from, to: block.from + to, insert: inserted.toString() }),
    )
  return ChangeSet.of(changes, doc.length)
}
