import type fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Route } from '../contract/route.ts'
import { allRoutes } from '../contract/routes.ts'
import { liveDocument } from '../contract/routes/live.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'
import { openApiDocument } from './openapi.ts'

const registered = vi.hoisted(() => new Map<unknown, Set<string>>())

// The real Fastify, which only notes what is registered with it, by whichever way.
vi.mock('fastify', async (importOriginal) => {
  const original = await importOriginal<{ default: typeof fastify }>()
  const noting = (options: object) => {
    const app = original.default(options) as unknown as FastifyInstance
    const routes = new Set<string>()
    registered.set(app, routes)
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.add(`${one} ${url}`)
    })
    return app
  }
  return { ...original, default: noting }
})

let galley: TestGalley
beforeAll(async () => {
  galley = await createTestGalley()
})
afterAll(() => galley.close())

const isApi = (one: string) => one.split(' ')[1]!.startsWith('/api')
const routesOf = (app: FastifyInstance) => [...registered.get(app)!].toSorted()

const mcpAt = (url: string) => ['DELETE', 'GET', 'POST'].map((method) => `${method} ${url}`)

/** Pages and files, which are for people: the only ones that may be missing from the OpenAPI document. */
const pages = {
  owner: [
    '/',
    '/about',
    '/docs',
    '/documents/:id',
    '/keys',
    '/licences.json',
    '/llms.txt',
    '/preview/:id',
    '/preview/trash/:id',
    '/preview/trash/:id/files/:file',
    '/print/:id',
    '/settings',
    '/share/:token',
    '/share/:token/',
    '/share/assets/*',
    '/share/diagrams',
    '/share/worker.js',
    '/shortcuts',
    '/sign-in',
    '/trash',
    '/trash/:id',
  ],
  share: [
    '/llms.txt',
    '/probe/:question',
    '/robots.txt',
    '/share/:token',
    '/share/:token/',
    '/share/assets/*',
    '/share/diagrams',
    '/share/worker.js',
  ],
}

describe('what is registered', () => {
  const { paths } = openApiDocument() as { paths: Record<string, object> }
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )

  it('on the owner listener is exactly what the OpenAPI document describes, and the pages', () => {
    const routes = routesOf(galley.apps.owner)
    expect(routes.filter(isApi)).toEqual(described.filter(isApi).toSorted())
    const others = [
      ...pages.owner.map((url) => `GET ${url}`),
      ...mcpAt('/mcp'),
      ...mcpAt('/share/:token/mcp'),
      'POST /print/:id/diagrams',
    ]
    expect(routes.filter((one) => !isApi(one))).toEqual(others.toSorted())
  })

  it('on the share listener is exactly what a share token may call or is refused by name, and the share pages', () => {
    const routes = routesOf(galley.apps.share)
    const shared = allRoutes
      .filter((one: Route) => one.share || one.refusesLinks)
      .map((one) => `${one.method} ${one.url}`)
    expect(routes.filter(isApi)).toEqual(
      [...shared, `GET ${liveDocument.url}`, 'GET /api/openapi.json'].toSorted(),
    )
    expect(routes.filter((one) => !isApi(one))).toEqual(
      [...pages.share.map((url) => `GET ${url}`), ...mcpAt('/share/:token/mcp')].toSorted(),
    )
  })
})
