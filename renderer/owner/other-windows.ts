import type { LiveChange } from '../../server/contract/live.ts'
import type { DocumentNews } from '../api/document-news.ts'

/** What a window did on the server, for the others of the same browser or app. */
export type News =
  /** To this document, its comments, suggestions, versions or links; to what of it, where that is known. */
  | { document: string; change?: LiveChange }
  /** To nothing; but links of this document were opened. */
  | { visits: string }
  /** To which documents there are. */
  | { documents: true }
  /** To whatever it may be. */
  | { everything: true }
  /** To nothing; but from here on nothing is heard of what others do. */
  | { silence: true }
  /** To the settings. */
  | { settings: true }

/** What a request that has succeeded changes; null for one that only reads, or that concerns nobody else. */
export function newsOf(method: string, url: string): News | null {
  if (method === 'GET' || method === 'HEAD') return null
  const [, kind, id] = /^\/api\/(\w+)(?:\/([^/?]+))?/.exec(url) ?? []
  if (kind === 'settings' || kind === 'sharing') return { settings: true }
  if (kind !== 'documents' && kind !== 'trash') return null
  return id === undefined ? { documents: true } : { document: id }
}

/** What no list of documents shows. */
const besideDocuments = new Set<LiveChange['what']>(['links', 'versions', 'permission'])

/** Tells the owner's other windows what happened in this one, and hears it of them, without the server between. */
export class OtherWindows {
  // A channel never hears itself.
  readonly #channel: BroadcastChannel | null
  readonly #listeners = new Set<(news: News) => void>()

  constructor(name = 'galley') {
    this.#channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
      this.hear(data)
    })
  }

  /** Passes on what was heard by another way. */
  hear(news: News): void {
    for (const listener of this.#listeners) listener(news)
  }

  tell(news: News): void {
    this.#channel?.postMessage(news)
  }

  /** Calls the listener until the returned function is called. */
  listen(listener: (news: News) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls the listener when another window has changed this document or what belongs to it. */
  listenTo(id: string, listener: (news?: DocumentNews) => void): () => void {
    return this.listen((news) => {
      if ('everything' in news) listener()
      else if ('silence' in news) listener('silence')
      else if ('document' in news && news.document === id) listener(news.change)
    })
  }

  /** Calls the listener when there may be other documents, or others in them. */
  listenToDocuments(listener: () => void): () => void {
    return this.listen((news) => {
      const change = 'document' in news ? news.change : undefined
      if ('visits' in news || 'silence' in news || (change && besideDocuments.has(change.what))) return
      listener()
    })
  }

  /** Calls the listener when it may be that links of this document were opened. */
  listenToVisits(id: string, listener: () => void): () => void {
    return this.listen((news) => {
      const isEverything = 'everything' in news || 'silence' in news
      if (isEverything || ('visits' in news && news.visits === id)) listener()
    })
  }

  /** Calls the listener when it may be that this document has other links, or that they allow something else. */
  listenToLinks(id: string, listener: () => void): () => void {
    return this.listenTo(id, (news) => {
      if (news === undefined || news === 'silence' || news.what === 'links') listener()
    })
  }

  close(): void {
    this.#channel?.close()
  }
}
