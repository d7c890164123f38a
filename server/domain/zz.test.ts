import { ChangeSet, Text } from '@codemirror/state'
import { test } from 'vitest'
import { crossedMarks } from './crossed-marks.ts'
import { rebase } from './rebase.ts'
for (const n of [100, 400, 1600])
test(`cost ${n}`, () => {
  const base = Array.from({ length: n }, (_, i) => `one two three ${i}\n\n`).join('')
  const put = (mark: string, from: string, to: string) => {
    const specs: { from: number; insert: string }[] = []
    for (let at = base.indexOf('one'); at >= 0; at = base.indexOf('one', at + 1)) {
      specs.push({ from: base.indexOf(from, at), insert: mark }, { from: base.indexOf(to, at) + to.length, insert: mark })
    }
    return ChangeSet.of(specs, base.length)
  }
  const mine = put('**', 'one', 'two'), theirs = put('*', 'two', 'three')
  const waiting = [{ changes: mine }] as never
  const { ours, over } = rebase(waiting, theirs)
  const text = Text.of(over.apply(mine.apply(Text.of(base.split('\n')))).toString().split('\n'))
  const t = performance.now()
  const r = crossedMarks(waiting, ours as never, { theirs, over, text })
  console.log(n, Math.round(performance.now() - t), 'ms', r.standing?.length ?? r)
})
