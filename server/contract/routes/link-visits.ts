import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { LinkVisit } from '../records.ts'
import { defineRoute } from '../route.ts'

export const linkVisitRoutes = {
  listLinkVisits: defineRoute({
    operationId: 'listLinkVisits',
    about: 'document',
    method: 'GET',
    // The address is older than the word, and others' programs know it.
    url: '/api/documents/:id/share/openings',
    tag: 'Share links',
    summary: 'List when a document’s share links were opened',
    description: `The newest first; of each link at most ${limits.linkVisits}, and none older than ${limits.linkVisitDays} days. Of more, some of the most crowded hours and days are left out. What one browser opens again within ${limits.visitMinutes} minutes is one visit. A visit stands here a second or so after it happened. No address is kept of anybody. Not for \`read\` keys, as the list of share links.`,
    share: false,
    status: 200,
    data: Type.Array(LinkVisit),
    errors: [],
  }),
}
