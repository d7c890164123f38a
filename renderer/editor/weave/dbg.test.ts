import { it } from 'vitest'
import { TestCompany, type CompanyWriter } from '../testing/company.ts'
import { woven } from './history.ts'
const show = (w: CompanyWriter) => {
  const { weave } = w.state.field(woven)
  return weave.pieces.map((p) => `${weave.stands(p) ? '+' : '-'}${p.id}:${p.length}${JSON.stringify(p.text)} by ${p.by} out ${p.out}`).join(' | ') + ' undone ' + [...weave.undone]
}
it('x', () => {
  const c = new TestCompany('one two three', 2)
  const [a, b] = c.writers as [CompanyWriter, CompanyWriter]
  const log = (what: string) => { c.settle(); console.log(what, JSON.stringify(c.content), '\nA', show(a), '\nB', show(b), JSON.stringify(c.log.at(-1)?.steps), JSON.stringify(c.log.at(-1)?.changes)) }
  a.replace(0, 1, 'XX'); log('a XX')
  a.replace(0, 0, 'y '); log('a y')
  b.replace(0, b.text.length, ''); log('b cut')
  a.replace(0, 0, 'XX'); log('a XX')
  a.undo(); log('a undo')
  a.undo(); log('a undo')
  a.undo(); log('a undo')
  b.undo(); log('b undo')
  console.log('------')
  {
  const c = new TestCompany('one two three', 2)
  const [a, b] = c.writers as [CompanyWriter, CompanyWriter]
  const log = (what: string) => { c.settle(); console.log(what, JSON.stringify(c.content), '\nA', show(a), '\nB', show(b), JSON.stringify(c.log.at(-1)?.steps), JSON.stringify(c.log.at(-1)?.changes)) }
  a.replace(0, 0, ' new'); log('a new')
  a.replace(0, 1, ' new'); log('a new')
  b.replace(0, 0, 'XX'); log('b XX')
  b.replace(0, b.text.length, ''); log('b cut')
  a.undo(); log('a undo')
  b.undo(); log('b undo')
  a.undo(); log('a undo')
  b.undo(); log('b undo')
  }
})
