import { invalid } from '../contract/errors.ts'
import type { Anchor, NewAnchor, Range } from '../contract/records/anchors.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { Bench } from '../threads/text-work.ts'

/**
 * The anchor a body asks for, whole, and where it stands in the document as it is now; nulls where it asks for none.
 * @throws GalleyError VALIDATION_ERROR if it was made on a revision that the log doesn’t lead on from
 */
export function placedAnchor(
  store: Store,
  document: DocumentRow,
  asked: NewAnchor | null | undefined,
  bench: Bench,
): { anchor: Anchor | null; range: Range | null } {
  if (!asked) return { anchor: null, range: null }
  const { exact, prefix = '', suffix = '', start, revision } = asked
  const anchor = { exact, prefix, suffix, start, ...(revision === undefined ? {} : { revision }) }
  if (revision === undefined || revision === document.revision)
    return { anchor, range: bench('place', { content: document.text.whole, anchor }) }
  if (revision > document.revision)
    throw invalid(
      `“anchor.revision” is ${revision}, but the document has only come to ${document.revision}. Name the revision that you read.`,
    )
  const oldest = store.documents.oldestRemembered(document)
  if (revision < oldest)
    throw invalid(
      `“anchor.revision” is ${revision}, but changes are remembered only from ${oldest} on. Leave it out to have the words looked for.`,
    )
  const log = store.documents.changesSince(document, revision).map(({ changes }) => changes)
  return { anchor, range: bench('place', { content: document.text.whole, anchor, log }) }
}
