import { GalleyError, invalid } from '../contract/errors.ts'
import type { Anchor, NewAnchor, Range } from '../contract/records/anchors.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { AskedOf, Bench } from '../threads/text-work.ts'

/** An anchor, whole, and where it stands in the document as it is now; nulls where none was asked for. */
export interface PlacedAnchor {
  anchor: Anchor | null
  range: Range | null
}
type AskedAnchor = NewAnchor | null | undefined
/** An anchor, and what is suggested there. */
export interface AskedPlace {
  anchor?: AskedAnchor
  suggested_text?: string
}
const nowhere: PlacedAnchor = { anchor: null, range: null }

/**
 * The anchor a body asks for.
 * @throws GalleyError VALIDATION_ERROR if it was made on a revision that the log doesn’t lead on from
 */
export function placedAnchor(
  store: Store,
  document: DocumentRow,
  { anchor: asked, suggested_text: words }: AskedPlace,
  bench: Bench,
): PlacedAnchor {
  if (!asked) return nowhere
  const place = { ...placeOf(store, document, asked), words }
  return { anchor: place.anchor, range: bench('place', { content: document.text.whole, ...place }) }
}

/** Those that several ask for, worked out together; in the place of one that can’t be, why. */
export function placedAnchors(
  store: Store,
  document: DocumentRow,
  asked: readonly AskedPlace[],
  bench: Bench,
): (PlacedAnchor | GalleyError)[] {
  const places = asked.map(({ anchor, suggested_text: words }) => {
    try {
      return anchor ? { ...placeOf(store, document, anchor), words } : null
    } catch (error) {
      if (error instanceof GalleyError) return error
      throw error
    }
  })
  const known = places.flatMap((one) => (one === null || one instanceof GalleyError ? [] : [one]))
  const ranges = known.length > 0 ? bench('placeAll', { content: document.text.whole, places: known }) : []
  let next = 0
  return places.map((one) => {
    if (one === null) return nowhere
    return one instanceof GalleyError ? one : { anchor: one.anchor, range: ranges[next++]! }
  })
}

/** Where it was asked for, and what has happened to the text since. */
function placeOf(
  store: Store,
  document: DocumentRow,
  { exact, prefix = '', suffix = '', start, revision }: NewAnchor,
): AskedOf<'placeAll'>['places'][number] {
  const anchor = { exact, prefix, suffix, start, ...(revision === undefined ? {} : { revision }) }
  if (revision === undefined || revision === document.revision) return { anchor }
  if (revision > document.revision)
    throw invalid(
      `“anchor.revision” is ${revision}, but the document has only come to ${document.revision}. Name the revision that you read.`,
      'anchor.revision',
    )
  const oldest = store.documents.oldestRemembered(document)
  if (revision < oldest)
    throw invalid(
      `“anchor.revision” is ${revision}, but changes are remembered only from ${oldest} on. Leave it out to have the words looked for.`,
      'anchor.revision',
    )
  return { anchor, log: store.documents.changesSince(document, revision).map(({ changes }) => changes) }
}
