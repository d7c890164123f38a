import type { DocumentEvent, Feedback } from './contract/events.ts'
import type { Store } from './store/store.ts'

/** What a program that Galley runs in can be told, always after the commit. */
export interface HostListeners {
  /** Somebody else has commented on, or suggested something for, a document of the machine's own user. */
  onFeedback?: (feedback: Feedback) => void
  /** So many share links work now; told once at the start, and whenever it has changed. */
  onSharing?: (links: number) => void
}

/** Links expire without an event. */
const lookEvery = 30_000

export function tellHost(store: Store, { onFeedback, onSharing }: HostListeners) {
  let links: number | undefined
  function countLinks() {
    const now = store.shareLinks.countValid()
    if (now === links) return
    links = now
    onSharing?.(now)
  }
  const looking = onSharing && setInterval(countLinks, lookEvery).unref()

  return {
    start() {
      if (onSharing) countLinks()
    },
    publish(event: DocumentEvent) {
      if (onSharing && (event.what === 'links' || event.what === 'deleted')) countLinks()
      const feedback = onFeedback && findFeedback(store, event)
      if (feedback) onFeedback(feedback)
    },
    stop: () => clearInterval(looking),
  }
}

function findFeedback(store: Store, { documentId, made }: DocumentEvent): Feedback | undefined {
  const owner = store.users.owner().id
  if (!made || made.author.id === owner) return undefined
  const document = store.documents.find(documentId)
  if (document?.owner_id !== owner) return undefined
  return { documentId, title: document.title, kind: made.kind, id: made.id, author: made.author.name }
}
