import type { RenderedPoint } from '../contract/records/rendering.ts'
import type { Range } from '../contract/records/anchors.ts'
import { meet, spanOfBreak, spanOfEnd, type LineSpan } from '../domain/line-spans.ts'

/** Lines that come or go, where they show; `points` is null where none of their characters do. */
export interface ShownSpan extends LineSpan {
  source: Range
  points: { from: RenderedPoint; to: RenderedPoint } | null
}

interface Piece {
  text: string
  span: LineSpan | null
}
interface ShownParagraph {
  /** What it is and stands in, and whether it begins that. */
  as: string
  pieces: Piece[]
  end: LineSpan | null
}

const block = /<div class="b" data-b="(\d+)">/g
const piece = /<(\/?)([a-z][a-z\d]*)((?:"[^"]*"|[^>"])*)>|&(?:#\w+|\w+);|[^<&]|[<&]/giu
const inText = new Set(
  'a abbr annotation b bdi bdo br cite code del dfn em i img input ins kbd mark math q s samp small span strike strong sub sup svg tt u var wbr'.split(
    ' ',
  ),
)
const told = new Set('h1 h2 h3 h4 h5 h6 ul ol blockquote pre th td summary dt figcaption'.split(' '))
const begun = new Set(['li', 'tr', 'table'])

/** A rendered page as its paragraphs, with what comes and goes of each. */
export function shownParagraphs(html: string, spans: readonly ShownSpan[]): ShownParagraph[] {
  const starts = [...html.matchAll(block)]
  const order = starts.map(([, offset]) => Number(offset))
  const all: ShownParagraph[] = []
  for (const [i, start] of starts.entries()) {
    const text = html.slice(start.index, starts[i + 1]?.index ?? html.length)
    const here = spans.flatMap((span) => stretchIn(order, i, span))
    all.push(...paragraphsOf(text, order[i]!, here, spans))
  }
  return all
}

interface Stretch {
  from: number
  to: number
  goesOn: boolean
  span: ShownSpan
}

function stretchIn(order: readonly number[], i: number, span: ShownSpan): Stretch[] {
  if (!span.points) return []
  const { from, to } = span.points
  const [first, last] = [order.indexOf(from.block), order.indexOf(to.block)]
  if (i < first || i > last) return []
  return [{ from: i === first ? from.char : 0, to: i === last ? to.char : Infinity, goesOn: i < last, span }]
}

function paragraphsOf(
  html: string,
  offset: number,
  stretches: readonly Stretch[],
  spans: readonly ShownSpan[],
): ShownParagraph[] {
  const found: ShownParagraph[] = []
  const within: string[] = []
  const isBare = html.replace(/<[^>]*>|\s/g, '') === ''
  const whole = isBare
    ? (spans.find(({ source }) => source.start <= offset && offset < source.end) ?? null)
    : null
  let [char, begins, space] = [0, '', '']
  let isFormula = false
  let pieces: Piece[] = []
  const stretchAt = (at: number) => stretches.find(({ from, to }) => from <= at && at < to)
  const at = (place: number): LineSpan | null => stretchAt(place)?.span ?? whole
  const add = (text: string, span: LineSpan | null) => {
    const before = pieces.at(-1)?.span ?? null
    if (span) meet(span, before, pieces.length === 0)
    const last = pieces.at(-1)
    if (last?.span === span) last.text += text
    else pieces.push({ text, span })
  }
  const close = () => {
    const last = pieces.at(-1)?.span ?? null
    const stretch = stretchAt(char - 1)
    const goesOn = stretch !== undefined && stretch.span === last && (stretch.goesOn || stretch.to > char)
    const isInCell = within.some((name) => name === 'td' || name === 'th')
    if (pieces.length > 0) {
      const as = `${within.filter((name) => told.has(name)).join(' ')} ${begins}`
      found.push({ as, pieces, end: isInCell ? null : (whole ?? spanOfEnd(last, goesOn)) })
      begins = ''
    }
    ;[pieces, space] = [[], '']
  }
  /** What is no character of its own goes with those on both sides, or with the one that it begins or ends a line with. */
  const spanBeside = () => (pieces.length === 0 ? at(char) : (pieces.at(-1)!.span ?? null))
  for (const [one, slash, name, rest] of html.matchAll(piece)) {
    if (name !== undefined) {
      if (name === 'br') add('\n', spanBeside())
      else if (name === 'img') add(`[${/\ssrc="[^"]*"/.exec(rest!)?.[0] ?? ''}]`, spanBeside())
      else if (name === 'input') add(/\schecked\b/.test(rest!) ? '☑' : '☐', at(char))
      if (name === 'math') isFormula = slash === ''
      if (isFormula || inText.has(name)) continue
      close()
      if (name === 'hr') add('―', at(char - 1) === at(char) ? at(char) : whole)
      if (name === 'hr') close()
      else if (slash) within.splice(Math.max(0, within.lastIndexOf(name)))
      else {
        within.push(name)
        if (begun.has(name)) begins += `${name} `
      }
      continue
    }
    if (/^\s$/u.test(one)) {
      space += one
      continue
    }
    const span = at(char)
    if (space !== '' && pieces.length > 0) {
      const before = pieces.at(-1)!.span
      const isBreak = space.includes('\n')
      const isCode = within.includes('pre')
      const owner = before === span ? span : isBreak ? spanOfBreak(before, span) : null
      add(isCode ? space : ' ', owner)
      space = ''
    }
    add(one, span)
    char += one.startsWith('&') ? 1 : one.length
  }
  close()
  return found
}

/** What is left of paragraphs without what comes, or without what goes: each as what its end makes of it. */
export function withoutSpans(paragraphs: readonly ShownParagraph[], does: LineSpan['does']): string[] {
  const left: string[] = []
  let text = ''
  for (const { as, pieces, end } of paragraphs) {
    for (const piece of pieces) if (piece.span?.does !== does) text += piece.text
    if (end?.does === does) continue
    const said = text.replace(/[^\S\n]+/g, ' ').trim()
    if (said !== '') left.push(`${as}: ${said}`)
    text = ''
  }
  if (text.trim() !== '') left.push(text.trim())
  return left
}
