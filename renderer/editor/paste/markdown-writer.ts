import type { PastedBlock, Item, List, Marks, Run } from './blocks.ts'

/** Writes blocks as markdown. */
export function markdownOf(blocks: readonly PastedBlock[]): string {
  return linesOf(blocks).join('\n')
}

function linesOf(blocks: readonly PastedBlock[]): string[] {
  return blocks.flatMap((block, i) => {
    const lines = blockLines(block)
    return i > 0 ? ['', ...lines] : lines
  })
}

function blockLines(block: PastedBlock): string[] {
  switch (block.kind) {
    case 'paragraph':
      return paragraphLines(block.runs)
    case 'heading':
      return [`${'#'.repeat(block.level)} ${inlineOf(block.runs).replace(/\\?\n/g, ' ')}`]
    case 'rule':
      return ['---']
    case 'quote':
      return linesOf(block.blocks).map((line) => `> ${line}`.trimEnd())
    case 'code': {
      const fence = '`'.repeat(Math.max(3, longestRun(block.text, '`') + 1))
      return [fence + block.language, ...block.text.split(/\r\n?|\n/), fence]
    }
    case 'list':
      return listLines(block)
    case 'table':
      return tableLines(block)
  }
}

const paragraphLines = (runs: readonly Run[]) => inlineOf(runs).split('\n').map(escapeStart)

function listLines({ ordered, start, items }: List): string[] {
  const isTight = items.every(({ blocks }) => blocks.every(({ kind }, i) => i === 0 || kind === 'list'))
  return items.flatMap((item, i) => {
    const sign = ordered ? `${start + i}. ` : '- '
    const lines = itemLines(item, isTight)
    const indent = ' '.repeat(sign.length)
    const written = lines.map((line, at) => (at === 0 ? sign + line : line && indent + line).trimEnd())
    return i > 0 && !isTight ? ['', ...written] : written
  })
}

function itemLines({ done, blocks }: Item, isTight: boolean): string[] {
  const lines = blocks.flatMap((block, i) => {
    const own = blockLines(block)
    return i > 0 && !isTight ? ['', ...own] : own
  })
  if (done !== null) lines[0] = `[${done ? 'x' : ' '}] ${lines[0] ?? ''}`
  return lines
}

function tableLines({ rows, align }: Extract<PastedBlock, { kind: 'table' }>): string[] {
  const cell = (runs: Run[]) => inlineOf(runs, '<br>').replace(/\|/g, '\\|')
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  const [head = [], ...rest] = rows
  const bar = { '': '---', left: ':--', center: ':-:', right: '--:' }
  return [
    row(head.map(cell)),
    row(align.map((one) => bar[one])),
    ...rest.map((cells) => row(cells.map(cell))),
  ]
}

// From the outside in; code holds nothing else.
const order = ['href', 'strong', 'emphasis', 'strike', 'code'] as const
type MarkName = (typeof order)[number]
const signs = { strong: '**', emphasis: '*', strike: '~~' } as const

function inlineOf(runs: readonly Run[], lineBreak = '\\\n'): string {
  const words = runs.map((run) => (run.kind === 'text' ? run.text : '')).join('')
  const hasMaths = /\$(?![\s$])[^$\n]*[^\s$]\$(?![\w$])|\$\$/.test(words)
  return write(runs, order, { lineBreak, hasMaths, inLink: false, inStrong: false })
}

interface WritingContext {
  lineBreak: string
  hasMaths: boolean
  inLink: boolean
  inStrong: boolean
}

const valueOf = (run: Run, name: MarkName) => (run.kind === 'break' ? undefined : run.marks[name])
const isSpace = (run: Run) => run.kind === 'text' && run.text.trim() === ''

function write(runs: readonly Run[], names: readonly MarkName[], context: WritingContext): string {
  const [name, ...inner] = names
  if (name === undefined) return runs.map((run) => plain(run, context)).join('')
  let out = ''
  for (let at = 0; at < runs.length;) {
    const value = valueOf(runs[at]!, name)
    let end = at + 1
    // White space between words with a mark belongs to them, whatever it is said to have.
    while (end < runs.length && (valueOf(runs[end]!, name) === value || (value && isSpace(runs[end]!)))) end++
    while (value && end > at + 1 && isSpace(runs[end - 1]!) && valueOf(runs[end - 1]!, name) !== value) end--
    const part = runs.slice(at, end)
    const next = runs[end]
    const follows = next?.kind === 'text' ? next.text.slice(0, 1) : ''
    out += value ? wrapped(part, name, inner, context, out, follows) : write(part, inner, context)
    at = end
  }
  return out
}

function wrapped(
  part: readonly Run[],
  name: MarkName,
  inner: readonly MarkName[],
  context: WritingContext,
  before: string,
  follows: string,
): string {
  if (name === 'href') return link(part, inner, context)
  if (name === 'code') {
    const text = part.map((run) => (run.kind === 'text' ? run.text : ' ')).join('')
    return around(text, codeSpan, '', '')
  }
  const text = write(part, inner, { ...context, inStrong: context.inStrong || name === 'strong' })
  const letter = /[\p{L}\p{N}]/u
  // Beside the marks of strong words other stars could be taken for some of them.
  const isApart = context.inStrong && !letter.test(before.slice(-1)) && !letter.test(follows)
  const sign = name === 'emphasis' && isApart ? '_' : signs[name]
  return around(text, (words) => sign + words + sign, before.slice(-1), follows)
}

/** Marks stand right at words: white space, and punctuation that a letter follows, stay outside. */
function around(text: string, wrap: (words: string) => string, before: string, follows: string): string {
  const [, lead = '', words = '', trail = ''] = /^((?:\s|\\\n)*)([^]*?)((?:\s|\\\n)*)$/.exec(text)!
  if (words === '') return text
  const letter = /[\p{L}\p{N}]/u
  const [, opening = '', core = words, closing = ''] =
    /^([\p{P}]*)([^]*?)([\p{P}]*)$/u.exec(words.replace(/[*~`]/g, 'x')) ?? []
  const first = lead === '' && letter.test(before) ? opening.length : 0
  const last = trail === '' && letter.test(follows) ? closing.length : 0
  // Of words that are escaped or marked themselves nothing is taken apart.
  if ((first === 0 && last === 0) || core === '' || /[\\*~`[\]]/.test(words))
    return lead + wrap(words) + trail
  const end = words.length - last
  return lead + words.slice(0, first) + wrap(words.slice(first, end)) + words.slice(end) + trail
}

function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text, '`') + 1)
  const gap = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return fence + gap + text + gap + fence
}

function link(part: readonly Run[], inner: readonly MarkName[], context: WritingContext): string {
  const href = (part.find((run) => valueOf(run, 'href')) as { marks: Marks }).marks.href!
  const words = part
    .map((run) => (run.kind === 'text' ? run.text : run.kind === 'image' ? 'x' : ' '))
    .join('')
  if (words.trim() === '') return ' '
  // Addresses are links by themselves.
  if (words.trim() === href && /^https?:\/\/[\w./?=&%+#:~-]*[\w/]$/i.test(href)) return words
  const text = write(part, inner, { ...context, lineBreak: ' ', inLink: true })
  return around(text, (label) => `[${label}](${destination(href)})`, '', '')
}

const destination = (href: string) =>
  href.replace(/[()<>\s\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

function plain(run: Run, context: WritingContext): string {
  if (run.kind === 'break') return context.lineBreak
  if (run.kind === 'maths') return `$${run.tex}$`
  if (run.kind === 'image') return `![${run.alt.replace(/[[\]\\]/g, '\\$&')}](${destination(run.src)})`
  return escapeText(run.text, context)
}

/** Escapes what markdown would take for a mark, and as little else as can be. */
function escapeText(text: string, { hasMaths, inLink }: WritingContext): string {
  return text
    .split(/(\bhttps?:\/\/[^\s<>*`]+)/i)
    .map((part, i) => {
      if (i % 2 === 1 && !inLink) return part
      let out = part
        .replace(/\\(?=[!-/:-@[-`{-~])|[*`~]/g, '\\$&')
        .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
        .replace(/<(?=[a-z/!?])/gi, '\\<')
        .replace(/&(?=#?\w+;)/g, '\\&')
        .replace(/\](?=[([:])/g, '\\]')
        .replace(/\[(?=\^)/g, '\\[')
      if (inLink) out = out.replace(/(?<!\\)[[\]]/g, '\\$&')
      return hasMaths ? out.replace(/\$/g, '\\$') : out
    })
    .join('')
}

/** Escapes what would begin something else at the start of a line. */
function escapeStart(line: string): string {
  return line
    .replace(/^(#{1,6}(?:\s|$)|>|[-+](?:\s|$)|(?:-{3,}|={3,}|~{3,})|\||\[[ xX^])/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}

function longestRun(text: string, sign: string): number {
  let longest = 0
  for (const [run] of text.matchAll(new RegExp(`${sign}+`, 'g'))) longest = Math.max(longest, run.length)
  return longest
}
