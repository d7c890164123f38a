import { expect, it } from 'vitest'
import { kindOf } from './kind.ts'
import { readAnswer } from './messages.ts'

it('takes from the frame only what it may say', () => {
  const drawn = { kind: 'drawn', id: 1, svg: '<svg/>', width: 2, height: 3, title: 'T' }
  expect(readAnswer({ ...drawn, more: 1 })).toEqual(drawn)
  expect(readAnswer({ ...drawn, width: Infinity })).toMatchObject({ kind: 'failed', id: 1 })
  expect(readAnswer({ ...drawn, svg: 'x'.repeat(5_000_000) })).toMatchObject({ kind: 'failed' })
  expect(readAnswer({ ...drawn, title: 'x'.repeat(1_000) })).toMatchObject({ title: 'x'.repeat(300) })
  for (const data of [
    null,
    1,
    'ready',
    {},
    { kind: 'drawn' },
    { ...drawn, svg: {} },
    { kind: 'failed', id: 1 },
  ])
    expect(readAnswer(data)).toBeNull()
})

it('names a diagram that has no words of its own by its kind', () => {
  expect(kindOf('\n  graph TD\n A')).toBe('Flowchart')
  expect(kindOf('---\ntitle: x\n---\n%%{init: {}}%%\n%% note\nsequenceDiagram\n')).toBe('Sequence diagram')
  expect(kindOf('anything')).toBe('Diagram')
})
