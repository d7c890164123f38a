import { Type, type Static } from 'typebox'
import { Mistake } from './refusal.ts'
import type { Range } from '../contract/records/anchors.ts'
import { ChangeSet, wordReplacements, type Replacement } from '../domain/change-set.ts'
import type { AgentClient } from './agent-client.ts'
import { breaks, LineBreaks } from './line-breaks.ts'
import { readPlaced, type Placed, type Source } from './places.ts'
import { sectionOf } from './sections.ts'

const placeFields = {
  find: Type.Optional(
    Type.String({ description: 'The exact words at the place, as they stand in the markdown source.' }),
  ),
  heading: Type.Optional(
    Type.String({ description: 'Look only under this heading. With “append”: append to what is under it.' }),
  ),
  occurrence: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Which, where the words stand more than once; the first is 1.' }),
  ),
}
/** By what an agent names words that it says something about. */
export const place = placeFields

const changeKinds = ['replace', 'insert_before', 'insert_after', 'append'] as const

/** A change of a text that an agent asks for. */
export const changeFields = {
  do: Type.Optional(
    Type.Enum([...changeKinds], {
      description:
        'replace (usual): “text” instead of “find”. insert_before, insert_after: “text” directly beside “find”; bring the spaces and line breaks along. append: “text” as a paragraph of its own at the end, or at the end of what is under “heading”.',
    }),
  ),
  ...placeFields,
  text: Type.String({ description: 'The new words; empty with “replace” takes the old ones out.' }),
}
export const ToolChange = Type.Object(changeFields)
export type ToolChange = Static<typeof ToolChange>

/** What is put in the place of a stretch of the text. */
export interface ToolEdit {
  start: number
  end: number
  text: string
  /** Whether it is a paragraph of its own. */
  isParagraph?: true
}

/**
 * What each change comes to in the text as it is.
 * @throws Mistake where it isn't clear which place is meant
 */
export async function editsOf(
  client: AgentClient,
  id: string,
  changes: readonly ToolChange[],
): Promise<{ source: Placed; edits: ToolEdit[] }> {
  for (const change of changes) refuseVague(change)
  const source = await readPlaced(client, id, changes)
  const lineBreaks = new LineBreaks(source.content)
  const lastWords = new Map<number, WordsEnd>()
  const edits = changes.map((change, index) => {
    const place = source.places[index]
    return place
      ? editAt(source.content, place, change, lineBreaks)
      : appended(source, change, { lineBreaks, lastWords })
  })
  return { source, edits }
}

function refuseVague({ do: kind, find }: ToolChange): void {
  if (kind === 'append' && find !== undefined)
    throw new Mistake('“append” takes no “find”: use “insert_after” to put something behind words.')
  if (kind !== 'append' && find === undefined)
    throw new Mistake(
      '“find” is missing: quote the exact words at the place, or use “do”: “append”. Nothing was changed.',
    )
}

function editAt(
  content: string,
  { start, end }: Range,
  change: ToolChange,
  lineBreaks: LineBreaks,
): ToolEdit {
  const text = withBreaksOf(content, { start, end }, change.text, lineBreaks)
  if (change.do === 'insert_before') return { start, end: start, text }
  if (change.do === 'insert_after') return { start: end, end, text }
  return { start, end, text }
}

/** New words with the line breaks of those that they replace or stand beside, one by one; further ones as near by. */
function withBreaksOf(content: string, { start, end }: Range, text: string, lineBreaks: LineBreaks): string {
  const old = content.slice(start, end).match(breaks) ?? []
  let at = 0
  let near = old.at(-1)
  return text.replace(breaks, () => old[at++] ?? (near ??= lineBreaks.near(end)))
}

/** Where the last words end, and the spaces behind them. */
interface WordsEnd {
  last: number
  at: number
}

function endOfWords(content: string, limit: number): WordsEnd {
  const last = content.slice(0, limit).trimEnd().length
  const [spaces] = /^[^\S\r\n]*/.exec(content.slice(last, limit))!
  return { last, at: last + spaces.length }
}

interface Ends {
  lineBreaks: LineBreaks
  /** Where the last words end before a place, once that was looked for. */
  lastWords: Map<number, WordsEnd>
}

/** A paragraph of its own behind the last words, with an empty line between. What stands behind these stays. */
function appended(
  { content, headings }: Source,
  { heading, text }: ToolChange,
  { lineBreaks, lastWords }: Ends,
): ToolEdit {
  const limit = heading === undefined ? content.length : sectionOf(headings, heading).end
  const { last, at } = lastWords.get(limit) ?? endOfWords(content, limit)
  lastWords.set(limit, { last, at })
  const one = lineBreaks.near(at)
  const words = withoutLinesAround(text).replace(breaks, one)
  return { start: at, end: at, text: `${last === 0 ? '' : one + one}${words}`, isParagraph: true }
}

/**
 * The one change that makes all of the edits, each of which was found in the text as it is. Within the words that one
 * replaces, what stays the same isn't touched, so that what is said of it stays there.
 * @throws Mistake where two of them change the same words
 */
export function changesOf(content: string, edits: readonly ToolEdit[]): ChangeSet {
  const inOrder = edits
    .map((edit, index) => ({ ...edit, index }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index)
  const replacements: Replacement[] = []
  /** What the edits have made of the text up to here: whether there are words in it, and how it ends. */
  let hasWords = false
  let ending = ''
  let at = 0
  for (const [place, { start, end, text, index, isParagraph }] of inOrder.entries()) {
    if (start < at)
      throw new Mistake(
        `Edit ${index + 1} changes words that another one changes, too. Nothing was changed. Make one of both.`,
      )
    hasWords ||= /\S/.test(content.slice(at, start))
    // Of several paragraphs for an empty text the first has nothing to be apart from.
    const isBeside = isParagraph && /^[^\r\n]/.test(text) && hasWords
    let words = (isBeside ? '\n\n' : '') + text
    hasWords ||= /\S/.test(words)
    ending = (ending + content.slice(Math.max(at, start - longEnding), start) + words).slice(-longEnding)
    at = end
    const isLast = place === inOrder.length - 1 && end === content.length
    if (isLast && isParagraph && !/[\r\n]$/.test(ending)) words += new LineBreaks(ending).near(ending.length)
    replacements.push(...wordReplacements(content, start, end, words))
  }
  return ChangeSet.of(replacements, content.length)
}

/** So much of what was made tells how its lines end. */
const longEnding = 10_000

function withoutLinesAround(text: string): string {
  const isEnd = (at: number) => text[at] === '\n' || text[at] === '\r'
  let [start, end] = [0, text.length]
  while (start < end && isEnd(start)) start++
  while (end > start && isEnd(end - 1)) end--
  return text.slice(start, end)
}
