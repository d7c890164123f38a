import type { ExportedFeedback } from '../../actions/export-with-feedback.ts'
import type { ShownSpan } from '../../actions/shown-paragraphs.ts'
import type { Range } from '../../contract/records/anchors.ts'
import type { RenderedPoint } from '../../contract/records/rendering.ts'
import { breakChange, breakWords } from '../../domain/break-change.ts'
import type { LineSpan } from '../../domain/line-spans.ts'
import { isRow } from '../../domain/table-rows.ts'
import { spaceBefore, spaceBehind } from '../../domain/white-space.ts'

/** A change that Word tracks. */
export interface TrackedChange {
  author: string
  date: string
}

/** A comment, or what it was answered. */
export interface WordComment extends TrackedChange {
  id: number
  parentId?: number
  text: string
}

/** Characters that are taken out, or, as lines, put in. */
export interface Taken {
  from: number
  to: number
  change: TrackedChange
  /** Whether the space behind them goes, too. */
  takesSpace: boolean
  /** The lines that they are of, and whether these go on behind the block. */
  lines: LineSpan | null
  goesOn: boolean
}

/** What is put in among words. */
export interface Put {
  text: string
  change: TrackedChange
}

/** What happens at the characters of one block, which are counted without white space. */
export interface BlockMarks {
  starts: Map<number, number[]>
  /** Behind a character. */
  ends: Map<number, number[]>
  /** In order; none lies over another. */
  taken: Taken[]
  /** Before a character, and behind one. */
  putBefore: Map<number, Put[]>
  putBehind: Map<number, Put[]>
}

/** All feedback of a text, as Word has it. */
export interface WordMarks {
  blocks: Map<number, BlockMarks>
  /** Lines that come or go, of which blocks without any character are, too. */
  lines: { source: Range; taken: Taken }[]
  comments: WordComment[]
  /** Those that stand at none of the words that show. */
  apart: number[]
}

/**
 * Where feedback goes in a Word file. A suggestion is a tracked change, with a comment for what was said of it. Where
 * another has taken out some of the same words before, and where it takes out nothing that shows, it is a comment alone:
 * Word knows one change of each word. Lines that come and go are on the page already.
 * @param order the blocks as they follow on the page, by their places in the source
 */
export function placeMarks(order: readonly number[], feedback: readonly ExportedFeedback[]): WordMarks {
  const marks: WordMarks = { blocks: new Map(), lines: [], comments: [], apart: [] }
  const places = new Map(order.map((block, i) => [block, i]))
  const taken = new Set<string>()
  const standing = (points: ExportedFeedback['points']): Standing | null => {
    const { from, to } = points ?? {}
    const [first, last] = [from && places.get(from.block), to && places.get(to.block)]
    const stands = from && to && first !== undefined && last !== undefined && first <= last
    return stands ? { from, to, blocks: order.slice(first, last + 1) } : null
  }
  for (const one of feedback)
    for (const lines of one.lines ?? [])
      trackLines(marks, lines, changeOf(one.comments[0]), standing(lines.points))
  for (const one of feedback) {
    const range = standing(one.points ?? one.lines?.findLast(({ points }) => points)?.points ?? null)
    const isTracked =
      one.kind === 'suggestion' && (one.lines !== null || (range !== null && track(marks, one, range, taken)))
    const ids = addComments(marks, one, isTracked, range !== null)
    if (!range) marks.apart.push(...ids)
    else {
      add(marksOf(marks, range.from.block).starts, range.from.char, ...ids)
      add(marksOf(marks, range.to.block).ends, range.to.char - 1, ...ids)
    }
  }
  for (const { taken } of marks.blocks.values()) taken.sort((a, b) => a.from - b.from)
  return marks
}

interface Standing {
  from: RenderedPoint
  to: RenderedPoint
  blocks: readonly number[]
}

function trackLines(
  marks: WordMarks,
  { source, does }: ShownSpan,
  change: TrackedChange,
  range: Standing | null,
): void {
  const taken = { from: 0, to: Infinity, change, takesSpace: false, lines: { does }, goesOn: false }
  marks.lines.push({ source, taken })
  for (const { block, ...stretch } of range ? stretchesOf(range) : [])
    marksOf(marks, block).taken.push({ ...taken, ...stretch, goesOn: block !== range!.to.block })
}

const stretchesOf = ({ from, to, blocks }: Standing) =>
  blocks.map((block) => ({
    block,
    from: block === from.block ? from.char : 0,
    to: block === to.block ? to.char : Infinity,
  }))

/** Whether it could be tracked. */
function track(marks: WordMarks, one: ExportedFeedback, range: Standing, taken: Set<string>): boolean {
  if (one.isPart) return false
  const { from, to } = range
  const change = changeOf(one.comments[0])
  const put: Put = { text: shownWords(one), change }
  // What comes as lines, and isn’t among them on the page, would make something else of them.
  if (/\n/.test(one.original + one.suggested)) return false
  if (one.original === '') {
    const beside = one.isBefore ? from : { block: to.block, char: to.char - 1 }
    const isInLines = marks.blocks
      .get(beside.block)
      ?.taken.some((other) => other.lines && other.from <= beside.char && beside.char < other.to)
    if (isInLines) return false
    if (one.isBefore) add(marksOf(marks, from.block).putBefore, from.char, put)
    else add(marksOf(marks, to.block).putBehind, to.char - 1, put)
    return true
  }
  if (one.isBeside || (one.isOfLines && hasRow(one))) return false
  const stretches = stretchesOf(range)
  const isFree = stretches.every(({ block, from, to }) =>
    (marks.blocks.get(block)?.taken ?? []).every((other) => other.to <= from || other.from >= to),
  )
  if (!isFree || taken.has(`${to.block} ${to.char}`)) return false
  const takesSpace = /\s$/.test(one.original) && !/\s$/.test(one.suggested)
  for (const { block, ...stretch } of stretches)
    marksOf(marks, block).taken.push({
      ...stretch,
      change,
      takesSpace: takesSpace && block === to.block,
      lines: null,
      goesOn: false,
    })
  taken.add(`${to.block} ${to.char}`)
  if (put.text !== '') add(marksOf(marks, to.block).putBehind, to.char - 1, put)
  return true
}

const hasRow = ({ original, suggested }: ExportedFeedback) =>
  `${original}\n${suggested}`.split('\n').some(isRow)

const signs = /^[*_~`#>+\-|\s]*/

/** What is put in, without the signs that stay around it, and with its space on the side where the words beside it have none. */
function shownWords({ original, suggested, isBefore }: ExportedFeedback): string {
  if (original === '') {
    const [lead, words] = [spaceBefore(suggested), suggested.trim()]
    const end = words === '' ? '' : spaceBehind(suggested)
    return isBefore ? words + (end || lead) : (lead || end) + words
  }
  const reversed = (text: string) => [...text].reverse().join('')
  const begin = signs.exec(original)![0]
  const end = signs.exec(reversed(original))![0]
  let text = suggested
  if (begin !== '' && text.startsWith(begin)) text = text.slice(begin.length)
  if (end !== '' && text.endsWith(reversed(end))) text = text.slice(0, text.length - end.length)
  return text
}

function addComments(marks: WordMarks, one: ExportedFeedback, isTracked: boolean, stands: boolean): number[] {
  const { original, suggested, setting, kind, place, comments } = one
  const [first, ...replies] = comments
  const ends = breakChange(original, suggested)
  const about =
    kind === 'suggestion'
      ? isTracked
        ? ''
        : setting
          ? `Suggests: ${setting}.`
          : ends
            ? `Suggests: ${breakWords(ends)}.`
            : original === ''
              ? `Suggests to put in “${suggested}”.`
              : `Suggests “${suggested}” instead of “${original}”.`
      : stands || original === ''
        ? ''
        : place === 'lost'
          ? `On words that are no longer in the text: “${original}”.`
          : `On “${original}”.`
  const text = [about, first.body].filter((part) => part !== '').join('\n')
  // A change says for itself who made it, and when.
  if (text === '' && replies.length === 0) return []
  const id = marks.comments.length
  marks.comments.push({ id, ...changeOf(first), text })
  for (const reply of replies)
    marks.comments.push({ id: marks.comments.length, parentId: id, ...changeOf(reply), text: reply.body })
  return marks.comments.slice(id).map((comment) => comment.id)
}

const changeOf = ({ author, kind, at }: ExportedFeedback['comments'][0]): TrackedChange => ({
  author: (author || 'Unknown') + (kind ? ` (${kind})` : ''),
  date: new Date(at ?? 0).toISOString(),
})

function marksOf({ blocks }: WordMarks, block: number): BlockMarks {
  const known = blocks.get(block)
  if (known) return known
  const made = { starts: new Map(), ends: new Map(), taken: [], putBefore: new Map(), putBehind: new Map() }
  blocks.set(block, made)
  return made
}

const add = <T>(map: Map<number, T[]>, at: number, ...values: T[]) => {
  if (values.length > 0) map.set(at, [...(map.get(at) ?? []), ...values])
}
