import { Type } from 'typebox'
import { listDocuments, readDocument } from '../../actions/documents.ts'
import type { SearchHit } from '../../contract/records/documents.ts'
import { limits } from '../../contract/limits.ts'
import { brief } from '../brief.ts'
import { named, quoted } from '../shown.ts'
import { tool } from '../tool.ts'

const usual = 20

export const find = tool({
  name: 'find',
  title: 'Find documents',
  right: 'document.read',
  description:
    'Lists documents with their ids, the ones changed last first; with “query”, those whose title or text has the words, the best first. Begin here: other tools take the id.',
  reads: true,
  input: Type.Object({
    query: Type.Optional(Type.String({ description: 'Words to look for. Leave out to list all.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, description: `How many to list (${usual}).` }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many to leave out first (0).' })),
  }),
  async run({ client }, { query, limit = usual, offset = 0 }) {
    if (client.only !== undefined)
      return shown(await client.perform(readDocument, { id: client.only }, undefined))
    // One more tells whether there are more.
    const asked = { limit: limit + 1, offset, q: query, details: true }
    const hits = await client.perform(listDocuments, {}, asked)
    if (hits.length === 0)
      return query === undefined
        ? offset > 0
          ? 'There are no more documents.'
          : `There are no documents yet${client.may('document.create') ? '. “create” makes one.' : ' for this key, and it may make none. Ask the person who runs Galley.'}`
        : `No document has “${brief(query)}”. Try fewer or other words, or call without “query” to list all.`
    const lines = hits.slice(0, limit).map(shown)
    if (hits.length > limit) lines.push(`More: call again with “offset”: ${offset + limit}.`)
    return lines.join('\n')
  },
})

function shown({ id, title, updated_at, snippet, excerpt, unseen_feedback = 0 }: SearchHit): string {
  const news = unseen_feedback === 0 ? '' : `, ${unseen_feedback} new in feedback`
  const words = brief(snippet ?? excerpt ?? '', 1_000)
  return `- ${named({ title, id })} changed ${updated_at}${news}${words === '' ? '' : `\n${quoted(words)}`}`
}
