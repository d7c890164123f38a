import type { FastifyInstance } from 'fastify'

/**
 * A share link that was copied with a slash behind it leads to the same page: files that the page names by their place
 * are found only from there. Whether there is such a link isn't asked here.
 */
export function mountShareSlash(app: FastifyInstance) {
  app.get<{ Params: { token: string } }>('/share/:token/', (request, reply) => {
    const { search } = new URL(request.url, 'http://galley')
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(`/share/${encodeURIComponent(request.params.token)}${search}`, 308)
  })
}
