import { GalleyError, notFound } from '../contract/errors.ts'

export interface Endpoint {
  method: string
  /** Path with `:name` parameters. */
  url: string
}

/** The decoded path of a request’s target, read as the router reads it. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  const path = (end < 0 ? target : target.slice(0, end)).replace(/^https?:\/\/[^/]*/i, '')
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

export const isApiPath = (path: string) => path === '/api' || path.startsWith('/api/')

/**
 * What to say where no route answered: 405 on a path that has other methods here, else 404. What only the other
 * listener has doesn’t count.
 */
export function explainAbsence(here: readonly Endpoint[]) {
  const patterns = here.map(({ method, url }) => ({
    method,
    pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`),
  }))
  return (target: string): GalleyError => {
    const path = pathOf(target)
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) return notFound('Page')
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
    return new GalleyError('METHOD_NOT_ALLOWED', `This path answers to ${allow}.`, { headers: { allow } })
  }
}
