import { invertedEffects } from '@codemirror/commands'
import { StateEffect, StateField, Transaction, type Extension } from '@codemirror/state'
import type { Doing, StepPart } from '../../server/domain/doing.ts'

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

/** What undo and redo tell of steps that count no more, or again. */
export interface ToldStep {
  /** The step that what it puts in and takes out belongs to, if it is one of its own. */
  part: number | null
  undone: readonly number[]
  redone: readonly number[]
  /** What was written by steps that count no more, and stands since others have written it, too. */
  standing: readonly StepPart[]
}

export const toldStep = StateEffect.define<ToldStep>()
export const takesBack = StateEffect.define<number>()

export const counted = StateField.define<number>({
  create: () => 1,
  update: (number, { changes, effects }) => (changes.empty && effects.length === 0 ? number : number + 1),
})

export const numberOf = ({ startState }: Pick<Transaction, 'startState'>) =>
  startState.field(counted, false) ?? 0

export const takenBackBy = ({ effects }: Pick<Transaction, 'effects'>) =>
  effects.flatMap((effect) => (effect.is(takesBack) ? [effect.value] : []))

/**
 * Has undo and redo of what isn’t in the text alone tell what they take back, by its numbers. Places in effects that the
 * history keeps don’t stay right: it makes one step of two by other places than those by which it takes in what comes from
 * elsewhere.
 */
export const numberedSteps = (isStep: (transaction: Transaction) => boolean): Extension => [
  counted,
  invertedEffects.of((transaction) => (isStep(transaction) ? [takesBack.of(numberOf(transaction))] : [])),
]
