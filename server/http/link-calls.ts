import type { LinkedDocument } from '../contract/records/linked-documents.ts'
import type { Route } from '../contract/route.ts'
import { may, type LinkAccess, type Right } from '../domain/access.ts'
import { bodyFor, exampleOf } from './openapi.ts'

/** The calls that a link allows, as somebody makes them who knows nothing but the link. */
export function linkCalls(
  rights: ReadonlyMap<Route, Right>,
  { documentId, token, access }: { documentId: string; token: string; access: LinkAccess },
): LinkedDocument['calls'] {
  return [...rights].flatMap(([route, right]) => {
    if (!route.share || may({ kind: 'link', access }, right) !== 'yes') return []
    const path = shownPath({ ...route, url: route.url.replace('/:id', `/${documentId}`) })
    const { operationId: name, method, summary } = route
    const body = bodyFor(route, 'link')
    return {
      ...{ name, method, url: `${path}${path.includes('?') ? '&' : '?'}share_token=${token}`, summary },
      ...(body && { body: exampleOf(body) }),
    }
  })
}

/** Where a call is made. What has to be filled in stands in braces, also what its query can't do without. */
export function shownPath({ url, query }: Pick<Route, 'url' | 'query'>): string {
  const required: readonly string[] = query?.required ?? []
  const wanted = required.map((name) => `${name}={${name}}`).join('&')
  return `${url.replace(/:(\w+)/g, '{$1}')}${wanted === '' ? '' : `?${wanted}`}`
}
