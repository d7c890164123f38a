import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { nullable, ShareLink, ShareLinkSummary } from '../records.ts'
import { defineRoute } from '../route.ts'
import { Deleted, expiry } from './parts.ts'

export const shareLinkRoutes = {
  listShareLinks: defineRoute({
    operationId: 'listShareLinks',
    method: 'GET',
    url: '/api/documents/:id/share',
    tag: 'Share links',
    summary: 'List a document’s share links',
    description:
      'The newest first. Not for `read` keys: the list shows tokens, and an edit link’s can do more than they may.',
    action: 'share.list',
    share: false,
    status: 200,
    data: Type.Array(ShareLinkSummary),
    errors: [],
  }),
  createShareLink: defineRoute({
    operationId: 'createShareLink',
    method: 'POST',
    url: '/api/documents/:id/share',
    tag: 'Share links',
    summary: 'Create a share link',
    description: 'The token comes from the operating system’s random source.',
    action: 'share.manage',
    share: false,
    body: Type.Object({
      permission: Type.Optional(
        Type.Enum(['view', 'comment', 'edit'], { default: 'view', examples: ['comment'] }),
      ),
      expires_at: expiry('When the link stops working; in the future.'),
      label: Type.Optional(
        nullable(Type.String({ maxLength: limits.labelLength, examples: ['For the copy editor'] })),
      ),
    }),
    status: 201,
    data: ShareLink,
    errors: ['VALIDATION_ERROR'],
  }),
  revokeShareLink: defineRoute({
    operationId: 'revokeShareLink',
    method: 'DELETE',
    url: '/api/documents/:id/share',
    tag: 'Share links',
    summary: 'Revoke a share link',
    description: 'From then on its token is unknown.',
    action: 'share.manage',
    share: false,
    query: Type.Object({
      link_id: Type.String({
        minLength: 1,
        description: 'The link’s id.',
        examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'],
      }),
    }),
    status: 200,
    data: Deleted,
    errors: ['VALIDATION_ERROR'],
  }),
}
