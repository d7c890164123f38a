import type { Hunk } from './hunk.ts'

/**
 * The same changes between two texts, none of which cuts through lines where whole ones may as well be taken for what is
 * put in: only these are what people see.
 */
export const inToldLines = (before: string, after: string, hunks: readonly Hunk[]): Hunk[] =>
  hunks.flatMap((hunk, i) => {
    const [least, most] = [hunks[i - 1]?.toA ?? -1, hunks[i + 1]?.fromA ?? before.length + 1]
    return renumbered(before, after, hunk, least) ?? wholeLines(before, after, hunk, most)
  })

/**
 * Of `- a word` that becomes `- a word`, `- one word`, what is put in may as well be taken for `word`, `- one ` as for
 * the line.
 */
function wholeLines(before: string, after: string, hunk: Hunk, most: number): Hunk {
  const { fromA, toA, fromB, toB } = hunk
  const insert = after.slice(fromB, toB)
  const by = insert.indexOf('\n')
  if (fromA < toA || by < 1 || insert[by - 1] === '\r') return hunk
  const at = fromA + by
  const isLineEnd = at === before.length || before[at] === '\n'
  if (!isLineEnd || at >= most || !before.startsWith(insert.slice(0, by), fromA)) return hunk
  return { fromA: at, toA: at, fromB: fromB + by, toB: toB + by }
}

const numbered = /^([ \t]*)(\d{1,9})([.)][ \t]+)$/

/**
 * Of `2. Two` that becomes `2. New`, `3. Two`, what is put in may as well be taken for `New` and the `3. ` as for a line
 * before that and another number: only the latter tells that the item has that. Null where nothing is to be told so.
 */
function renumbered(
  before: string,
  after: string,
  { fromA, toA, fromB, toB }: Hunk,
  least: number,
): Hunk[] | null {
  const insert = after.slice(fromB, toB)
  const start = before.lastIndexOf('\n', fromA - 1)
  const line = insert.lastIndexOf('\n')
  if (fromA < toA || line < 0 || start <= least || before[start - 1] === '\r') return null
  const [mark, indent, old, end] = numbered.exec(before.slice(start + 1, fromA)) ?? []
  const now = numbered.exec(insert.slice(line + 1))
  if (mark === undefined || !now || now[1] !== indent || now[3] !== end || now[2] === old) return null
  const [numberA, numberB] = [start + 1, fromB + line + 1].map((at) => at + indent!.length)
  return [
    { fromA: start, toA: start, fromB: fromB - (fromA - start), toB: fromB + line },
    { fromA: numberA!, toA: numberA! + old!.length, fromB: numberB!, toB: numberB! + now[2]!.length },
  ]
}
