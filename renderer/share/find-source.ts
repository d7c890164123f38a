import type { Anchor } from '../../server/contract/records/anchors.ts'
import { anchorAt } from '../../server/domain/anchors/anchor.ts'
import type { SourceRange } from '../../server/markdown/rendered.ts'
import { wholeMarkup } from '../../server/markdown/whole-markup.ts'
import { ApiError, isAnswer } from '../api/client-of.ts'
import type { Reader } from './reader.svelte.ts'
import { shownBlocks } from './shown-blocks.ts'
import { sourceAnchor } from './source-anchor.ts'
import type { Subject } from './subject.ts'

/** What a suggestion is made on. */
export interface FoundSource {
  anchor: Anchor
  /** Whether it is the source of all of the blocks, since that of the chosen words can’t be told from the rest. */
  whole: boolean
  /** Whether it takes in more than was chosen, so that no half of some markup is left. */
  wider: boolean
  /** The text that the anchor stands in, if it is known. */
  source: string | null
}

/** The stretch of its source that an anchor names. */
export const rangeOf = ({ exact, start }: Anchor): SourceRange => ({ start, end: start + exact.length })

/** The anchor over another stretch of the same text. */
export const anchorOver = (anchor: Anchor, source: string, { start, end }: SourceRange): Anchor => ({
  ...anchor,
  ...anchorAt(source, start, end),
})

/**
 * The source of what is suggested on, also where nobody can be asked: from the text as it was last read, if that is the
 * text on the page. `whole` says that it is that of all of the blocks.
 */
export async function findSource(reader: Reader, subject: Subject): Promise<FoundSource | null> {
  const { anchors, offline, pane } = reader
  try {
    const anchor = await anchors.find(subject)
    return anchor && (await inWholeMarkup(reader, anchor))
  } catch (error) {
    const { chosen } = subject
    if (!(error instanceof ApiError) || isAnswer(error) || !chosen) throw error
    const document = await offline.kept()
    const blocks = document?.revision === chosen.revision ? shownBlocks(pane.element, chosen) : null
    const found = document && blocks && sourceAnchor(document.content, blocks)
    if (!found) throw error
    const anchor = { ...found.anchor, revision: chosen.revision }
    return { ...found, anchor, wider: false, source: document.content }
  }
}

async function inWholeMarkup(reader: Reader, anchor: Anchor): Promise<FoundSource> {
  const document = await reader.offline.document().catch(() => null)
  const source = document?.content ?? ''
  const range = rangeOf(anchor)
  // Of another text than it was found in nothing can be said.
  const isOther = anchor.revision !== undefined && anchor.revision !== document?.revision
  if (isOther || source.slice(range.start, range.end) !== anchor.exact)
    return { anchor, whole: false, wider: false, source: null }
  const wide = wholeMarkup(source, range)
  const wider = wide.start < range.start || wide.end > range.end
  return { anchor: anchorOver(anchor, source, wide), whole: false, wider, source }
}
