import type { Line, Text } from '@codemirror/state'

/** One line as lists see it: the quotes it stands in, how far it is indented, and its item’s mark if it has one. */
export interface ListLine {
  /** Counted from 1, as in the text. */
  number: number
  from: number
  /** The `>` marks in front of everything. */
  quotes: string
  /** The white space behind them, as it is written. */
  space: string
  /** How many columns that is. */
  indent: number
  item: ItemMark | null
  /** What follows all that. */
  rest: string
}

export interface ItemMark {
  /** `-`, `*`, `+`, or what stands behind the number. */
  sign: string
  ordinal: number | null
  gap: string
}

const quoted = /^(?: {0,3}>[ \t]?)*/
const marked = /^(?:([-*+])|(\d{1,9})([.)]))([ \t]+)/
export const taskBox = /^\[[ xX]\](?:[ \t]+|$)/

export function listLine({ number, from, text }: Line): ListLine {
  const quotes = quoted.exec(text)![0]
  const inner = text.slice(quotes.length)
  const space = /^[ \t]*/.exec(inner)![0]
  const words = inner.slice(space.length)
  const found = marked.exec(words)
  const [mark = '', bullet, ordinal, stop, gap = ''] = found ?? []
  const item: ItemMark | null = found
    ? { sign: bullet ?? stop!, ordinal: ordinal === undefined ? null : Number(ordinal), gap }
    : null
  return { number, from, quotes, space, indent: columns(space), item, rest: words.slice(mark.length) }
}

function columns(space: string): number {
  let width = 0
  for (const sign of space) width = sign === '\t' ? width + 4 - (width % 4) : width + 1
  return width
}

const isBlank = ({ item, rest }: ListLine) => item === null && rest.trim() === ''

export const markOf = ({ sign, ordinal, gap }: ItemMark) =>
  `${ordinal === null ? '' : String(ordinal)}${sign}${gap}`

/** Where what belongs to an item begins; five spaces and more are one, and code. */
export function contentOf({ indent, item }: ListLine): number {
  if (!item) return indent
  const gap = item.gap.length > 4 ? 1 : item.gap.length
  return indent + markOf({ ...item, gap: '' }).length + gap
}

const depth = ({ quotes }: ListLine) => quotes.replace(/[^>]/g, '').length

/** How far up and down a list is looked through. */
const farthest = 2000

/** The lines around some that may belong to the same list, so many up and down at the most. */
export function listAround(doc: Text, first: number, last: number, reach = farthest): ListLine[] {
  const quotes = depth(listLine(doc.line(first)))
  const belongs = (line: ListLine) =>
    depth(line) === quotes && (isBlank(line) || line.item !== null || line.indent > 0)
  const lines: ListLine[] = []
  for (let n = first; n > Math.max(0, first - reach); n--) {
    const line = listLine(doc.line(n))
    if (n < first && !belongs(line)) break
    lines.unshift(line)
  }
  for (let n = first + 1; n <= Math.min(doc.lines, last + reach); n++) {
    const line = listLine(doc.line(n))
    if (n > last && !belongs(line)) break
    lines.push(line)
  }
  return lines
}

/** How many lines from `at` on belong to its item: what is indented further, and blank lines between. */
export function itemLength(lines: readonly ListLine[], at: number): number {
  const { indent } = lines[at]!
  let end = at + 1
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i]!
    if (isBlank(line)) continue
    if (line.indent <= indent) break
    end = i + 1
  }
  return end - at
}

/** The item right before at the same level, if there is one. */
export function siblingBefore(lines: readonly ListLine[], at: number): number {
  const { indent } = lines[at]!
  for (let i = at - 1; i >= 0; i--) {
    const line = lines[i]!
    if (isBlank(line) || line.indent > indent) continue
    return line.item && contentOf(line) > indent ? i : -1
  }
  return -1
}

/** The item that this one is a part of, if there is one. */
export function parentOf(lines: readonly ListLine[], at: number): number {
  const { indent } = lines[at]!
  for (let i = at - 1; i >= 0; i--) {
    const line = lines[i]!
    if (isBlank(line) || line.indent >= indent) continue
    if (line.item) return i
    if (line.indent === 0) return -1
  }
  return -1
}

interface Level {
  indent: number
  content: number
  line: ListLine
}

/** Calls back for each item with the one before it in its list, which is null for a list’s first. */
export function eachItem(
  lines: readonly ListLine[],
  visit: (line: ListLine, before: ListLine | null, at: number) => void,
): void {
  const levels: Level[] = []
  for (const [at, line] of lines.entries()) {
    if (!line.item) continue
    while (levels.length > 0 && line.indent < levels.at(-1)!.indent) levels.pop()
    const top = levels.at(-1)
    const isSibling = top !== undefined && line.indent < top.content
    const sameList =
      isSibling &&
      top.line.item!.sign === line.item.sign &&
      (top.line.item!.ordinal === null) === (line.item.ordinal === null)
    visit(line, sameList ? top.line : null, at)
    if (isSibling) levels.pop()
    levels.push({ indent: line.indent, content: contentOf(line), line })
  }
}

/** Moves an item’s lines by some columns. */
export function shift(lines: readonly ListLine[], from: number, count: number, by: number): void {
  if (by === 0) return
  for (const line of lines.slice(from, from + count)) {
    if (isBlank(line)) continue
    line.indent = Math.max(0, line.indent + by)
    line.space = ' '.repeat(line.indent)
  }
}

/**
 * Numbers lists anew from a line on: each item one more than the one before. A list whose items all have the same
 * number keeps it. `moved` are items that came from another list, `begins` those that begin one that was none before;
 * those that aren’t `numbered` keep the number that they have.
 */
export function renumber(
  lines: readonly ListLine[],
  from: number,
  moved: (line: ListLine) => boolean = () => false,
  begins: (line: ListLine) => boolean = () => false,
  numbered: (line: ListLine) => boolean = () => true,
): void {
  const before = new Map<ListLine, number>()
  const steps = new Map<ListLine, number>()
  eachItem(lines, (line, previous, at) => {
    const { item } = line
    if (item?.ordinal == null) return
    const was = item.ordinal
    before.set(line, was)
    let step = 1
    if (previous) {
      const isSame = before.get(previous) === was && !moved(line) && !moved(previous)
      step = steps.get(previous) ?? (isSame ? 0 : 1)
      steps.set(line, step)
    }
    if (line.number < from || !numbered(line)) return
    const first = begins(line) ? 1 : was
    item.ordinal = previous ? previous.item!.ordinal! + step : first
    const wider = String(item.ordinal).length - String(was).length
    shift(lines, at + 1, itemLength(lines, at) - 1, wider)
  })
}
