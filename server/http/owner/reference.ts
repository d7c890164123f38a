import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { jsonType, mountDescription } from '../description.ts'
import { openApiDocument } from '../openapi.ts'
import { docsPage } from '../page/docs-page.ts'
import { docsHeaders } from '../page/headers.ts'

/** `/api/openapi.json`, for tools, and `/docs`, the same for people. Both say nothing of this server's documents. */
export function mountReference(app: FastifyInstance, context: Context) {
  const document = () => openApiDocument(context.version, context.sessionCookie)
  mountDescription(app, '/api/openapi.json', jsonType, () => JSON.stringify(document()))
  mountDescription(app, '/docs', docsHeaders, () =>
    docsPage(document(), { style: `share/${context.assets().docsStyle}` }),
  )
}
