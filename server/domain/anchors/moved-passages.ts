import type { Range } from '../../contract/records/anchors.ts'
import { ChangeMap, type TextChange } from '../change-map.ts'
import type { Readable } from '../pieced-text.ts'
import { PassageWords, SEVERAL } from './passage-words.ts'
import { widened } from '../ranges.ts'
import { textDiff } from '../diff/index.ts'
import { Vocabulary } from '../tokens.ts'
import type { Budget } from '../budget.ts'

/** A passage that a change took away in one place and put in elsewhere, perhaps edited on the way. */
export interface MovedPassage {
  /** Where it stood. */
  from: Range
  /** Where it stands. */
  to: Range
  /** From the text that stood there to the text that stands there. */
  map: ChangeMap
}

/** So many words in a row that only one place of each text has are a part of a stretch that was moved. */
const FEW = [6, 3]
const LEAST = 3
/** A shorter stretch may be the same by chance. */
const SHORTEST = 16
/** Words this close together that agree in place do so by chance where a passage was moved away. */
const BETWEEN = 64
/** Stretches this close together, and in the same order, are one passage that was edited. */
const GAP = 300
/** So far a passage may reach beyond what was found of it, within its paragraph. */
const PARAGRAPH = 1500
const STOP = /[.,;:!?)]/
const COST = { word: 60, stretch: 500 }
/** What reading text takes for each of its characters. */
const READING = 25

/** The passages that a change has moved, in the order of where they stood. No two share a place in either text. */
export function findMovedPassages(
  read: Pick<TextChange<Readable>, 'before' | 'after'>,
  map: ChangeMap,
  budget: Budget,
): MovedPassage[] {
  let removed = widened(map.removed, BETWEEN / 2, read.before.length).filter(isLong)
  let inserted = widened(map.inserted, BETWEEN / 2, read.after.length).filter(isLong)
  // Where one word in five is another everywhere, that is all of both texts.
  if ((total(removed) + total(inserted)) * READING > budget.left) {
    removed = map.removed.filter(isLong)
    inserted = map.inserted.filter(isLong)
  }
  if (removed.length === 0 || inserted.length === 0) return []
  if ((total(removed) + total(inserted)) * READING * 2 > budget.left) return []
  const [before, after] = [read.before.toString(), read.after.toString()]
  const vocabulary = new Vocabulary()
  const a = new PassageWords(before, removed, vocabulary, budget)
  const b = new PassageWords(after, inserted, vocabulary, budget)
  if (!a.whole || !b.whole) return []
  const stretches = longestFirst(a, b, commonRuns(a, b, budget))
  const passages = passagesOf(stretches.filter((one) => !isInPlace(one, map)))
  return passages.flatMap((passage, i) => {
    const { from, to } = grown(passage, passages[i - 1], passages[i + 1], a, b)
    const [old, now] = [before.slice(from.start, from.end), after.slice(to.start, to.end)]
    if (budget.left < 0) return []
    return [{ from, to, map: new ChangeMap(textDiff(old, now, budget), old.length) }]
  })
}

const total = (ranges: readonly Range[]) => ranges.reduce((sum, { start, end }) => sum + end - start, 0)
const isLong = ({ start, end }: Range) => end - start >= SHORTEST

/** So many words, from `a` on in one text and from `b` on in the other. */
interface WordRun {
  a: number
  b: number
  count: number
}

/** The runs of words that both have, around those few that each has once. */
function commonRuns(a: PassageWords, b: PassageWords, budget: Budget): WordRun[] {
  const runs: WordRun[] = []
  for (const few of FEW) findRuns(a, b, few, runs, budget)
  return runs
}

function findRuns(a: PassageWords, b: PassageWords, few: number, runs: WordRun[], budget: Budget): void {
  const inA = a.unique(few)
  /** By how far apart its places are: where the last run that was found ends. */
  const known = new Map<number, number>()
  for (const [name, j] of b.unique(few)) {
    const i = inA.get(name) ?? SEVERAL
    if (i === SEVERAL || j === SEVERAL || (known.get(i - j) ?? -1) > i) continue
    let [start, end] = [0, 0]
    while (i - start > 0 && j - start > 0 && a.ids[i - start - 1] === b.ids[j - start - 1]) {
      if (!a.joins(i, i - start - 1) || !b.joins(j, j - start - 1)) break
      start++
    }
    while (i + end < a.count && j + end < b.count && a.ids[i + end] === b.ids[j + end]) {
      if (!a.joins(i, i + end) || !b.joins(j, j + end)) break
      end++
    }
    budget.left -= COST.stretch + (start + end) * COST.word
    if (budget.left < 0) break
    known.set(i - j, i + end)
    if (end >= few) runs.push({ a: i - start, b: j - start, count: start + end })
  }
}

/** No word of either text is in two runs: the longer one has it. In the order of the first text. */
function longestFirst(a: PassageWords, b: PassageWords, runs: readonly WordRun[]): Stretches[] {
  const takenA = new Uint8Array(a.count)
  const takenB = new Uint8Array(b.count)
  const kept: WordRun[] = []
  for (const run of [...runs].sort((x, y) => y.count - x.count)) {
    let { a: i, b: j, count } = run
    while (count > 0 && (takenA[i] || takenB[j])) [i, j, count] = [i + 1, j + 1, count - 1]
    while (count > 0 && (takenA[i + count - 1] || takenB[j + count - 1])) count--
    // What ends a sentence is of the one before.
    while (count > 0 && STOP.test(a.text[a.starts[i]!]!)) [i, j, count] = [i + 1, j + 1, count - 1]
    const isShort = count < LEAST || a.ends[i + count - 1]! - a.starts[i]! < SHORTEST
    if (isShort || takenA.subarray(i, i + count).includes(1) || takenB.subarray(j, j + count).includes(1))
      continue
    takenA.fill(1, i, i + count)
    takenB.fill(1, j, j + count)
    kept.push({ a: i, b: j, count })
  }
  kept.sort((x, y) => x.a - y.a)
  return kept.map(({ a: i, b: j, count }) => ({
    from: { start: a.starts[i]!, end: a.ends[i + count - 1]! },
    to: { start: b.starts[j]!, end: b.ends[j + count - 1]! },
    regionA: a.region[i]!,
    regionB: b.region[j]!,
  }))
}

interface Stretches {
  from: Range
  to: Range
  regionA: number
  regionB: number
}

/** Whether most of a stretch stands where it stood. */
function isInPlace({ from, to }: Stretches, map: ChangeMap): boolean {
  let same = 0
  for (const { old, now } of map.keptPairs(from)) {
    if (now.start - old.start === to.start - from.start) same += now.end - now.start
  }
  return same * 2 >= from.end - from.start
}

/** Stretches that follow each other closely in both texts, made one. */
function passagesOf(stretches: readonly Stretches[]): Stretches[] {
  const passages: Stretches[] = []
  for (const next of stretches) {
    const last = passages.at(-1)
    const follows =
      last &&
      last.regionA === next.regionA &&
      last.regionB === next.regionB &&
      next.to.start >= last.to.end &&
      next.from.start - last.from.end <= GAP &&
      next.to.start - last.to.end <= GAP
    if (follows) {
      last.from = { start: last.from.start, end: next.from.end }
      last.to = { start: last.to.start, end: next.to.end }
    } else passages.push({ ...next })
  }
  return passages
}

/** What of the paragraph around a passage may belong to it, as far as neither text gives it to another. */
function grown(
  { from, to, regionA, regionB }: Stretches,
  previous: Stretches | undefined,
  next: Stretches | undefined,
  a: PassageWords,
  b: PassageWords,
): { from: Range; to: Range } {
  const [regionFrom, regionTo] = [a.regions[regionA]!, b.regions[regionB]!]
  const least = Math.max(regionFrom.start, previous?.from.end ?? 0)
  const most = Math.min(regionFrom.end, next?.from.start ?? Infinity)
  return {
    from: {
      start: paragraphStart(a.text, from.start, least),
      end: paragraphEnd(a.text, from.end, most),
    },
    to: {
      start: paragraphStart(b.text, to.start, regionTo.start),
      end: paragraphEnd(b.text, to.end, regionTo.end),
    },
  }
}

function paragraphStart(text: string, at: number, least: number): number {
  const from = Math.max(least, at - PARAGRAPH)
  const blank = text.slice(from, at).lastIndexOf('\n\n')
  return blank < 0 ? from : from + blank + 2
}

function paragraphEnd(text: string, at: number, most: number): number {
  const to = Math.min(most, at + PARAGRAPH)
  const blank = text.slice(at, to).indexOf('\n\n')
  return blank < 0 ? to : at + blank
}
