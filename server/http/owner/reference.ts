import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { openApiDocument } from '../openapi.ts'
import { docsPage } from '../page/docs-page.ts'
import { docsHeaders } from '../page/headers.ts'

/** `/api/openapi.json`, for tools, and `/docs`, the same for people. Both say nothing of this server's documents. */
export function mountReference(app: FastifyInstance, context: Context) {
  let json: string | undefined
  let page: string | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    json ??= JSON.stringify(openApiDocument(context.version, context.sessionCookie))
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })
  app.get('/docs', (_request, reply) => {
    page ??= docsPage(openApiDocument(context.version, context.sessionCookie), {
      style: `share/${context.assets().docsStyle}`,
    })
    return reply.headers(docsHeaders).send(page)
  })
}
