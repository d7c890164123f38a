import type { DocumentEvent, FeedbackNews, GalleyEvent, SharingNow } from './contract/events.ts'
import type { Store } from './store/store.ts'

/** What a program that Galley runs in can be told, always after the commit. */
export interface HostListeners {
  /** Somebody else has commented on, or suggested something for, a document of the machine's own user. */
  onFeedback?: (feedback: FeedbackNews) => void
  /** Told once at the start, and whenever it has changed. */
  onSharing?: (sharing: SharingNow) => void
}

/** Links expire without an event. */
const lookEvery = 30_000

export function tellHost(
  store: Store,
  { onFeedback, onSharing }: HostListeners,
  onFailure: (error: unknown) => void = () => {},
) {
  let told: SharingNow | undefined
  function look() {
    if (!onSharing) return
    const now: SharingNow = {
      links: store.shareLinks.countValid(),
      stopped: store.sharing.stoppedAt(store.users.owner().id) !== undefined,
    }
    if (now.links === told?.links && now.stopped === told.stopped) return
    told = now
    onSharing(now)
  }
  const looking =
    onSharing &&
    setInterval(() => {
      try {
        look()
      } catch (error) {
        // The database may be readable the next time.
        onFailure(error)
      }
    }, lookEvery).unref()

  return {
    start: look,
    publish(event: GalleyEvent) {
      if (event.what === 'sharing' || event.what === 'links' || event.what === 'deleted') look()
      if (event.what === 'sharing') return
      const feedback = onFeedback && findFeedback(store, event)
      if (feedback) onFeedback(feedback)
    },
    stop: () => clearInterval(looking),
  }
}

function findFeedback(store: Store, { documentId, made }: DocumentEvent): FeedbackNews | undefined {
  const owner = store.users.owner().id
  if (!made || made.author.id === owner) return undefined
  const document = store.documents.find(documentId)
  if (document?.owner_id !== owner) return undefined
  return { documentId, title: document.title, kind: made.kind, id: made.id, author: made.author.name }
}
