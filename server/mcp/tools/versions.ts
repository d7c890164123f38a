import { Type } from 'typebox'
import { readRevision, restoreRevision } from '../../actions/revisions.ts'
import { listVersions, nameVersion } from '../../actions/versions.ts'
import { limits } from '../../contract/limits.ts'
import { byline, plainName, suggesterLine } from '../../domain/byline.ts'
import { Mistake } from '../refusal.ts'
import { usualCharacters } from '../shown.ts'
import { tool } from '../tool.ts'
import { documentId } from './fields.ts'

const usual = 15

export const versions = tool({
  name: 'versions',
  title: 'Earlier versions',
  right: 'version.read',
  description:
    'Lists earlier versions, reads the text at a revision, names a version, or brings a revision back (as a new one, so nothing is lost).',
  input: Type.Object({
    document: documentId,
    do: Type.Optional(Type.Enum(['list', 'read', 'name', 'restore'], { description: 'list (usual)' })),
    revision: Type.Optional(Type.Integer({ minimum: 1 })),
    name: Type.Optional(Type.String({ maxLength: limits.versionNameLength })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: `How many to list (${usual}).` }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  async run(
    { client },
    { document: id, do: what = 'list', revision: number, name, limit = usual, offset = 0 },
  ) {
    if (what === 'list') {
      const listed = await client.perform(listVersions, { id }, { limit: limit + 1, offset })
      const lines = listed.slice(0, limit).map((one) => {
        const by =
          one.kind === 'suggestion' ? `, suggested by ${one.suggesters.map(suggesterLine).join(', ')}` : ''
        const called = one.name === null ? '' : ` “${plainName(one.name)}”`
        return `- revision ${one.revision}${called}: ${one.kind} by ${byline(one)}${by}, ${one.created_at}, +${one.added} −${one.removed}`
      })
      if (listed.length > limit) lines.push(`More: call again with “offset”: ${offset + limit}.`)
      return lines.join('\n')
    }
    if (number === undefined) throw new Mistake('Say which “revision”; “do”: “list” gives them.')
    const target = { id, revision: String(number) }
    if (what === 'name') {
      if (name === undefined) throw new Mistake('Say the “name”.')
      await client.perform(nameVersion, target, { name })
      return `Revision ${number} is called “${plainName(name)}” now.`
    }
    if (what === 'restore') {
      const { revision } = await client.perform(restoreRevision, target, {})
      return `The text is that of revision ${number} again, as revision ${revision}.`
    }
    const { content, ...past } = await client.perform(readRevision, target, undefined)
    const shown = content.slice(0, usualCharacters).toWellFormed()
    const more =
      shown.length < content.length
        ? `\n(${content.length - shown.length} characters more. “read” with “since_revision”: ${number} shows what changed since.)`
        : ''
    return `Revision ${number} by ${byline(past)}, ${past.created_at}:\n\n${shown}${more}`
  },
})
