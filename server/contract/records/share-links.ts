import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { DoneBy } from './authors.ts'
import { Id, NullableTimestamp, Timestamp, farOff, nullable } from './fields.ts'

export const Permission = Type.Enum(['view', 'comment', 'edit'], {
  description:
    'What a holder of the link may do: each level includes the ones before it. A link for suggestions, which the app and the command line call `suggest`, has `edit` with `suggest_only`.',
  examples: ['comment'],
  'x-hint': 'a link for suggestions has “edit”, with “suggest_only”: true.',
})
export type Permission = Static<typeof Permission>

export const ShareLink = Type.Object({
  id: Id,
  document_id: Id,
  created_by: Id,
  token: Type.String({
    pattern: '^[0-9a-f]{32}$',
    description: '32 hexadecimal characters; the link is `{base_url}/share/{token}`.',
    examples: ['5d41402abc4b2a76b9719d911017c592'],
  }),
  permission: Permission,
  label: nullable(Type.String({ maxLength: limits.labelLength, examples: ['For the copy editor'] })),
  expires_at: NullableTimestamp('When the link stops working; null means never.', farOff),
  created_at: Timestamp,
  made_by: DoneBy('Who made the link, as a person or with a key.'),
  last_used_at: NullableTimestamp('When somebody last used the link.'),
  suggest_only: Type.Boolean({
    description:
      'Whether a link with the permission `edit` lets its holders comment and suggest, but not change the text itself. Of another permission it says nothing, and stays for when it is `edit` again.',
    examples: [false],
  }),
  hides_people: Type.Boolean({
    description:
      'Whether those who come by it and other recipients aren’t told of each other while they write. The owner sees everybody.',
    examples: [false],
  }),
  allows_agents: Type.Boolean({
    description:
      'Whether agents may work on the document by it, with what the link allows, by the Model Context Protocol at the link’s address with `/mcp` behind it. What they write is an agent’s, under the name that their program gives.',
    examples: [false],
  }),
  url: Type.Union([Type.String(), Type.Null()], {
    description:
      'The whole address for recipients, as it is now; null while nobody elsewhere can open it. Changes with the tunnel’s address.',
    examples: ['https://galley.example.org/share/5d41402abc4b2a76b9719d911017c592'],
  }),
  local_url: Type.String({
    description: 'The address that opens on this machine only.',
    examples: ['http://127.0.0.1:4781/share/5d41402abc4b2a76b9719d911017c592'],
  }),
})
export type ShareLink = Static<typeof ShareLink>
/** What whoever comes by a link is told that it allows. */
export const allowed = {
  permission: Type.Optional(Permission),
  suggest_only: Type.Optional(
    Type.Boolean({
      description: 'True where the link’s `edit` is for suggestions and comments only; else absent.',
      examples: [true],
    }),
  ),
}

export const ShareLinkSummary = Type.Omit(ShareLink, ['document_id', 'created_by'])
export type ShareLinkSummary = Static<typeof ShareLinkSummary>
