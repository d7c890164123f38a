import type { FastifyInstance } from 'fastify'
import type { Route } from '../../contract/route.ts'
import { allRoutes } from '../../contract/routes.ts'
import { liveDocument } from '../../contract/routes/live.ts'
import type { Right } from '../../domain/access.ts'
import { mountApi } from '../api/index.ts'
import type { Context } from '../context.ts'
import type { Hosts } from '../hosts.ts'
import { createListener } from '../listener.ts'
import { jsonType, mountDescription } from '../description.ts'
import { mountInstructions } from '../instructions.ts'
import { linkApiDocument } from '../openapi.ts'
import { mountLinkMcp } from '../link-mcp.ts'
import { mountLive } from '../live.ts'
import { answerBrokenLink, mountSharePages } from '../share-pages.ts'
import { mountShareSlash } from '../share-slash.ts'
import { mountReachabilityProbe } from './reachability-probe.ts'

export interface ShareAppOptions {
  hosts: Hosts
  assetsFolder: string
  /** Whether API keys work here too, and with them the owner's part of the API. Off unless the owner says so. */
  apiKeys: boolean
}

/**
 * What recipients reach: share pages, their files, and the calls a share token may make, or is refused by name. Nothing
 * else is registered, so nothing else is there, and a session cookie is never looked at.
 */
export async function createShareApp(context: Context, options: ShareAppOptions): Promise<FastifyInstance> {
  const has = (route: Route) =>
    route.share ||
    route.refusesLinks === true ||
    // Not what is the machine's, nor a session's, which means nothing here.
    (options.apiKeys && (route.about === 'document' || route.about === 'account'))
  const app = createListener({
    log: context.log,
    answers: context.answers,
    texts: context.texts,
    trouble: context.trouble,
    hosts: options.hosts,
    brokenPath: answerBrokenLink(context),
    here: [...allRoutes.filter(has), liveDocument, { method: 'GET', url: '/api/openapi.json' }],
  })
  const known = { sessions: null, keys: options.apiKeys }
  const rights = new Map<Route, Right>()
  mountApi({ app, context, known, has, rights })
  mountLive({ app, context, known, hosts: options.hosts, owner: false })
  await mountSharePages(app, context, known, options.assetsFolder, rights)
  mountLinkMcp(app, context)
  mountInstructions(app)
  mountDescription(app, '/api/openapi.json', jsonType, () => JSON.stringify(linkApiDocument()))
  mountShareSlash(app)
  mountReachabilityProbe(app, context)
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain').send('User-agent: *\nDisallow: /\n'))
  return app
}
