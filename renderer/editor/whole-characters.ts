import { EditorState, Prec, type ChangeSpec, type Extension, type Text } from '@codemirror/state'
import { fromElsewhere } from './own-undo.ts'

/**
 * Keeps half characters out of the text, which the server can’t store: other programs cut an emoji in two when they
 * copy, and some commands delete half of one. What comes in as a half is U+FFFD instead; of a character that would be
 * parted the rest goes, too; what would be put in the middle of one is put behind it.
 */
export const wholeCharacters: Extension = Prec.lowest(
  // The first filter: whatever else becomes of a change is worked out of whole characters.
  EditorState.transactionFilter.of((transaction) => {
    // What the server has made of a text, the editor shows to the letter.
    if (!transaction.docChanged || transaction.annotation(fromElsewhere)) return transaction
    const { startState, newDoc } = transaction
    const mends: ChangeSpec[] = []
    transaction.changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
      if (fromA === toA && isParted(startState.doc, fromA)) {
        // Its second half moves before what was put in.
        mends.push({ from: fromB, insert: newDoc.sliceString(toB, toB + 1) }, { from: toB, to: toB + 1 })
        mends.push(...halvesWithin(inserted, fromB))
        return
      }
      const isCutBefore = isParted(startState.doc, fromA) && !isParted(newDoc, fromB)
      const isCutBehind = isParted(startState.doc, toA) && !isParted(newDoc, toB)
      const from = isParted(newDoc, fromB) ? fromB - 1 : fromB
      const to = isParted(newDoc, toB) ? toB + 1 : toB
      if (isCutBefore) mends.push({ from: fromB - 1, to: fromB })
      mends.push(
        ...(from === fromB && to === toB
          ? halvesWithin(inserted, fromB)
          : halvesWithin(newDoc.slice(from, to), from)),
      )
      if (isCutBehind) mends.push({ from: toB, to: toB + 1 })
    })
    return mends.length === 0 ? transaction : [transaction, { changes: mends, sequential: true }]
  }),
)

const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00

/** Whether a place is in the middle of a character. */
function isParted(text: Text, at: number): boolean {
  const around = at > 0 ? text.sliceString(at - 1, at + 1) : ''
  return isHigh(around.charCodeAt(0)) && isLow(around.charCodeAt(1))
}

/** What makes halves in a text that stands at a place into U+FFFD. */
function halvesWithin(text: Text, at: number): ChangeSpec[] {
  const words = text.toString()
  const whole = words.toWellFormed()
  if (words === whole) return []
  const mends: ChangeSpec[] = []
  for (let i = 0; i < words.length; i++)
    if (words[i] !== whole[i]) mends.push({ from: at + i, to: at + i + 1, insert: whole[i]! })
  return mends
}
