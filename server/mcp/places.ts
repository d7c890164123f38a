import type { Range } from '../contract/records/anchors.ts'
import { toLf } from '../domain/line-endings.ts'
import { Mistake } from './refusal.ts'
import { LineNumbers, sectionOf, type Heading } from './sections.ts'

/** A text in which places are named. */
export interface Source {
  content: string
  /** None where no place is named by one. */
  headings: readonly Heading[]
}

/** How an agent names a place: by its words, and where they stand more than once, by what tells which. */
export interface NamedPlace {
  find?: string | undefined
  heading?: string | undefined
  occurrence?: number | undefined
}

/** So many places are shown where it isn't clear which is meant. */
const mostShown = 8
/** So much of what stands around is shown with each. */
const around = 40

/**
 * The one place that is meant.
 * @throws Mistake that shows the places it could be
 */
export function findPassage(
  { content, headings }: Source,
  { find = '', heading, occurrence }: NamedPlace,
): Range {
  const within = heading === undefined ? { start: 0, end: content.length } : sectionOf(headings, heading)
  const found = passagesOf(content, find, within)
  const where = heading === undefined ? '' : ` under “${heading}”`
  const [first] = found
  if (!first) throw missing(content, find, where, within)
  if (occurrence !== undefined) {
    const chosen = found[occurrence - 1]
    if (chosen) return chosen
    throw new Mistake(
      `${quoted(find)} stands only ${times(found.length)}${where}, so there is no occurrence ${occurrence}. Nothing was changed.`,
    )
  }
  if (found.length === 1) return first
  throw new Mistake(
    `${quoted(find)} stands ${times(found.length)}${where}:\n${list(content, found)}\nNothing was changed. Quote more of what stands around the place you mean, or say which with “occurrence”: 1 to ${found.length}${heading === undefined ? ', or the “heading” it is under' : ''}.`,
  )
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
const quoted = (text: string) => `“${text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text}”`

const lineBreak = /[\r\n]/

/** Agents write line feeds; the text may have other breaks, or several kinds. Where it has the very ones, these are meant. */
function passagesOf(content: string, words: string, within: Range): Range[] {
  if (!lineBreak.test(words)) return occurrencesOf(content, words, within)
  const text = content.slice(within.start, within.end)
  const folded = toLf(text)
  const all = occurrencesOf(folded, toLf(words), { start: 0, end: folded.length })
  const offsets = beforeFolding(
    text,
    all.flatMap(({ start, end }) => [start, end]),
  )
  const found = all.map((_, i) => ({
    start: within.start + offsets[i * 2]!,
    end: within.start + offsets[i * 2 + 1]!,
  }))
  const exact = found.filter(({ start, end }) => content.slice(start, end) === words)
  return exact.length > 0 ? exact : found
}

/** Where places of a text with line feeds alone, in their order, stand in the text as it is. */
function beforeFolding(text: string, places: readonly number[]): number[] {
  let at = 0
  let folded = 0
  return places.map((place) => {
    for (; folded < place; folded++) at += text.startsWith('\r\n', at) ? 2 : 1
    return at
  })
}

function occurrencesOf(content: string, words: string, { start, end }: Range): Range[] {
  const found: Range[] = []
  if (words === '') return found
  for (let at = content.indexOf(words, start); at >= 0 && at + words.length <= end;) {
    found.push({ start: at, end: at + words.length })
    at = content.indexOf(words, at + words.length)
  }
  return found
}

function list(content: string, places: readonly Range[]): string {
  const lines = new LineNumbers(content)
  const shown = places.slice(0, mostShown).map(({ start, end }, index) => {
    const before = content.slice(Math.max(0, start - around), start)
    const after = content.slice(end, end + around)
    const words = `${before}⟦${content.slice(start, Math.min(end, start + 160))}⟧${after}`
    return `${index + 1}. line ${lines.at(start)}: …${words.toWellFormed().replace(/\s+/g, ' ')}…`
  })
  if (places.length > mostShown) shown.push(`… and ${places.length - mostShown} more`)
  return shown.join('\n')
}

function missing(content: string, find: string, where: string, within: Range): Mistake {
  if (find.trim() === '')
    return new Mistake('“find” is empty: quote the words that stand at the place. Nothing was changed.')
  const near = similarPlaces(content, find, within)
  if (near.length === 0)
    return new Mistake(
      `${quoted(find)} isn’t in the text${where}. Nothing was changed. Call “read” to see the text as it is now, and quote it to the letter.`,
    )
  return new Mistake(
    `${quoted(find)} isn’t in the text${where} to the letter. This is like it:\n${list(content, near)}\nNothing was changed. Quote what stands between ⟦ and ⟧ to the letter.`,
  )
}

/** Places that differ only in white space, case, or the kind of quotes and dashes; else lines that have most of the words. */
function similarPlaces(content: string, find: string, { start, end }: Range): Range[] {
  const text = fold(content.slice(start, end))
  const same = occurrencesOf(text.folded, fold(find).folded.trim(), { start: 0, end: text.folded.length })
  if (same.length > 0)
    return same.map((one) => ({
      start: start + text.offsets[one.start]!,
      end: start + text.offsets[one.end - 1]! + 1,
    }))
  return linesLike(content, find, { start, end })
}

/** A text with one kind of space, quote and dash, in small letters, and where each of its characters stands. */
function fold(text: string): { folded: string; offsets: number[] } {
  let folded = ''
  const offsets: number[] = []
  let wasSpace = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    const isSpace = /\s/.test(sign)
    if (isSpace && wasSpace) continue
    wasSpace = isSpace
    const lower = sign.toLowerCase()
    folded += isSpace ? ' ' : (alike[sign] ?? (lower.length === 1 ? lower : sign))
    offsets.push(at)
  }
  return { folded, offsets }
}
const alike: Record<string, string> = {
  ...Object.fromEntries([...'“”„«»″'].map((sign) => [sign, '"'])),
  ...Object.fromEntries([...'‘’‚‹›′'].map((sign) => [sign, "'"])),
  ...Object.fromEntries([...'‐‑‒–—−'].map((sign) => [sign, '-'])),
}

/** In larger texts nothing is looked for by its words. */
const mostSearched = 2_000_000

function linesLike(content: string, find: string, { start, end }: Range): Range[] {
  const wanted = new Set(wordsOf(find))
  if (wanted.size === 0 || end - start > mostSearched) return []
  const scored: { place: Range; score: number }[] = []
  for (let at = start; at < end;) {
    const next = content.indexOf('\n', at)
    const stop = next < 0 || next > end ? end : next
    const score = new Set(wordsOf(content.slice(at, stop)).filter((word) => wanted.has(word))).size
    if (score * 2 > wanted.size) scored.push({ place: { start: at, end: stop }, score })
    at = stop + 1
  }
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, 3)
    .map(({ place }) => place)
}
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
