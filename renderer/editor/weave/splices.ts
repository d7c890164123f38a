import type { ChangeSet } from '@codemirror/state'
import type { Splice } from './weave.ts'

export function splicesOf(changes: ChangeSet): Splice[] {
  const found: Splice[] = []
  changes.iterChanges(
    (from, to, _fromB, _toB, inserted) => found.push({ from, to, insert: inserted.toString() }),
    true,
  )
  return found
}
