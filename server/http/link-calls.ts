import type { LinkedDocument } from '../contract/records/linked-documents.ts'
import type { Route } from '../contract/route.ts'
import { may, type LinkAccess, type Right } from '../domain/access.ts'
import { exampleOf } from './openapi.ts'

/** The calls that a link allows, as somebody makes them who knows nothing but the link. */
export function linkCalls(
  rights: ReadonlyMap<Route, Right>,
  { documentId, token, access }: { documentId: string; token: string; access: LinkAccess },
): LinkedDocument['calls'] {
  return [...rights].flatMap(([route, right]) => {
    if (!route.share || may({ kind: 'link', access }, right) !== 'yes') return []
    const path = route.url.replace('/:id', `/${documentId}`).replace(/:(\w+)/g, '{$1}')
    const { operationId: name, method, summary, body } = route
    return {
      ...{ name, method, url: `${path}?share_token=${token}`, summary },
      ...(body && { body: exampleOf(body) }),
    }
  })
}
