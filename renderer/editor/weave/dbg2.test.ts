import { EditorState, Transaction } from '@codemirror/state'
import { isolateHistory } from '@codemirror/commands'
import { it } from 'vitest'
import { fromElsewhere, ownHistory, redoOwn, undoOwn } from '../own-undo.ts'
import { textDiff } from '../../../server/domain/diff/index.ts'
import { letterChanges } from '../letter-changes.ts'
import { woven } from './history.ts'
const show = (s: EditorState) => {
  const { weave } = s.field(woven)
  return JSON.stringify(s.doc.toString()) + weave.pieces.map((p) => `${weave.stands(p) ? '+' : '-'}${p.id}:${p.length}${JSON.stringify(p.text)} by ${p.by} out ${p.out}`).join(' | ') + ' undone ' + [...weave.undone]
}
const run = (text: string, change: { from: number; to?: number; insert?: string }, came: string, what: ('undo' | 'redo' | 'take')[]) => {
  let s = EditorState.create({ doc: text, extensions: ownHistory(() => {}) })
  s = s.update({ changes: change, annotations: isolateHistory.of('full') }).state
  console.log(show(s))
  for (const one of what) {
    if (one === 'take') {
      const c = letterChanges(s.doc.toString(), came, textDiff(s.doc.toString(), came))
      console.log(JSON.stringify(c))
      s = s.update({ changes: c, annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)] }).state
    } else (one === 'undo' ? undoOwn : redoOwn)({ state: s, dispatch: (tr) => (s = tr.state) })
    console.log(one, show(s))
  }
}
it('x', () => {
  run('One word.', { from: 8, insert: 's' }, 'One wordy.', ['undo', 'take', 'redo'])
  console.log('-----')
  run('foobar', { from: 0, to: 3 }, 'x-bar', ['take', 'undo'])
  run('bb', { from: 0, to: 1 }, 'xb', ['take', 'undo', 'redo'])
})
