import { readDocument } from '../actions/documents.ts'
import { readOutline } from '../actions/text-part.ts'
import type { Document } from '../contract/records/documents.ts'
import type { AgentClient } from './agent-client.ts'
import { Mistake } from './refusal.ts'
import type { OutlineHeading } from './sections.ts'

/** A document, and the headings of the very text. */
export interface Outlined extends Document {
  /** None where nobody asked for them. */
  headings: readonly OutlineHeading[]
}

/** So often it is tried where others write at the same time. */
const attempts = 5

/**
 * A document with the headings that the rendered page has, where somebody named one: what only looks like a heading, in
 * code, in a comment or in front matter, is none.
 * @throws Mistake where the text takes too long
 */
export async function readOutlined(client: AgentClient, id: string, isWanted: boolean): Promise<Outlined> {
  for (let attempt = 1; ; attempt++) {
    const document = await client.perform(readDocument, { id }, undefined)
    if (!isWanted) return { ...document, headings: [] }
    const { revision, headings, limited } = await client.perform(readOutline, { id }, undefined)
    if (limited)
      throw new Mistake(
        'This text takes too long to read to find its headings. Leave “heading” and “outline” out: name places by their words, and read by “lines”.',
      )
    if (revision === document.revision) return { ...document, headings }
    if (attempt === attempts) throw new Mistake('This text changes all the while. Call again in a moment.')
  }
}

/** Whether one of these names a heading. */
export const nameHeadings = (places: readonly { heading?: string | undefined }[]) =>
  places.some(({ heading }) => heading !== undefined)
