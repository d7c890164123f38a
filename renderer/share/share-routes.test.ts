import { expect, test } from 'vitest'
import { routes } from '../../server/contract/routes.ts'
import type { Route } from '../../server/contract/route.ts'
import { shareRoutes } from './share-routes.ts'

test('the viewer knows exactly the routes that a share token may call', () => {
  const shared = (Object.entries(routes) as [string, Route][])
    .filter(([, route]) => route.share)
    .map(([name, { method, url }]) => [name, { method, url }])
  expect(shareRoutes).toEqual(Object.fromEntries(shared))
})
