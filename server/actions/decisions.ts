import { forbidden, GalleyError, invalid } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Range } from '../contract/records/anchors.ts'
import type { SuggestionStatus } from '../contract/records/suggestions.ts'
import { suggestionRoutes } from '../contract/routes/suggestions.ts'
import type { Acceptance, Past } from '../domain/acceptance.ts'
import type { AnchoredRecord } from '../domain/document-change.ts'
import type { Reopenable } from '../domain/reopenable.ts'
import type { Author } from '../store/author.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { SuggestionRow } from '../store/suggestions.ts'
import type { NamedSuggester } from '../store/versions.ts'
import type { Bench } from '../threads/text-work.ts'
import { documentAction } from './action.ts'
import { presentDocument, refuseTooLarge } from './present-document.ts'
import { accountOf } from './principal.ts'
import type { Happened } from './record.ts'
import { alreadyResolved, namedSuggestion } from './suggestions.ts'
import { isChangedSince, requireSeen, type Seen } from './seen-edit.ts'
import { ownerDecides, type DocumentTask } from './task.ts'
import { suggestionView } from './view.ts'

type Decided = Exclude<SuggestionStatus, 'pending'>

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

/** Each once, in their order; as many as a person reads. A guest and an account of one name are two. */
function suggestersOf(suggestions: readonly SuggestionRow[]): NamedSuggester[] {
  const all = suggestions.map(({ author_id, author_name, key_name, key_kind }): NamedSuggester => ({
    name: author_name,
    guest: author_id === null,
    ...(key_name === null ? {} : { keyName: key_name, keyKind: key_kind ?? 'script' }),
    ...(key_name === null && key_kind !== null ? { keyKind: key_kind } : {}),
  }))
  const each = new Map(all.map((one) => [JSON.stringify(one), one]))
  return [...each.values()].slice(0, limits.namedSuggesters)
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

/** How suggestions are decided. */
interface Deciding {
  status: Decided
  author: Author
  bench: Bench
  /** Instead of what the only one suggests. */
  words?: string | undefined
}

/**
 * Inside a transaction: settles those that can be, and says which. All that stand apart and are accepted are one change of
 * the document: one revision, one version to come back to. What others meet comes in its turn, as if it were accepted alone.
 * @throws GalleyError PAYLOAD_TOO_LARGE if the text would become so
 */
function settleAll(
  { store, document: { id } }: DocumentTask,
  asked: readonly SuggestionRow[],
  deciding: Deciding,
): ReadonlySet<string> {
  const settled = new Set<string>()
  let left = asked
  while (left.length > 0) {
    const document = presentDocument(store, id)
    const done = settleApart(store, document, left, deciding)
    if (done.settled.length === 0) break
    for (const { id: one } of done.settled) settled.add(one)
    // What was accepted has touched the places of those.
    left = asTheyAre(store, document, done.waiting)
  }
  return settled
}

function settleApart(
  store: Store,
  document: DocumentRow,
  suggestions: readonly SuggestionRow[],
  { status, author, bench, words }: Deciding,
): { settled: readonly SuggestionRow[]; waiting: readonly SuggestionRow[] } {
  let settled = suggestions
  let waiting: readonly SuggestionRow[] = []
  let { revision } = document
  let placed: readonly (Range | null)[] = []
  if (status === 'accepted') {
    const { applied, places, edit } = bench('accept', {
      content: document.text.whole,
      suggestions: suggestions.map(({ id, original_text, anchor, lineEnds, takenOut, range, ...row }) => {
        const suggested_text = words ?? row.suggested_text
        return { id, original_text, suggested_text, anchor, lineEnds, takenOut, range }
      }),
      anchors: store.documents.anchorsBeside(document.number, suggestions),
      order: store.suggestions.insertionOrder(document.number),
      revision: document.revision + 1,
    })
    refuseTooLarge(edit?.content)
    settled = suggestions.filter((_, index) => applied[index])
    waiting = suggestions.slice(applied.length)
    placed = places.filter((_, index) => applied[index])
    const suggestedBy = suggestersOf(settled)
    const change = { kind: 'suggestion', author, informed: true, suggestedBy } as const
    if (edit) revision = store.documents.change(document, { ...change, edited: edit }, bench).revision
  }
  store.suggestions.settle(
    settled.map(({ id }, index) => ({ id, range: placed[index] ?? null })),
    {
      status,
      by: author,
      revision,
      acceptedText: words === suggestions[0]?.suggested_text ? null : (words ?? null),
    },
  )
  return { settled, waiting }
}

/**
 * Inside a transaction: makes decided suggestions pending again, the last decision first, and says which. Those that
 * stand apart in the text are one change; what meets in it comes in its turn, as if each were named alone.
 */
function reopenInOrder(
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
function reopenAll(
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

interface Asked {
  suggestions: readonly Reopenable[]
  anchors: readonly AnchoredRecord[]
  /** The oldest revision that is followed. */
  oldest: number
}

/** All that was done since the oldest decision that says something of those that are taken back; null if that isn’t known. */
function pastOf(
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
