import { Type, type Static } from 'typebox'
import { limits } from '../limits.ts'
import { nullable, Timestamp } from '../records/fields.ts'
import { Permission, ShareLink, ShareLinkSummary } from '../records/share-links.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { Deleted, expiry } from './parts.ts'

const CopiedAddress = Type.String({
  maxLength: 300,
  pattern: '^https?://[^/]+$',
  description: 'What it started with when it was copied, without a trailing slash.',
  examples: ['https://galley.example.org'],
})

const LinkId = Type.String({
  minLength: 1,
  description: 'The link’s id.',
  examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'],
})
const label = nullable(Type.String({ maxLength: limits.labelLength, examples: ['For the copy editor'] }))

const StaleLink = Type.Object({
  document_id: Type.String({ examples: ['0d4bb1d2-3c43-4f5c-9f0e-0a1f6b1f5a10'] }),
  document_title: Type.String({ examples: ['On proofs'] }),
  link_id: Type.String({ examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'] }),
  link_label: nullable(Type.String({ examples: ['For the copy editor'] })),
  address: CopiedAddress,
  copied_at: Timestamp,
})
export type StaleLink = Static<typeof StaleLink>

const Sharing = Type.Object({
  stopped_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Since when none of your links opens anything; null while they do.',
  }),
  links: Type.Integer({
    minimum: 0,
    description: 'How many links of all your documents have not expired.',
    examples: [3],
  }),
})
export type Sharing = Static<typeof Sharing>

export const shareLinkRoutes = defineRoutes('Share links', {
  getSharing: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/sharing',
    summary: 'Read whether you share at all',
    description: 'Whether your share links are stopped, and how many there are.',
    data: Sharing,
  }),
  updateSharing: defineRoute({
    about: 'account',
    method: 'PATCH',
    url: '/api/sharing',
    summary: 'Stop sharing everything, or start again',
    description:
      'Stopped, every share link of yours is as unknown as one that was revoked, live connections by them end within a second, and that stays so over restarts and restored backups. Started again, the links are what they were.',
    body: Type.Object({ stopped: Type.Boolean({ examples: [true] }) }),
    data: Sharing,
    errors: ['VALIDATION_ERROR'],
  }),
  listShareLinks: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/share',
    summary: 'List a document’s share links',
    description:
      'The newest first. Not for `read` keys: the list shows tokens, and an edit link’s can do more than they may.',
    data: Type.Array(ShareLinkSummary),
  }),
  listStaleLinks: defineRoute({
    about: 'account',
    method: 'GET',
    // The address is older than the word, and others' programs know it.
    url: '/api/sharing/dead-copies',
    summary: 'List the links that were copied with another address',
    description: `What was copied of these links opens nothing any more, because people elsewhere reach Galley at another address now; the links themselves work there. The newest first, at most ${limits.staleLinks}. Empty while nobody elsewhere reaches it.`,
    data: Type.Array(StaleLink),
  }),
  noteCopy: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/share/:link_id/copied',
    summary: 'Note with which address a link was copied',
    description: 'The last one counts.',
    body: Type.Object({ address: CopiedAddress }),
    data: Type.Object({ noted: Type.Literal(true) }),
    errors: ['VALIDATION_ERROR'],
  }),
  createShareLink: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/share',
    summary: 'Create a share link',
    description: 'The token comes from the operating system’s random source.',
    body: Type.Object({
      permission: Type.Optional(Type.Enum([...Permission.enum], { ...Permission, default: 'view' })),
      expires_at: expiry('When the link stops working; in the future. Null, or absent, means never.'),
      label: Type.Optional(label),
      suggest_only: Type.Optional(ShareLink.properties.suggest_only),
      hides_people: Type.Optional(ShareLink.properties.hides_people),
      allows_agents: Type.Optional(ShareLink.properties.allows_agents),
    }),
    status: 201,
    data: ShareLink,
    errors: ['VALIDATION_ERROR'],
  }),
  updateShareLink: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/share',
    summary: 'Change a share link',
    description:
      'Its token and address stay. Only the fields sent change; at least one must be sent. What the link allows counts from then on, for open pages and connections too. An expired link that gets another expiry works again.',
    query: Type.Object({ link_id: LinkId }),
    body: Type.Object(
      {
        permission: Type.Optional(Permission),
        expires_at: expiry('When the link stops working; in the future. Null means never.'),
        label: Type.Optional(label),
        suggest_only: Type.Optional(ShareLink.properties.suggest_only),
        hides_people: Type.Optional(ShareLink.properties.hides_people),
        allows_agents: Type.Optional(ShareLink.properties.allows_agents),
      },
      {
        anyOf: [
          { required: ['permission'] },
          { required: ['expires_at'] },
          { required: ['label'] },
          { required: ['suggest_only'] },
          { required: ['hides_people'] },
          { required: ['allows_agents'] },
        ],
      },
    ),
    data: ShareLink,
    errors: ['VALIDATION_ERROR'],
  }),
  restoreShareLink: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/share/:link_id/restore',
    summary: 'Bring back a link that was just revoked',
    description: `It is what it was, with the same token. That can be done for ${limits.revokedLinkMinutes} minutes; then the link is gone for good.`,
    data: ShareLink,
  }),
  revokeShareLink: defineRoute({
    about: 'document',
    method: 'DELETE',
    url: '/api/documents/:id/share',
    summary: 'Revoke a share link',
    description: `From then on its token is unknown, and connections by it end. For ${limits.revokedLinkMinutes} minutes the link can be brought back.`,
    query: Type.Object({ link_id: LinkId }),
    data: Deleted,
    errors: ['VALIDATION_ERROR'],
  }),
})
