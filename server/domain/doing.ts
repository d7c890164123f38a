import type { ChangeDesc } from '@codemirror/state'
import { followTaken, type TakenWords } from './taken-words.ts'

/**
 * By what one’s own text has changed; a mend is what is done after undo or redo to what they have left. What is done
 * beside the editor isn’t its history’s to take back.
 */
export type Doing = 'typing' | 'undo' | 'redo' | 'mend' | 'beside'

/**
 * How much was taken out since, which undo and redo bring back before they come to these: anywhere, since what is near
 * may not be by then.
 */
export interface Since {
  undo: number
  redo: number
}

/** Words of others may stand between where words were taken out and where the history brings them back. */
const near = 32

export const touches = ({ at }: Pick<TakenWords, 'at'>, from: number, to: number) =>
  at.start <= to + near && from <= at.end + near

/** The same after something that was done here. */
export function afterDoing<One extends TakenWords & { since: Since }>(
  one: One,
  changes: ChangeDesc,
  doing: Doing,
): One {
  if (doing === 'mend' || doing === 'beside') return followTaken(one, changes)
  let [removed, put] = [0, 0]
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    removed += toA - fromA
    put += toB - fromB
  })
  const { undo, redo } = one.since
  const since =
    doing === 'undo'
      ? { undo: Math.max(0, undo - put), redo: redo + removed }
      : { undo: undo + removed, redo: doing === 'redo' ? Math.max(0, redo - put) : 0 }
  return { ...followTaken(one, changes), since }
}
