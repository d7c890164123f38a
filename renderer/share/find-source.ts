import type { Anchor } from '../../server/contract/records.ts'
import { ApiError, isAnswer } from '../api/caller.ts'
import type { Reader } from './reader.svelte.ts'
import { shownBlocks } from './shown-blocks.ts'
import { sourceAnchor } from './source-anchor.ts'
import type { Subject } from './writing.svelte.ts'

/**
 * The source of what is suggested on, also where nobody can be asked: from the text as it was last read, if that is the
 * text on the page. `whole` says that it is that of all of the blocks.
 */
export async function findSource(
  { keeping, pane, writing }: Reader,
  subject: Subject,
): Promise<{ anchor: Anchor; whole: boolean } | null> {
  try {
    const anchor = await writing.anchorOf(subject)
    return anchor && { anchor, whole: false }
  } catch (error) {
    const { chosen } = subject
    if (!(error instanceof ApiError) || isAnswer(error) || !chosen) throw error
    const document = await keeping.document().catch(() => null)
    const blocks = document?.revision === chosen.revision ? shownBlocks(pane.element, chosen) : null
    const found = document && blocks && sourceAnchor(document.content, blocks)
    if (!found) throw error
    return { ...found, anchor: { ...found.anchor, revision: chosen.revision } }
  }
}
