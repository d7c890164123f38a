import type { Acceptance, Past } from '../domain/acceptance.ts'
import type { AnchoredRecord } from '../domain/document-change.ts'
import type { Reopenable } from '../domain/reopenable.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { Bench } from '../threads/text-work.ts'

interface Asked {
  suggestions: readonly Reopenable[]
  anchors: readonly AnchoredRecord[]
  /** The oldest revision that is followed. */
  oldest: number
}

/** All that was done since the oldest decision that says something of those that are taken back; null if that isn’t known. */
export function pastOf(
  { documents, suggestions: { acceptances: acceptancesOf, insertionOrder } }: Store,
  document: DocumentRow,
  { suggestions, anchors, oldest }: Asked,
  bench: Bench,
): Past | null {
  const all = acceptancesOf(document.number)
  const from = Math.max(oldest, firstThatMatters(suggestions, anchors, all) - 1)
  const before = documents.textAt(document, from, bench)
  const log = documents.readSince(document, from)
  if (before === null || log === null) return null
  return {
    before,
    revision: from,
    log: log.map(({ revision, changes }) => ({ revision, changes })),
    acceptances: all.filter((one) => one.revision > from),
    noted: [...anchors, ...suggestions].map(({ id, takenOut }) => ({ id, takenOut })),
    rejected: suggestions.flatMap(({ id, status, revision, range }) =>
      status === 'rejected' && revision !== null && range ? [{ id, revision, range }] : [],
    ),
    order: insertionOrder(document.number),
  }
}

/** What was decided before others that were taken back since, and meets them, may stand in another order beside them. */
function firstThatMatters(
  suggestions: readonly Reopenable[],
  anchors: readonly AnchoredRecord[],
  all: readonly Acceptance[],
): number {
  const made = suggestions.flatMap(({ status, revision }) =>
    revision === null ? [] : [status === 'rejected' ? revision + 1 : revision],
  )
  const notes = [...anchors, ...suggestions].flatMap(({ takenOut = [] }) =>
    takenOut.map(({ revision }) => revision),
  )
  let first = Math.min(Infinity, ...made, ...notes)
  for (const one of all.toSorted((a, b) => b.revision - a.revision))
    if (one.undoneBy !== null && one.undoneBy >= first)
      first = Math.min(first, one.revision, one.home?.revision ?? Infinity)
  return first
}
