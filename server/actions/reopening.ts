import type { SuggestionRow } from '../store/suggestions.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import { pastOf } from './past-of-decisions.ts'
import { presentDocument, refuseTooLarge } from './present-document.ts'
import { accountOf } from './principal.ts'
import type { Happened } from './record.ts'
import type { Decided } from './settling.ts'
import type { DocumentTask } from './task.ts'

/**
 * Inside a transaction: makes decided suggestions pending again, the last decision first, and says which. Those that
 * stand apart in the text are one change; what meets in it comes in its turn, as if each were named alone.
 */
export function reopenInOrder(
  task: DocumentTask,
  asked: readonly SuggestionRow[],
  happened: Happened,
): ReadonlySet<string> {
  const { store, document } = task
  const reopened = new Set<string>()
  let left = asked
  const reopen = (some: readonly SuggestionRow[]) => {
    const made = some.length > 0 ? reopenAll(task, some, happened) : []
    for (const { id } of made) reopened.add(id)
    left = left.filter(({ id }) => !reopened.has(id))
    return made.length > 0
  }
  // What was taken back has touched the places of the others.
  const now = (some: readonly SuggestionRow[]) => asTheyAre(store, document, some)
  for (;;) {
    const accepted = left.filter(({ status }) => status === 'accepted')
    const last = Math.max(0, ...accepted.map((one) => one.decided_revision ?? 0))
    const inTurn = left.filter((one) => one.status === 'accepted' || (one.decided_revision ?? 0) >= last)
    // What stays accepted keeps nothing that was rejected from its turn.
    if (!reopen(now(inTurn)) && !reopen(now(left.filter((one) => one.status === 'rejected')))) return reopened
    // Each decision by itself, since all of those that are left would be looked at again for each.
    const decisions = Map.groupBy(left, (one) => one.decided_revision ?? 0)
    for (const [, some] of [...decisions].toSorted(([one], [other]) => other - one)) reopen(now(some))
  }
}

/**
 * Inside a transaction: makes decided suggestions pending again where that can be done, and says which. What accepted
 * ones put into the text is taken back, all as one change.
 * @throws GalleyError PAYLOAD_TOO_LARGE if the text would become so
 */
export function reopenAll(
  { store, document: { id }, principal, bench }: DocumentTask,
  decided: readonly SuggestionRow[],
  happened: Happened,
): readonly SuggestionRow[] {
  const { documents } = store
  const document = presentDocument(store, id)
  const oldest = documents.oldestRemembered(document)
  const suggestions = decided.map(({ id: one, decided_revision, status, ...row }) => ({
    id: one,
    status: status as Decided,
    original_text: row.original_text,
    suggested_text: row.accepted_text ?? row.suggested_text,
    authors_text: row.suggested_text,
    anchor: row.anchor,
    range: row.range,
    // Where the log doesn’t lead back to it, nothing tells what it did.
    revision: decided_revision !== null && oldest <= decided_revision ? decided_revision : null,
    lineEnds: row.lineEnds,
    takenOut: row.takenOut,
  }))
  const anchors = documents.anchors(document.number)
  const past = pastOf(store, document, { suggestions, anchors, oldest }, bench)
  const { outcomes, edit } = bench('reopen', { content: document.text.whole, suggestions, past, anchors })
  refuseTooLarge(edit?.content)
  const { author } = accountOf(principal)
  const { revision } = edit
    ? documents.change(document, { kind: 'reopening', author, informed: true, edited: edit }, bench)
    : document
  const reopened = decided.filter((_, index) => outcomes[index])
  const standing = decided.flatMap(({ id }, index) => {
    const outcome = outcomes[index]
    return outcome ? { id, kind: 'suggestion' as const, ...outcome } : []
  })
  store.suggestions.reopen(standing, revision)
  documents.moveAnchors(standing)
  const after = presentDocument(store, id)
  if (edit) happened({ kind: 'document.changed', document: after })
  happened({
    kind: 'suggestion.reopened',
    document: after,
    subjects: reopened.map(({ id: subject }) => subject),
  })
  return reopened
}

/** In the same order, as the store has them by now. */
function asTheyAre(
  { suggestions }: Store,
  { number }: Pick<DocumentRow, 'number'>,
  some: readonly SuggestionRow[],
): SuggestionRow[] {
  const ids = some.map(({ id }) => id)
  const found = suggestions.findAll(ids, number)
  return ids.flatMap((id) => found.get(id) ?? [])
}
