import { forbidden, GalleyError, invalid, notFound } from '../contract/errors.ts'
import type { NewAnchor, Range } from '../contract/records/anchors.ts'
import type { Suggestion, SuggestionStatus } from '../contract/records/suggestions.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
import { suggestionRoutes } from '../contract/routes/suggestions.ts'
import { withContext } from '../domain/anchors/anchor.ts'
import type { Budget } from '../domain/budget.ts'
import type { Author } from '../store/author.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { SuggestionRow } from '../store/suggestions.ts'
import { documentAction } from './action.ts'
import { authorOfFeedback, checkAuthorName } from './author.ts'
import { requireRoomForGuest, requireShortSuggestion } from './guest-room.ts'
import { hiddenAuthorsOf } from './hidden-words.ts'
import { listedSince, listPart } from './list-part.ts'
import { makeEach, placedOf, type Bulk } from './bulk.ts'
import { placedAnchor, placedAnchors, type PlacedAnchor } from './new-anchor.ts'
import { placedList } from './placed-list.ts'
import { presentDocument, textOf } from './present-document.ts'
import { isShownTo, seenBy, wrote } from './principal.ts'
import type { Happened } from './record.ts'
import { requireSeen, type Seen } from './seen-edit.ts'
import type { DocumentTask } from './task.ts'
import { commentView, suggestionView } from './view.ts'

/** The suggestion that a task is about. */
export function namedSuggestion({ store, document, target, principal }: DocumentTask): SuggestionRow {
  const suggestion = store.suggestions.find(target['suggestion_id'] ?? '', document.number)
  if (!suggestion || !isShownTo(principal, suggestion)) throw notFound('Suggestion')
  return suggestion
}

const named = namedSuggestion

export const alreadyResolved = (status: string) =>
  new GalleyError('ALREADY_RESOLVED', `The suggestion has already been ${status}.`)

/** Two thousand suggestions without an anchor in 20 KB are shown with their place; of more, the last without one. */
export const searchedInOneList = 40_000_000

export const listSuggestions = documentAction({
  right: 'suggestion.list',
  effect: 'reads',
  readsText: true,
  run(task, input: ListQuery & { status?: SuggestionStatus; replies?: boolean }): Suggestion[] {
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
    const author = authorOfFeedback(task, input.author_name, happened)
    const row = presentDocument(task.store, task.document.id)
    const placed = placedAnchor(task.store, row, input, task.bench)
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
    const author = authorOfFeedback(task, author_name, happened)
    const row = presentDocument(task.store, task.document.id)
    const anchors = placedAnchors(task.store, row, suggestions, task.bench)
    const work = { left: searchedInOneList }
    const measuring = { left: searchedInOneList }
    return makeEach(suggestions, { mode, list: 'suggestions' }, (one, index) => {
      checkWhole(one)
      return make(task, { row, author, placed: placedOf(anchors[index]!), work, measuring }, one, happened)
    }).map(({ made, error }) => ({ suggestion: made, error }))
  },
})

interface Making {
  row: DocumentRow
  author: Author
  placed: PlacedAnchor
  /** How much may be looked for its place where it has no anchor: to show it, and to see how long lines would become. */
  work?: Budget
  measuring?: Budget
}

/** What is refused has written nothing. */
function make(
  { store, principal }: DocumentTask,
  { row: present, author, placed, work, measuring = { left: searchedInOneList } }: Making,
  { original_text, suggested_text, note }: NewSuggestion,
  happened: Happened,
): Suggestion {
  requireRoomForGuest(store, principal, present.number)
  const fields = { original_text, suggested_text, note: noteOf(note), ...inContext(present, placed) }
  requireShortSuggestion(principal, present.text.whole, fields, measuring)
  const row = store.suggestions.create(present.number, author, fields)
  happened({ kind: 'suggestion.created', document: present, subject: row.id, guest: author.name })
  return suggestionView(row, present.id, present.text.whole, principal, work)
}

/** What stands around its words tells later whether they are a part of larger ones, so it is known of each made on this text. */
function inContext({ text, revision }: DocumentRow, { anchor, range }: PlacedAnchor): PlacedAnchor {
  const isOfIt = anchor && (anchor.revision === undefined || anchor.revision === revision)
  return isOfIt && range ? { anchor: withContext(text.whole, anchor, range), range } : { anchor, range }
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

type ChangedSuggestion = Partial<Omit<NewSuggestion, 'author_name'>> & Seen

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
    requireSeen(before, input)
    const present = presentDocument(store, task.document.id)
    const { original_text = before.original_text, suggested_text = before.suggested_text } = input
    const { anchor, range } =
      input.anchor === undefined
        ? before
        : inContext(present, placedAnchor(store, present, { ...input, suggested_text }, task.bench))
    checkWhole({ original_text, suggested_text, anchor })
    const note = input.note === undefined ? before.note : noteOf(input.note)
    const grows = sizeOf({ original_text, suggested_text, note }) > sizeOf(before)
    if (grows) requireRoomForGuest(store, principal, present.number)
    const isEdited =
      original_text !== before.original_text ||
      suggested_text !== before.suggested_text ||
      (input.anchor !== undefined && !isSamePlace(before.range, range))
    if (isEdited) {
      const fields = { original_text, suggested_text, anchor, range }
      requireShortSuggestion(principal, present.text.whole, fields, { left: searchedInOneList })
    }
    store.suggestions.change(before, { original_text, suggested_text, note, anchor, range }, isEdited)
    const { id: subject, author_name: guest } = before
    happened({ kind: 'suggestion.changed', document: present, subject, guest })
    return suggestionView(named(task), present.id, present.text.whole, principal)
  },
})

const isSamePlace = (one: Range | null, other: Range | null) =>
  one !== null && other !== null && one.start === other.start && one.end === other.end

const sizeOf = ({
  original_text,
  suggested_text,
  note,
}: Pick<SuggestionRow, 'original_text' | 'suggested_text' | 'note'>) =>
  Buffer.byteLength(original_text + suggested_text + (note ?? ''))

export const withdrawSuggestion = documentAction({
  right: 'suggestion.create',
  effect: 'writes',
  find: named,
  permit(task) {
    if (!wrote(task.principal, named(task))) throw forbidden('Only its author may withdraw a suggestion.')
  },
  run(task, { edited_at: seen }: { edited_at?: string }, happened) {
    const suggestion = named(task)
    if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
    requireSeen(suggestion, seen === undefined ? {} : { edited_at: seen === 'never' ? null : seen })
    const { id: subject, author_name: guest } = suggestion
    const { document, store } = task
    const gone = { kind: 'suggestion.withdrawn', subjectId: subject, suggestionId: null } as const
    const hiddenAuthors = hiddenAuthorsOf(store, { ...gone, documentId: document.id })
    store.suggestions.delete(subject)
    happened({ kind: gone.kind, document, subject, guest, hiddenAuthors })
    return { deleted: true as const }
  },
})
