import { it } from 'vitest'
import { twoWriters as two } from '../testing/two-writers.ts'
import { woven } from './history.ts'
const w = (h: any) => { const f = h.state.field(woven); let at = 0; const t = h.text; return f.weave.pieces.map((p: any) => { const st = f.weave.stands(p); const tx = st ? t.slice(at, at + p.length) : p.text; if (st) at += p.length; return `${st ? '' : '-'}${JSON.stringify(tx)}by${p.by}out${p.out}` }).join(' ') + ' UNDONE ' + [...f.weave.undone] + (f.weave.length === t.length ? '' : ' WRONG LENGTH') }
it('a', () => {
  for (const way of ['comeBack', 'comeBackLate'] as const) for (const k of [0, 1]) {
  const { company, one, other, settled } = two('one three')
  const run = (n: string, o: string, k: () => void) => { k(); console.log(n, o, JSON.stringify(settled())); console.log('  ONE', w(one)); console.log('  OTHER', w(other)) ;console.log(JSON.stringify(company.log.map((l) => [l.changes.toJSON(), l.steps, l.by === one])))}
    one.typeAfter('one', ' two')
    other.typeAfter('one', ' two')
    one.push()
    run('comeback', way, () => other[way]())
    if (k) one.undo(); else other.undo()
    company.settle()
    if (k) other.undo(); else one.undo()
    run('undo', '' + k, () => {})
  }
})
it('b', () => {
  const { company, one, other, settled } = two('one two three four')
  const run = (n: string, o: string, k: () => void) => { k(); console.log(n, o, JSON.stringify(settled())); console.log('  ONE', w(one)); console.log('  OTHER', w(other)) ;console.log(JSON.stringify(company.log.map((l) => [l.changes.toJSON(), l.steps, l.by === one])))}
    one.typeOver('two', 'k0')
    one.typeOver('four', 'k1')
    other.typeOver('one', 'z2')
    other.typeOver('two', 'z3')
    one.push()
    run('comeback', '', () => other.comeBack())
    run('undo', 'one', () => { while (one.undo()); })
    run('undo', 'other', () => { while (other.undo()); })
})
it('c', () => {
  const { company, one, other, settled } = two('abcd efgh ijkl mnop')
  const run = (n: string, o: string, k: () => void) => { k(); console.log(n, o, JSON.stringify(settled())); console.log('  ONE', w(one)); console.log('  OTHER', w(other)) ;console.log(JSON.stringify(company.log.map((l) => [l.changes.toJSON(), l.steps, l.by === one])))}
    one.replace(15, 16, '')
    other.replace(15, 15, 'xy')
    one.push()
    run('comeback', '', () => other.comeBackLate())
    run('undo', 'one', () => { one.undo(); })
    run('undo', 'other', () => { while (other.undo()); })
})
