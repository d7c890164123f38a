import type { FastifyInstance } from 'fastify'
import type { Route } from '../../contract/route.ts'
import { allRoutes } from '../../contract/routes.ts'
import { mountApi } from '../api/index.ts'
import type { Context } from '../context.ts'
import type { Hosts } from '../hosts.ts'
import { createListener } from '../listener.ts'
import { mountSharePages } from '../share-pages.ts'

export interface ShareAppOptions {
  hosts: Hosts
  assetsFolder: string
  /** Whether API keys work here too, and with them the owner's part of the API. Off unless the owner says so. */
  apiKeys: boolean
}

/**
 * What recipients reach: share pages, their files, and the calls a share token may make. Nothing else is registered,
 * so nothing else is there, and a session cookie is never looked at.
 */
export async function createShareApp(context: Context, options: ShareAppOptions): Promise<FastifyInstance> {
  const has = (route: Route) =>
    route.share ||
    (options.apiKeys && route.operationId !== 'createSession' && route.operationId !== 'deleteSession')
  const app = createListener({
    log: context.log,
    hosts: options.hosts,
    here: allRoutes.filter(has),
    elsewhere: allRoutes.filter((route) => !has(route)),
  })
  const known = { sessions: false, keys: options.apiKeys }
  mountApi({ app, context, known, has })
  await mountSharePages(app, context, options.assetsFolder)
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain').send('User-agent: *\nDisallow: /\n'))
  return app
}
