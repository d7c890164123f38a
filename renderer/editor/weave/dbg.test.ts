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
  run('one three', (one, other, log, see) => {
      one.typeAfter('one', ' two')
      other.typeAfter('one', ' two')
      one.push()
      other.comeBack(); see('came back')
      log('together')
      one.undo(); log('one undo')
      other.undo(); log('other undo')
      one.redo(); log('one redo')
      other.redo(); log('other redo')
  })
})
