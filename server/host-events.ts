import { subjectOf, type FeedbackNews, type GalleyEvent, type SharingNow } from './contract/events.ts'
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
    publish(events: readonly GalleyEvent[]) {
      if (events.some(changesSharing)) look()
      if (!onFeedback) return
      for (const event of events) {
        const feedback = findFeedback(store, event)
        if (feedback) onFeedback(feedback)
      }
    },
    stop: () => clearInterval(looking),
  }
}

const changesSharing = ({ kind }: GalleyEvent) =>
  ['sharing', 'links', 'deleted', 'everything'].includes(subjectOf(kind)) || kind === 'document.restored'

const isTold: ReadonlySet<string> = new Set(['comment.created', 'suggestion.created', 'round.finished'])

function findFeedback(store: Store, event: GalleyEvent): FeedbackNews | undefined {
  const { kind, documentId, ownerId, principal, subjectId } = event
  if (!isTold.has(kind) || !documentId || !subjectId) return undefined
  const isOthers = principal.kind === 'guest' || principal.kind === 'user'
  if (!isOthers || ownerId !== store.users.owner().id) return undefined
  const document = store.documents.find(documentId)
  if (!document) return undefined
  const about = { documentId, title: document.title, author: principal.name ?? 'Guest' }
  if (kind === 'round.finished') return { ...about, kind: 'done', shownAs: 'document', id: subjectId }
  if (kind === 'suggestion.created' && store.suggestions.find(subjectId, document.number)?.hidden === 1)
    return undefined
  if (kind === 'suggestion.created')
    return { ...about, kind: 'suggestion', shownAs: 'suggestion', id: subjectId }
  const comment = store.comments.find(subjectId, document.number)
  if (!comment || comment.hidden === 1) return undefined
  const { parent_id, suggestion_id } = comment
  if (suggestion_id !== null) return { ...about, kind: 'reply', shownAs: 'suggestion', id: suggestion_id }
  const kindOfComment = parent_id === null ? 'comment' : 'reply'
  return { ...about, kind: kindOfComment, shownAs: 'comment', id: parent_id ?? subjectId }
}
