import { EditorState, Prec } from '@codemirror/state'

/**
 * Words that are dropped where they stand stay as they are: put in anew, they would no longer be those that somebody
 * commented on, and where one suggests, a suggestion of themselves. Asked first.
 */
export const droppedInPlace = Prec.lowest(
  EditorState.transactionFilter.of((transaction) => {
    if (!transaction.isUserEvent('move.drop')) return transaction
    let ranges = 0
    transaction.changes.iterChangedRanges(() => ranges++)
    // What is taken out and put in at one place is one range.
    return ranges === 1 ? { selection: transaction.startState.selection } : transaction
  }),
)
