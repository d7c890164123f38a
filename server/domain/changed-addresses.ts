import type { Range } from '../contract/records/anchors.ts'
import { linkAddress } from './link-address.ts'
import type { WordChange } from './word-changes.ts'

/** A change; where it is only of where a link leads, with the link’s words. */
export type ReadChange = WordChange & { words: Range | null }

/** No link’s words or address are looked at further than that. */
const near = 2_000

const isAddress = new RegExp(`^${linkAddress}$`)

/**
 * The same changes, but that all of them in one link’s address are one: the whole address that was there, instead of the
 * letters of it that are others.
 */
export function joinAddresses(content: string, changes: readonly WordChange[]): ReadChange[] {
  const read: ReadChange[] = []
  for (let i = 0; i < changes.length;) {
    const change = changes[i]!
    const link = linkAround(content, change)
    const found = link && joined(content, changes, i, link.address)
    const isFree = (read.at(-1)?.end ?? 0) <= (link?.address.start ?? 0)
    if (found && isFree) read.push({ ...link.address, removed: found.removed, words: link.words })
    else read.push({ ...change, words: null })
    i = found && isFree ? found.next : i + 1
  }
  return read
}

function joined(content: string, changes: readonly WordChange[], first: number, { start, end }: Range) {
  let [removed, at, next] = ['', start, first]
  for (; next < changes.length && changes[next]!.end <= end; next++) {
    const change = changes[next]!
    removed += content.slice(at, change.start) + change.removed
    at = change.end
  }
  removed += content.slice(at, end)
  const isWithin = next === changes.length || changes[next]!.start >= end
  return isWithin && isAddress.test(`(${removed})`) ? { removed, next } : null
}

/** The link in whose address a stretch is, with what is between its brackets and between its parentheses. */
function linkAround(content: string, { start, end }: Range): { words: Range; address: Range } | null {
  const from = Math.max(0, start - near)
  const closes = from + content.slice(from, start).lastIndexOf('](')
  if (closes < from) return null
  const found = new RegExp(linkAddress, 'y').exec(content.slice(closes + 1, closes + near))
  if (!found) return null
  const address = { start: closes + 2, end: closes + found[0].length }
  if (end > address.end) return null
  let depth = 1
  for (let at = closes - 1; at >= Math.max(0, closes - near); at--) {
    if (content[at - 1] === '\\') continue
    if (content[at] === ']') depth++
    if (content[at] === '[' && --depth === 0)
      return content[at - 1] === '!' ? null : { words: { start: at + 1, end: closes }, address }
  }
  return null
}
