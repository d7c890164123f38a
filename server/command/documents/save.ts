import type { ApiError } from '../../contract/client-of.ts'
import type { GalleyError } from '../../contract/errors.ts'
import type { Document } from '../../contract/records/documents.ts'
import { mergeTexts } from '../../domain/merge.ts'
import type { AskedGalley } from '../galley/asked-galley.ts'
import { isRefusal } from '../galley/galley.ts'

/** Both have changed the same words: nothing was saved. */
export class BothChanged extends Error {
  readonly theirs: Document
  constructor(theirs: Document) {
    super('The same words were changed in both places.')
    this.theirs = theirs
  }
}

/**
 * Makes a text that was made of an older one the document’s, with whatever others have changed since.
 * @throws BothChanged where they changed the same words
 */
export async function saveOver(
  galley: AskedGalley,
  id: string,
  base: { revision: number; content: string },
  mine: string,
): Promise<{ document: Document; isMerged: boolean }> {
  let content = mine
  let { revision } = base
  let isMerged = false
  for (;;) {
    try {
      const document = await galley.call('updateDocument', {
        params: { id },
        body: { content },
        ifMatch: revision,
      })
      return { document, isMerged }
    } catch (error) {
      const theirs = presentIn(error)
      if (!theirs) throw error
      const merged = mergeTexts(base.content, mine, theirs.content)
      if (merged.conflicts.length > 0) throw new BothChanged(theirs)
      if (merged.text === theirs.content) return { document: theirs, isMerged: true }
      content = merged.text
      revision = theirs.revision
      isMerged = true
    }
  }
}

/** The document as it is now, which a refusal for its revision brings. */
function presentIn(error: unknown): Document | undefined {
  if (!isRefusal(error, 'PRECONDITION_FAILED')) return undefined
  return (error as ApiError | GalleyError).data as Document
}
