import type { DocumentEvent } from './contract/events.ts'
import type { Store } from './store/store.ts'

const hour = 60 * 60 * 1000

interface SweepOptions {
  store: Pick<Store, 'trash'>
  publish: (event: DocumentEvent) => void
  onFailure: (error: unknown) => void
  every?: number
}

/**
 * Deletes for good what has been in the trash for its days, now and every hour; returns what stops it. One document at
 * a time, so that requests come between. What fails is tried again with the next hour.
 */
export function sweepTrash({ store, publish, onFailure, every = hour }: SweepOptions): () => void {
  let next: NodeJS.Timeout | undefined
  function sweep() {
    let wait = every
    try {
      const gone = store.trash.sweepOne()
      if (gone) {
        wait = 0
        publish({ documentId: gone.id, what: 'deleted', ownerId: gone.owner_id })
      }
    } catch (error) {
      onFailure(error)
    }
    next = setTimeout(sweep, wait).unref()
  }
  next = setTimeout(sweep, 0).unref()
  return () => clearTimeout(next)
}
