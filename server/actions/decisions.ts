import { forbidden, GalleyError, invalid } from '../contract/errors.ts'
import type { SuggestionStatus } from '../contract/records/suggestions.ts'
import { suggestionRoutes } from '../contract/routes/suggestions.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { SuggestionRow } from '../store/suggestions.ts'
import { documentAction } from './action.ts'
import { presentDocument } from './present-document.ts'
import { accountOf } from './principal.ts'
import type { Happened } from './record.ts'
import { reopenAll, reopenInOrder } from './reopening.ts'
import { settleAll, type Decided } from './settling.ts'
import { alreadyResolved, namedSuggestion } from './suggestions.ts'
import { isChangedSince, requireSeen, type Seen } from './seen-edit.ts'
import { ownerDecides, type DocumentTask } from './task.ts'
import { suggestionView } from './view.ts'

/** What a document's owner may do to one suggestion. That it exists, anybody who knows its id is told. */
const ownersOnly = {
  right: 'suggestion.resolve',
  effect: 'writes',
  knownToOthers: true,
  find: namedSuggestion,
  permit({ principal, document }: DocumentTask) {
    if (principal.kind !== 'owner' || principal.user.id !== document.owner_id) throw forbidden(ownerDecides)
  },
} as const

export const acceptSuggestion = documentAction({
  ...ownersOnly,
  accepts: suggestionRoutes.acceptSuggestion.body,
  run(task, seen: Seen, happened) {
    const { suggestion, revision } = resolveOne(task, 'accepted', happened, seen)
    return { ...suggestion, revision }
  },
})

export const rejectSuggestion = documentAction({
  ...ownersOnly,
  run: (task, _input: void, happened) => resolveOne(task, 'rejected', happened).suggestion,
})

export const reopenSuggestion = documentAction({
  ...ownersOnly,
  accepts: suggestionRoutes.reopenSuggestion.body,
  run(task, seen: Seen, happened) {
    const { store, principal, document } = task
    const suggestion = namedSuggestion(task)
    if (suggestion.status !== 'pending') requireSeen(suggestion, seen)
    if (suggestion.status !== 'pending' && reopenAll(task, [suggestion], happened).length === 0)
      throw new GalleyError(
        'TEXT_NOT_FOUND',
        'What this suggestion put into the text was changed since, or can’t be told from what others wrote, so it isn’t taken back by itself. It stays accepted.',
      )
    const { revision, text } = presentDocument(store, document.id)
    return { ...suggestionView(namedSuggestion(task), document.id, text.whole, principal), revision }
  },
})

function resolveOne(task: DocumentTask, status: Decided, happened: Happened, seen: Seen = {}) {
  const { store, principal, document } = task
  const { author } = accountOf(principal)
  const suggestion = namedSuggestion(task)
  if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
  requireSeen(suggestion, seen)
  if (settleAll(task, [suggestion], { status, author, bench: task.bench }).size === 0)
    throw new GalleyError(
      'TEXT_NOT_FOUND',
      'The words this suggestion replaces are no longer in the document.',
    )
  const after = presentDocument(store, document.id)
  tellSettled(after, status, [suggestion], happened)
  const { revision, text } = after
  return { suggestion: suggestionView(namedSuggestion(task), document.id, text.whole, principal), revision }
}

interface ResolvedSuggestions {
  action: 'accept' | 'reject' | 'reopen'
  /** All that are pending, if none are named. */
  ids?: string[]
  seen?: { id: string; edited_at: string | null }[]
  /** What is put in instead of what one suggests. */
  suggested_text?: string
}

export const resolveSuggestions = documentAction({
  right: 'suggestion.resolve',
  effect: 'writes',
  accepts: suggestionRoutes.resolveSuggestions.body,
  check(_task, { action, ids, suggested_text }: ResolvedSuggestions) {
    if (suggested_text !== undefined && (action !== 'accept' || new Set(ids).size !== 1))
      throw invalid('“suggested_text” goes with “accept” and exactly one id in “ids”.', 'suggested_text')
    if (action === 'reopen' && !ids)
      throw invalid('“ids” is missing: name the suggestions whose decisions are to be taken back.', 'ids')
  },
  run(task, { action, ids, seen = [], suggested_text }: ResolvedSuggestions, happened) {
    const { store, principal, document, bench } = task
    const { author } = accountOf(principal)
    const before = presentDocument(store, document.id)
    const { suggestions } = store
    const named = ids && suggestions.findAll(ids, before.number)
    const found = named
      ? [...new Set(ids)].map((id) => ({ id, row: named.get(id) }))
      : suggestions
          .list(before.number, { status: 'pending' })
          .filter(({ hidden }) => hidden === 0)
          .map((row) => ({ id: row.id, row }))
    const editedAt = new Map(seen.map(({ id, edited_at }) => [id, edited_at]))
    const isChanged = (row: SuggestionRow) => isChangedSince(row, editedAt.get(row.id))
    if (action === 'reopen') {
      const decided = found.flatMap(({ row }) =>
        row && row.status !== 'pending' && !isChanged(row) ? [row] : [],
      )
      const reopened = reopenInOrder(task, decided, happened)
      return found.map(({ id, row }) => {
        if (!row) return { id, status: null, error: 'NOT_FOUND' as const }
        const isPending = row.status === 'pending' || reopened.has(id)
        if (!isPending && isChanged(row)) return { id, status: row.status, error: 'CHANGED_SINCE' as const }
        return isPending
          ? { id, status: 'pending' as SuggestionStatus, error: null }
          : { id, status: row.status, error: 'TEXT_NOT_FOUND' as const }
      })
    }
    const status = action === 'accept' ? 'accepted' : 'rejected'
    const pending = found.flatMap(({ row }) => (row?.status === 'pending' && !isChanged(row) ? [row] : []))
    const settled = settleAll(task, pending, { status, author, bench, words: suggested_text })
    const told = pending.filter(({ id }) => settled.has(id))
    if (told.length > 0) tellSettled(presentDocument(store, document.id), status, told, happened)
    return found.map(({ id, row }) => {
      if (!row) return { id, status: null, error: 'NOT_FOUND' as const }
      if (row.status !== 'pending') return { id, status: row.status, error: 'ALREADY_RESOLVED' as const }
      if (isChanged(row)) return { id, status: row.status, error: 'CHANGED_SINCE' as const }
      if (!settled.has(id)) return { id, status: row.status, error: 'TEXT_NOT_FOUND' as const }
      return { id, status: status as SuggestionStatus, error: null }
    })
  },
})

function tellSettled(
  document: DocumentRow,
  status: Decided,
  settled: readonly SuggestionRow[],
  happened: Happened,
) {
  if (status === 'accepted') happened({ kind: 'document.changed', document })
  happened({ kind: `suggestion.${status}`, document, subjects: settled.map(({ id }) => id) })
}
