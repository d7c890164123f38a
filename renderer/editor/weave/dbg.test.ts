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
  run('A.\n\nZ.', (one, other, log) => {
      one.do({ changes: { from: 6, insert: '\n\nBb.' } }); log('one')
      other.typeAfter('Bb.', ' New.'); log('other')
      one.undo(); log('one undo')
      one.redo(); log('one redo')
      one.undo(); log('one undo')
      other.undo(); log('other undo')
      other.redo(); log('other redo')
  })
  run('aa bb', (one, other, log) => {
      one.replace(3, 3, 'one word '); log('s')
      other.do({ changes: [{ from: 3, insert: '**_' }, { from: 12, insert: '_**' }] })
      log('wrap')
      one.undo(); log('undo')
      one.redo(); log('redo')
      other.undo(); log('other undo')
  })
  run('one two', (one, other, log) => {
      one.replace(1, 1, 'AAAA'); log('s')
      other.replace(5, 8, ''); log('del')
      other.replace(1, 4, ''); log('del')
      while (other.undo()) log('undo')
      one.undo(); log('one undo')
      one.redo(); log('one redo')
  })
  run('aba ab aa', (one, other, log) => {
      other.replace(0, 1, 'X')
      one.replace(0, 1, 'Y')
      log('both')
      one.undo()
      one.replace(0, 1, 'Z')
      log('both')
      while (one.undo()) log('one undo')
      while (other.undo()) log('other undo')
  })
})
