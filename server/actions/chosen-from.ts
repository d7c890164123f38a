import { invalid } from '../contract/errors.ts'
import type { Store } from '../store/store.ts'
import type { OwnerPrincipal } from './principal.ts'

/**
 * The documents that something is to be for, each once; null for all.
 * @throws GalleyError VALIDATION_ERROR
 */
export function chosenFrom(
  { documents }: Store,
  { user }: OwnerPrincipal,
  wanted: readonly string[] | null | undefined,
): string[] | null {
  if (!wanted) return null
  const ids = wanted.map((said) => {
    const id = said.toLowerCase()
    if (documents.findHead(id)?.owner_id === user.id) return id
    throw invalid(`“documents” has “${said}”, which is no document of yours.`, 'documents')
  })
  return [...new Set(ids)]
}
