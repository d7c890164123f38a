import { forbidden, GalleyError, invalid, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { NewAnchor, Range } from '../contract/records/anchors.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
import { suggestionRoutes } from '../contract/routes/suggestions.ts'
import type { AcceptedTogether } from '../domain/reopen-suggestions.ts'
import type { Budget } from '../domain/budget.ts'
import type { Author } from '../store/author.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { SuggestionRow } from '../store/suggestions.ts'
import type { Suggester } from '../store/versions.ts'
import type { Bench } from '../threads/text-work.ts'
import { documentAction } from './action.ts'
import { authorOf, checkAuthorName } from './author.ts'
import { requireRoomForGuest } from './guest-allowance.ts'
import { hiddenAuthorsOf } from './hidden-words.ts'
import { listedSince, listPart } from './list-part.ts'
import { makeEach, placedOf, type Bulk } from './bulk.ts'
import { placedAnchor, placedAnchors, type PlacedAnchor } from './new-anchor.ts'
import { placedList } from './placed-list.ts'
import { presentDocument, refuseTooLarge, textOf } from './present-document.ts'
import { accountOf, isShownTo, seenBy, wrote } from './principal.ts'
import type { Happened } from './record.ts'
import type { DocumentTask } from './task.ts'
import { commentView, suggestionView } from './view.ts'

type Status = Suggestion['status']
type Decided = Exclude<Status, 'pending'>

/** The suggestion that a task is about. */
export function namedSuggestion({ store, document, target, principal }: DocumentTask): SuggestionRow {
  const suggestion = store.suggestions.find(target['suggestion_id'] ?? '', document.number)
  if (!suggestion || !isShownTo(principal, suggestion)) throw notFound('Suggestion')
  return suggestion
}

const named = namedSuggestion

const alreadyResolved = (status: string) =>
  new GalleyError('ALREADY_RESOLVED', `The suggestion has already been ${status}.`)

/** Two thousand suggestions without an anchor in 20 KB are shown with their place; of more, the last without one. */
export const searchedInOneList = 40_000_000

export const listSuggestions = documentAction({
  right: 'suggestion.list',
  effect: 'reads',
  readsText: true,
  run(task, input: ListQuery & { status?: Status; replies?: boolean }): Suggestion[] {
    const { store, principal } = task
    return placedList(task, (document) => {
      const { number, id, text } = textOf(store, document)
      const work = { left: searchedInOneList }
      const rows = store.suggestions.list(number, {
        ...listedSince(store, number, listPart(input)),
        ...(input.status ? { status: input.status } : {}),
        seenBy: seenBy(principal),
      })
      const replies = input.replies ? store.comments.repliesToEach(rows.map((row) => row.id)) : null
      return rows.map((row) => ({
        ...suggestionView(row, id, text.whole, principal, work),
        ...(replies && {
          replies: (replies.get(row.id) ?? [])
            .filter((reply) => isShownTo(principal, reply))
            .map((reply) => commentView(reply, id, principal)),
        }),
      }))
    })
  },
})

interface NewSuggestion {
  original_text: string
  suggested_text: string
  anchor?: NewAnchor | null
  note?: string | null
  author_name?: string
}

export const createSuggestion = documentAction({
  right: 'suggestion.create',
  effect: 'writes',
  accepts: suggestionRoutes.createSuggestion.body,
  check(task, input: NewSuggestion) {
    checkWhole(input)
    checkAuthorName(task, input.author_name)
  },
  run(task, input: NewSuggestion, happened): Suggestion {
    const author = authorOf(task, input.author_name)
    const row = presentDocument(task.store, task.document.id)
    const placed = placedAnchor(task.store, row, input.anchor, task.bench)
    return make(task, { row, author, placed }, input, happened)
  },
})

interface NewSuggestions extends Bulk {
  suggestions: Omit<NewSuggestion, 'author_name'>[]
}

export const createSuggestions = documentAction({
  right: 'suggestion.create',
  effect: 'writes',
  accepts: suggestionRoutes.createSuggestions.body,
  counts: ({ suggestions }: NewSuggestions) => suggestions.length,
  check: (task, { author_name }: NewSuggestions) => checkAuthorName(task, author_name),
  run(task, { suggestions, mode, author_name }: NewSuggestions, happened) {
    const author = authorOf(task, author_name)
    const row = presentDocument(task.store, task.document.id)
    const asked = suggestions.map(({ anchor }) => anchor)
    const anchors = placedAnchors(task.store, row, asked, task.bench)
    const work = { left: searchedInOneList }
    return makeEach(suggestions, { mode, list: 'suggestions' }, (one, index) => {
      checkWhole(one)
      return make(task, { row, author, placed: placedOf(anchors[index]!), work }, one, happened)
    }).map(({ made, error }) => ({ suggestion: made, error }))
  },
})

interface Making {
  row: DocumentRow
  author: Author
  placed: PlacedAnchor
  /** How much may be looked for its place where it has no anchor. */
  work?: Budget
}

/** What is refused has written nothing. */
function make(
  { store, principal }: DocumentTask,
  { row: present, author, placed, work }: Making,
  { original_text, suggested_text, note }: NewSuggestion,
  happened: Happened,
): Suggestion {
  requireRoomForGuest(store, principal, present.number)
  const fields = { original_text, suggested_text, note: noteOf(note), ...placed }
  const row = store.suggestions.create(present.number, author, fields)
  happened({ kind: 'suggestion.created', document: present, subject: row.id, guest: author.name })
  return suggestionView(row, present.id, present.text.whole, principal, work)
}

const noteOf = (note: string | null | undefined) => note?.trim() || null

/** Words are replaced where words stand, and put in where none do. */
function checkWhole({ original_text, suggested_text, anchor }: Omit<NewSuggestion, 'note'>) {
  const putsIn = original_text === ''
  if (putsIn && (!anchor || anchor.exact !== ''))
    throw invalid(
      '“original_text” is empty. To put something in, send an “anchor” whose “exact” is empty, too, and whose “start”, “prefix” and “suffix” say where.',
      'original_text',
    )
  if (!putsIn && anchor?.exact === '')
    throw invalid(
      '“anchor.exact” is empty, but “original_text” isn’t: an anchor of no words is for putting something in.',
      'anchor.exact',
    )
  if (putsIn && suggested_text === '')
    throw invalid('“suggested_text” is empty, too: that suggests nothing.', 'suggested_text')
}

type ChangedSuggestion = Partial<Omit<NewSuggestion, 'author_name'>>

export const updateSuggestion = documentAction({
  right: 'suggestion.create',
  effect: 'writes',
  accepts: suggestionRoutes.updateSuggestion.body,
  find: named,
  permit(task) {
    if (!wrote(task.principal, named(task))) throw forbidden('Only its author may change a suggestion.')
  },
  run(task, input: ChangedSuggestion, happened): Suggestion {
    const { store, principal } = task
    const before = named(task)
    if (before.status !== 'pending') throw alreadyResolved(before.status)
    const present = presentDocument(store, task.document.id)
    const { original_text = before.original_text, suggested_text = before.suggested_text } = input
    const { anchor, range } =
      input.anchor === undefined ? before : placedAnchor(store, present, input.anchor, task.bench)
    checkWhole({ original_text, suggested_text, anchor })
    const note = input.note === undefined ? before.note : noteOf(input.note)
    const grows = sizeOf({ original_text, suggested_text, note }) > sizeOf(before)
    if (grows) requireRoomForGuest(store, principal, present.number)
    store.suggestions.change(before, { original_text, suggested_text, note, anchor, range })
    const { id: subject, author_name: guest } = before
    happened({ kind: 'suggestion.changed', document: present, subject, guest })
    return suggestionView(named(task), present.id, present.text.whole, principal)
  },
})

const sizeOf = ({
  original_text,
  suggested_text,
  note,
}: Pick<SuggestionRow, 'original_text' | 'suggested_text' | 'note'>) =>
  Buffer.byteLength(original_text + suggested_text + (note ?? ''))

/** What a document's owner may do to one suggestion. That it exists, anybody who knows its id is told. */
const ownersOnly = {
  right: 'suggestion.resolve',
  effect: 'writes',
  knownToOthers: true,
  find: named,
  permit({ principal, document }: DocumentTask) {
    if (principal.kind !== 'owner' || principal.user.id !== document.owner_id)
      throw forbidden('Only the document’s owner may accept, reject or reopen a suggestion.')
  },
} as const

export const acceptSuggestion = documentAction({
  ...ownersOnly,
  run(task, _input: void, happened) {
    const { suggestion, revision } = resolveOne(task, 'accepted', happened)
    return { ...suggestion, revision }
  },
})

export const rejectSuggestion = documentAction({
  ...ownersOnly,
  run: (task, _input: void, happened) => resolveOne(task, 'rejected', happened).suggestion,
})

export const reopenSuggestion = documentAction({
  ...ownersOnly,
  run(task, _input: void, happened) {
    const { store, principal, document } = task
    const suggestion = named(task)
    if (suggestion.status !== 'pending' && reopenAll(task, [suggestion], happened).length === 0)
      throw new GalleyError(
        'TEXT_NOT_FOUND',
        'What this suggestion put into the text was changed since, or can’t be told from what others wrote, so it isn’t taken back by itself. It stays accepted.',
      )
    const { revision, text } = presentDocument(store, document.id)
    return { ...suggestionView(named(task), document.id, text.whole, principal), revision }
  },
})

function resolveOne(task: DocumentTask, status: Decided, happened: Happened) {
  const { store, principal, document } = task
  const { author } = accountOf(principal)
  const before = presentDocument(store, document.id)
  const suggestion = named(task)
  if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
  if (settleAll(store, before, [suggestion], status, author, task.bench).length === 0)
    throw new GalleyError(
      'TEXT_NOT_FOUND',
      'The words this suggestion replaces are no longer in the document.',
    )
  const after = presentDocument(store, document.id)
  tellSettled(after, status, [suggestion], happened)
  const { revision, text } = after
  return { suggestion: suggestionView(named(task), document.id, text.whole, principal), revision }
}

interface ResolvedSuggestions {
  action: 'accept' | 'reject' | 'reopen'
  /** All that are pending, if none are named. */
  ids?: string[]
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
  run(task, { action, ids, suggested_text }: ResolvedSuggestions, happened) {
    const { store, principal, document, bench } = task
    const { author } = accountOf(principal)
    const before = presentDocument(store, document.id)
    const { suggestions } = store
    const found = ids
      ? [...new Set(ids)].map((id) => ({ id, row: suggestions.find(id, before.number) }))
      : suggestions
          .list(before.number, { status: 'pending' })
          .filter(({ hidden }) => hidden === 0)
          .map((row) => ({ id: row.id, row }))
    if (action === 'reopen') {
      const decided = found.flatMap(({ row }) => (row && row.status !== 'pending' ? [row] : []))
      const reopened = new Set(reopenAll(task, decided, happened))
      return found.map(({ id, row }) => {
        if (!row) return { id, status: null, error: 'NOT_FOUND' as const }
        const isPending = row.status === 'pending' || reopened.has(row)
        return isPending
          ? { id, status: 'pending' as Status, error: null }
          : { id, status: row.status, error: 'TEXT_NOT_FOUND' as const }
      })
    }
    const status = action === 'accept' ? 'accepted' : 'rejected'
    const pending = found.flatMap(({ row }) => (row?.status === 'pending' ? [row] : []))
    const settled = new Set(settleAll(store, before, pending, status, author, bench, suggested_text))
    if (settled.size > 0) tellSettled(presentDocument(store, document.id), status, [...settled], happened)
    return found.map(({ id, row }) => {
      if (!row) return { id, status: null, error: 'NOT_FOUND' as const }
      if (row.status !== 'pending') return { id, status: row.status, error: 'ALREADY_RESOLVED' as const }
      if (!settled.has(row)) return { id, status: row.status, error: 'TEXT_NOT_FOUND' as const }
      return { id, status: status as Status, error: null }
    })
  },
})

export const withdrawSuggestion = documentAction({
  right: 'suggestion.create',
  effect: 'writes',
  find: named,
  permit(task) {
    if (!wrote(task.principal, named(task))) throw forbidden('Only its author may withdraw a suggestion.')
  },
  run(task, _input: void, happened) {
    const suggestion = named(task)
    if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
    const { id: subject, author_name: guest } = suggestion
    const { document, store } = task
    const gone = { kind: 'suggestion.withdrawn', subjectId: subject, suggestionId: null } as const
    const hiddenAuthors = hiddenAuthorsOf(store, { ...gone, documentId: document.id })
    store.suggestions.delete(subject)
    happened({ kind: gone.kind, document, subject, guest, hiddenAuthors })
    return { deleted: true as const }
  },
})

function tellSettled(
  document: DocumentRow,
  status: Decided,
  settled: readonly SuggestionRow[],
  happened: Happened,
) {
  if (status === 'accepted') happened({ kind: 'document.changed', document })
  for (const { id: subject } of settled) happened({ kind: `suggestion.${status}`, document, subject })
}

/** Each once, in their order; as many as a person reads. A guest and an account of one name are two. */
function suggestersOf(suggestions: readonly SuggestionRow[]): Suggester[] {
  const all = suggestions.map(({ author_id, author_name, key_name, key_kind }): Suggester => ({
    name: author_name,
    guest: author_id === null,
    ...(key_name === null ? {} : { keyName: key_name, keyKind: key_kind ?? 'script' }),
    ...(key_name === null && key_kind !== null ? { keyKind: key_kind } : {}),
  }))
  const each = new Map(all.map((one) => [JSON.stringify(one), one]))
  return [...each.values()].slice(0, limits.namedSuggesters)
}

/**
 * Inside a transaction: settles those that can be, and says which. All that are accepted are one change of the
 * document: one revision, one version to come back to.
 * @throws GalleyError PAYLOAD_TOO_LARGE if the text would become so
 */
function settleAll(
  store: Store,
  document: DocumentRow,
  suggestions: readonly SuggestionRow[],
  status: 'accepted' | 'rejected',
  author: Author,
  bench: Bench,
  /** Instead of what they suggest. */
  words?: string,
): readonly SuggestionRow[] {
  let settled = suggestions
  let { revision } = document
  let placed: readonly (Range | null)[] = []
  if (status === 'accepted') {
    const { applied, places, edit } = bench('accept', {
      content: document.text.whole,
      suggestions: suggestions.map(({ id, original_text, suggested_text, anchor, range }) => {
        return { id, original_text, suggested_text: words ?? suggested_text, anchor, range }
      }),
      anchors: store.documents.anchors(document.number),
    })
    refuseTooLarge(edit?.content)
    settled = suggestions.filter((_, index) => applied[index])
    placed = places.filter((_, index) => applied[index])
    const suggestedBy = suggestersOf(settled)
    const change = { kind: 'suggestion', author, informed: true, suggestedBy } as const
    if (edit) revision = store.documents.change(document, { ...change, edited: edit }, bench).revision
  }
  settled.forEach(({ id, suggested_text }, index) =>
    store.suggestions.settle(id, {
      ...{ status, by: author, revision, together: settled.length },
      applied: placed[index] ?? null,
      acceptedText: words === suggested_text ? null : (words ?? null),
    }),
  )
  return settled
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
  const suggestions = decided.map(({ decided_revision, decided_with, status, ...row }) => {
    const isFollowed = decided_revision !== null && oldest <= decided_revision
    const revision = isFollowed ? decided_revision : null
    const { original_text, anchor, range, applied } = row
    const suggested_text = row.accepted_text ?? row.suggested_text
    const made = { status: status as Decided, revision, decidedWith: decided_with }
    return { original_text, suggested_text, anchor, range, applied, ...made }
  })
  const together = acceptedTogether(store, document, suggestions, oldest, bench)
  const revisions = suggestions.map(({ revision }) => revision ?? document.revision)
  const from = Math.min(...revisions, ...together.map(({ revision }) => revision - 1))
  const { outcomes, edit } = bench('reopen', {
    content: document.text.whole,
    suggestions,
    log: from < document.revision ? documents.changesSince(document, from) : [],
    together,
    reopenings: store.suggestions.reopenings(document.number),
    anchors: documents.anchors(document.number),
  })
  refuseTooLarge(edit?.content)
  const { author } = accountOf(principal)
  const { revision } = edit
    ? documents.change(document, { kind: 'reopening', author, informed: true, edited: edit }, bench)
    : document
  const reopened = decided.filter((_, index) => outcomes[index])
  decided.forEach(({ id }, index) => {
    const outcome = outcomes[index]
    if (outcome) store.suggestions.reopen(id, revision, outcome.range)
  })
  const after = presentDocument(store, id)
  if (edit) happened({ kind: 'document.changed', document: after })
  for (const { id: subject } of reopened) happened({ kind: 'suggestion.reopened', document: after, subject })
  return reopened
}

/** The revisions that accepted several, all of which are to be taken back. */
function acceptedTogether(
  { documents }: Store,
  document: DocumentRow,
  asked: readonly { status: Decided; revision: number | null; decidedWith: number | null }[],
  oldest: number,
  bench: Bench,
): AcceptedTogether[] {
  const accepted = asked.flatMap(({ status, revision, decidedWith }) =>
    status === 'accepted' && revision !== null && revision > oldest ? [{ revision, decidedWith }] : [],
  )
  const counted = new Map<number, number>()
  for (const { revision } of accepted) counted.set(revision, (counted.get(revision) ?? 0) + 1)
  const whole = accepted.filter(
    ({ revision, decidedWith }) =>
      decidedWith !== null && decidedWith > 1 && counted.get(revision) === decidedWith,
  )
  return [...new Set(whole.map(({ revision }) => revision))].flatMap((revision) => {
    const before = documents.textAt(document, revision - 1, bench)
    return before === null ? [] : [{ revision, before }]
  })
}
