import { expect, test } from 'vitest'
import { routes } from '../../server/contract/routes.ts'
import type { Route } from '../../server/contract/route.ts'
import { shareRoutes } from './share-routes.ts'

/** What a page has no use for: it has the whole text, and sends what is said one by one. */
const forPrograms = ['getPart', 'getOutline', 'createComments', 'createSuggestions']

test('the viewer knows exactly the routes that a share token may call, but for what only programs do', () => {
  const shared = (Object.entries(routes) as [string, Route][])
    .filter(([name, route]) => route.share && !forPrograms.includes(name))
    .map(([name, { method, url }]) => [name, { method, url }])
  expect(shareRoutes).toEqual(Object.fromEntries(shared))
})
