import type { LinkAccess } from '../../server/domain/access.ts'
import { abandonedDrafts, indexedDbDrafts, textsOf } from '../editor/drafts.ts'
import { leftSuggestions, leftUnsent } from '../editor/suggesting/unsent-suggestions.ts'
import { abandonedFiles, leftFiles } from './left-files.ts'
export { waitingSuggestions } from './left-suggestions.ts'
import type { BegunDraft } from './begun-drafts.ts'

/** Whether a text was changed here, or given files or suggestions, and left behind before the server had that. */
export async function hasAbandonedDrafts(documentId: string, access: LinkAccess): Promise<boolean> {
  if ((await leftUnsent(documentId)).length > 0) return true
  if (access !== 'edit') return false
  const drafts = await abandonedDrafts(indexedDbDrafts(), documentId).catch(() => [])
  return drafts.length > 0 || (await abandonedFiles(documentId)).length > 0
}

/** What was suggested by typing, too, where that can’t be sent. */
export async function leftToCopy(documentId: string, access: LinkAccess): Promise<BegunDraft[]> {
  const left = access === 'suggest' ? [] : await leftSuggestions(documentId)
  const suggestions = left.map((one) => ({ ...one, needs: 'suggest' as const }))
  return [...suggestions, ...(await leftTexts(documentId)), ...(await leftFiles(documentId))]
}

/** The text with what was changed here and left behind, to be copied where it can’t be sent. */
async function leftTexts(documentId: string): Promise<BegunDraft[]> {
  const store = indexedDbDrafts()
  const drafts = await abandonedDrafts(store, documentId)
  return drafts.map((draft) => ({
    slot: `text ${draft.writer}`,
    quote: '',
    text: textsOf(draft).content,
    needs: 'edit',
    discard: () => void store.delete(documentId, draft.writer).catch(() => undefined),
    restore: () => void store.put(draft).catch(() => undefined),
  }))
}
