import { invertedEffects, undoDepth } from '@codemirror/commands'
import { StateEffect, StateField, Transaction, type Extension } from '@codemirror/state'
import type { AlikeWords } from '../../server/contract/records/changes.ts'
import type { Doing, OwnStep } from '../../server/domain/doing.ts'

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

/** What is to be told of words that others wrote alike, in the text after it. */
export const tellAlike = StateEffect.define<readonly AlikeWords[]>()
const takesBack = StateEffect.define<number>()

const counted = StateField.define<number>({
  create: () => 1,
  update: (number, { changes, effects }) => (changes.empty && effects.length === 0 ? number : number + 1),
})

export const numberOf = ({ startState }: Pick<Transaction, 'startState'>) =>
  startState.field(counted, false) ?? 0

export const takenBackBy = ({ effects }: Pick<Transaction, 'effects'>) =>
  effects.flatMap((effect) => (effect.is(takesBack) ? [effect.value] : []))

/** Transactions that come at once are one. */
export function ownStepOf(transactions: readonly Transaction[]): OwnStep {
  const doings = transactions.map(doingOf)
  const [first] = transactions
  const doing = doings.find((one) => one === 'undo' || one === 'redo') ?? doings.at(-1) ?? 'typing'
  return {
    doing,
    number: first ? numberOf(first) : 0,
    goesOn:
      doing === 'typing' && first !== undefined && undoDepth(first.startState) === undoDepth(first.state),
    takesBack: transactions.flatMap(takenBackBy),
    alike: transactions.flatMap(({ effects }) =>
      effects.flatMap((one) => (one.is(tellAlike) ? one.value : [])),
    ),
  }
}

/**
 * Has undo and redo tell what they take back, by its numbers. Places in effects that the history keeps don’t stay right:
 * it makes one step of two by other places than those by which it takes in what comes from elsewhere.
 */
export const numberedSteps = (isStep: (transaction: Transaction) => boolean): Extension => [
  counted,
  invertedEffects.of((transaction) => (isStep(transaction) ? [takesBack.of(numberOf(transaction))] : [])),
]
