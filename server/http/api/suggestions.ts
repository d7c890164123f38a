import { suggestionRoutes } from '../../contract/routes.ts'
import { forbidden, GalleyError, notFound } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Author } from '../../store/author.ts'
import type { DocumentRow } from '../../store/documents.ts'
import type { SuggestionRow } from '../../store/suggestions.ts'
import type { Store } from '../../store/store.ts'
import type { Bench } from '../../threads/text-work.ts'
import type { Approach, Guard } from '../admission.ts'
import { accountOf } from '../caller.ts'
import type { Context } from '../context.ts'
import { requireRoomForGuest } from '../guest-allowance.ts'
import { listedSince, listPart } from '../list-part.ts'
import { mount, type Mounting } from '../mount.ts'
import { placedAnchor } from '../new-anchor.ts'
import { suggestionView, wrote } from '../view.ts'
import { writer } from '../writer.ts'
import { getDocument, refuseTooLarge, textOf } from './documents.ts'

function getSuggestion(store: Store, id: string | undefined, document: number): SuggestionRow {
  const suggestion = id === undefined ? undefined : store.suggestions.find(id, document)
  if (!suggestion) throw notFound('Suggestion')
  return suggestion
}

const alreadyResolved = (status: string) =>
  new GalleyError('ALREADY_RESOLVED', `The suggestion has already been ${status}.`)

/** Two thousand suggestions without an anchor in 20 KB are shown with their place; of more, the last without one. */
const searchedInOneList = 40_000_000

export function suggestionHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context

  mount(mounting, suggestionRoutes.listSuggestions, ({ context, caller, document, query }) => {
    const { number, content } = textOf(context, document)
    const work = { left: searchedInOneList }
    return store.suggestions
      .list(number, {
        ...listedSince(store, number, listPart(query)),
        ...(query.status ? { status: query.status } : {}),
      })
      .map((row) => suggestionView(row, document.id, content, caller, work))
  })

  mount(
    mounting,
    suggestionRoutes.createSuggestion,
    ({ context, caller, document, body, request, reply, bench }) => {
      const author = writer(caller, reply, body.author_name)
      const [row, content] = store.transaction(() => {
        const present = getDocument(context, document.id)
        const { number, content } = present
        requireRoomForGuest(store, caller, number)
        const note = body.note?.trim()
        const row = store.suggestions.create(number, author, {
          original_text: body.original_text,
          suggested_text: body.suggested_text,
          note: note === undefined || note === '' ? null : note,
          ...placedAnchor(store, present, body.anchor, bench),
        })
        return [row, content] as const
      })
      context.openings.name(request, caller, body.author_name)
      publish({
        documentId: document.id,
        what: 'suggestions',
        made: { kind: 'suggestion', id: row.id, author: { id: author.id, name: author.name } },
      })
      return suggestionView(
        row,
        document.id,
        content,
        caller.kind === 'link' ? { ...caller, guestKey: author.key } : caller,
      )
    },
  )

  const named = ({ document, params }: Pick<Approach, 'document' | 'params'>) =>
    getSuggestion(store, params['suggestion_id'], document.number)
  const ownerOnly: Guard = {
    find: named,
    permit({ caller, document }) {
      if (caller.kind !== 'owner' || caller.user.id !== document.owner_id)
        throw forbidden('Only the document’s owner may accept or reject a suggestion.')
    },
  }

  const resolveOne = (
    status: 'accepted' | 'rejected',
    {
      context,
      caller,
      document,
      params,
      bench,
    }: Pick<Approach, 'caller' | 'document' | 'params'> & { context: Context; bench: Bench },
  ) => {
    const { author } = accountOf(caller)
    const result = store.transaction(() => {
      const before = getDocument(context, document.id)
      const suggestion = named({ document, params })
      if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
      if (settleAll(store, before, [suggestion], status, author, bench).length === 0) {
        throw new GalleyError(
          'TEXT_NOT_FOUND',
          'The words this suggestion replaces are no longer in the document.',
        )
      }
      return { after: getDocument(context, document.id), suggestion: named({ document, params }) }
    })
    if (status === 'accepted') publish({ documentId: document.id, what: 'content' })
    publish({ documentId: document.id, what: 'suggestions' })
    const { revision, content } = result.after
    return { view: suggestionView(result.suggestion, document.id, content, caller), revision }
  }

  mount(
    mounting,
    suggestionRoutes.acceptSuggestion,
    (call) => {
      const { view, revision } = resolveOne('accepted', call)
      return { ...view, revision }
    },
    ownerOnly,
  )
  mount(mounting, suggestionRoutes.rejectSuggestion, (call) => resolveOne('rejected', call).view, ownerOnly)

  mount(mounting, suggestionRoutes.resolveSuggestions, ({ context, caller, document, body, bench }) => {
    const { author } = accountOf(caller)
    const status = body.action === 'accept' ? ('accepted' as const) : ('rejected' as const)
    const results = store.transaction(() => {
      const before = getDocument(context, document.id)
      const ids =
        body.ids ?? store.suggestions.list(before.number, { status: 'pending' }).map((row) => row.id)
      const found = [...new Set(ids)].map((id) => ({ id, row: store.suggestions.find(id, before.number) }))
      const pending = found.flatMap(({ row }) => (row?.status === 'pending' ? [row] : []))
      const settled = new Set(settleAll(store, before, pending, status, author, bench))
      return found.map(({ id, row }) => {
        if (!row) return { id, status: null, error: 'NOT_FOUND' as const }
        if (row.status !== 'pending') return { id, status: row.status, error: 'ALREADY_RESOLVED' as const }
        if (!settled.has(row)) return { id, status: row.status, error: 'TEXT_NOT_FOUND' as const }
        return { id, status, error: null }
      })
    })
    if (status === 'accepted') publish({ documentId: document.id, what: 'content' })
    publish({ documentId: document.id, what: 'suggestions' })
    return results
  })

  mount(
    mounting,
    suggestionRoutes.withdrawSuggestion,
    ({ document, params }) => {
      store.transaction(() => {
        const suggestion = named({ document, params })
        if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
        store.suggestions.delete(suggestion.id)
      })
      publish({ documentId: document.id, what: 'suggestions' })
      return { deleted: true as const }
    },
    {
      find: named,
      permit(approach) {
        if (!wrote(approach.caller, named(approach)))
          throw forbidden('Only its author may withdraw a suggestion.')
      },
    },
  )
}

/** Each once, in their order; as many as a person reads. */
const namesOf = (suggestions: readonly SuggestionRow[]) =>
  [...new Set(suggestions.map(({ author_name }) => author_name))].slice(0, limits.namedSuggesters)

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
): readonly SuggestionRow[] {
  let settled = suggestions
  if (status === 'accepted') {
    const { applied, edit } = bench('accept', {
      content: document.content,
      suggestions: suggestions.map(({ id, original_text, suggested_text, anchor, range }) => {
        return { id, original_text, suggested_text, anchor, range }
      }),
      anchors: store.documents.anchors(document.number),
    })
    refuseTooLarge(edit?.content)
    settled = suggestions.filter((_, index) => applied[index])
    const suggestedBy = namesOf(settled)
    const change = { kind: 'suggestion', author, informed: true, suggestedBy } as const
    if (edit) store.documents.change(document, { ...change, edited: edit }, bench)
  }
  for (const { id } of settled) store.suggestions.settle(id, status)
  return settled
}
