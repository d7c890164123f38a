import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { notFound } from '../../contract/errors.ts'
import type { Route } from '../../contract/route.ts'
import { allRoutes } from '../../contract/routes.ts'
import { liveDocument, liveOwner } from '../../contract/routes/live.ts'
import type { Right } from '../../domain/access.ts'
import { mountApi } from '../api/index.ts'
import type { Context } from '../context.ts'
import { sendFailure } from '../failure.ts'
import type { Hosts } from '../hosts.ts'
import { createListener } from '../listener.ts'
import { mountInstructions } from '../instructions.ts'
import { mountLinkMcp } from '../link-mcp.ts'
import { mountLive } from '../live.ts'
import { presentedKey } from '../principal.ts'
import { appHeaders } from './headers.ts'
import { mountReference } from './reference.ts'
import { sendLicences } from './licences.ts'
import { mountMcp } from './mcp.ts'
import { mountPreview } from './preview.ts'
import { answerBrokenLink, mountSharePages } from '../share-pages.ts'
import { mountShareSlash } from '../share-slash.ts'

export interface OwnerAppOptions {
  hosts: Hosts
  /** Holds the built pages: `owner/` and `share/`. */
  assetsFolder: string
}

/** What the owner reaches, and scripts on this machine: the app, the whole API, its reference, and the share pages. */
export async function createOwnerApp(context: Context, options: OwnerAppOptions): Promise<FastifyInstance> {
  const folder = path.join(options.assetsFolder, 'owner')
  let page: string | undefined
  const sendApp = (reply: FastifyReply) => {
    page ??= readFileSync(path.join(folder, 'index.html'), 'utf8')
    return reply.headers(appHeaders).send(page)
  }
  const known = { sessions: context.sessionCookie, keys: true }
  const app = createListener({
    log: context.log,
    answers: context.answers,
    texts: context.texts,
    trouble: context.trouble,
    hosts: options.hosts,
    pages: {
      allows: context.store.allowedOrigins.allows,
      keyOf: (request) => presentedKey(context, known, request),
    },
    brokenPath: answerBrokenLink(context),
    here: [...allRoutes, liveDocument, liveOwner, { method: 'GET', url: '/api/openapi.json' }],
    notFound: (request, reply) => {
      const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
      if (wantsPage) return sendApp(reply.code(404))
      return sendFailure(notFound('Page'), reply, context.log)
    },
  })
  const rights = new Map<Route, Right>()
  mountApi({ app, context, known, has: () => true, rights })
  mountLive({ app, context, known, hosts: options.hosts, owner: true })
  mountReference(app, context)
  mountMcp(app, context)
  mountPreview(app, context)
  await mountSharePages(app, context, known, options.assetsFolder, rights)
  mountLinkMcp(app, context)
  mountInstructions(app)
  mountShareSlash(app)

  await app.register(fastifyStatic, {
    root: folder,
    decorateReply: false,
    index: false,
    preCompressed: true,
    // Only what the build has put there, each file at its own path: no pattern that could reach elsewhere.
    wildcard: false,
    // What is packed is sent instead of its file, and needs no paths of its own, of which each takes time at the start.
    globIgnore: ['**/index.html*', '**/*.br', '**/*.gz'],
    setHeaders: (reply, file) => {
      const hashed = file.includes(`${path.sep}assets${path.sep}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.header('x-content-type-options', 'nosniff')
      reply.header('cross-origin-resource-policy', 'same-origin')
    },
  })

  // The app has paths of its own; the page that draws them is always the same.
  for (const url of [
    '/',
    '/sign-in',
    '/documents/:id',
    '/settings',
    '/trash',
    '/trash/:id',
    '/keys',
    '/shortcuts',
    '/about',
  ]) {
    app.get(url, (_request, reply) => sendApp(reply))
  }
  app.get('/licences.json', (_request, reply) => sendLicences(reply, options.assetsFolder))
  return app
}
