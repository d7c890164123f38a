import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { LinkOpening } from '../records.ts'
import { defineRoute } from '../route.ts'

export const linkOpeningRoutes = {
  listLinkOpenings: defineRoute({
    operationId: 'listLinkOpenings',
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/share/openings',
    tag: 'Share links',
    summary: 'List when a document’s share links were opened',
    description: `The newest first; of each link at most ${limits.linkOpenings}, and none older than ${limits.linkOpeningDays} days. Of more, some of the most crowded hours and days are left out. What one browser opens again within half an hour is one opening. An opening stands here a second or so after it happened. No address is kept of anybody. Not for \`read\` keys, as the list of share links.`,
    share: false,
    status: 200,
    data: Type.Array(LinkOpening),
    errors: [],
  }),
}
