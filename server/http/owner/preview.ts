import type { FastifyInstance } from 'fastify'
import { documentRoutes } from '../../contract/routes.ts'
import type { Route } from '../../contract/route.ts'
import { admit } from '../admission.ts'
import { getDocument } from '../api/documents.ts'
import type { Context } from '../context.ts'
import { previewPage } from '../page/document-page.ts'
import { previewHeaders } from '../page/headers.ts'
import { renderedDocument } from '../rendered-document.ts'

/** `/preview/<id>`: the rendered document for the app's reading view, with the access of reading it. */
export function mountPreview(app: FastifyInstance, context: Context) {
  const route = documentRoutes.renderDocument as unknown as Route
  app.get<{ Params: { id: string } }>('/preview/:id', async (request, reply) => {
    const { document } = await admit(context, { sessions: true, keys: false }, route, request)
    const row = getDocument(context, document!.id)
    const { html, headings } = await renderedDocument(context, row)
    const style = context.assets().documentStyle
    return reply.headers(previewHeaders(style)).send(previewPage({ title: row.title, html, headings, style }))
  })
}
