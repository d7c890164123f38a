import { Type, type Static } from 'typebox'
import { Mistake } from './refusal.ts'
import { findPassage } from './places.ts'
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
export const Change = Type.Object(changeFields)
export type Change = Static<typeof Change>

/** What is put in the place of a stretch of the text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/**
 * What a change comes to in a text.
 * @throws Mistake where it isn't clear which place is meant
 */
export function editOf(content: string, change: Change): Edit {
  const breaks = content.includes('\r\n') ? '\r\n' : '\n'
  const text = change.text.replace(/\r?\n/g, breaks)
  if (change.do === 'append') return appended(content, text, breaks, change)
  if (change.find === undefined)
    throw new Mistake(
      '“find” is missing: quote the exact words at the place, or use “do”: “append”. Nothing was changed.',
    )
  const { start, end } = findPassage(content, change)
  if (change.do === 'insert_before') return { start, end: start, text }
  if (change.do === 'insert_after') return { start: end, end, text }
  return { start, end, text }
}

/** A paragraph of its own: with an empty line before it, and one after it where something follows. */
function appended(content: string, text: string, breaks: string, { heading, find }: Change): Edit {
  if (find !== undefined)
    throw new Mistake('“append” takes no “find”: use “insert_after” to put something behind words.')
  const { end: limit } = heading === undefined ? { end: content.length } : sectionOf(content, heading)
  const end = content.slice(0, limit).trimEnd().length
  const isFirst = end === 0
  const follows = content.slice(limit).trim() !== ''
  const lead = isFirst ? '' : breaks + breaks
  const words = text.replace(/^(\r?\n)+|(\r?\n)+$/g, '')
  return { start: end, end: limit, text: `${lead}${words}${follows ? breaks + breaks : breaks}` }
}

/**
 * The text with all of the edits, each of which was found in the text as it is.
 * @throws Mistake where two of them change the same words
 */
export function withEdits(content: string, edits: readonly Edit[]): string {
  const inOrder = edits
    .map((edit, index) => ({ ...edit, index }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index)
  let made = ''
  let at = 0
  for (const { start, end, text, index } of inOrder) {
    if (start < at)
      throw new Mistake(
        `Edit ${index + 1} changes words that another one changes, too. Nothing was changed. Make one of both.`,
      )
    made += content.slice(at, start) + text
    at = end
  }
  return made + content.slice(at)
}
