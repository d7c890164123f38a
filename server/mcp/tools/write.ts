import { Type } from 'typebox'
import { createDocument, editDocument } from '../../actions/documents.ts'
import { GalleyError } from '../../contract/errors.ts'
import { bytes } from '../../contract/figures.ts'
import { limits } from '../../contract/limits.ts'
import type { Document } from '../../contract/records/documents.ts'
import { ToolChange, changesOf, editsOf, type ToolEdit } from '../edits.ts'
import type { AgentClient } from '../agent-client.ts'
import { Mistake } from '../refusal.ts'
import { linesOver } from '../../domain/line-part.ts'
import { cited } from '../brief.ts'
import { named } from '../shown.ts'
import { tool } from '../tool.ts'
import { documentId } from './fields.ts'

export const create = tool({
  name: 'create',
  title: 'Create a document',
  right: 'document.create',
  description: 'Makes a new document of markdown and gives its id.',
  input: Type.Object({
    title: Type.String({ maxLength: limits.titleLength, description: 'What it is called.' }),
    content: Type.Optional(
      Type.String({ description: `Markdown, kept exactly as sent; up to ${bytes(limits.contentBytes)}.` }),
    ),
  }),
  async run({ client }, { title, content = '' }) {
    const { id, revision } = await client.perform(createDocument, {}, { title, content })
    return `Created ${named({ title, id })}, revision ${revision}. Next: “edit” it${client.may('round.manage') ? ', or “request_review” of people' : ''}.`
  },
})

/** So often it is tried where others write at the same time. */
const attempts = 5

export const edit = tool({
  name: 'edit',
  title: 'Edit a document',
  right: 'document.edit',
  description:
    'Changes the text itself, at once: all “edits” or, where one of them isn’t clear, none. Each names its place by the exact words that stand there. What was there stays in “versions”. To let the writer decide, use “suggest” instead.',
  input: Type.Object({
    document: documentId,
    edits: Type.Optional(
      Type.Array(ToolChange, {
        maxItems: 200,
        description: 'All are found in the text as it is now, not in what the others make of it.',
      }),
    ),
    title: Type.Optional(Type.String({ maxLength: limits.titleLength, description: 'A new title.' })),
  }),
  async run({ client }, { document: id, edits = [], title }) {
    if (edits.length === 0 && title === undefined)
      throw new Mistake('Nothing to do: give “edits”, or a “title”.')
    const { before, after, made } = await changeText(client, { id, edits, title })
    const named = title === undefined ? '' : ` Its title is ${cited(title)} now.`
    if (before.revision === after.revision)
      return `Nothing changed: revision ${after.revision} is as you want it.`
    return `Done: revision ${after.revision}.${named}${edits.length === 0 ? '' : ` Changed ${placesIn(before.content, made)}.`} “read” with “since_revision”: ${before.revision} shows it.`
  },
})

interface Wanted {
  id: string
  edits: readonly ToolChange[]
  title: string | undefined
}

/** What others write meanwhile is never lost: then the places are looked for anew. */
async function changeText(
  client: AgentClient,
  { id, edits, title }: Wanted,
): Promise<{ before: Document; after: Document; made: readonly ToolEdit[] }> {
  for (let attempt = 1; ; attempt++) {
    const { source: before, edits: made } = await editsOf(client, id, edits)
    const { content, revision } = before
    const changes = edits.length === 0 ? undefined : changesOf(content, made)
    const input = { changes, revision, ...(title === undefined ? {} : { title }) }
    try {
      return { before, made, after: await client.perform(editDocument, { id }, input) }
    } catch (error) {
      const isOvertaken = error instanceof GalleyError && error.code === 'PRECONDITION_FAILED'
      if (!isOvertaken || attempt === attempts) throw error
    }
  }
}

function placesIn(content: string, edits: readonly ToolEdit[]): string {
  const found = linesOver(
    content,
    edits.map(({ start }) => ({ start, end: start })),
  )
  const lines = [...new Set(found.map(({ first }) => first))].sort((a, b) => a - b)
  const shown = lines.slice(0, 12).join(', ') + (lines.length > 12 ? ' …' : '')
  return `${edits.length} ${edits.length === 1 ? 'place' : 'places'} (line ${shown})`
}
