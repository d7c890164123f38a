import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { limits } from '../contract/limits.ts'
import { firstCodePoints } from './code-points.ts'
import { readFrontMatter } from './front-matter.ts'

/** How much of a text’s beginning is searched for its title. */
export const titleSearched = 100_000
// Longer lines are no headings, and would make the patterns below slow.
const LONGEST_LINE = 1000

/**
 * A title for an imported text: `title` in its front matter, else its first heading, else the file's name without
 * folders (between slashes) and extension; "Untitled" when there is none of these.
 */
export const titleFrom = (content: string, fileName = ''): string => titleOr(titleIn(content), fileName)

/** What a text itself says that it is called; empty where it doesn’t. */
export function titleIn(content: string): string {
  const text = headOf(content)
  const matter = readFrontMatter(text)
  return (matter && plainWords(matter.title)) || firstHeading(matter ? text.slice(matter.length) : text)
}

/** The title of a text that says itself that it is called `told`. */
export const titleOr = (told: string, fileName: string): string =>
  firstCodePoints(told || nameOf(fileName), limits.titleLength) || 'Untitled'

/** As much of a text as is looked at, with lines that end alike. */
export const headOf = (content: string): string =>
  content
    .slice(0, titleSearched)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')

/** What ends a paragraph and is none itself. */
const BETWEEN = /^ {0,3}(?:([-*_])[ \t]*(?:\1[ \t]*){2,}$|#{1,6}(?:[ \t]|$)|<[!?]|\[[^\]]+\]:)/
/** What holds paragraphs that an underline makes no heading of. */
const CONTAINER = /^ {0,3}(?:[>|]|[-*+] |\d+[.)] )/

function firstHeading(text: string): string {
  let fence = ''
  // Only a paragraph can become a heading by being underlined, all of its lines.
  let paragraph = ''
  let contained = false
  for (const whole of text.split('\n')) {
    const line = whole.slice(0, LONGEST_LINE)
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    if (fence) {
      if (mark && mark[1]!.startsWith(fence) && !mark[2]!.trim()) fence = ''
      continue
    }
    const underlined = paragraph && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)
    const heading =
      /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line)?.[1] ??
      /^\s*<h1\b[^>]*>(.*?)<\/h1>/i.exec(line)?.[1] ??
      (underlined ? paragraph.slice(0, LONGEST_LINE) : undefined)
    const title = heading && plainWords(heading)
    if (title) return title
    fence = mark?.[1] ?? ''
    const words = line.trim()
    if (mark || !words || underlined || BETWEEN.test(line)) {
      paragraph = ''
      contained = false
    } else if (CONTAINER.test(line)) {
      paragraph = ''
      contained = true
    } else if (!contained && (paragraph || !/^(?: {4}|\t)/.test(line))) {
      paragraph += ` ${words}`
    }
  }
  return ''
}

/**
 * The words of a heading or a paragraph without the markdown and HTML around them. Pictures, which mostly are badges,
 * are left out, unless there is nothing else.
 */
export function plainWords(markdown: string): string {
  const source = markdown.replace(/<!--.*?-->/g, ' ').replace(/[ \t]\{[#.][^{}]*\}[ \t]*$/, '')
  return (
    wordsOf(source.replace(picture, ' ')) ||
    wordsOf(source.replace(picture, (_, ...alt: unknown[]) => altOf(alt)))
  )
}

/** As markdown or as HTML. */
const picture =
  /!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?|<img\b[^>]*?(?:\balt=(?:"([^"]*)"|'([^']*)')[^>]*)?>/gi
const altOf = (groups: unknown[]) => groups.slice(0, 3).find((one) => typeof one === 'string') ?? ''

function wordsOf(markdown: string): string {
  // Code says what it says: nothing in it is markup.
  const code: string[] = []
  const keep = (words: string) => `\0${code.push(words) - 1}\0`
  return oneLine(
    markdown
      .replaceAll('\0', '')
      .replace(/(`+)(.+?)\1/g, (_, _ticks, words: string) => keep(words))
      .replace(/\[\^[^\]]*\]/g, '')
      .replace(/\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]/g, '$1')
      .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
      .replace(/<((?:https?|mailto):[^\s<>]*)>/g, '$1')
      .replace(/<\/?[a-zA-Z][^>]*>/g, '')
      .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => keep(sign))
      .replace(/(\*\*|__|~~)(.+?)\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
      .replace(/&(?:#(?:x([\da-f]{1,6})|(\d{1,7}))|([a-z][a-z\d]*));/gi, decodeReference)
      .replace(/\0(\d+)\0/g, (_, index: string) => code[Number(index)] ?? ''),
  )
}

/** The characters that `&amp;`, `&#38;` or `&#x26;` stand for; itself if it stands for none. */
function decodeReference(reference: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return decodeNamedCharacterReference(name) || reference
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
}

function nameOf(fileName: string): string {
  const name = fileName.split('/').at(-1) ?? ''
  return oneLine(name.replace(/(?<=.)\.[^.]*$/, ''))
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
