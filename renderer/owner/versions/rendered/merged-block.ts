import {
  endTag,
  startTag,
  type BlockElement,
  type BlockText,
  type Inserts,
  type ChangeMark,
} from './block-text.ts'

/** Where a change shows in a block as it was, and as it became; null where it has no words there. */
export interface PlacedChange {
  changes: readonly number[]
  before: { from: number; to: number } | null
  after: { from: number; to: number } | null
}

/** The same with a place on both sides, which is empty where there are no words. */
interface Pair {
  changes: number[]
  before: { from: number; to: number }
  after: { from: number; to: number }
}

/** A block as it was and as it became, marked, and both as one where that can be read. */
export interface MarkedBlocks {
  before: string
  after: string
  one: string | null
}

/** Marks words in two blocks, none of which is cut; null where what isn’t marked is not the same in both. */
export function markBlocks(
  before: BlockText,
  after: BlockText,
  placed: readonly PlacedChange[],
): MarkedBlocks | null {
  const pairs = pairsOf(before, after, placed)
  if (!pairs) return null
  const removed = marksOf(pairs, 'before', 'removed')
  const added = marksOf(pairs, 'after', 'added')
  const inserts = insertsOf(before, after, pairs)
  return {
    before: before.marked(removed),
    after: after.marked(added),
    one: inserts && after.marked(added, inserts),
  }
}

const marksOf = (pairs: readonly Pair[], side: 'before' | 'after', kind: ChangeMark['kind']): ChangeMark[] =>
  pairs.flatMap((pair) =>
    pair[side].from < pair[side].to ? [{ ...pair[side], kind, changes: pair.changes }] : [],
  )

/** Walks along both: between two changes the same characters must stand. */
function pairsOf(before: BlockText, after: BlockText, placed: readonly PlacedChange[]): Pair[] | null {
  const pairs: Pair[] = []
  let [a, b] = [0, 0]
  for (const { changes, before: old, after: young } of placed) {
    const last = pairs.at(-1)
    if (last && ((old && old.from < a) || (young && young.from < b))) {
      // They lie over each other, as where both signs of an emphasis are new.
      last.changes.push(...changes)
      if (old) last.before.to = Math.max(last.before.to, old.to)
      if (young) last.after.to = Math.max(last.after.to, young.to)
    } else {
      const skipped = old ? old.from - a : young ? young.from - b : 0
      const from = { before: a + skipped, after: b + skipped }
      if (old && young && young.from !== from.after) return null
      if (before.said.slice(a, from.before) !== after.said.slice(b, from.after)) return null
      pairs.push({
        changes: [...changes],
        before: { from: from.before, to: old?.to ?? from.before },
        after: { from: from.after, to: young?.to ?? from.after },
      })
    }
    a = pairs.at(-1)!.before.to
    b = pairs.at(-1)!.after.to
  }
  if (before.said.slice(a) !== after.said.slice(b)) return null
  return withWholeWords(before, after, pairs)
}

/** What is the same on both sides goes with a word that it is part of; changes within one word are one. */
function withWholeWords(before: BlockText, after: BlockText, pairs: readonly Pair[]): Pair[] {
  const whole: Pair[] = []
  for (const [i, { changes, before: old, after: young }] of pairs.entries()) {
    const last = whole.at(-1)
    const isCut = (moved: number) =>
      before.isWithinWord(old.from + moved) || after.isWithinWord(young.from + moved)
    const isCutEnd = (moved: number) =>
      before.isWithinWord(old.to + moved) || after.isWithinWord(young.to + moved)
    let start = 0
    while (old.from - start > (last?.before.to ?? 0) && isCut(-start)) start++
    let end = 0
    while (old.to + end < (pairs[i + 1]?.before.from ?? Infinity) && isCutEnd(end)) end++
    const pair = {
      changes,
      before: { from: old.from - start, to: old.to + end },
      after: { from: young.from - start, to: young.to + end },
    }
    if (last?.before.to === pair.before.from && isCut(-start)) {
      last.changes.push(...changes)
      last.before.to = pair.before.to
      last.after.to = pair.after.to
    } else whole.push(pair)
  }
  return whole
}

/** Where the words that are gone stand in the block as it became; null where they stand nowhere by themselves. */
function insertsOf(before: BlockText, after: BlockText, pairs: readonly Pair[]): Inserts | null {
  const inserts: Inserts = { behind: new Map(), atPiece: new Map() }
  for (const pair of pairs) {
    if (pair.before.from === pair.before.to) continue
    if (!insertWords(before, after, pair, inserts) && !insertElements(before, after, pair, inserts))
      return null
  }
  return inserts
}

/** Words of one paragraph, of which something stays. */
function insertWords(before: BlockText, after: BlockText, pair: Pair, inserts: Inserts): boolean {
  const { changes, before: old, after: young } = pair
  const holder = before.holderOf(old.from)
  if (!holder || before.holderOf(old.to - 1) !== holder) return false
  const words = before.slice(old.from, old.to)
  if (words === null) return false
  const isReplaced = young.from < young.to
  const goesOn = before.holderOf(old.to) === holder
  if (!isReplaced && !goesOn && before.holderOf(old.from - 1) !== holder) return false
  const isBehind = !isReplaced && !goesOn
  // Where its words stand in another paragraph than they did, it would be told wrongly.
  if (after.holderOf(isBehind ? young.from - 1 : young.from)?.name !== holder.name) return false
  const mark = { kind: 'removed', changes } as const
  const lead = isBehind ? before.spaceAt(old.from) : ''
  const end = isReplaced || isBehind ? '' : before.spaceAt(old.to)
  const written = `${startTag(mark)}${lead}${words}${end}${endTag(mark)}`
  if (isBehind) put(inserts.behind, young.from - 1, written)
  else put(inserts.atPiece, after.pieceBefore(young.from), written)
  return true
}

/** Whole items of a list, or rows of a table. */
function insertElements(before: BlockText, after: BlockText, pair: Pair, inserts: Inserts): boolean {
  const { changes, before: old, after: young } = pair
  if (young.from < young.to) return false
  const gone: BlockElement[] = []
  for (let at = old.from; at < old.to; at = gone.at(-1)!.to) {
    const next = before.elements.find(
      ({ name, from, to }) => (name === 'li' || name === 'tr') && from === at && to > at && to <= old.to,
    )
    if (!next || (gone[0] && (next.name !== gone[0].name || next.depth !== gone[0].depth))) return false
    gone.push(next)
  }
  const { name, depth } = gone[0]!
  const isLike = (one: BlockElement) => one.name === name && one.depth === depth && one.from < one.to
  const html = gone.map((one) => before.takenOut(one, changes)).join('')
  const wasFollowed = before.elements.some((one) => isLike(one) && one.from === old.to)
  const beside = after.elements.find((one) => isLike(one) && (wasFollowed ? one.from : one.to) === young.from)
  if (!beside) return false
  put(inserts.atPiece, wasFollowed ? beside.open : beside.close + 1, html)
  return true
}

const put = (places: Map<number, string>, at: number, html: string) =>
  places.set(at, (places.get(at) ?? '') + html)
