import { breakChange, signOf, type BreakChange } from '../../server/domain/break-change.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { linkAddress } from '../../server/domain/link-address.ts'
import { isSetting, settingChange } from '../../server/domain/setting-change.ts'
import type { Piece } from '../editor/suggesting/suggested-pieces.ts'
import { HeldFormulas } from '../editor/held-formulas.ts'
import { fence, lineSigns, readDrawn } from '../editor/read-line.ts'
import { rowAsWords } from '../editor/read-row.ts'
import { keptMarks, markPairs, withoutMarks } from '../editor/stray-marks.ts'
import { looksAt, type Look } from './looks-of-words.ts'
import { readSource } from './read-source.ts'
import { areLines, linesEnded } from './put-beside.ts'

/** What a suggestion changes of the words that show, which are counted without white space. */
export interface ShownPiece {
  /** What is taken out; nothing where both are the same. */
  from: number
  to: number
  /** The source of what is put in. */
  insert: string
  /** How that is shown; empty where nothing of it shows. */
  words: string
  /** The character beside which it is put. */
  at: number
  side: 'before' | 'behind'
  /** The line of the source that ends there, or begins, as far as the suggestion has it. */
  line: string
  /** The line ends between it and the words that it is put behind, if any. */
  lead?: string
  /** Of what the character is in, that which these words won’t be in. */
  leaves: readonly Look[]
  /** What all of these words will be in, and the character isn’t. */
  takes: readonly Look[]
  /** These words stand for the end of a paragraph, an item or a line, which is put in or goes. */
  ends?: BreakChange
  /** These words tell what becomes of the language of code, say, which shows nowhere. */
  isSetting?: boolean
}

/** What is compared of a suggestion. */
type Compared = Pick<Suggestion, 'original_text' | 'suggested_text'> & Partial<Pick<Suggestion, 'anchor'>>

const fenceBefore = /(?:^|\n)[ \t>]*(?:`{3,}|~{3,})[^\n`]*$/

/** So much of what is put in is shown in the text; all of it is on the card. */
const most = 300
/** So much of it is read for that, signs included: to find the other sign of each takes the square of the length. */
const mostRead = 5_000

const anywhere = `\\]${linkAddress}|${/^[ \t>]*(?:`{3}|~{3}).*$|^ {0,3}\[\^[^\s[\]]+\]:|\[\^(?=\d+\])|^[ \t>]*(?:#{1,6}(?=\s)|(?:\d{1,9}[.)]|[-+*])(?=\s)(?:[ \t]+\[[ xX]\](?=\s))?)|^ {0,3}>[ \t>]*|^[ \t|:-]+$|[*_~`[\]\\|]/.source}`

/** As in any text, and also as in headings, lists, tables and footnotes, or with raised and lowered words. */
const unseens = [
  undefined,
  new RegExp(anywhere, 'gm'),
  new RegExp(`</?su[bp]>|${anywhere}`, 'gm'),
  null,
  // As code, of which only how it begins and ends doesn’t show.
  /^[ \t>]*(?:`{3}|~{3}).*$/gm,
]

/**
 * What of the shown words a suggestion changes, told by its pieces of the source. Where the source can’t be told from
 * what shows, all of the words become all of what is suggested.
 */
export function shownPieces(
  { original_text: original, suggested_text: suggested, anchor }: Compared,
  pieces: readonly Piece[],
  shown: string,
): ShownPiece[] {
  const last = shown.length - 1
  // The rest of a line that opens code shows nowhere.
  const hidden = fenceBefore.test(anchor?.prefix ?? '') ? /^[^\r\n]*/.exec(original)![0].length : 0
  const source = ' '.repeat(hidden) + original.slice(hidden)
  const places = unseens
    .map((unseen) => readSource(unseen ? withNumbers(source, shown, unseen) : source, unseen))
    .find(({ said }) => said === shown)?.places
  if (!places)
    return [
      {
        ...{ from: 0, to: shown.length, insert: suggested, words: shownWords(original, suggested, true) },
        ...{ at: last, side: 'behind' as const, line: lineBefore(original) },
        ...changedLooks(looksAt(original, original.trimEnd().length - 1), suggested, 0, suggested),
      },
    ]
  const countBefore = (end: number) => {
    const found = places.findIndex((place) => place >= end)
    return found < 0 ? places.length : found
  }
  let longer = 0
  const halves = halfMarks(suggested)
  const around = (from: number, to: number): [string, string] => [
    (anchor?.prefix ?? '') + original.slice(0, from),
    original.slice(to) + (anchor?.suffix ?? ''),
  ]
  return wholeSettings(original, pieces, around).flatMap(({ from, to, insert }): ShownPiece | [] => {
    const start = from + longer
    longer += insert.length - (to - from)
    const [head, tail] = around(from, to)
    if (isInName(head, tail)) return []
    const [begin, end] = [countBefore(from), countBefore(to)]
    const before = original.slice(0, from)
    const isLineStart = from === 0 || before.endsWith('\n')
    const ends = breakChange(original.slice(from, to), insert)
    if (ends && begin > 0)
      return {
        ...{ from: begin, to: begin, insert: signOf(ends), words: signOf(ends), ends },
        ...{ at: begin - 1, side: 'behind' as const, line: '', leaves: [], takes: [] },
      }
    const setting = settingChange(head, original.slice(from, to), insert, tail)
    if (setting) {
      // A language stands before the code, a side behind the head of the table.
      const isBefore = begin <= last && (begin === 0 || setting.of === 'language')
      return {
        ...{ from: begin, to: begin, insert: setting.words, words: setting.words, isSetting: true },
        ...{ at: isBefore ? begin : begin - 1, side: isBefore ? ('before' as const) : ('behind' as const) },
        ...{ line: '', leaves: [], takes: [] },
      }
    }
    const isUnseen = isInSigns(before, original.slice(to))
    const put = withoutMarks(insert, halves(start, insert.length))
    const words = isUnseen ? '' : shownWords(original.slice(from, to), put, isLineStart)
    // What begins a word stands with it, not behind the space before it.
    const opens = begin === end && (end === 0 || (end <= last && /\s$/.test(before)))
    const at = opens ? end : end - 1
    return {
      ...{ from: begin, to: end, insert, words },
      ...{ at, side: opens ? ('before' as const) : ('behind' as const) },
      line: opens ? original.slice(to) : lineBefore(before),
      // What has ended there already parts it from the words before, as at the end of a text.
      ...(begin === end && !opens ? { lead: '\n'.repeat(linesEnded(head)) } : {}),
      ...changedLooks(looksAt(original, places[at] ?? 0), suggested, start, insert),
    }
  })
}

const codeMarks = /(?<!`)(`+)(?!`)[^`]+(?<!`)\1(?!`)/g

/** The marks in a part of a text whose other half stands in it outside of that part; by their places within the part. */
function halfMarks(
  text: string,
): (start: number, length: number) => { from: number; to: number; sign: string }[] {
  const read = text.slice(0, mostRead)
  const code = [...read.matchAll(codeMarks)].map(({ index, 0: all, 1: sign }) => ({
    ...{ from: index, to: index + all.length },
    sign: sign!,
  }))
  const pairs = [...markPairs(read), ...code].map(({ from, to, sign }) => {
    const ends = sign === '[' ? read.lastIndexOf(']', to - 1) : to - sign.length
    return [
      { from, to: from + sign.length, sign },
      { from: ends, to, sign },
    ] as const
  })
  return (start, length) => {
    const isIn = ({ from, to }: { from: number; to: number }) => from >= start && to <= start + length
    return pairs
      .flatMap(([open, close]) => (isIn(open) === isIn(close) ? [] : isIn(open) ? open : close))
      .map(({ from, to, sign }) => ({ from: from - start, to: to - start, sign }))
      .sort((a, b) => a.from - b.from)
  }
}

/** The same pieces; all within one line that sets something are one. */
function wholeSettings(
  original: string,
  pieces: readonly Piece[],
  around: (from: number, to: number) => [string, string],
): Piece[] {
  const whole: Piece[] = []
  for (const piece of pieces) {
    const last = whole.at(-1)
    const [before, after] = around(last?.from ?? 0, piece.to)
    if (last && isSetting(before, original.slice(last.from, piece.to), after)) {
      last.insert += original.slice(last.to, piece.from) + piece.insert
      last.to = piece.to
    } else whole.push({ ...piece })
  }
  return whole
}

/** The last line of a text that has words. */
export const lineBefore = (text: string): string => text.trimEnd().split('\n').at(-1)!

const signsBefore = /^[\s*_~`[\]]*/
const sign = /[\s*_~`]/

/** Without signs of markdown and ends of links behind it: a loop, as a regular expression would begin anew at each sign. */
function withoutSignsBehind(text: string): string {
  let end = text.length
  while (end > 0) {
    if (sign.test(text[end - 1]!)) end--
    else if (text[end - 1] === ')') {
      const link = text.lastIndexOf('](', end - 2)
      if (link < 0 || /[()\s]/.test(text.slice(link + 2, end - 1))) break
      end = link
    } else break
  }
  return text.slice(0, end)
}

/** What words that are put in will be in, and won’t be, other than what they are put beside. */
export function changedLooks(
  beside: ReadonlySet<Look>,
  suggested: string,
  start: number,
  insert: string,
): Pick<ShownPiece, 'leaves' | 'takes'> {
  const words = withoutSignsBehind(insert.replace(signsBefore, ''))
  const from = start + insert.indexOf(words)
  const looks = looksAt(suggested, from, from + words.length)
  return {
    leaves: [...beside].filter((look) => !looks.has(look)),
    takes: [...looks].filter((look) => !beside.has(look)),
  }
}

const namedNote = /\[\^[^\s[\]]+\](?!:)/g

/** The same length, with the numbers that the page gives to footnotes instead of their names. */
function withNumbers(source: string, shown: string, unseen: RegExp): string {
  let numbered = source
  for (const { index, 0: name } of source.matchAll(namedNote)) {
    const before = readSource(numbered.slice(0, index), unseen).said.length
    const [number] = /^\d+/.exec(shown.slice(before)) ?? []
    if (number === undefined || number.length + 3 > name.length) continue
    const instead = `[^${number}]`.padStart(name.length)
    numbered = numbered.slice(0, index) + instead + numbered.slice(index + name.length)
  }
  return numbered
}

const boxBegins = /(?:^|\n)[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[$/
const addressBegins = /\]\([^()\s]*(?:\([^()\s]*\)?[^()\s]*)?$/
const nameBegins = /!\[[^[\]]*$/

/** Whether what stands between these is a part of a picture’s name or of a reference, which show as one: only the card tells of it. */
export const isInName = (before: string, after: string): boolean =>
  (nameBegins.test(before) && /^[^[\]]*\]/.test(after)) || (/&#?\w*$/.test(before) && /^\w*;/.test(after))

/** Whether what stands between these is a task’s box or a link’s address, which only the card tells. */
export const isInSigns = (before: string, after: string): boolean =>
  (boxBegins.test(before) && after.startsWith(']')) ||
  (addressBegins.test(before) && /^[^()\s]*\)/.test(after))

const signsAlone = new RegExp(`^\\]${linkAddress}$|${/^[*_~`\s]*$/.source}`)
const lineSignsAlone = /^[ \t>]*(?:#{1,6}|[-+]|\d{1,9}[.)])?(?:[ \t]+\[[ xX]\])?[ \t]*$/

/** What is put in as people read it, without the signs of markdown: where a paragraph or an item ends, a sign says so. */
export function shownWords(removed: string, insert: string, isLineStart: boolean): string {
  // Of words that become bold or a heading, say, only the card shows that.
  if (signsAlone.test(insert) || (isLineStart && insert.length <= most && lineSignsAlone.test(insert)))
    return ''
  // A formula of several lines is none of them.
  const formulas = new HeldFormulas()
  const begin = formulas.hold(insert.slice(0, mostRead))
  const all = withoutMarks(begin, keptMarks(formulas.hold(removed), begin).added)
  if (!all.includes('\n') && !isLineStart) return shortened(formulas.drawn(readDrawn(all)))
  const opens = isLineStart || areLines(insert)
  const [first, ...rest] = all
    .split(/\r?\n/)
    .map((line, i) => {
      const begins = i > 0 || opens
      const signs = begins ? lineSigns.exec(line)![0].trim() : ''
      const words = fence.test(line) ? '' : readDrawn(rowAsWords(begins ? line.replace(lineSigns, '') : line))
      return { words, isNew: signs !== '' || words.trim() === '' || rowAsWords(line) !== line }
    })
    .map(({ words, isNew }, i, lines) => ({ words, isNew: isNew || lines[i - 1]?.words.trim() === '' }))
    .filter(({ words }) => words.trim() !== '')
  if (!first) return ''
  const shown = rest.reduce(
    (shown, { words, isNew }) => `${shown.trimEnd()}${isNew ? paragraphEnd : ' '}${words.trimStart()}`,
    first.words,
  )
  return shortened(formulas.drawn(shown))
}

/** What follows it begins a line, as it will. */
const paragraphEnd = `${signOf({ does: 'splits', what: 'paragraph' })}\n`

function shortened(words: string): string {
  const characters = [...words.slice(0, 2 * most + 2)]
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : words
}
