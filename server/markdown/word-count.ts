import { frontMatterLength } from './front-matter.ts'

const apart = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]`
const goesOn = String.raw`[.,'\u2019_\-]?[[\p{L}\p{N}\p{M}]--${apart}]`
/** Characters of a word that are looked for at once: of more than some hundred thousand the expression wouldn’t come back. */
const stretch = 1_000
// A run of letters and digits, held together by apostrophes and the like; in scripts that put no space between words,
// each character counts, as word processors do it.
const word = new RegExp(`${apart}|[[\\p{L}\\p{N}]--${apart}](?:${goesOn}){0,${stretch}}`, 'gv')
const endsApart = new RegExp(`${apart}$`, 'v')
const rest = new RegExp(`(?:${goesOn}){1,${stretch}}`, 'vy')

/** How many words a text has, in any language. Signs are none. */
export function countWords(text: string): number {
  word.lastIndex = 0
  let count = 0
  for (let from = 0; word.test(text); from = word.lastIndex) {
    count++
    if (word.lastIndex - from > stretch) word.lastIndex = endOfWord(text, word.lastIndex)
  }
  return count
}

/** Where the word ends of which so much has been found. */
function endOfWord(text: string, found: number): number {
  if (endsApart.test(text.slice(found - 2, found))) return found
  let end = found
  do rest.lastIndex = end
  while (rest.test(text) && (end = rest.lastIndex))
  return end
}

const fence = /^[ \t]*(?:>[ \t]*|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}(?=[^`]*$)|~{3,})(.*)$/s
const linkDefinition = /^ {0,3}\[(?!\^)[^\]]+\]:[ \t]*\S/
const code = /(?<!`)(`+)(?!`)[^`]+\1(?!`)/
const target = /\]\((?:<[^<>]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/
const reference = /\]\[[^[\]]*\]/
const item = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[x ]\](?=\s))?/
const footnote = /\[\^[^[\]\s]+\]/
const tag = /<!--[^<]*?-->|<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/
const marks = /\*+|~~/
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/
const unread = new RegExp(
  [code, target, reference, item, footnote, tag, marks, entity].map(({ source }) => source).join('|'),
  'gi',
)

/** The words of so much of a line are counted at once. */
const piece = 20_000

/**
 * How many words a reader of this markdown finds, near enough: what stands only in its source isn't counted, such as
 * the addresses of links, tags, the numbers of a list, and the language of code. Quicker than rendering it, so that it
 * can follow the typing; wherever a document's words are told, it is this number. It reads each line about once.
 */
export function countMarkdownWords(source: string): number {
  const words = new MarkdownWords()
  for (const line of source.slice(frontMatterLength(source)).split(/\r\n?|\n/)) words.add(line)
  return words.count
}

/** Counts the words of a markdown’s lines, one after the other, of those behind its front matter. */
export class MarkdownWords {
  count = 0
  /** The marks that code was opened with. */
  #open: string | null = null

  add(line: string): void {
    const counting = this.adding(line)
    while (!counting.next().done);
  }

  /** The same, so that it can be stopped on the way: a line of some megabytes takes seconds. */
  *adding(line: string): Generator<void, void> {
    const [, marks, info] = fence.exec(line) ?? []
    if (this.#open !== null) {
      if (marks?.startsWith(this.#open) && info!.trim() === '') this.#open = null
      else yield* this.#inPieces(line)
    } else if (marks) this.#open = marks
    else if (!linkDefinition.test(line))
      yield* this.#inPieces(/[`<[*~&]|^[ \t>]*\d/.test(line) ? line.replace(unread, keepCode) : line)
  }

  *#inPieces(line: string): Generator<void, void> {
    for (let at = 0; at < line.length;) {
      let end = at + piece
      // Between words, where there are any.
      const space = end < line.length ? line.lastIndexOf(' ', end) : -1
      if (space > at) end = space
      this.count += countWords(line.slice(at, end))
      at = end
      if (at < line.length) yield
    }
  }
}

// What code says is read, and so are the words before a link’s address; what a name stands for seldom is a letter.
const keepCode = (found: string) =>
  found.startsWith('`') ? found : found.startsWith(']') ? ']' : found.startsWith('&') ? ' ' : ''
