import type { DocumentSession } from '../editor/document-session.ts'
import { Comments } from './comments.svelte.ts'
import type { Notify } from './notice.ts'
import { Suggestions } from './suggestions.svelte.ts'
import { Versions } from './versions.svelte.ts'
import { watch } from './watch.ts'

export type ReviewTab = 'comments' | 'suggestions' | 'versions'

const reviews = new WeakMap<DocumentSession, Review>()

/** Everything that is said about one open document, kept as long as the document is open. */
export class Review {
  readonly session: DocumentSession
  readonly comments: Comments
  readonly suggestions: Suggestions
  readonly versions: Versions

  constructor(session: DocumentSession, notify: Notify) {
    this.session = session
    this.comments = new Comments(session, notify)
    this.suggestions = new Suggestions(session, notify)
    this.versions = new Versions(session, notify)
  }

  /**
   * Keeps comments and suggestions up to date and marked in the text. `onOpen` is told which tab shows a mark that
   * was clicked. Call it where effects are allowed; the returned function stops it.
   */
  start(onOpen: (tab: ReviewTab, id: string) => void): () => void {
    const { session, comments, suggestions } = this
    const stopWatching = watch(() => Promise.all([comments.load(), suggestions.load()]))
    const stopMarks = $effect.root(() => {
      $effect(() => session.setMarks([...comments.marks, ...suggestions.marks]))
    })
    const stopClicks = session.onMarkClick(({ id, kind }) => {
      if (kind === 'comment') comments.activate(id)
      else suggestions.activate(id)
      onOpen(kind === 'comment' ? 'comments' : 'suggestions', id)
    })
    const leave = () => void this.#flush(true)
    window.addEventListener('pagehide', leave)
    return () => {
      stopWatching()
      stopMarks()
      stopClicks()
      window.removeEventListener('pagehide', leave)
      void this.#flush(false)
    }
  }

  async #flush(leaving: boolean): Promise<void> {
    await Promise.all([this.comments.flush(leaving), this.suggestions.flush(leaving)])
  }
}

/** The review of an open document: the same one each time, so that closing the pane forgets nothing. */
export function reviewOf(session: DocumentSession, notify: Notify): Review {
  const known = reviews.get(session)
  if (known) return known
  const review = new Review(session, notify)
  reviews.set(session, review)
  return review
}
