import type { Range } from '../contract/records/anchors.ts'
import type { Outline } from '../contract/records/text-parts.ts'
import { brief, counted } from './brief.ts'
import type { LineNumbers } from './line-numbers.ts'
import { Mistake } from './refusal.ts'

/** A heading as the outline of the interface has it, and where what is under it stands. */
export type OutlineHeading = Outline['headings'][number]

const plain = (text: string) => text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().toLowerCase()

const indexes = new WeakMap<readonly OutlineHeading[], ReadonlyMap<string, readonly OutlineHeading[]>>()

/** Headings by their words, sorted once for all that name one. */
function byWords(headings: readonly OutlineHeading[]): ReadonlyMap<string, readonly OutlineHeading[]> {
  const index = indexes.get(headings) ?? Map.groupBy(headings, ({ text }) => plain(text))
  indexes.set(headings, index)
  return index
}

/**
 * The one heading that is meant by its words, with signs for its level or without, or by its id.
 * @throws Mistake that names the headings there are
 */
export function sectionOf(headings: readonly OutlineHeading[], wanted: string): OutlineHeading {
  const [, signs = '', words = ''] = /^\s*(#{0,6})\s*([^]*)$/.exec(wanted)!
  const index = byWords(headings)
  // It may be written as a line of the outline, or as some close headings; to look for that takes the square of its length.
  const ways = [/\s+\(line \d+\)\s*$/, /\s+#+\s*$/]
  const names = [words, ...(words.length > longestName ? [] : ways.map((end) => words.replace(end, '')))]
  const named = names.map((name) => index.get(plain(name)) ?? []).find(({ length }) => length > 0) ?? []
  const ofLevel = named.filter(({ level }) => signs.length === level)
  // Of one that is the only one by its words, a wrong level does no harm.
  const found = ofLevel.length > 0 ? ofLevel : signs === '' || named.length === 1 ? named : []
  const [heading, ...others] = found
  if (heading && others.length === 0) return heading
  const byId = headings.find(({ id }) => id === wanted)
  if (byId) return byId
  if (heading)
    throw new Mistake(
      `There are ${found.length} headings “${brief(wanted)}”:\n${found
        .slice(0, mostHeadings)
        .map((one) => `${shown(one)}: “${one.id}”`)
        .join('\n')}\nName one by its id, which stands last in its line.`,
    )
  const there =
    headings.length === 0 ? 'The text has no headings.' : `These are there:\n${outlineOf(headings)}`
  throw new Mistake(`There is no heading “${brief(wanted)}”. ${there}`)
}

const longestName = 2_000
const mostHeadings = 60
const shown = ({ level, text, first_line }: OutlineHeading) =>
  `${'#'.repeat(level)} ${brief(text, 500)} (line ${first_line})`

export function outlineOf(headings: readonly OutlineHeading[]): string {
  const lines = headings.slice(0, mostHeadings).map(shown)
  if (headings.length > mostHeadings) lines.push(`… and ${headings.length - mostHeadings} more`)
  return lines.join('\n')
}

/**
 * Lines such as “10-40”, “7” or “41-”, the first of which is 1.
 * @throws Mistake
 */
export function linesOf(lines: LineNumbers, wanted: string): Range {
  const [, first, dash, last] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(wanted.slice(0, longestName)) ?? []
  const from = Number(first)
  const to = dash ? (last ? Number(last) : Infinity) : from
  const total = lines.count
  const part = first === undefined || from < 1 || to < from || from > total ? null : lines.range(from, to)
  if (!part)
    throw new Mistake(
      `“lines” must be such as “10-40”, “7” or “41-”; the text has ${counted(total, 'line')}. You sent “${brief(wanted)}”.`,
    )
  return part
}
