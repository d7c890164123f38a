import { fence, lineSigns, readLine } from '../editor/read-line.ts'
import { quoteOf } from './threads.ts'

/** A card shows less than what this much of a source says. */
const enough = 2_000

/** Both signs of italics or bold by underscores, which may also be part of a word. */
const underscores = /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_])\1(?![\p{L}\p{N}_])/gu
const reference = /(?<!!)\[([^[\]]+)\]\[[^[\]]*\]/g
const footnote = /\[\^[^[\]\s]+\]/g
const tag = /<\/?[a-z][^<>]*>/gi
const address = /<((?:https?:\/\/|mailto:)[^<>\s]+)>/g
const escaped = /\\([!-/:-@[-`{-~])/g
const signsOfTable = /^[ \t|:-]+$/

/** The words of a source that something is about, on one line as people read them, short enough for a card. */
export function quotedWords({ exact, prefix }: { exact: string; prefix: string }, most = 160): string {
  let isCode = false
  const lines = exact.slice(0, enough).split('\n')
  const read = lines.map((line, i) => {
    if (fence.test(line)) {
      isCode = !isCode
      return ''
    }
    if (isCode) return line
    const begins = i > 0 || /(?:^|\n)[ \t]*$/.test(prefix)
    return begins ? readWhole(line) : readWords(line)
  })
  // Signs alone are at least something.
  return quoteOf(read.join('\n'), most) || quoteOf(exact, most)
}

function readWhole(line: string): string {
  if (line.includes('|') && line.includes('-') && signsOfTable.test(line)) return ''
  const words = line.replace(lineSigns, '')
  return readWords(/^[ \t]*\|/.test(words) ? words.replace(/(?<!\\)\|/g, ' ') : words)
}

const readWords = (words: string): string =>
  readLine(words.replace(footnote, '').replace(reference, '$1').replace(address, '$1').replace(tag, ''))
    .replace(underscores, '$2')
    .replace(escaped, '$1')
