import type { Range } from '../contract/records/anchors.ts'
import type { Hunk } from './hunk.ts'
import type { JoinedText } from './joined-text.ts'
import { addLines } from './put-lines.ts'
import { separator } from './separator.ts'
import { setAmong, shiftOf, type SetAmong } from './set-among.ts'
import { isAllOfLines, isOfLines } from './whole-lines.ts'

/** Words that one side put in where the other changed the passage around them: they alone are kept of that. */

interface Cluster extends Range {
  byMine: Hunk[]
  byTheirs: Hunk[]
}

/**
 * Where they took out all around what I put in, the same as moved by white space that is alike at both of its ends, so
 * that what is left stands well around that.
 */
export function shifted<One extends Cluster>(base: string, cluster: One, mine: string, room: Range): One {
  const { start, end, byMine, byTheirs } = cluster
  const [first, last] = [byMine[0], byMine.at(-1)]
  if (!first || !last || !tookAllOut(cluster)) return cluster
  const put = { start: first.fromA, end: last.toA, words: mine.slice(first.fromB, last.toB) }
  const by = shiftOf(base, { start, end }, put, room)
  if (by === 0) return cluster
  const moved = byTheirs.map(({ fromB, toB }) => ({ fromB: fromB + by, toB: toB + by }))
  return {
    ...cluster,
    start: start + by,
    end: end + by,
    byTheirs: [{ fromA: start + by, toA: end + by, fromB: moved[0]!.fromB, toB: moved.at(-1)!.toB }],
  }
}

const tookAllOut = ({ start, end, byTheirs }: Cluster) =>
  start < end &&
  byTheirs.every(({ fromB, toB }) => fromB === toB) &&
  byTheirs.reduce((length, { fromA, toA }) => length + toA - fromA, 0) === end - start

/**
 * Adds what I put in, without what they changed around it, and answers it as it stands there.
 * @param behind what comes behind all of it; null where that isn’t known
 */
export function addPut(
  joined: JoinedText,
  base: string,
  mine: string,
  cluster: Cluster,
  behind: string | null,
): string {
  const begin = joined.text.length
  if (isLeftOfLines(base, cluster)) {
    addLines(joined, base, mine, cluster, behind)
    return joined.text.slice(begin)
  }
  const pieces = cluster.byMine.map((hunk) => ({ ...hunk, words: mine.slice(hunk.fromB, hunk.toB) }))
  const space = spaceAround(joined.text, base, mine, cluster, behind)
  let at = cluster.start
  let head = space.head
  let left = pieces.reduce((length, { words }) => length + words.length, 0) - space.tail
  for (const { fromA, toA, words } of pieces) {
    const isBesideSpace = joined.text.length > begin && /[ \t]$/.test(joined.text.slice(-1))
    const from = Math.min(words.length, isBesideSpace ? words.search(/[^ \t]|$/) : head)
    const to = Math.max(from, Math.min(words.length, left))
    head = Math.max(0, head - from)
    left -= words.length
    const kept = words.slice(from, to)
    joined.add('', fromA - at + from, 0)
    if (joined.text.length === begin) joined.setApartBefore(kept === '' ? '' : space.front)
    else joined.setApart(separator(joined.text, kept))
    joined.add(kept, null, 0)
    joined.add('', words.length - to, 0)
    at = toA
  }
  joined.add('', cluster.end - at, 0)
  joined.setApart(space.back)
  return joined.text.slice(begin)
}

function isLeftOfLines(base: string, cluster: Cluster): boolean {
  const { start, end } = cluster
  return tookAllOut(cluster)
    ? isOfLines(base, cluster) || isAllOfLines(base, cluster)
    : isOfLines(base, cluster) && base.slice(start, end).includes('\n')
}

function spaceAround(
  before: string,
  base: string,
  mine: string,
  cluster: Cluster,
  behind: string | null,
): SetAmong {
  const { start, end, byMine } = cluster
  const [first, last] = [byMine[0]!, byMine.at(-1)!]
  const put = byMine.map(({ fromB, toB }) => mine.slice(fromB, toB)).join('')
  const takenBefore = base.slice(start, first.fromA)
  if (!tookAllOut(cluster))
    return { front: takenBefore && separator(before, put), head: 0, tail: 0, back: '' }
  return setAmong({ before, put, behind, takenBefore, takenBehind: base.slice(last.toA, end) })
}
