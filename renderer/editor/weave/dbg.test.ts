import { Transaction } from '@codemirror/state'
import { fromElsewhere } from '../from-elsewhere.ts'
import { redoOwn } from '../own-undo.ts'
import { it } from 'vitest'
import { TestCompany, type CompanyWriter } from '../testing/company.ts'
import { woven } from './history.ts'
const show = (w: CompanyWriter) => {
  const { weave } = w.state.field(woven)
  return weave.pieces.map((p) => `${weave.stands(p) ? '+' : '-'}${p.id}:${p.length}${JSON.stringify(p.text)} by ${p.by} out ${p.out}`).join(' | ') + ' undone ' + [...weave.undone]
}
it('x', () => {
  const run = (text: string, each: (a: CompanyWriter, b: CompanyWriter, log: (what: string) => void, see: (what: string) => void) => void) => {
    const c = new TestCompany(text, 2)
    const [a, b] = c.writers as [CompanyWriter, CompanyWriter]
    const see = (what: string) => console.log(what, JSON.stringify(c.content), JSON.stringify(a.text), JSON.stringify(b.text), '\nA', show(a), '\nB', show(b), JSON.stringify(c.log.at(-1)?.steps), JSON.stringify(c.log.at(-1)?.changes))
    const log = (what: string) => { c.settle(); see(what) }
    console.log('-------')
    each(a, b, log, see)
  }
  run('aaa\nccc', (one, other, log) => {
      one.replace(0, 4, '\n'); log('one')
      other.replace(0, 0, '\n'); log('other')
      other.undo(); log('other undo')
      one.undo(); log('one undo')
      one.redo(); log('one redo')
      other.redo(); log('other redo')
  })
  run('one two three', (one, other, log) => {
      one.replace(5, 5, 'AAAA'); log('s')
      other.replace(8, 13, ''); log('del')
      other.replace(3, 8, ''); log('del')
      while (other.undo()) log('undo')
      one.undo(); log('one undo')
      one.redo(); log('one redo')
  })
  run('A.\r\n\r\nZ.', (one, other, log) => {
      one.do({ changes: { from: 6, insert: '\n\nBb.' } }); log('one')
      other.typeAfter('Bb.', ' New.'); log('other')
      for (let i = 0; i < 2; i++) {
      one.undo(); log('one undo')
      one.redo(); log('one redo')
      }
      one.undo(); log('one undo')
      other.undo(); log('other undo')
      other.redo(); log('other redo')
  })
})
