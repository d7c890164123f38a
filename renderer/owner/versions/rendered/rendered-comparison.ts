import type { Parts } from '../../../../server/markdown/code-and-maths.ts'
import type { SourceRange } from '../../../../server/markdown/rendered.ts'
import type { RenderedBlock } from '../../../../server/markdown/source-blocks.ts'
import type { NumberedSegment } from '../../../feedback/folded-diff.ts'
import { groupBlocks, type BlockGroup } from './block-groups.ts'
import { BlockText, standingAlone, type ChangeMark } from './block-text.ts'
import { ComparedSide } from './compared-side.ts'
import { markBlocks, type PlacedChange } from './merged-block.ts'
import { changesOf, type SourceChange } from './source-changes.ts'

/** A part of two rendered texts. Its HTML comes from the renderer, with what changed marked in it. */
export type ComparedRow =
  | { kind: 'same'; before: string; after: string }
  /** `one` is both as one; null where they are shown as taken out and put in. */
  | {
      kind: 'changed'
      before: string | null
      after: string | null
      one: string | null
      /** Whether something is another that no word of it shows. */
      isWhole: boolean
      /** The changes that are marked in none of its words. */
      changes: number[]
    }
  /** What doesn’t show, such as where a link leads, or an empty line. */
  | { kind: 'unseen'; changes: number[]; segments: NumberedSegment[] }

/** Of a longer block no word is marked: it would take too much memory. */
const longestMarked = 200_000

/** Of the line around what doesn’t show, in characters. */
const mostAround = 120

/** Two texts as they read, block by block, with the changes between them. */
export function compareRendered(segments: readonly NumberedSegment[], parts: Parts = {}): ComparedRow[] {
  return new RenderedComparison(segments, parts).rows()
}

/** A row, and which of the changes in it don’t show. */
interface Row {
  row: ComparedRow
  unseen: readonly SourceChange[]
}

class RenderedComparison {
  readonly #segments: readonly NumberedSegment[]
  readonly #changes: SourceChange[]
  readonly #before: ComparedSide
  readonly #after: ComparedSide

  constructor(segments: readonly NumberedSegment[], parts: Parts) {
    this.#segments = segments
    this.#changes = changesOf(segments)
    const textOf = (other: 'added' | 'removed') =>
      segments.map(({ kind, text }) => (kind === other ? '' : text)).join('')
    this.#before = new ComparedSide(textOf('added'), parts)
    this.#after = new ComparedSide(textOf('removed'), parts)
  }

  rows(): ComparedRow[] {
    const rows: ComparedRow[] = []
    const shown = new Set<number>()
    // Groups and changes are in the same order, and a change may be in several groups.
    let next = 0
    const groups = groupBlocks(this.#before.blocks, this.#after.blocks, this.#segments)
    for (const group of groups) {
      const spans = this.#spansOf(group)
      while (next < this.#changes.length && isBefore(this.#changes[next]!, spans)) {
        const change = this.#changes[next++]!
        if (!shown.has(change.number)) this.#addUnseen(rows, change)
      }
      const here: SourceChange[] = []
      for (let i = next; i < this.#changes.length && !isBehind(this.#changes[i]!, spans); i++)
        if (touches(this.#changes[i]!, spans)) here.push(this.#changes[i]!)
      const { row, unseen } = this.#row(group, here)
      rows.push(row)
      for (const change of here) if (!unseen.includes(change)) shown.add(change.number)
    }
    for (const change of this.#changes.slice(next))
      if (!shown.has(change.number)) this.#addUnseen(rows, change)
    return rows
  }

  /** With the line that it stands in, and with what else changed there. */
  #addUnseen(rows: ComparedRow[], { number }: SourceChange): void {
    const all = this.#segments
    const last = rows.at(-1)
    const first = all.findIndex(({ change }) => change === number)
    const isOnLine = last?.kind === 'unseen' && !all[first - 1]?.text.includes('\n')
    const changes = isOnLine ? [...last.changes, number] : [number]
    const from = all.findIndex(({ change }) => change === changes[0])
    const to = all.findLastIndex(({ change }) => change === number) + 1
    const before = all[from - 1]?.text.split('\n').at(-1)!.slice(-mostAround) ?? ''
    const behind = all[to]?.text.split('\n')[0]!.slice(0, mostAround) ?? ''
    const segments: NumberedSegment[] = [
      { kind: 'same', text: before.toWellFormed() },
      ...all.slice(from, to),
      { kind: 'same', text: behind.toWellFormed() },
    ]
    rows.splice(isOnLine ? -1 : rows.length, 1, { kind: 'unseen', changes, segments })
  }

  #spansOf({ before, after }: BlockGroup) {
    return { before: spanOf(this.#before, before), after: spanOf(this.#after, after) }
  }

  #row(group: BlockGroup, changes: readonly SourceChange[]): Row {
    const old = this.#before.blocks.slice(group.before.from, group.before.to)
    const young = this.#after.blocks.slice(group.after.from, group.after.to)
    const isPair = old.length === 1 && young.length === 1
    if (isPair) {
      const row = this.#pair(old[0]!, young[0]!, changes)
      if (row) return row
    }
    const numbers = changes.map(({ number }) => number)
    const isAlone = old.length === 0 || young.length === 0
    const htmlOf = (side: ComparedSide, blocks: readonly RenderedBlock[], kind: ChangeMark['kind']) =>
      blocks.length === 0
        ? null
        : blocks
            .map((block) => instead(side, block) ?? markedAlone(side, block, isAlone ? [] : changes, kind))
            .join('')
    const before = htmlOf(this.#before, old, 'removed')
    const after = htmlOf(this.#after, young, 'added')
    return { row: { kind: 'changed', before, after, one: null, isWhole: true, changes: numbers }, unseen: [] }
  }

  /** One block that became another, where that can be told by its words. */
  #pair(old: RenderedBlock, young: RenderedBlock, changes: readonly SourceChange[]): Row | null {
    const same = {
      row: { kind: 'same', before: standingAlone(old.html), after: standingAlone(young.html) },
      unseen: changes,
    } as const
    if (changes.length === 0 || same.row.before === same.row.after) return same
    if (old.html.length + young.html.length > longestMarked) return null
    const [before, after] = [new BlockText(old.html), new BlockText(young.html)]
    const placed: PlacedChange[] = []
    const unplaced: SourceChange[] = []
    for (const change of changes) {
      const place = this.#placed(change, old, young)
      if (place) placed.push(place)
      else unplaced.push(change)
    }
    if (unplaced.length > 0 || firstTag(before.html) !== firstTag(after.html)) return null
    const marked = markBlocks(before, after, placed)
    return marked && { row: { kind: 'changed', ...marked, isWhole: false, changes: [] }, unseen: [] }
  }

  #placed(
    { number, before, after, isBlank }: SourceChange,
    old: RenderedBlock,
    young: RenderedBlock,
  ): PlacedChange | null {
    if (isBlank) return null
    const [wasThere, isThere] = [before.start < before.end, after.start < after.end]
    const place = (from: SourceRange, to: SourceRange) => ({
      changes: [number],
      before: this.#before.placeIn(old, from),
      after: this.#after.placeIn(young, to),
    })
    const hasPicture = [
      this.#before.source.slice(before.start, before.end),
      this.#after.source.slice(after.start, after.end),
    ].some((words) => picture.test(words))
    if (hasPicture) return null
    const exact = place(before, after)
    if (wasThere === (exact.before !== null) && isThere === (exact.after !== null)) return exact
    const [from, to] = [this.#before.withTouching(before), this.#after.withTouching(after)]
    if (picture.test(this.#before.source.slice(from.start, from.end))) return null
    const touching = place(from, to)
    return touching.before && touching.after ? touching : null
  }
}

const picture = /!\[|<(?:img|audio|video)\b/i
const firstTag = (html: string) => /<[^>]*>/.exec(html)?.[0]

const isSeen = /<(?:img|audio|video|hr|input|math|svg|table|li|pre)\b/
/** What is said of a block that shows as nothing, such as HTML that is left out; null of all others. */
function instead({ source }: ComparedSide, { html, start, end }: RenderedBlock): string | null {
  if (isSeen.test(html) || html.replace(/<[^>]*>/g, '').trim() !== '') return null
  const what = source.slice(start, end).trimStart().startsWith('<') ? 'raw HTML' : 'nothing that shows'
  return `<p class="nothing">(${what}, see Source)</p>`
}

/** A block with the words of changes marked, beside nothing that it could be told as one with. */
function markedAlone(
  side: ComparedSide,
  block: RenderedBlock,
  changes: readonly SourceChange[],
  kind: ChangeMark['kind'],
): string {
  if (block.html.length > longestMarked) return standingAlone(block.html)
  const text = new BlockText(block.html)
  const marks: ChangeMark[] = []
  for (const change of changes) {
    const place = change.isBlank ? null : side.placeIn(block, change[kind === 'removed' ? 'before' : 'after'])
    const whole = place && text.widened(place.from, place.to)
    if (!whole) continue
    const last = marks.at(-1)
    if (last && whole.from < last.to) last.to = Math.max(last.to, whole.to)
    else marks.push({ ...whole, kind, changes: [change.number] })
  }
  return text.marked(marks)
}

interface Spans {
  before: SourceRange | null
  after: SourceRange | null
}

const spanOf = ({ blocks }: ComparedSide, { from, to }: { from: number; to: number }): SourceRange | null =>
  from < to ? { start: blocks[from]!.start, end: blocks[to - 1]!.end } : null

/** A change of empty lines alone belongs to what stands beside them. */
function touches({ before, after, isBlank }: SourceChange, spans: Spans): boolean {
  const meets = (change: SourceRange, span: SourceRange | null) =>
    span !== null &&
    (isBlank
      ? change.start <= span.end && change.end >= span.start
      : change.start < change.end && change.start < span.end && change.end > span.start)
  return meets(before, spans.before) || meets(after, spans.after)
}

const isBefore = ({ before, after }: SourceChange, spans: Spans) =>
  (!spans.before || before.end < spans.before.start) && (!spans.after || after.end < spans.after.start)
const isBehind = ({ before, after }: SourceChange, spans: Spans) =>
  (!spans.before || before.start > spans.before.end) && (!spans.after || after.start > spans.after.end)
