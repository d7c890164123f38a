import type { Token, TokenizerExtension, Tokens } from 'marked'

/** `[^label]: text`, with further paragraphs indented. */
export interface FootnoteToken extends Tokens.Generic {
  type: 'footnote'
  raw: string
  label: string
  text: string
  tokens: Token[]
}

/** `[^label]` in the text. `number` and `occurrence` are given once the whole document is known. */
export interface FootnoteReferenceToken extends Tokens.Generic {
  type: 'footnoteReference'
  raw: string
  label: string
  number: number
  occurrence: number
}

/** A footnote that the text refers to. */
export interface Footnote {
  token: FootnoteToken
  number: number
  references: number
}

const head = /^ {0,3}\[\^([^\s[\]]{1,200})\]:[ \t]*/
const indented = /^(?: {2,}|\t)[ \t]*\S/
// What ends a note's paragraph although no blank line does.
const interruption = /^ {0,3}(?:\[\^|#{1,6}[ \t]|>|```|~~~|[*+-][ \t]|\d{1,9}[.)][ \t]|\||<|\$\$)/
const call = /^\[\^([^\s[\]]{1,200})\]/

/** The tokenizers of one document: the labels it defines are known once its blocks are. */
export function footnoteExtensions(): TokenizerExtension[] {
  const labels = new Set<string>()
  return [
    {
      name: 'footnote',
      level: 'block',
      tokenizer(src, tokens) {
        // Only at the top: a note inside a quote or a list has no place of its own to show.
        if (tokens !== this.lexer.tokens || !/^ {0,3}\[\^/.test(src)) return undefined
        const note = takeFootnote(src)
        if (!note) return undefined
        const { raw, label, text } = note
        const token = { type: 'footnote', raw, label, text, tokens: [] as Token[] }
        labels.add(label)
        this.lexer.blockTokens(text, token.tokens)
        return token
      },
    },
    {
      name: 'footnoteReference',
      level: 'inline',
      tokenizer(src) {
        if (src[0] !== '[' || src[1] !== '^') return undefined
        const match = call.exec(src)
        const label = match && foldLabel(match[1]!)
        if (!match || !labels.has(label!)) return undefined
        return { type: 'footnoteReference', raw: match[0], label, number: 0, occurrence: 0 }
      },
    },
  ]
}

/** Numbers the footnotes in the order in which the text first refers to them; notes nobody refers to are left out. */
export function numberFootnotes(tokens: Token[]): Footnote[] {
  const defined = new Map<string, FootnoteToken>()
  for (const token of tokens) {
    if (isFootnote(token) && !defined.has(token.label)) defined.set(token.label, token)
  }
  const byLabel = new Map<string, Footnote>()
  const numbered: Footnote[] = []
  const visit = (token: Token): void => {
    if (token.type !== 'footnoteReference') return
    const reference = token as FootnoteReferenceToken
    let footnote = byLabel.get(reference.label)
    if (!footnote) {
      footnote = { token: defined.get(reference.label)!, number: numbered.length + 1, references: 0 }
      byLabel.set(reference.label, footnote)
      numbered.push(footnote)
    }
    reference.number = footnote.number
    reference.occurrence = ++footnote.references
  }
  walk(
    tokens.filter((token) => !isFootnote(token)),
    visit,
  )
  // Notes may refer to notes: the list grows as it is read.
  for (let i = 0; i < numbered.length; i++) walk(numbered[i]!.token.tokens, visit)
  return numbered
}

function isFootnote(token: Token): token is FootnoteToken {
  return token.type === 'footnote'
}

/** Calls `visit` for each token in the order of the text. */
export function walk(tokens: Token[], visit: (token: Token) => void): void {
  for (const token of tokens) {
    visit(token)
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table
      for (const cell of [header, ...rows].flat()) walk(cell.tokens, visit)
    } else if (token.type === 'list') {
      for (const item of (token as Tokens.List).items) walk(item.tokens, visit)
    } else if ('tokens' in token && token.tokens && token.type !== 'image') {
      walk(token.tokens, visit)
    }
  }
}

function takeFootnote(src: string): { raw: string; label: string; text: string } | null {
  const start = head.exec(src)
  if (!start) return null
  let end = lineEnd(src, 0)
  for (let next = end, blank = false; next < src.length;) {
    const stop = lineEnd(src, next)
    const line = src.slice(next, stop)
    next = stop
    if (!line.trim()) blank = true
    else if (indented.test(line) || (!blank && !interruption.test(line))) {
      end = stop
      blank = false
    } else break
  }
  const text = src
    .slice(start[0].length, end)
    .replace(/\n(?: {1,4}|\t)/g, '\n')
    .trimEnd()
  return { raw: src.slice(0, end), label: foldLabel(start[1]!), text }
}

function lineEnd(text: string, from: number): number {
  const stop = text.indexOf('\n', from)
  return stop < 0 ? text.length : stop + 1
}

/** Whether lines that follow the words of a note are none of it, which the first of them with words tells. */
export function leavesNote(lines: string): boolean {
  const all = lines.split(/\r?\n/)
  const first = all.findIndex((line) => line.trim() !== '')
  if (first < 1) return false
  return !indented.test(all[first]!) && (first > 1 || interruption.test(all[first]!))
}

/** So far back it is looked for where notes begin. */
const farthest = 100_000

/**
 * Where lines show that are put in behind a note’s definition and are none of it: before it and all that stand right
 * before it, since notes show elsewhere. For all else it is the place itself.
 */
export function placeInText(content: string, place: number, words: string): number {
  const first = Math.max(0, place - farthest)
  const note = noteBefore(content, place, first)
  if (!note || !leavesNote(content.slice(note.end, place) + words)) return place
  let at = note.start
  for (let next = noteBefore(content, at, first); next; next = noteBefore(content, at, first)) at = next.start
  return at > first && wordsEnd(content, at, first) > first ? at : place
}

/** The definition that ends before a place, white space aside. */
function noteBefore(content: string, place: number, first: number): { start: number; end: number } | null {
  const end = wordsEnd(content, place, first)
  for (let to = end; to > first;) {
    const start = content.lastIndexOf('\n', to - 1) + 1
    const line = content.slice(start, to)
    if (head.test(line)) return { start, end }
    to = Math.max(0, start - 1)
    if (line.trim() === '' || indented.test(line)) continue
    if (interruption.test(line) || /^\s*$/.test(content.slice(content.lastIndexOf('\n', to - 1) + 1, to)))
      return null
  }
  return null
}

/** Where the words before a place end. */
function wordsEnd(content: string, place: number, first: number): number {
  let end = place
  while (end > first && /\s/.test(content[end - 1]!)) end--
  return end
}

function foldLabel(label: string): string {
  return label.toLowerCase().toUpperCase().toLowerCase()
}
