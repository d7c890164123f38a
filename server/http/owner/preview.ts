import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../../actions/action.ts'
import { Type } from 'typebox'
import { getTrashedFile } from '../../actions/files.ts'
import { begin, run } from '../../actions/run.ts'
import type { RenderedPage } from '../../actions/rendered-document.ts'
import { renderDocument, renderTrashed } from '../../actions/rendering.ts'
import type { Task } from '../../actions/task.ts'
import type { About } from '../../contract/route.ts'
import type { Context } from '../context.ts'
import { fileUrl, placePictures, trashedFileUrl } from '../page/placed-pictures.ts'
import { previewPage, printPage } from '../page/document-page.ts'
import { previewHeaders, printHeaders } from '../page/headers.ts'
import { RequestAsker } from '../request-asker.ts'
import { sendFile } from '../send-file.ts'
import { Drawings, placeDrawings, type PageDrawing } from './drawings.ts'

interface PageRequest {
  Params: { id: string }
  Querystring: { theme?: unknown; diagrams?: unknown }
}

/** So much of drawings one page may have, as JSON. */
const drawingsBytes = 24 * 1024 * 1024
const drawingsSchema = Type.Object({
  drawings: Type.Array(
    Type.Object({
      source: Type.String(),
      svg: Type.String(),
      width: Type.Number({ exclusiveMinimum: 0 }),
      height: Type.Number({ exclusiveMinimum: 0 }),
      title: Type.String(),
    }),
    { maxItems: 100 },
  ),
})

/**
 * The rendered document as a page without scripts, with the access of reading it: `/preview/<id>` for the app's reading
 * view, `/preview/trash/<id>` for one in the trash, with its files below, and `/print/<id>` for printing. The preview's `?theme=` is `light` or `dark` where the app has one of its own;
 * its frame can't learn that otherwise.
 */
export function mountPreview(app: FastifyInstance, context: Context) {
  const drawings = new Drawings()
  const known = { sessions: context.sessionCookie, keys: false }
  const viewOf = async <T extends Task>(
    action: Action<Context, T, void, RenderedPage, About>,
    request: FastifyRequest<PageRequest>,
    isTrashed = false,
  ) => {
    const task = await begin(context, action, new RequestAsker(context, known, request), request.params)
    const { id, revision, title, html, files, headings, language } = await run(
      context,
      action,
      task,
      undefined,
    )
    const { documentStyle, fonts } = context.assets()
    const placed = placePictures(html, files, isTrashed ? trashedFileUrl(id) : fileUrl(id))
    return { revision, title, html: placed, headings, language, style: documentStyle, fonts }
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
    sendPreview(await viewOf(renderDocument, request), request, reply),
  )
  app.get<PageRequest>('/preview/trash/:id', async (request, reply) =>
    sendPreview(await viewOf(renderTrashed, request, true), request, reply),
  )
  app.get<{ Params: { id: string; file: string } }>(
    '/preview/trash/:id/files/:file',
    async (request, reply) => {
      const task = await begin(
        context,
        getTrashedFile,
        new RequestAsker(context, known, request),
        request.params,
      )
      sendFile(context.blobs, await run(context, getTrashedFile, task, undefined), request, reply)
      return reply
    },
  )
  app.get<PageRequest>('/print/:id', async (request, reply) => {
    const view = await viewOf(renderDocument, request)
    const { diagrams } = request.query
    const drawn = typeof diagrams === 'string' ? drawings.take(request.params.id, diagrams) : []
    const html = placeDrawings(view.html, drawn)
    return reply.headers(printHeaders(view.style)).send(printPage({ ...view, html }))
  })
  // The app draws the diagrams of a page that is printed in a window of its own, which holds no script. Who may leave
  // them is decided before the body is read, and again after it.
  const signedIn = { ...known, tokens: false } as const
  app.post<PageRequest & { Body: { drawings: PageDrawing[] } }>(
    '/print/:id/diagrams',
    {
      bodyLimit: drawingsBytes,
      schema: { body: drawingsSchema },
      async onRequest(request) {
        const asker = new RequestAsker(context, signedIn, request)
        request.task = await begin(context, renderDocument, asker, request.params)
      },
    },
    (request) => {
      request.task!.authorize()
      return { diagrams: drawings.add(request.params.id, request.body.drawings) }
    },
  )
}
