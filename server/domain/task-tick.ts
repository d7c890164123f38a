import type { Range } from '../contract/records/anchors.ts'
import { lineSigns } from './sign-change.ts'

/** What ticks a task, or unticks it, and changes nothing else. */
export interface TaskTick {
  isDone: boolean
  /** Its line as it is, and as it becomes. */
  original: string
  suggested: string
  /** How much of the line stands before what is changed. */
  lead: number
  /** Where its words begin in the line. */
  signs: number
}

const box = /\[([ xX])\][ \t]+$/

/** Whether what one stretch of a text becomes ticks a task, told by what stands around it; null where it does anything else. */
export function taskTick(
  before: string,
  { original, suggested }: { original: string; suggested: string },
  after: string,
): TaskTick | null {
  const begin = before.slice(before.lastIndexOf('\n') + 1)
  const rest = /^[^\r\n]*/.exec(after)![0]
  const [was, will] = [begin + original + rest, begin + suggested + rest]
  const [old, now] = [was, will].map((line) => lineSigns.exec(line)![0])
  if (begin.length + original.length > old!.length || was.slice(old!.length) !== will.slice(now!.length))
    return null
  const [wasDone, isDone] = [old!, now!].map((signs) => {
    const [, sign] = box.exec(signs) ?? []
    return sign === undefined ? null : sign !== ' '
  })
  if (wasDone === null || isDone === null || wasDone === isDone) return null
  return { isDone: isDone!, original: was, suggested: will, lead: begin.length, signs: old!.length }
}

/** So much of a line is looked at before a change of a task’s box, and behind it. */
const [mostBefore, mostBehind] = [120, 1000]

/** The same of a place in a text. */
export function taskTickIn(
  content: string,
  { start, end }: Range,
  suggested: string,
): (TaskTick & { range: Range }) | null {
  const before = content.slice(Math.max(0, start - mostBefore), start)
  const after = content.slice(end, end + mostBehind).toWellFormed()
  const tick = taskTick(before, { original: content.slice(start, end), suggested }, after)
  if (!tick) return null
  const from = start - tick.lead
  return { ...tick, range: { start: from, end: from + tick.original.length } }
}
