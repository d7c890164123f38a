import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { LinkVisit } from '../records/link-visits.ts'
import { defineRoute, defineRoutes } from '../route.ts'

export const linkVisitRoutes = defineRoutes('Share links', {
  listLinkVisits: defineRoute({
    about: 'document',
    method: 'GET',
    // The address is older than the word, and others' programs know it.
    url: '/api/documents/:id/share/openings',
    summary: 'List when a document’s share links were opened',
    description: `The newest first; of each link at most ${limits.linkVisits}, and none older than ${limits.linkVisitDays} days. Of more, some of the most crowded hours and days are left out. What one browser opens again within ${limits.visitMinutes} minutes is one visit. A visit stands here a second or so after it happened. No address is kept of anybody. Not for \`read\` keys, as the list of share links.`,
    data: Type.Array(LinkVisit),
  }),
})
