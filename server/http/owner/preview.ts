import type { FastifyInstance } from 'fastify'
import { documentRoutes } from '../../contract/routes.ts'
import type { Route } from '../../contract/route.ts'
import { admit } from '../admission.ts'
import { textOf } from '../api/documents.ts'
import type { Context } from '../context.ts'
import { previewPage } from '../page/document-page.ts'
import { previewHeaders } from '../page/headers.ts'
import { renderedDocument } from '../rendered-document.ts'

/**
 * `/preview/<id>`: the rendered document for the app's reading view, with the access of reading it. `?theme=` is
 * `light` or `dark` where the app has one of its own; its frame can't learn that otherwise.
 */
export function mountPreview(app: FastifyInstance, context: Context) {
  const route = documentRoutes.renderDocument as unknown as Route
  app.get<{ Params: { id: string }; Querystring: { theme?: unknown } }>(
    '/preview/:id',
    async (request, reply) => {
      const { document } = await admit(context, { sessions: true, keys: false }, route, request)
      const row = textOf(context, document!)
      const { html, headings } = await renderedDocument(context, row)
      const style = context.assets().documentStyle
      const theme = (['light', 'dark'] as const).find((name) => name === request.query.theme)
      const page = previewPage({ title: row.title, html, headings, style, theme })
      return reply.headers(previewHeaders(style)).send(page)
    },
  )
}
