import { EditorState, Prec, Transaction, type Extension, type Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { arePlaced } from './formatted.ts'
import { eachMarked, signsAt, type MarkedNode } from './marked-nodes.ts'
import { wholeLines } from './whole-lines.ts'

/**
 * Keeps marks in pairs where what is selected begins or ends within them: the marks aren't seen, so whoever types over
 * `bo[ld** words]`, or deletes that, doesn't mean the ones in it. What is left of words stays marked, and of a link it
 * stays one. So do those before the words of a line that lines are selected up to.
 */

interface Kept {
  from: number
  to: number
  /** What closes what began before, and what opens what goes on behind. */
  before: string
  after: string
}

function keptOf(state: EditorState, from: number, to: number): Kept {
  const kept: Kept = { from, to, before: '', after: '' }
  const text = (start: number, end: number) => state.sliceDoc(start, end)
  const cut: MarkedNode[] = []
  eachMarked(state, from, to, (_name, node) => {
    const [start, end] = [node.open.from, node.close.to]
    const isWhole = start >= from && end <= to
    const isAround = start < from && end > to
    if (!isWhole && !isAround && start < to && end > from) cut.push(node)
  })
  for (const { open, close } of cut) {
    if (open.from < from) {
      // Within its own marks somebody has chosen what they see.
      if (from < open.to || close.from < from) continue
      // Of words of which nothing is left, no marks stay.
      if (from === open.to) kept.from = Math.min(kept.from, open.from)
      else kept.before = `${text(close.from, close.to)}${kept.before}`
    } else {
      if (to < open.to || to > close.from) continue
      if (to === close.from) kept.to = Math.max(kept.to, close.to)
      else kept.after += text(open.from, open.to)
    }
  }
  const outer = signsAt(state, kept, 'outside')
  if (kept.before !== '') {
    kept.before += text(outer.from, kept.from)
    kept.from = outer.from
  }
  if (kept.after !== '') {
    kept.after = text(kept.to, outer.to) + kept.after
    kept.to = outer.to
  }
  return kept
}

/** Whether lines only go for what is composed in their place: CodeMirror takes them out before that begins. */
const makesRoom = (transaction: Transaction): boolean => {
  let puts = false
  transaction.changes.iterChanges((_fromA, _toA, fromB, toB) => (puts ||= fromB < toB))
  return transaction.annotation(Transaction.userEvent) === 'input' && !puts
}

const typedOver = Prec.lowest(
  EditorState.transactionFilter.of((transaction) => {
    const { startState, changes } = transaction
    const { main, ranges } = startState.selection
    const isTyped = transaction.isUserEvent('input') || transaction.isUserEvent('delete')
    if (transaction.annotation(arePlaced)) return transaction
    if (!transaction.docChanged || !isTyped || startState.readOnly || main.empty || ranges.length > 1)
      return transaction
    let inserted: Text | undefined
    let parts = 0
    changes.iterChanges((from, to, _fromB, _toB, text) => {
      parts++
      if (from === main.from && to === main.to) inserted = text
    })
    if (parts !== 1 || !inserted) return transaction
    const words = inserted.toString()
    const kept = keptOf(startState, main.from, main.to)
    const { before, after } = kept
    const comes = makesRoom(transaction) ? 'composed' : words
    const lines = before === '' && after === '' ? wholeLines(startState, kept, comes) : null
    const { from, to } = lines ?? kept
    const isAsChosen = from === main.from && to === main.to && before === '' && after === ''
    if (isAsChosen && !lines) return transaction
    return {
      changes: { from, to, insert: `${before}${words}${after}` },
      selection: { anchor: from + before.length + words.length + (lines?.below ?? 0) },
      scrollIntoView: true,
      userEvent: transaction.annotation(Transaction.userEvent)!,
    }
  }),
)

/** What is copied is what would go. */
const copied = EditorView.clipboardOutputFilter.of((text, state) => {
  const { main, ranges } = state.selection
  const lines = ranges.length === 1 ? wholeLines(state, main, '') : null
  const marks = lines ? state.sliceDoc(lines.to, main.to) : ''
  return marks !== '' && text.endsWith(marks) ? text.slice(0, -marks.length) : text
})

export const wholeMarks: Extension = [typedOver, copied]
