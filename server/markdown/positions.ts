import type { Token, Tokens } from 'marked'
import type { FootnoteToken } from './footnotes.ts'
import type { SourceText } from './source-text.ts'

/** Where the text of a token (for images, maths and references: the whole of it) stands in the source. */
export type Positions = Map<object, SourceText>

/** Finds where the tokens of one block come from; `view` is the text they were made of. `wholes` gets all of each token. */
export function locate(
  tokens: Token[],
  view: SourceText,
  found: Positions = new Map(),
  wholes?: Positions,
): Positions {
  let pos = 0
  for (const token of tokens) {
    if (token.type === 'checkbox') continue
    const place = findBlock(token, view, pos)
    if (!place) continue
    pos = place.to
    locateBlock(token, view.slice(place.from, place.to), found, wholes)
  }
  return found
}

function findBlock(token: Token, view: SourceText, pos: number): { from: number; to: number } | null {
  const raw = withoutCheckbox(token, token.raw)
  const from = indexFrom(view.text, raw, pos)
  if (from >= 0) return { from, to: from + raw.length }
  // White space at the end becomes a line end.
  const trimmed = raw.trimEnd()
  const near = indexFrom(view.text, trimmed, pos)
  if (near >= 0) return { from: near, to: near + trimmed.length }
  // The lexer put this raw together from several lines: go by the first and the last of them.
  const lines = raw.trim().split('\n')
  const first = lines[0]!
  const start = view.text.indexOf(first, pos)
  if (start < 0 || token.type === 'space') return null
  const last = view.text.indexOf(lines.at(-1)!, start + first.length - 1)
  return { from: start, to: last < 0 ? view.text.length : last + lines.at(-1)!.length }
}

function locateBlock(token: Token, at: SourceText, found: Positions, wholes?: Positions): void {
  wholes?.set(token, at)
  switch (token.type) {
    case 'paragraph':
    case 'heading':
    case 'text': {
      const { tokens, text } = token as Tokens.Paragraph
      // A `#` may be among the words, too.
      const sign = token.type === 'heading' ? (/^ {0,3}#{1,6}(?=[ \t])/.exec(at.text)?.[0].length ?? 0) : 0
      if (tokens) locateInline(tokens, textOf(at.slice(sign), withoutCheckbox(token, text)), found, wholes)
      else found.set(token, at)
      return
    }
    case 'code': {
      const code = token as Tokens.Code
      found.set(token, at.withLines(code.text, code.codeBlockStyle === 'indented' ? 0 : 1))
      return
    }
    case 'blockquote': {
      const quote = token as Tokens.Blockquote
      locate(quote.tokens, at.withLines(textOfQuote(quote)), found, wholes)
      return
    }
    case 'footnote': {
      const note = token as FootnoteToken
      const start = /^ {0,3}\[\^[^\]]*\]:[ \t]*/.exec(at.text)?.[0].length ?? 0
      locate(note.tokens, at.slice(start).withLines(note.text), found, wholes)
      return
    }
    case 'list': {
      let pos = 0
      for (const item of (token as Tokens.List).items) {
        const from = indexFrom(at.text, item.raw, pos)
        if (from < 0) continue
        pos = from + item.raw.length
        wholes?.set(item, at.slice(from, pos))
        locate(item.tokens, at.slice(from, pos).withLines(item.text), found, wholes)
      }
      return
    }
    case 'table':
      locateTable(token as Tokens.Table, at, found, wholes)
      return
    case 'html':
      found.set(token, trimmed(at))
      return
    case 'mathsBlock':
      found.set(token, at.find(at.text.trim()))
  }
}

function locateTable(table: Tokens.Table, at: SourceText, found: Positions, wholes?: Positions): void {
  const lines: [number, number][] = []
  for (let from = 0; from < at.text.length;) {
    const stop = at.text.indexOf('\n', from)
    const to = stop < 0 ? at.text.length : stop
    if (at.text.slice(from, to).trim()) lines.push([from, to])
    from = to + 1
  }
  ;[table.header, null, ...table.rows].forEach((cells, row) => {
    const line = lines[row]
    if (!cells || !line) return
    const pieces = splitRow(at.slice(...line))
    cells.forEach((cell, i) => {
      if (pieces[i]) locateInline(cell.tokens, pieces[i].find(cell.text), found, wholes)
    })
  })
}

function splitRow(line: SourceText): SourceText[] {
  const pieces: SourceText[] = []
  let from = 0
  for (let i = 0; i <= line.text.length; i++) {
    if (line.text[i] === '\\') i++
    else if (i === line.text.length || line.text[i] === '|') {
      pieces.push(line.slice(from, i))
      from = i + 1
    }
  }
  if (from <= line.text.length && pieces.length === 0) pieces.push(line)
  if (pieces.length > 1 && !pieces[0]!.text.trim()) pieces.shift()
  return pieces
}

function locateInline(tokens: Token[], view: SourceText, found: Positions, wholes?: Positions): void {
  let pos = 0
  for (const token of tokens) {
    if (token.type === 'checkbox') continue
    const from = indexFrom(view.text, token.raw, pos)
    if (from < 0) continue
    pos = from + token.raw.length
    const at = view.slice(from, pos)
    wholes?.set(token, at)
    switch (token.type) {
      case 'codespan': {
        const fence = /^`+/.exec(token.raw)![0].length
        found.set(token, at.slice(fence, -fence).find((token as Tokens.Codespan).text))
        break
      }
      case 'link': {
        const link = token as Tokens.Link
        if (link.autolink) found.set(token, at.find(link.text))
        else locateInline(link.tokens, at.slice(1).find(link.text), found, wholes)
        break
      }
      case 'em':
      case 'strong':
      case 'del': {
        const { text, tokens: inner } = token as Tokens.Em
        const side = (token.raw.length - text.length) / 2
        locateInline(inner, at.slice(side, side + text.length), found, wholes)
        break
      }
      default:
        found.set(token, at)
    }
  }
}

/** What the lexer has read of a quote. Where one within it goes on without its signs, that isn't its `text`. */
function textOfQuote({ tokens }: Tokens.Blockquote): string {
  const pieces: string[] = []
  for (const { raw } of tokens) {
    // It reads such a quote in parts, between which it drops the line's end.
    const isApart = pieces.at(-1)?.endsWith('\n') ?? true
    if (!isApart && !/^[ \t]*(?:\n|$)/.test(raw)) pieces.push('\n')
    pieces.push(raw)
  }
  return pieces.join('')
}

/** The text of a paragraph: what the lexer trimmed or joined, found again. */
function textOf(at: SourceText, text: string): SourceText {
  const from = at.text.indexOf(text)
  return from >= 0 ? at.slice(from, from + text.length) : at.withLines(text)
}

function trimmed(at: SourceText): SourceText {
  return at.slice(0, at.text.trimEnd().length)
}

// For loose task items, the lexer glues the checkbox back in front of what it had taken it from.
function withoutCheckbox(token: Token, text: string): string {
  const first = 'tokens' in token ? token.tokens?.[0] : undefined
  return first?.type === 'checkbox' && text.startsWith(first.raw) ? text.slice(first.raw.length) : text
}

function indexFrom(text: string, part: string, pos: number): number {
  return text.startsWith(part, pos) ? pos : text.indexOf(part, pos)
}
