import { GalleyError, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { PiecedText } from '../domain/pieced-text.ts'
import type { DocumentHead, DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from './principal.ts'
import { documentView } from './view.ts'

/** The document as it is now; it may have gone since access was granted. */
export function presentDocument(store: Store, id: string): DocumentRow {
  const row = store.documents.find(id)
  if (!row) throw notFound('Document')
  return row
}

/** The document that was read when access was granted, text and all. */
export const textOf = (store: Store, document: DocumentHead | DocumentRow): DocumentRow =>
  'text' in document ? document : presentDocument(store, document.id)

/** Refuses what no document may hold, whichever way it comes. */
export function refuseTooLarge(content: string | PiecedText | undefined) {
  // A code unit is at most three bytes: most texts need no counting.
  if (content === undefined || content.length * 3 <= limits.contentBytes) return
  const bytes = typeof content === 'string' ? Buffer.byteLength(content, 'utf8') : content.bytes
  if (bytes > limits.contentBytes) {
    throw new GalleyError(
      'PAYLOAD_TOO_LARGE',
      'The text would be larger than a document may be (10 MiB); nothing was changed.',
    )
  }
}

/** The revisions that somebody knows, one of which it has to be: those named, or any. */
export interface KnownRevisions {
  revisions: readonly number[]
  any: boolean
}

/**
 * Whether somebody said which revision they changed.
 * @throws GalleyError PRECONDITION_FAILED, with the current document, if it is no longer that one
 */
export function requireRevision(
  known: KnownRevisions | undefined,
  document: DocumentRow,
  principal: Principal,
): boolean {
  if (known === undefined) return false
  if (!known.any && !known.revisions.includes(document.revision))
    throw hasChanged('The document has changed since; this is how it stands now.', document, principal)
  return known.revisions.length > 0
}

/** @throws GalleyError PRECONDITION_FAILED, with the current document, if it has another title than somebody knows */
export function requireTitle(known: string | undefined, document: DocumentRow, principal: Principal): void {
  if (known !== undefined && known !== document.title)
    throw hasChanged('The document has another title by now; this is how it stands.', document, principal)
}

const hasChanged = (message: string, document: DocumentRow, principal: Principal) =>
  new GalleyError('PRECONDITION_FAILED', message, {
    data: documentView(document, principal),
    revision: document.revision,
  })
