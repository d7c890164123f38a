import type { SyntaxNode } from '@lezer/common'
import { markdownLanguage } from './markdown-language.ts'

/** Marks that are seen by what they do to the words between them. */
const marks = /^(?:EmphasisMark|StrikethroughMark|CodeMark|LinkMark|URL|LinkTitle)$/
const looks: Record<string, string> = {
  StrongEmphasis: 'md-strong',
  Emphasis: 'md-emphasis',
  Strikethrough: 'md-strike',
  InlineCode: 'md-code',
  Link: 'md-link',
}
/** What stands before words that go on in a line: they begin no block there. */
const before = 'x '

/** What stands in the line before and behind words that are put in, once they are. */
export interface Around {
  head: string
  tail: string
}

/**
 * A line of words that suggestions put in, as they will look: formats by their look, an item’s sign as a point or number. Marks of
 * which a half is neither in them nor around, and all else, stay as written.
 * @param opensLine whether the line begins with them
 * @param draw makes what is shown of words without formats
 */
export function drawnWords(
  line: string,
  opensLine: boolean,
  draw: (words: string) => (string | HTMLElement)[],
  { head, tail }: Around = { head: opensLine ? '' : before, tail: '' },
): (string | HTMLElement)[] {
  const text = head + line + tail
  const [start, end] = [head.length, head.length + line.length]
  const drawn = (from: number, to: number) => draw(text.slice(Math.max(from, start), Math.min(to, end)))
  const shown = (node: SyntaxNode): (string | HTMLElement)[] => {
    const parts: (string | HTMLElement)[] = []
    // `[words]` alone is only a link if it is defined somewhere.
    const look = node.name === 'Link' && !node.getChild('URL') ? undefined : looks[node.name]
    let at = Math.max(node.from, start)
    for (let child = node.firstChild; child && child.from < end; child = child.nextSibling) {
      if (child.to <= start) continue
      parts.push(...drawn(at, child.from))
      at = Math.max(at, child.to)
      if (child.name === 'ListMark') {
        if (text[at] === ' ') at++
        const isPoint = /[-*+]/.test(text[child.from]!)
        parts.push(isPoint ? span('md-bullet', ['•']) : span('md-number', [text.slice(child.from, at)]))
      } else if (child.name === 'Image') parts.push(...drawn(child.from, child.to))
      else if (!look || !marks.test(child.name)) parts.push(...shown(child))
    }
    parts.push(...drawn(at, node.to))
    return look ? [span(look, parts)] : parts
  }
  const { topNode } = markdownLanguage.parser.parse(text)
  return shown(topNode).filter((part) => part !== '')
}

function span(name: string, parts: (string | HTMLElement)[]): HTMLElement {
  const element = document.createElement('span')
  element.className = name
  element.append(...parts)
  return element
}

interface Piece {
  from: number
  to: number
  at: number
  insert: string
}

/** Words that stay and get another look, by the classes of that. */
export interface Format {
  from: number
  to: number
  look: string
}

const put: Record<string, string> = {
  '**': 'md-strong',
  __: 'md-strong',
  '*': 'md-emphasis',
  _: 'md-emphasis',
  '***': 'md-strong md-emphasis',
  '~~': 'md-strike',
  '`': 'md-code',
}
const taken: Record<string, string> = {
  '**': 'g-not-strong',
  __: 'g-not-strong',
  '*': 'g-not-emphasis',
  _: 'g-not-emphasis',
  '***': 'g-not-strong g-not-emphasis',
}

/**
 * The pairs of marks that a suggestion puts around words that stay, or takes from around them, and the pieces that are
 * nothing else.
 * @param textOf what stands between two places
 */
export function formatsOf<One extends Piece>(
  pieces: readonly One[],
  textOf: (from: number, to: number) => string,
): { given: Format[]; lost: Format[]; halves: ReadonlySet<One> } {
  const puts = pieces.filter(({ from, to, insert }) => from === to && insert !== '')
  const takes = pieces.filter(({ from, to, insert }) => from < to && to - from <= 3 && insert === '')
  const given = pairs(puts, (one) => one.insert, put)
  const lost = pairs(takes, ({ from, to }) => textOf(from, to), taken)
  return {
    given: given.formats,
    lost: lost.formats,
    halves: new Set([...given.halves, ...lost.halves]),
  }
}

function pairs<One extends Piece>(
  pieces: readonly One[],
  signOf: (piece: One) => string,
  looks: Record<string, string>,
): { formats: Format[]; halves: One[] } {
  const open: { piece: One; sign: string }[] = []
  const formats: Format[] = []
  const halves: One[] = []
  for (const piece of pieces.toSorted((a, b) => a.from - b.from)) {
    const sign = signOf(piece)
    const isLinkEnd = looks === put && /^\]\([^()\s]*\)$/.test(sign)
    const look = isLinkEnd ? 'md-link' : looks[sign]
    const at = open.findLastIndex((one) => one.sign === (isLinkEnd ? '[' : sign))
    const first = open[at]?.piece
    if (look === undefined || !first || first.to >= piece.from) open.push({ piece, sign })
    else {
      open.splice(at)
      formats.push({ from: first.to, to: piece.from, look })
      halves.push(first, piece)
    }
  }
  return { formats, halves }
}
