/**
 * A safe part of Markdown, as comments have it: emphasis, strike, code, links, lists and quotes. It becomes a tree,
 * never HTML, so there is nothing in it that could be anything else than words. What isn't among these stays as it was
 * written, and line breaks stay where they are.
 */
export type Block =
  | { kind: 'words'; words: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | null; items: Block[][] }

export type Inline =
  | string
  | { kind: 'strong' | 'em' | 'del'; words: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'mention'; text: string }
  | { kind: 'link'; href: string; words: Inline[] }

/** So deep quotes, lists and emphasis go within each other; what is deeper is words. */
const deepest = 6

// Behind backticks the language may be named, which isn’t shown.
const fence = /^ {0,3}(`{3,}|~{3,})/
const language = /^[\w+#.-]*$/

/** What begins code in a line. */
function openingIn(line: string): string | undefined {
  const [all, signs] = fence.exec(line) ?? []
  if (all === undefined) return undefined
  const rest = line.slice(all.length).trim()
  return rest === '' || (signs!.startsWith('`') && language.test(rest)) ? signs : undefined
}
const quoted = /^ {0,3}> ?/
const item = /^( {0,3}(?:[-*+]|(\d{1,9})[.)]))(?: |$)/

/** `names`: who is mentioned by `@` and one of these. */
export function blocksOf(text: string, names: readonly string[] = []): Block[] {
  return readBlocks(
    text.split('\n'),
    [...names].sort((a, b) => b.length - a.length),
    0,
  )
}

function readBlocks(lines: readonly string[], names: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const end = () => {
    const words = paragraph.join('\n').replace(/^\n+/, '').trimEnd()
    if (words !== '') blocks.push({ kind: 'words', words: readInline(words, names) })
    paragraph = []
  }
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!
    const opening = openingIn(line)
    if (opening) {
      end()
      const from = ++at
      while (at < lines.length && !closes(lines[at]!, opening)) at++
      blocks.push({ kind: 'code', text: lines.slice(from, at++).join('\n') })
    } else if (depth < deepest && quoted.test(line)) {
      end()
      const inside: string[] = []
      while (at < lines.length && quoted.test(lines[at]!)) inside.push(lines[at++]!.replace(quoted, ''))
      blocks.push({ kind: 'quote', blocks: readBlocks(inside, names, depth + 1) })
    } else if (depth < deepest && item.test(line)) {
      end()
      const { list, next } = readList(lines, at, names, depth)
      blocks.push(list)
      at = next
    } else {
      if (line.trim() === '') end()
      else paragraph.push(line)
      at++
    }
  }
  end()
  return blocks
}

function closes(line: string, opening: string): boolean {
  const run = line.trim()
  return run.length >= opening.length && run === opening[0]!.repeat(run.length)
}

function readList(lines: readonly string[], from: number, names: readonly string[], depth: number) {
  const [, , first] = item.exec(lines[from]!)!
  const list: Block = { kind: 'list', start: first === undefined ? null : Number(first), items: [] }
  let at = from
  for (let found = item.exec(lines[at]!); found; found = at < lines.length ? item.exec(lines[at]!) : null) {
    if ((found[2] === undefined) !== (first === undefined)) break
    const marker = found[0]
    const indent = ' '.repeat(Math.min(marker.length, 2))
    const inside = [lines[at++]!.slice(marker.length)]
    // What is indented below it belongs to it, over an empty line, too.
    for (;;) {
      const empty = at < lines.length && lines[at]!.trim() === '' ? 1 : 0
      if (!lines[at + empty]?.startsWith(indent)) break
      if (empty) inside.push('')
      const below = lines[at + empty]!
      inside.push(below.slice(Math.min(marker.length, below.search(/\S|$/))))
      at += empty + 1
    }
    list.items.push(readBlocks(inside, names, depth + 1))
    if (at < lines.length && lines[at]!.trim() === '' && item.test(lines[at + 1] ?? '')) at++
  }
  return { list, next: at }
}

/** What has been opened and not yet closed; without its end it is the words that it was written as. */
interface Open {
  sign: string
  words: Inline[]
}

const kinds = { '*': 'em', _: 'em', '**': 'strong', __: 'strong', '~~': 'del' } as const
const special = /[\\`*_~[\]<@hm]/g
const address = /(?:https?:\/\/|mailto:)[^\s<>"`\]]+/iy
const target = /\(\s*<?((?:https?:\/\/|mailto:)(?:[^\s()<>]|\([^\s()<>]*\))*)>?(?:\s+"[^"\n]*")?\s*\)/iy
const letter = /[\p{L}\p{N}]/u

function readInline(text: string, names: readonly string[]): Inline[] {
  const frames: Open[] = [{ sign: '', words: [] }]
  const top = () => frames[frames.length - 1]!
  const say = (words: string) => {
    const { words: said } = top()
    const last = said.length - 1
    if (typeof said[last] === 'string') said[last] += words
    else if (words !== '') said.push(words)
  }
  /** What is open above a frame was no sign after all. */
  const flatten = () => {
    const { sign, words } = frames.pop()!
    say(sign)
    for (const word of words) {
      if (typeof word === 'string') say(word)
      else top().words.push(word)
    }
  }
  const close = (index: number, make: (words: Inline[]) => Inline) => {
    while (frames.length > index + 1) flatten()
    const { words } = frames.pop()!
    top().words.push(make(words))
  }
  const open = (sign: string) => {
    if (frames.length > deepest) say(sign)
    else frames.push({ sign, words: [] })
  }
  const unclosed = new Set<number>()

  let at = 0
  while (at < text.length) {
    special.lastIndex = at
    const next = special.exec(text)?.index ?? text.length
    say(text.slice(at, next))
    at = next
    const sign = text[at]
    if (sign === undefined) break
    if (sign === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')) {
      say(text[at + 1]!)
      at += 2
    } else if (sign === '`') {
      const run = runAt(text, at)
      const end = unclosed.has(run) ? -1 : closingRun(text, at + run, run)
      if (end < 0) {
        unclosed.add(run)
        say(text.slice(at, at + run))
        at += run
      } else {
        top().words.push({ kind: 'code', text: withoutPadding(text.slice(at + run, end)) })
        at = end + run
      }
    } else if (sign === '*' || sign === '_' || sign === '~') {
      at = readSigns(text, at, frames, { say, open, close })
    } else if (sign === '[') {
      open('[')
      at++
    } else if (sign === ']') {
      const index = frames.findLastIndex((frame) => frame.sign === '[')
      target.lastIndex = at + 1
      const href = index > 0 ? safe(target.exec(text)?.[1]) : null
      if (href === null) {
        if (index > 0) while (frames.length > index) flatten()
        say(']')
        at++
      } else {
        at = target.lastIndex
        close(index, (words) => ({ kind: 'link', href, words: withoutLinks(words) }))
      }
    } else {
      const found = wordAt(text, at, names)
      if (found) {
        top().words.push(found.word)
        at = found.end
      } else {
        say(sign)
        at++
      }
    }
  }
  while (frames.length > 1) flatten()
  return frames[0]!.words
}

/** An address or a mention that stands in the text as it is. */
function wordAt(text: string, at: number, names: readonly string[]): { word: Inline; end: number } | null {
  if (letter.test(text[at - 1] ?? '')) return null
  if (text[at] === '@') {
    const name = names.find((one) => text.startsWith(one, at + 1))
    if (name === undefined || letter.test(text[at + 1 + name.length] ?? '')) return null
    return { word: { kind: 'mention', text: `@${name}` }, end: at + 1 + name.length }
  }
  const inAngles = text[at] === '<'
  address.lastIndex = at + Number(inAngles)
  const found = address.exec(text)?.[0]
  if (found === undefined || (inAngles && text[address.lastIndex] !== '>')) return null
  const shown = inAngles ? found : withoutEnd(found)
  const href = safe(shown)
  const end = at + shown.length + (inAngles ? 2 : 0)
  return href === null ? null : { word: { kind: 'link', href, words: [shown] }, end }
}

/** An address without what ends the sentence that it stands in. */
function withoutEnd(found: string): string {
  let end = found.length
  for (; end > 0; end--) {
    const last = found[end - 1]!
    if (last === ')' ? found.slice(0, end).includes('(') : !/[.,:;!?'*_~\]]/.test(last)) break
  }
  return found.slice(0, end)
}

/** The address, if a browser takes it for one that may be followed. */
function safe(written: string | undefined): string | null {
  if (written === undefined) return null
  try {
    const { protocol, href } = new URL(written)
    return /^(?:https?|mailto):$/.test(protocol) ? href : null
  } catch {
    return null
  }
}

const withoutLinks = (words: Inline[]): Inline[] =>
  words.flatMap((word): Inline[] => {
    if (typeof word === 'string' || 'text' in word) return [word]
    const inside = withoutLinks(word.words)
    return word.kind === 'link' ? inside : [{ ...word, words: inside }]
  })

interface Signs {
  say: (words: string) => void
  open: (sign: string) => void
  close: (index: number, make: (words: Inline[]) => Inline) => void
}

/** A run of the same sign closes what it can, and then opens; answers where it ends. */
function readSigns(text: string, at: number, frames: readonly Open[], { say, open, close }: Signs): number {
  const sign = text[at]!
  const run = runAt(text, at)
  const [before, after] = [text[at - 1] ?? ' ', text[at + run] ?? ' ']
  const inWord = sign === '_' && letter.test(before) && letter.test(after)
  const [canOpen, canClose] = [/\S/.test(after) && !inWord, /\S/.test(before) && !inWord]
  let left = run
  while (left > 0) {
    const index = canClose
      ? frames.findLastIndex((frame) => frame.sign[0] === sign && frame.sign.length <= left)
      : -1
    const size = sign === '~' ? 2 : Math.min(left, 2)
    if (index > 0) {
      const { sign: closed } = frames[index]!
      close(index, (words) => ({ kind: kinds[closed as keyof typeof kinds], words }))
      left -= closed.length
    } else if (canOpen && size <= left && run <= 3) {
      open(sign.repeat(size))
      left -= size
    } else {
      say(sign.repeat(left))
      left = 0
    }
  }
  return at + run
}

function runAt(text: string, at: number): number {
  let end = at
  while (text[end] === text[at]) end++
  return end - at
}

/** Where a run of exactly so many backticks begins; -1 if there is none. */
function closingRun(text: string, from: number, run: number): number {
  for (let at = text.indexOf('`', from); at >= 0;) {
    const length = runAt(text, at)
    if (length === run) return at
    at = text.indexOf('`', at + length)
  }
  return -1
}

/** A blank on both sides is for words that begin or end with backticks. */
const withoutPadding = (code: string): string =>
  code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code
