import type { Anchor } from '../../server/contract/records/anchors.ts'
import { anchorAt } from '../../server/domain/anchors/anchor.ts'
import { markup, readSource } from '../reading/read-source.ts'

/** Blocks of the page that hold what was chosen, all without white space. */
export interface ShownBlocks {
  /** Where their source begins, and where the next block’s does; null where none follows. */
  start: number
  end: number | null
  /** What they say. */
  shown: string
  /** What of it was chosen, and how many characters stand before it. */
  chosen: string
  before: number
}

/** Written as several characters, shown as one. */
const units = /\\[!-/:-@[-`{-~]|&#?\w+;|[\uD800-\uDBFF][\uDC00-\uDFFF]/g

/**
 * The source of what was chosen, found without the server; `whole` says that it is the source of all of the blocks,
 * because what shows can’t be told from what doesn’t. Null where there is no source.
 */
export function sourceAnchor(source: string, blocks: ShownBlocks): { anchor: Anchor; whole: boolean } | null {
  const text = source.slice(blocks.start, blocks.end ?? source.length)
  // Signs at an end of what was chosen may be others than those that show.
  const asItStands = /^[^*_~`[\]\\].*[^*_~`[\]\\]$|^[^*_~`[\]\\]$/s.test(blocks.chosen)
  const found = findIn(text, markup, blocks) ?? (asItStands ? findIn(text, null, blocks) : null)
  const range = found ?? { start: text.search(/\S/), end: text.trimEnd().length }
  if (range.start < 0) return null
  const anchor = anchorAt(source, blocks.start + range.start, blocks.start + range.end)
  return { anchor, whole: found === null }
}

/** Where the chosen words stand, if the text says them as often as the page does. */
function findIn(text: string, unseen: RegExp | null, { shown, chosen, before }: ShownBlocks) {
  const { said, places } = readSource(text, unseen)
  const onPage = placesOf(shown, chosen)
  const inText = placesOf(said, chosen)
  const place = inText[onPage.indexOf(before)]
  if (place === undefined || inText.length !== onPage.length) return null
  const start = places[place]!
  const end = places[place + chosen.length - 1]! + 1
  if (!canBeAfter(text.slice(0, start), before)) return null
  const cuts = ({ index, 0: unit }: RegExpExecArray) =>
    [start, end].some((edge) => index < edge && edge < index + unit.length)
  return [...text.matchAll(units)].some(cuts) ? null : { start, end }
}

/**
 * Whether the page can show so many characters of a source: its letters and digits at least, and no more than there are.
 * What is said as often elsewhere, in other formatting, is told from it by that.
 */
function canBeAfter(source: string, shown: number): boolean {
  const { said } = readSource(source.replace(/&#?\w+;/g, ''))
  const least = said.replace(/[^\p{L}\p{N}]/gu, '').length
  return least <= shown && shown <= readSource(source, null).said.length
}

function placesOf(text: string, words: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) places.push(at)
  return places
}
