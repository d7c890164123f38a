import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { documentRoutes, trashRoutes } from '../../contract/routes.ts'
import { notFound } from '../../contract/errors.ts'
import type { Route } from '../../contract/route.ts'
import { admit } from '../admission.ts'
import { textOf } from '../api/documents.ts'
import { accountOf } from '../caller.ts'
import type { Context } from '../context.ts'
import type { DocumentHead, DocumentRow } from '../../store/documents.ts'
import { previewPage, printPage } from '../page/document-page.ts'
import { previewHeaders, printHeaders } from '../page/headers.ts'
import { renderedDocument } from '../rendered-document.ts'
import { turnOf } from '../turn.ts'

type Renderable = [
  document: DocumentHead,
  read: () => DocumentRow,
  turn: Parameters<typeof renderedDocument>[3],
]

interface PageRequest {
  Params: { id: string }
  Querystring: { theme?: unknown }
}

/**
 * The rendered document as a page without scripts, with the access of reading it: `/preview/<id>` for the app's reading
 * view, `/preview/trash/<id>` for one in the trash, and `/print/<id>` for printing. The preview's `?theme=` is `light` or `dark` where the app has one of its own;
 * its frame can't learn that otherwise.
 */
export function mountPreview(app: FastifyInstance, context: Context) {
  const known = { sessions: context.sessionCookie, keys: false }
  const pageOf = async (request: FastifyRequest) => {
    const route = documentRoutes.renderDocument as unknown as Route
    const { caller, document } = await admit(context, known, route, request)
    return viewOf(document!, () => textOf(context, document!), turnOf(caller, document!))
  }
  const trashedPageOf = async (request: FastifyRequest<PageRequest>) => {
    const { caller } = await admit(context, known, trashRoutes.getTrashed, request)
    const row = context.store.trash.find(request.params.id, accountOf(caller).user.id)
    if (!row) throw notFound('Document')
    return viewOf(row, () => row, turnOf(caller, row))
  }
  const viewOf = async (...[document, read, turn]: Renderable) => {
    const { title, html, headings, language } = await renderedDocument(context, document, read, turn)
    const { documentStyle, fonts } = context.assets()
    return { title, html, headings, language, style: documentStyle, fonts }
  }

  const sendPreview = (
    view: Awaited<ReturnType<typeof viewOf>>,
    request: FastifyRequest<PageRequest>,
    reply: FastifyReply,
  ) => {
    const theme = (['light', 'dark'] as const).find((name) => name === request.query.theme)
    return reply.headers(previewHeaders(view.style)).send(previewPage({ ...view, theme }))
  }
  app.get<PageRequest>('/preview/:id', async (request, reply) =>
    sendPreview(await pageOf(request), request, reply),
  )
  app.get<PageRequest>('/preview/trash/:id', async (request, reply) =>
    sendPreview(await trashedPageOf(request), request, reply),
  )
  app.get<PageRequest>('/print/:id', async (request, reply) => {
    const view = await pageOf(request)
    return reply.headers(printHeaders(view.style)).send(printPage(view))
  })
}
