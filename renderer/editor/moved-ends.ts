import type { ChangeSet } from '@codemirror/state'
import { toLf } from '../../server/domain/line-endings.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import { endingAt, type WantedEnds } from './line-breaks.ts'
import { Offsets } from './offsets.ts'

/** How lines end that a change moves: as they did where they were. */
export function movedEnds(before: string, changes: ChangeSet): WantedEnds {
  let [hunks, start, end, isWithLines] = [0, changes.length, 0, false]
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    hunks++
    start = Math.min(start, fromA)
    end = toA
    isWithLines ||= inserted.lines > 1
  })
  if (hunks < 2 || !isWithLines) return {}
  const offsets = new Offsets(before)
  const shown = toLf(before)
  const isSameLength = changes.length === changes.newLength
  return (
    (isSameLength ? linesInOtherOrder({ before, shown, offsets, changes, start, end }) : null) ??
    movedText(before, offsets, changes)
  )
}

interface Moving {
  before: string
  shown: string
  offsets: Offsets
  changes: ChangeSet
  /** All that changes, in line feeds. */
  start: number
  end: number
}

/** Where the same lines stand in another order, each has its own end. The last of a text has none. */
function linesInOtherOrder({ before, shown, offsets, changes, start, end }: Moving): WantedEnds | null {
  const first = shown.lastIndexOf('\n', start - 1) + 1
  const next = shown.indexOf('\n', end)
  const last = next < 0 ? shown.length : next
  const after = changes.apply(textOf(shown)).sliceString(first, last).split('\n')
  const ends = new Map<string, string[]>()
  let at = first
  for (const line of shown.slice(first, last).split('\n')) {
    at += line.length
    const ending = endingAt(before, offsets.toStored(at))
    ends.set(line, [...(ends.get(line) ?? []), ending])
    at++
  }
  const now = after.map((line) => ends.get(line)?.shift())
  if (now.includes(undefined)) return null
  if (next < 0) {
    now[now.indexOf('')] = now.at(-1)
    now[now.length - 1] = ''
  }
  const [put, left, back] = [[] as (string | undefined)[], new Map<number, string>(), changes.invertedDesc]
  const isPut = placesPut(changes)
  at = first
  for (const [i, line] of after.entries()) {
    at += line.length
    const ending = now[i]
    if (ending && isPut(at)) put.push(ending)
    else if (ending) left.set(back.mapPos(at, 1), ending)
    at++
  }
  for (const [place, ending] of left)
    if (endingAt(before, offsets.toStored(place)) === ending) left.delete(place)
  return { put, left }
}

function placesPut(changes: ChangeSet): (at: number) => boolean {
  const ranges: { from: number; to: number }[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => ranges.push({ from, to }))
  return (at) => ranges.some(({ from, to }) => from <= at && at < to)
}

/** The ends of what is taken out in one place and put in at another. */
function movedText(before: string, offsets: Offsets, changes: ChangeSet): WantedEnds {
  const taken: string[] = []
  changes.iterChangedRanges((fromA, toA) =>
    taken.push(before.slice(offsets.toStored(fromA), offsets.toStored(toA))),
  )
  const put: (string | undefined)[] = []
  changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    if (inserted.lines === 1) return
    const text = inserted.toString()
    const moved = taken.find((one) => /[\r\n]/.test(one) && text.includes(toLf(one))) ?? ''
    const known = text.indexOf(toLf(moved))
    const [ends, first] = [moved.match(/\r\n?|\n/g) ?? [], text.slice(0, known).split('\n').length - 1]
    for (let i = 0; i < inserted.lines - 1; i++) put.push(ends[i - first])
  })
  return { put }
}
