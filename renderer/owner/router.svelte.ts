import { goOn } from '../ui/back-closes.ts'

/** What in a document is to be shown. */
export interface WantedFeedback {
  kind: 'comment' | 'suggestion'
  id: string
}

export type PageAddress =
  | { page: 'library'; query: string }
  | { page: 'document'; id: string; wanted?: WantedFeedback }
  | { page: 'trash' }
  | { page: 'trashed'; id: string }
  | { page: 'settings' }
  | { page: 'keys' }
  | { page: 'about' }
  | { page: 'sign-in'; ticket: string }
  | { page: 'unknown' }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Which page an address means. */
export function placeOf({
  pathname,
  search = '',
  hash,
}: {
  pathname: string
  search?: string
  hash: string
}): PageAddress {
  const path = pathname.replace(/\/+$/, '') || '/'
  if (path === '/') return { page: 'library', query: searchOf({ search }) }
  if (path === '/settings') return { page: 'settings' }
  if (path === '/trash') return { page: 'trash' }
  if (path === '/keys') return { page: 'keys' }
  if (path === '/about') return { page: 'about' }
  if (path === '/sign-in') return { page: 'sign-in', ticket: hash.slice(1) }
  const trashed = /^\/trash\/([^/]+)$/.exec(path)?.[1]
  if (trashed && uuid.test(trashed)) return { page: 'trashed', id: trashed.toLowerCase() }
  const id = /^\/documents\/([^/]+)$/.exec(path)?.[1]
  if (id && uuid.test(id)) {
    const [, kind, one] = /^#(comment|suggestion)-(.+)$/.exec(hash) ?? []
    const wanted =
      one && uuid.test(one) ? { kind: kind as WantedFeedback['kind'], id: one.toLowerCase() } : null
    return { page: 'document', id: id.toLowerCase(), ...(wanted ? { wanted } : {}) }
  }
  return { page: 'unknown' }
}

/** The address of a document’s page. */
export const documentPath = (id: string) => `/documents/${id}`

/** The whole address of a document’s page, open at what is wanted in it. */
export const addressOf = ({ id }: { id: string }, wanted: WantedFeedback) =>
  `${location.origin}${documentPath(id)}#${wanted.kind}-${wanted.id}`

/** The address of the page of a document that is in the trash. */
export const trashedPath = (id: string) => `/trash/${id}`

/** The address of the library with what was searched there. */
export const searchPath = (query: string) => (query.trim() === '' ? '/' : `/?q=${encodeURIComponent(query)}`)

/** What an address of the library searches. */
const searchOf = ({ search }: { search: string }) => new URLSearchParams(search).get('q') ?? ''

/** Follows the address bar, and changes it without loading the page anew. */
export class Router {
  place = $state.raw<PageAddress>({ page: 'library', query: '' })

  constructor() {
    this.#read()
  }

  /** Listens until the returned function is called. */
  start(): () => void {
    const read = () => this.#read()
    const follow = (event: MouseEvent) => this.#follow(event)
    addEventListener('popstate', read)
    addEventListener('hashchange', read)
    document.addEventListener('click', follow)
    return () => {
      removeEventListener('popstate', read)
      removeEventListener('hashchange', read)
      document.removeEventListener('click', follow)
    }
  }

  go(path: string, { replace = false } = {}): void {
    goOn(({ inPlace }) => {
      if (replace || inPlace) history.replaceState(null, '', path)
      else if (path !== location.pathname + location.search + location.hash) history.pushState(null, '', path)
      this.#read()
      scrollTo(0, 0)
    })
  }

  #read(): void {
    this.place = placeOf(location)
  }

  #follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    const there = placeOf(link)
    if (there.page === 'unknown' || there.page === 'sign-in') return
    event.preventDefault()
    this.go(link.pathname + link.search + link.hash)
  }
}
