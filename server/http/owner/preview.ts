import type { FastifyInstance, FastifyRequest } from 'fastify'
import { documentRoutes } from '../../contract/routes.ts'
import type { Route } from '../../contract/route.ts'
import { admit } from '../admission.ts'
import { textOf } from '../api/documents.ts'
import type { Context } from '../context.ts'
import { previewPage, printPage } from '../page/document-page.ts'
import { previewHeaders, printHeaders } from '../page/headers.ts'
import { renderedDocument } from '../rendered-document.ts'
import { turnOf } from '../turn.ts'

interface PageRequest {
  Params: { id: string }
  Querystring: { theme?: unknown }
}

/**
 * The rendered document as a page without scripts, with the access of reading it: `/preview/<id>` for the app's reading
 * view, and `/print/<id>` for printing. The preview's `?theme=` is `light` or `dark` where the app has one of its own;
 * its frame can't learn that otherwise.
 */
export function mountPreview(app: FastifyInstance, context: Context) {
  const route = documentRoutes.renderDocument as unknown as Route
  const viewOf = async (request: FastifyRequest) => {
    const { caller, document } = await admit(
      context,
      { sessions: context.sessionCookie, keys: false },
      route,
      request,
    )
    const read = () => textOf(context, document!)
    const { title, html, headings, language } = await renderedDocument(
      context,
      document!,
      read,
      turnOf(caller, document!),
    )
    const { documentStyle, fonts } = context.assets()
    return { title, html, headings, language, style: documentStyle, fonts }
  }

  app.get<PageRequest>('/preview/:id', async (request, reply) => {
    const view = await viewOf(request)
    const theme = (['light', 'dark'] as const).find((name) => name === request.query.theme)
    return reply.headers(previewHeaders(view.style)).send(previewPage({ ...view, theme }))
  })
  app.get<PageRequest>('/print/:id', async (request, reply) => {
    const view = await viewOf(request)
    return reply.headers(printHeaders(view.style)).send(printPage(view))
  })
}
