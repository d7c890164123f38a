import { it } from 'vitest'
import { twoWriters as two } from '../testing/two-writers.ts'
import { woven } from './history.ts'
const w = (h: any) => { const f = h.state.field(woven); let at = 0; const t = h.text; return f.weave.pieces.map((p: any) => { const st = f.weave.stands(p); const tx = st ? t.slice(at, at + p.length) : p.text; if (st) at += p.length; return `${st ? '' : '-'}${JSON.stringify(tx)}by${p.by}out${p.out}` }).join(' ') + ' UNDONE ' + [...f.weave.undone] }
it('a', () => {
  ;(globalThis as any).DBG = true
  const run = (n: string, o: string, k: () => void, s: () => string, one: any, other: any) => { k(); console.log(n, o, JSON.stringify(s())); console.log('  ONE', w(one)); console.log('  OTHER', w(other)) }
  {
    const { one, other, settled } = two('the word here')
    other.typeOver('word', 'slow')
    one.typeOver('word', 'fast')
    one.push()
    run('comeback', '', () => other.comeBack(), settled, one, other)
    run('undo', 'other', () => other.undo(), settled, one, other)
    run('undo', 'other', () => console.log(other.undo()), settled, one, other)
    run('redo', 'other', () => other.redo(), settled, one, other)
    other.undo()
    one.undo()
    run('undo', 'one', () => {}, settled, one, other)
  }
  ;(globalThis as any).DBG = false
  const inLines = '- a\n- bb\n- cc\n- z\n'
  for (const way of ['comeBack', 'comeBackLate'] as const)
    for (const before of [0, 1]) {
      const { one, other, settled } = two(inLines)
      for (const words of ['bb', 'cc']) other.typeAfter(words, ' new.')
      const start = 4 - before
      one.do({ changes: { from: start, to: 14 - before } })
      one.push()
      run('comeback', way + before, () => other[way](), settled, one, other)
      run('undo', 'other', () => {while (other.undo()); }, settled, one, other)
      run('redo', 'other', () => {while (other.redo()); }, settled, one, other)
    }
})
