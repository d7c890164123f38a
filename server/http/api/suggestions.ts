import { suggestionRoutes } from '../../contract/routes.ts'
import { forbidden, GalleyError, notFound } from '../../contract/errors.ts'
import { placeAnchor } from '../../domain/anchor.ts'
import { applySuggestion } from '../../domain/suggestion.ts'
import type { Author } from '../../store/author.ts'
import type { DocumentRow } from '../../store/documents.ts'
import type { SuggestionRow } from '../../store/suggestions.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import type { DocumentHead } from '../../store/documents.ts'
import { mount, type Mounting } from '../mount.ts'
import { suggestionView, wrote } from '../view.ts'
import { writer } from '../writer.ts'
import { getDocument } from './documents.ts'

function getSuggestion(store: Store, id: string | undefined, document: number): SuggestionRow {
  const suggestion = id === undefined ? undefined : store.suggestions.find(id, document)
  if (!suggestion) throw notFound('Suggestion')
  return suggestion
}

const alreadyResolved = (status: string) =>
  new GalleyError('ALREADY_RESOLVED', `The suggestion has already been ${status}.`)

export function suggestionHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context

  mount(mounting, suggestionRoutes.listSuggestions, ({ context, caller, document, query }) => {
    const { number, content } = getDocument(context, document.id)
    return store.suggestions
      .list(number, query.status)
      .map((row) => suggestionView(row, document.id, content, caller))
  })

  mount(mounting, suggestionRoutes.createSuggestion, ({ context, caller, document, body, reply }) => {
    const author = writer(caller, reply, body.author_name)
    const [row, content] = store.transaction(() => {
      const { number, content } = getDocument(context, document.id)
      const anchor = body.anchor ?? null
      const note = body.note?.trim()
      const row = store.suggestions.create(number, author, {
        original_text: body.original_text,
        suggested_text: body.suggested_text,
        note: note === undefined || note === '' ? null : note,
        anchor,
        range: anchor && placeAnchor(content, anchor),
      })
      return [row, content] as const
    })
    publish({ documentId: document.id, what: 'suggestions' })
    return suggestionView(
      row,
      document.id,
      content,
      caller.kind === 'link' ? { ...caller, guestKey: author.key } : caller,
    )
  })

  const resolveOne = (
    status: 'accepted' | 'rejected',
    { caller, document, id }: { caller: Caller; document: DocumentHead; id: string | undefined },
  ) => {
    const result = store.transaction(() => {
      const before = store.documents.find(document.id)
      const suggestion = getSuggestion(store, id, document.number)
      if (!before) throw notFound('Document')
      if (caller.kind !== 'owner' || caller.user.id !== before.owner_id) {
        throw forbidden('Only the document’s owner may accept or reject a suggestion.')
      }
      if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
      const after = settle(store, before, suggestion, status, caller.author)
      if (!after) {
        throw new GalleyError(
          'TEXT_NOT_FOUND',
          'The words this suggestion replaces are no longer in the document.',
        )
      }
      return { after, suggestion: getSuggestion(store, id, document.number) }
    })
    if (status === 'accepted') publish({ documentId: document.id, what: 'content' })
    publish({ documentId: document.id, what: 'suggestions' })
    return suggestionView(result.suggestion, document.id, result.after.content, caller)
  }

  mount(mounting, suggestionRoutes.acceptSuggestion, ({ caller, document, params }) =>
    resolveOne('accepted', { caller, document, id: params['suggestion_id'] }),
  )
  mount(mounting, suggestionRoutes.rejectSuggestion, ({ caller, document, params }) =>
    resolveOne('rejected', { caller, document, id: params['suggestion_id'] }),
  )

  mount(mounting, suggestionRoutes.resolveSuggestions, ({ context, caller, document, body }) => {
    if (caller.kind !== 'owner')
      throw forbidden('Only the document’s owner may accept or reject a suggestion.')
    const status = body.action === 'accept' ? ('accepted' as const) : ('rejected' as const)
    const results = store.transaction(() => {
      let current = getDocument(context, document.id)
      const ids = body.ids ?? store.suggestions.list(current.number, 'pending').map((row) => row.id)
      return [...new Set(ids)].map((id) => {
        const suggestion = store.suggestions.find(id, current.number)
        if (!suggestion) return { id, status: null, error: 'NOT_FOUND' as const }
        if (suggestion.status !== 'pending') {
          return { id, status: suggestion.status, error: 'ALREADY_RESOLVED' as const }
        }
        const after = settle(store, current, suggestion, status, caller.author)
        if (!after) return { id, status: 'pending' as const, error: 'TEXT_NOT_FOUND' as const }
        current = after
        return { id, status, error: null }
      })
    })
    publish({ documentId: document.id, what: 'content' })
    publish({ documentId: document.id, what: 'suggestions' })
    return results
  })

  mount(mounting, suggestionRoutes.withdrawSuggestion, ({ caller, document, params }) => {
    store.transaction(() => {
      const suggestion = getSuggestion(store, params['suggestion_id'], document.number)
      if (!wrote(caller, suggestion)) throw forbidden('Only its author may withdraw a suggestion.')
      if (suggestion.status !== 'pending') throw alreadyResolved(suggestion.status)
      store.suggestions.delete(suggestion.id)
    })
    publish({ documentId: document.id, what: 'suggestions' })
    return { deleted: true as const }
  })
}

/** Inside a transaction: the document after the suggestion was settled, or null if its words aren't there. */
function settle(
  store: Store,
  document: DocumentRow,
  suggestion: SuggestionRow,
  status: 'accepted' | 'rejected',
  author: Author,
): DocumentRow | null {
  if (status === 'rejected') {
    store.suggestions.settle(suggestion.id, status)
    return document
  }
  const applied = applySuggestion(document.content, suggestion)
  if (!applied) return null
  store.suggestions.settle(suggestion.id, status)
  return store.documents.change(document, {
    changes: applied.changes,
    kind: 'suggestion',
    author,
    informed: true,
  })
}
