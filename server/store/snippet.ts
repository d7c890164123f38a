import type { SearchTerm } from '../domain/search-terms.ts'

const length = 160
const lead = 48
/** In a longer text the words may stand anywhere; a list of many such would take too long to look through. */
const searchedUpTo = 1_000_000
/** Words are folded one by one when a plain look-up fails; beyond this much text that is not worth the time. */
const foldedUpTo = 20_000

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * A passage of about 160 characters around the first place one of the terms stands, as plain text without line
 * breaks; “…” marks where it was cut. The beginning of the text if only the title matched.
 */
export function findSnippet(text: string, terms: readonly SearchTerm[]): string {
  const content = text.slice(0, searchedUpTo)
  const beginning = content.slice(0, foldedUpTo)
  const at =
    findPlain(content, terms) ??
    findFolded(beginning, terms) ??
    findInside(content, terms) ??
    findFoldedInside(beginning, terms) ??
    0
  let start = at > lead ? at - lead : 0
  if (start > 0) {
    const space = content.slice(start, at).search(/\s\S/)
    if (space >= 0) start += space + 1
    else if (isLowSurrogate(content, start)) start++
  }
  start = signs(content, at).find((tag) => tag.start < start && start < tag.end)?.end ?? start
  let end = Math.min(content.length, start + length)
  if (end < content.length) {
    const space = content.slice(at, end).search(/\s\S*$/)
    if (space > 0) end = at + space
    else if (isLowSurrogate(content, end)) end--
  }
  let passage = ''
  let from = start
  for (const sign of signs(content, at)) {
    if (sign.end <= from || sign.start >= end) continue
    passage += content.slice(from, sign.start)
    from = sign.end
  }
  passage = (passage + content.slice(from, Math.max(from, end)))
    .replace(/^[ \t]*>[ \t>]*/gm, ' ')
    .replace(/[\s#*_`~|]+/g, ' ')
    .trim()
  return `${start > 0 ? '… ' : ''}${passage}${end < text.length ? ' …' : ''}`
}

/** How far from a passage a tag may begin or end. */
const longestTag = 400
const tag =
  /<\/?(?:a|abbr|b|bdi|bdo|blockquote|br|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video|wbr)(?:\s[^<>]*)?\/?>/gi

/** What stands around the words of a link or a picture: where it begins, and where it leads. */
const link =
  /!?\[(?=[^\][\n]{1,200}\]\()|\]\([^()\s]{0,400}(?:\([^()\s]{0,100}\)[^()\s]{0,100})?(?:\s+"[^"\n]{0,200}")?\)/g

/** The HTML tags and signs of links near a place, which say nothing; one that was found itself is shown. */
function signs(content: string, at: number): { start: number; end: number }[] {
  const from = Math.max(0, at - lead - longestTag)
  const near = content.slice(from, at + length + longestTag)
  return [...near.matchAll(tag), ...near.matchAll(link)]
    .map(({ 0: { length: size }, index }) => ({ start: from + index, end: from + index + size }))
    .filter(({ start, end }) => at === 0 || at < start || at >= end)
    .sort((a, b) => a.start - b.start)
}

const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

function findPlain(content: string, terms: readonly SearchTerm[]): number | null {
  const lower = content.toLowerCase()
  // A few letters change length when lowered; then the offsets wouldn't be the content's.
  if (lower.length !== content.length) return null
  for (const { text, prefix } of terms) {
    const word = text.toLowerCase()
    for (
      let at = lower.indexOf(word), tries = 0;
      at >= 0 && tries < 500;
      at = lower.indexOf(word, at + 1), tries++
    ) {
      if (!isWord(lower[at - 1]) && (prefix || !isWord(lower[at + word.length]))) return at
    }
  }
  return null
}

function findInside(content: string, terms: readonly SearchTerm[]): number | null {
  const lower = content.toLowerCase()
  if (lower.length !== content.length) return null
  for (const { text, inside } of terms) {
    const at = inside === undefined ? -1 : lower.indexOf(text.toLowerCase())
    if (at >= 0) return at
  }
  return null
}

/** The beginning of the first word that has one of the terms inside. */
function findFoldedInside(content: string, terms: readonly SearchTerm[]): number | null {
  const wanted = terms.flatMap(({ inside }) => inside ?? [])
  for (const match of wanted.length === 0 ? [] : content.matchAll(/[\p{L}\p{N}\p{M}]{1,100}/gu)) {
    const word = fold(match[0])
    if (wanted.some((inside) => word.includes(inside))) return match.index
  }
  return null
}

function findFolded(content: string, terms: readonly SearchTerm[]): number | null {
  const wanted = terms.map(({ text, prefix }) => ({
    word: fold(text).match(/[\p{L}\p{N}]+/u)?.[0] ?? '',
    prefix,
  }))
  for (const match of content.matchAll(/[\p{L}\p{N}\p{M}]{1,100}/gu)) {
    const word = fold(match[0])
    if (
      wanted.some(
        (term) => term.word !== '' && (term.prefix ? word.startsWith(term.word) : word === term.word),
      )
    ) {
      return match.index
    }
  }
  return null
}
