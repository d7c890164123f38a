import type { Text } from '@codemirror/state'

/** Which marks of bold and the like, and of links, stand around nothing but words that go. */

export interface Place {
  from: number
  to: number
}

/** A place of which nothing is left but marks. */
export interface Emptied extends Place {
  /** In order. */
  marks: readonly Place[]
}

/** Whether all between two places is in places that are known. */
export function areKnown(known: readonly Place[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!known.some((one) => one.from <= at && at < one.to)) return false
  return true
}

/**
 * @param gone in order
 * @param known where marks may be that go along
 */
export function emptiedMarks(doc: Text, gone: readonly Place[], known: readonly Place[]): Emptied[] {
  const isMark = (from: number, to: number) => areKnown(known, from, to)
  let all: Emptied[] = gone.map(({ from, to }) => {
    // A link’s words have their brackets escaped.
    const isEscaped =
      /^\\[[\]]$/.test(doc.sliceString(Math.max(0, from - 1), from + 1)) && isMark(from - 1, from)
    return isEscaped ? { from: from - 1, to, marks: [{ from: from - 1, to: from }] } : { from, to, marks: [] }
  })
  for (let isMore = true; isMore;) {
    isMore = false
    all = joined(all).map((one) => {
      const pair = pairAround(doc, one, isMark)
      isMore ||= pair !== null
      if (!pair) return one
      const [before, behind] = [
        { from: one.from - pair.before, to: one.from },
        { from: one.to, to: one.to + pair.behind },
      ]
      return { from: before.from, to: behind.to, marks: [before, ...one.marks, behind] }
    })
  }
  return all.filter(({ marks }) => marks.length > 0)
}

function joined(all: readonly Emptied[]): Emptied[] {
  const found: Emptied[] = []
  for (const one of all) {
    const last = found.at(-1)
    if (last && last.to >= one.from)
      found[found.length - 1] = { from: last.from, to: one.to, marks: [...last.marks, ...one.marks] }
    else found.push(one)
  }
  return found
}

const longest = 2000

/** How long the marks are that belong together right around a place; null where none do. */
function pairAround(
  doc: Text,
  { from, to }: Place,
  isMark: (from: number, to: number) => boolean,
): { before: number; behind: number } | null {
  const sign = from > 0 ? doc.sliceString(from - 1, from) : ''
  const rest = doc.sliceString(to, to + longest)
  if (sign === '[') {
    const behind = /^\]\([^()\s]*\)/.exec(rest)?.[0].length ?? 0
    return behind > 0 && isMark(from - 1, from) && isMark(to, to + behind) ? { before: 1, behind } : null
  }
  if (!/^[*_~`]$/.test(sign)) return null
  let [before, behind] = [0, 0]
  while (
    doc.sliceString(from - before - 1, from - before) === sign &&
    isMark(from - before - 1, from - before)
  )
    before++
  while (rest[behind] === sign && isMark(to + behind, to + behind + 1)) behind++
  const words = doc.sliceString(from, to)
  // As many on either side belong together however they stand; else these only where they can begin and end something.
  const length = before === behind || words === words.trim() ? Math.min(before, behind) : 0
  return length > 0 ? { before: length, behind: length } : null
}
