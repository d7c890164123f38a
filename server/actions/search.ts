import { GalleyError } from '../contract/errors.ts'
import type { FoundDocument, SearchRequest } from '../store/search.ts'
import type { SearchThreads } from '../store/search-threads.ts'
import { QueueFull } from '../threads/fair-queue.ts'
import { TooMuchWork } from '../threads/text-threads.ts'
import type { ActionContext } from './context.ts'

/** What actions work with that search. */
export interface SearchContext extends ActionContext {
  /** Where searches are done that would hold others up. */
  searches: Pick<SearchThreads, 'find'>
}

/** Searches at once where nobody notices, else on another thread; where there is none that can, here all the same. */
export function findDocuments(
  { store, searches }: SearchContext,
  request: SearchRequest,
): FoundDocument[] | Promise<FoundDocument[]> {
  return (
    store.search.findAtOnce(request) ??
    searches.find(request).then(
      (found) => found ?? store.search.find(request),
      (error: unknown) => {
        throw explainedRefusal(error)
      },
    )
  )
}

function explainedRefusal(error: unknown): unknown {
  if (error instanceof QueueFull)
    return new GalleyError('BUSY', 'Too many of your searches wait already. Try again in a moment.', {
      retryAfter: 1,
      cause: error,
    })
  if (error instanceof TooMuchWork)
    return new GalleyError(
      'BUSY',
      'This search takes too long. Look for longer words, or for fewer of them.',
      {
        retryAfter: 5,
        cause: error,
      },
    )
  return error
}
