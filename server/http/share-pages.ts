import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { RecentlyUsed } from '../actions/recently-used.ts'
import { findShared, renderShared, type SharedDocument } from '../actions/shared-document.ts'
import { pathOf } from './absence.ts'
import type { Context } from './context.ts'
import { explainFailure, headersOf } from './failure.ts'
import { pack, type Packable, type PackedPage } from './packing.ts'
import {
  deadLink,
  expiryOf,
  linkAnswer,
  linkHeader,
  linkTypeFor,
  sendLinkFailure,
  unavailable,
  type LinkType,
} from './link-answers.ts'
import { diagramsPage } from './page/diagrams-page.ts'
import { diagramsHeaders, linkedHeaders, shareHeaders, workerHeaders, type Headers } from './page/headers.ts'
import {
  deadLinkPage,
  errorPage,
  headersOfDeadLink,
  noticeHeaders,
  rateLimitedPage,
  unavailablePage,
  unknownAddressPage,
} from './page/notice-page.ts'
import { fileUrl, placePictures } from './page/placed-pictures.ts'
import { sharePage } from './page/share-page.ts'
import { viewerOf, type Credentials } from './principal.ts'
import { remoteAddress } from './remote-address.ts'
import { bytesOf, letOthers } from './slices.ts'
import { looksOpened, visitorOf } from './visitor.ts'
import { accessOf, type Right } from '../domain/access.ts'
import type { Route } from '../contract/route.ts'

interface MadePage extends Packable {
  headers: Headers
  bytes: number
}

/** Finished pages are kept up to this many bytes: a page that many people open is put together once. */
const keptBytes = 32 * 1024 * 1024
/** One that nobody opens any more, so long. */
const restMs = 60_000

/** Pages by what they show, each put together once. */
function madePages() {
  const pages = new RecentlyUsed<MadePage>(keptBytes, (page) => page.bytes, restMs)
  /** Those that are being put together. */
  const coming = new Map<string, Promise<MadePage>>()
  return (key: string, put: () => Promise<MadePage>): MadePage | Promise<MadePage> => {
    const known = pages.get(key) ?? coming.get(key)
    if (known) return known
    const page = put()
      .then((ready) => pages.set(key, ready))
      .finally(() => coming.delete(key))
    coming.set(key, page)
    return page
  }
}

const serveAssets = (app: FastifyInstance, assetsFolder: string) =>
  app.register(fastifyStatic, {
    root: path.join(assetsFolder, 'share/assets'),
    prefix: '/share/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    // What is kept for good by its name is never asked for anew, nor in parts.
    etag: false,
    lastModified: false,
    acceptRanges: false,
    setHeaders: (reply, file) => {
      reply.header('x-content-type-options', 'nosniff')
      reply.header('cross-origin-resource-policy', 'same-origin')
      // The frame that draws diagrams has no origin, and none of the pages’.
      if (file.includes(`${path.sep}diagrams${path.sep}`)) reply.header('access-control-allow-origin', '*')
    },
  })

/** `/share/<token>` and the files it links to, which both listeners serve alike. */
export async function mountSharePages(
  app: FastifyInstance,
  context: Context,
  known: Credentials,
  assetsFolder: string,
  /** Which right each route of the listener takes. */
  rights: ReadonlyMap<Route, Right>,
) {
  const pageOf = madePages()
  await serveAssets(app, assetsFolder)

  // Where it stands decides what it may be asked for: the page of the link that it is registered for.
  app.get('/share/worker.js', (_request, reply) => reply.headers(workerHeaders).send(context.assets().worker))

  app.get('/share/diagrams', (request, reply) =>
    reply.headers(diagramsHeaders(request.host)).send(diagramsPage(context.assets().diagrams)),
  )

  app.get<{ Params: { token: string } }>('/share/:token', {
    errorHandler: (error, request, reply) => notice(request, reply, error, context),
    handler: (request, reply) => {
      const { token } = request.params
      const type = linkTypeFor(request)
      void reply.header('vary', 'accept')
      const shared = findShared(context, token)
      if (shared === 'dead')
        return context.limiters
          .failedCredential(remoteAddress(context, request.raw))
          .then(() => sendDeadLink(reply, context, type))
      if (shared === 'nowhere') return sendUnavailable(reply, context, type)
      const { link, head } = shared
      context.answers.requireRoom(request, link.id)
      const noteVisit = () => {
        // What the owner opens to see what recipients see isn't news to them.
        const isOwner = viewerOf(context, known, request)?.id === head.owner_id
        if (looksOpened(request) && !isOwner && !isFromThisApp(request))
          context.visits.note(visitorOf(context, request), link.id)
      }
      const show = (page: MadePage, packed: PackedPage) => {
        noteVisit()
        return reply
          .headers({ ...page.headers, ...packed.headers, vary: 'accept, accept-encoding' })
          .header('link', linkHeader(shared.link))
          .send(packed.bytes)
      }
      /** Others may have been answered first: what was revoked or ran out meanwhile opens nothing any more. */
      const ifPresent = (send: (present: SharedDocument) => FastifyReply | Promise<FastifyReply>) => {
        const present = findShared(context, token)
        if (present === 'dead') return sendDeadLink(reply, context, type)
        if (present === 'nowhere') return sendUnavailable(reply, context, type)
        return send(present)
      }
      const showLater = async (coming: MadePage | Promise<MadePage>) => {
        const page = await coming
        const packed = await pack(request, page)
        return ifPresent(() => show(page, packed))
      }
      if (type !== 'text/html')
        return Promise.resolve(context.linkTurns.take(link.id)).then(() =>
          ifPresent(async (present) => {
            const { bytes } = await linkAnswer(context, present, type, rights, keyOf(present))
            return ifPresent(() => {
              noteVisit()
              return reply.headers(linkedHeaders(type)).send(bytes)
            })
          }),
        )
      const page = pageOf(keyOf(shared), () => finish(context, shared))
      if (page instanceof Promise) return showLater(page)
      const packed = pack(request, page)
      return packed instanceof Promise ? showLater(page) : show(page, packed)
    },
  })
}

/** All that is shown or said of a link and its document. */
const keyOf = ({ link, head, ownerName }: SharedDocument) =>
  `${link.id} ${accessOf(link)} ${link.allows_agents} ${link.expires_at} ${head.revision} ${head.updated_at} ${ownerName}`

/**
 * Whether a page of this machine's led here, which is the app itself: on the share listener no session is known. A
 * browser elsewhere that comes through a proxy says that it comes from another site, or from none.
 */
const isFromThisApp = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'same-site' &&
  /^(127\.0\.0\.1|localhost|\[::1\])(:|$)/i.test(headers.host ?? '')

async function finish(context: Context, shared: SharedDocument): Promise<MadePage> {
  const { link, ownerName } = shared
  const page = await renderShared(context, shared)
  // The editor puts a style element of its own in, on any page whose link comes to allow it. The nonce guards no script,
  // so that one per finished page is enough.
  const styleNonce = randomBytes(16).toString('base64')
  await letOthers()
  const plain = await bytesOf(
    sharePage({
      documentId: page.id,
      token: link.token,
      access: accessOf(link),
      title: page.title,
      html: placePictures(page.html, page.files, fileUrl(page.id, link.token)),
      headings: page.headings,
      excerpt: page.excerpt,
      language: page.language,
      words: page.words,
      revision: page.revision,
      updatedAt: new Date(page.updated_at).toISOString(),
      ownerName,
      assets: context.assets().share,
      styleNonce,
    }),
  )
  return {
    headers: shareHeaders(styleNonce, expiryOf(shared)),
    plain,
    packed: new Map(),
    bytes: plain.length * 2,
  }
}

/** A link that is too long or badly written is dead like any other, and gets the same page. */
export const answerBrokenLink =
  (context: Context) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    const path = pathOf(request.url)
    if (!path.startsWith('/share/') || path.startsWith('/share/assets/')) return false
    void reply.header('vary', 'accept')
    void sendDeadLink(reply, context, linkTypeFor(request))
    return true
  }

const sendDeadLink = (reply: FastifyReply, context: Context, type: LinkType) =>
  type !== 'text/html'
    ? sendLinkFailure(reply, deadLink(), type)
    : reply.code(404).headers(headersOfDeadLink).send(deadLinkPage(context.assets().words))

/** The link is good, but its document is in the trash: nothing of it may be read until it comes back. */
const sendUnavailable = (reply: FastifyReply, context: Context, type: LinkType) =>
  type !== 'text/html'
    ? sendLinkFailure(reply, unavailable(), type)
    : reply.code(404).headers(headersOfDeadLink).send(unavailablePage(context.assets().words))

/** What fails here says nothing about the link, whose page a browser may keep: only a link looked for in vain is dead. */
function notice(request: FastifyRequest, reply: FastifyReply, error: unknown, context: Context) {
  const failure = explainFailure(error)
  const type = linkTypeFor(request)
  void reply.header('vary', 'accept')
  if (type !== 'text/html') {
    if (failure.status >= 500)
      context.log.error({ code: failure.code, route: '/share/:token' }, 'link failed')
    return sendLinkFailure(reply, failure, type)
  }
  void reply.code(failure.status).headers(headersOf(failure)).headers(noticeHeaders)
  if (failure.code === 'RATE_LIMITED') return reply.send(rateLimitedPage(failure.retryAfter ?? 0))
  // The host name, which is checked before anything else: the public address may be withdrawn for a moment.
  if (failure.code === 'FORBIDDEN') return reply.send(unknownAddressPage())
  context.log.error({ code: failure.code, route: '/share/:token' }, 'share page failed')
  return reply.send(errorPage())
}
