import type { Anchor } from '../../server/contract/records/anchors.ts'
import { limits } from '../../server/contract/limits.ts'
import { anchorAt } from '../../server/domain/anchors/anchor.ts'
import type { DocumentSession } from './document-session.ts'

type Selecting = Pick<DocumentSession, 'content' | 'document' | 'saveNow' | 'selection' | 'unsaved'>

/** Said where more is selected than one comment can stand on. */
export const tooMuchSelected = 'That is too much text for one comment. Select a shorter passage.'

/** An anchor on what is selected, without the white space at its ends: null where that leaves nothing. */
export function selectionAnchor({ content, selection }: Selecting): Anchor | 'too much' | null {
  if (!selection) return null
  const start = selection.start + selection.text.length - selection.text.trimStart().length
  const end = selection.end - selection.text.length + selection.text.trimEnd().length
  if (start >= end) return null
  return end - start > limits.anchorLength ? 'too much' : anchorAt(content, start, end)
}

/**
 * The revision of the text that is written now, once the server has it: an anchor made on it can be followed from
 * there, however much is written meanwhile. Null where the text is another by then.
 */
export async function revisionNow(session: Selecting): Promise<number | null> {
  const { content } = session
  if (session.unsaved) await session.saveNow().catch(() => undefined)
  return !session.unsaved && session.content === content ? session.document.revision : null
}
