import type { ChangeSpec, Transaction } from '@codemirror/state'
import type { Weave } from './weave.ts'

/** What brings a text in order that undo or redo has left, where others have changed it since. */
export function tidying(_transaction: Transaction, _weave: Weave): { from: number; to?: number; insert?: string }[] {
  return []
}
export type Tidied = ChangeSpec
