import { ChangeSet, Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { crossedMarks } from './crossed-marks.ts'
import { rebase } from './rebase.ts'

/** Each pair of marks against all others would take minutes. */
test('thousands of formats that cross at one time are put apart, each by itself', () => {
  const line = (words: string) => `${words}\n\n`.repeat(2_000)
  const base = line('one two three')
  const marked = (mark: string, first: string, last: string) => {
    const marks: { from: number; insert: string }[] = []
    for (let at = base.indexOf('one'); at >= 0; at = base.indexOf('one', at + 1)) {
      const [from, to] = [base.indexOf(first, at), base.indexOf(last, at) + last.length]
      marks.push({ from, insert: mark }, { from: to, insert: mark })
    }
    return ChangeSet.of(marks, base.length)
  }
  const [mine, theirs] = [marked('**', 'one', 'two'), marked('*', 'two', 'three')]
  const waiting = [{ changes: mine, goesOn: false }]
  const { ours, over } = rebase(waiting, theirs)
  const text = over.apply(mine.apply(Text.of(base.split('\n'))))
  const { changes } = crossedMarks(waiting, ours, { theirs, over, text })
  expect(changes.apply(text).toString()).toBe(line('**one** ***two** three*'))
})
