import { Type } from 'typebox'
import {
  createShareLink,
  listShareLinks,
  revokeShareLink,
  updateShareLink,
} from '../../actions/share-links.ts'
import { limits } from '../../contract/limits.ts'
import type { ShareLinkSummary } from '../../contract/records/share-links.ts'
import { plainName } from '../../domain/byline.ts'
import { Mistake } from '../refusal.ts'
import { tool } from '../tool.ts'
import { documentId, moment, momentOf } from './fields.ts'

const allows = ['view', 'comment', 'suggest', 'edit'] as const
type Allows = (typeof allows)[number]

const permissionOf = (one: Allows | undefined) =>
  one === undefined
    ? {}
    : one === 'suggest'
      ? { permission: 'edit' as const, suggest_only: true }
      : { permission: one, suggest_only: false }

export const share = tool({
  name: 'share',
  title: 'Share by a link',
  right: 'share.list',
  destroys: true,
  description:
    'Lists, makes, changes or revokes the links by which people open a document. Whoever has a link can use it: give it only to those whom the writer named.',
  input: Type.Object({
    document: documentId,
    do: Type.Optional(Type.Enum(['list', 'create', 'change', 'revoke'], { description: 'list (usual)' })),
    allows: Type.Optional(
      Type.Enum([...allows], {
        description: 'What a new or changed link allows; each includes those before.',
      }),
    ),
    label: Type.Optional(
      Type.String({ maxLength: limits.labelLength, description: 'For whom it is; only the writer sees it.' }),
    ),
    expires_at: Type.Optional(Type.String({ description: `When it stops working: ${moment}` })),
    link: Type.Optional(Type.String({ description: 'The id of the link to change or revoke.' })),
  }),
  async run({ client }, { document: id, do: what = 'list', allows: permission, label, expires_at, link }) {
    if (what === 'list') {
      const links = await client.perform(listShareLinks, { id }, undefined)
      if (links.length === 0) return 'No link leads here yet. “do”: “create” makes one.'
      return links.map(shownLink).join('\n')
    }
    const fields = {
      ...permissionOf(permission),
      ...(label === undefined ? {} : { label }),
      ...(expires_at === undefined ? {} : { expires_at: momentOf(expires_at, 'expires_at') }),
    }
    if (what === 'create') {
      if (permission === undefined) throw new Mistake(`Say what the link “allows”: ${allows.join(', ')}.`)
      return shownLink(await client.perform(createShareLink, { id }, fields))
    }
    if (link === undefined) throw new Mistake('Say which “link”; “do”: “list” gives their ids.')
    if (what === 'change')
      return shownLink(await client.perform(updateShareLink, { id, link_id: link }, fields))
    await client.perform(revokeShareLink, { id, link_id: link }, undefined)
    return `Revoked [${link}]. For ${limits.revokedLinkMinutes} minutes the writer can bring it back in the app.`
  },
})

export function shownLink(link: ShareLinkSummary): string {
  const { id, permission, suggest_only, label, expires_at, url, local_url } = link
  const may = permission === 'edit' && suggest_only ? 'suggest' : permission
  const until = expires_at === null ? '' : `, until ${expires_at}`
  const where = url ?? `${local_url} (opens on this machine only: people elsewhere can’t open links now)`
  return `- ${where}\n  [${id}]${label === null ? '' : ` “${plainName(label)}”`}: may ${may}${until}`
}
