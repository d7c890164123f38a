import type { RenderedDocument } from '../../../server/contract/records/rendering.ts'
import { findPassage } from '../../reading/points.ts'
import type { Chosen } from '../text-pane.ts'

/** The same words in the text as it is now; null if they are gone. The text is read, never shown. */
export async function findInRendering(
  place: Chosen,
  fetch: () => Promise<RenderedDocument>,
): Promise<Chosen | null> {
  const { html, revision } = await fetch()
  const passage = findPassage(
    new DOMParser().parseFromString(html, 'text/html').body,
    place.words,
    place.part,
  )
  return passage && { ...place, ...passage, revision }
}
