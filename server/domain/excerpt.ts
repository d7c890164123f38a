import { cutAtWord } from './cut-at-word.ts'
import { plainWords } from './title.ts'

/** How much of a text an excerpt is made from. */
export const excerptedFrom = 2_000
const longest = 200
/** Markup takes more room than the words it stands around. */
const enough = 600

const matter =
  /^(?:---[ \t]*\n[^\n]*:[^]*?(?:\n(?:---|\.\.\.)[ \t]*(?=\n|$)|$)|\+\+\+[ \t]*\n[^]*?(?:\n\+\+\+[ \t]*(?=\n|$)|$))/
const fence = /^\s*(?:`{3,}|~{3,})/
const heading = /^ {0,3}#{1,6}(?:[ \t]+|$)/
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/
/** Thematic breaks, the line under a table's head, definitions of links and footnotes. */
const wordless = /^[ \t]*(?:(?:[-*_][ \t]*){3,}|[|:\-\t ]*-[|:\-\t ]*|\[[^\]]+\]:.*)$/
/** Quotes, items of lists and their checkboxes. */
const leading = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*(?:\[[ xX]\][ \t]+)?/

/**
 * The first words of a text on one line, without markup, its front matter and its headings; of one that has headings
 * only, those that aren't its title. `start` is its beginning, of `excerptedFrom` characters or all there is.
 */
export function excerptOf(start: string, title: string): string {
  const text = start
    .slice(0, excerptedFrom)
    .toWellFormed()
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(matter, '')
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
  const lines = text.split('\n')
  const words: string[] = []
  const headings: string[] = []
  let length = 0
  for (const [at, line] of lines.entries()) {
    if (length > enough) break
    if (line.trim() === '' || fence.test(line) || wordless.test(line)) continue
    if (underline.test(line)) continue
    if (heading.test(line)) {
      headings.push(line.replace(heading, '').replace(/[ \t]+#+[ \t]*$/, ''))
    } else if (underline.test(lines[at + 1] ?? '')) {
      headings.push(line)
    } else {
      const said = line
        .replace(leading, '')
        .replace(/^\||\|$/g, '')
        .replace(/(?<!\\)\|/g, ' ')
      words.push(said)
      length += said.length
    }
  }
  const said = plainWords(words.join(' ').slice(0, enough))
  if (said !== '') return shorten(said)
  return shorten(
    headings
      .slice(0, 20)
      .map((one) => plainWords(one.slice(0, enough)))
      .filter((one) => one !== '' && one !== title.trim())
      .join(' '),
  )
}

const shorten = (words: string) => cutAtWord(words, longest)
