import { ChangeSet } from '@codemirror/state'
import type { Side } from './carried-edits.ts'
import { joinTouching, type Hunk } from './hunk.ts'
import { textOf } from './shared-text.ts'

/** A side without some of what it did, and what makes that of it. */
export function withoutThese(
  base: string,
  [text, hunks]: Side,
  gone: ReadonlySet<Hunk>,
): { side: Side; reverted: ChangeSet } {
  const reverted = ChangeSet.of(
    [...gone].map(({ fromA, toA, fromB, toB }) => ({
      from: fromB,
      to: toB,
      insert: textOf(base.slice(fromA, toA)),
    })),
    text.length,
  )
  const rest = hunks
    .filter((hunk) => !gone.has(hunk))
    .map((hunk) => ({ ...hunk, fromB: reverted.mapPos(hunk.fromB), toB: reverted.mapPos(hunk.toB) }))
  return { side: [reverted.apply(textOf(text)).toString(), rest], reverted }
}

export const changeOf = (length: number, hunks: readonly Hunk[], text: string) =>
  ChangeSet.of(
    hunks.map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: textOf(text.slice(fromB, toB)),
    })),
    length,
  )

export function hunksOf(changes: ChangeSet): Hunk[] {
  const hunks: Hunk[] = []
  changes.iterChanges((fromA, toA, fromB, toB) => hunks.push({ fromA, toA, fromB, toB }))
  return joinTouching(hunks)
}
