import type { Anchor, Range } from '../../../../server/contract/records/anchors.ts'
import { findInsertion } from '../../../../server/domain/anchors/insertion-place.ts'
import { shownSize } from '../../../../server/domain/shown-size.ts'
import { countLeadingTo } from '../../../../server/domain/file-references.ts'
import { storedName } from '../stored-name.ts'
import { placeAnchor } from '../../../../server/domain/anchors/place-anchor.ts'

/** What adds a file: the text itself, or a suggestion. */
export type WayOfAdding = 'editing' | 'suggesting'

/** A file that a text is to have and the server hasn’t got yet, kept in the browser. */
export interface WaitingFile {
  id: string
  documentId: string
  /** Of the link that it came by; null for a document of one’s own. */
  token: string | null
  /** The window that has it before it. */
  writer: string
  way: WayOfAdding
  /** When it was added, in milliseconds since 1970, and in this order: no two have the same. */
  order: number
  name: string
  type: string
  size: number
  /** Where it is to stand in the text with line feeds; its words are those whose place it takes. */
  anchor: Anchor
  /** What is just being written into the text for it. */
  placing: string | null
  /** How many places of the text led to the same file before: it may have been pasted more than once. */
  ledThere?: number
  /** Why it was refused. */
  refusal: string | null
}

/** So much waits in one browser at most, of all documents. */
export const mostWaiting = { bytes: 50 * 1024 * 1024, files: 100 }

const day = 24 * 60 * 60 * 1000
/** Whether nobody has come back to it for so long that it needn’t wait any more, where there is a new one to wait. */
export const isForgotten = ({ order }: Pick<WaitingFile, 'order'>, now: number): boolean =>
  now - order > 90 * day

/** There is no room for one more to wait. */
export class NoRoomToWait extends Error {
  constructor() {
    super(
      `There is no connection, and no room for it to wait: at most ${shownSize(mostWaiting.bytes)} and ${mostWaiting.files} files wait in one browser.`,
    )
  }
}

/** @throws NoRoomToWait */
export function requireRoom(waiting: readonly Pick<WaitingFile, 'size'>[], size: number): void {
  const bytes = waiting.reduce((sum, one) => sum + one.size, size)
  if (bytes > mostWaiting.bytes || waiting.length >= mostWaiting.files) throw new NoRoomToWait()
}

/** How many places of a text lead to one of its files, by its path. */
export const timesLeadingTo = (text: string, path: string): number =>
  countLeadingTo(text, storedName(path) ?? '')

/** Whether it stands in a text already: the page went just as it was written there. */
export const isPlaced = ({ placing, ledThere = 0 }: WaitingFile, text: string): boolean =>
  placing !== null && timesLeadingTo(text, placing) > ledThere

const budget = () => ({ left: 20_000_000 })

/**
 * Where a file is to stand in a text that may have changed meanwhile, with the words that it replaces if they are there
 * as they were; null where that is gone.
 */
export function placeFor(text: string, anchor: Anchor): Range | null {
  const { exact, prefix, suffix } = anchor
  if (exact !== '') {
    const found = placeAnchor(text, anchor, budget())
    if (found)
      return text.slice(found.start, found.end) === exact ? found : { start: found.end, end: found.end }
  }
  // What was typed last on one side of it may be missing on the other.
  for (const around of [anchor, { ...anchor, suffix: '' }, { ...anchor, prefix: '' }]) {
    if (around.prefix + around.suffix === '' && prefix + suffix !== '') continue
    const place = findInsertion(text, { ...around, exact: '' }, budget())
    if (place) return place
  }
  return null
}
