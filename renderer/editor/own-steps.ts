import { Transaction } from '@codemirror/state'
import type { Doing } from '../../server/domain/doing.ts'

/** Whether undo or redo has made it. */
export const isByHistory = (transaction: Transaction) =>
  transaction.isUserEvent('undo') || transaction.isUserEvent('redo')

/** Whether it can be undone, or undoes something. */
export const isTyped = (transaction: Transaction) =>
  transaction.annotation(Transaction.addToHistory) !== false

/** By what a transaction that comes from nowhere else has changed the text. */
export function doingOf(transaction: Transaction): Doing {
  if (transaction.isUserEvent('undo')) return 'undo'
  if (transaction.isUserEvent('redo')) return 'redo'
  return isTyped(transaction) ? 'typing' : 'mend'
}
