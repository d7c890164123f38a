import { expect, test } from 'vitest'
import { testFolder, testStore } from './test-store.ts'
import path from 'node:path'

const page = (revision: number, html: string) => ({ revision, facts: '{}', html })

test('a page is found for its revision only', () => {
  const at = testStore()
  const one = at.create('one')
  at.store.renders.put(one, page(1, '<p>one'))
  expect(at.store.renders.find(one.number, 1)?.html).toBe('<p>one')
  const two = at.edit(one.id, 'two')
  expect(at.store.renders.find(two.number, 2)).toBeUndefined()
  at.store.renders.put(two, page(2, '<p>two'))
  expect(at.store.renders.find(two.number, 2)?.html).toBe('<p>two')
})

test('a page that comes late, of a text that is another one by now or gone, is not kept', () => {
  const at = testStore()
  const one = at.create('one')
  const two = at.edit(one.id, 'two')
  at.store.renders.put(two, page(2, '<p>two'))
  at.store.renders.put(one, page(1, '<p>one'))
  expect(at.store.renders.find(one.number, 1)).toBeUndefined()
  expect(at.store.renders.find(one.number, 2)?.html).toBe('<p>two')
  at.store.transaction(() => at.store.documents.delete(two))
  at.store.renders.put(two, page(2, '<p>two'))
  expect(at.store.renders.find(two.number, 2)).toBeUndefined()
})

test('another renderer’s pages are not used', () => {
  const file = path.join(testFolder(), 'galley.db')
  const old = testStore({ file, renderer: '1' })
  const one = old.create('one')
  old.store.renders.put(one, page(1, '<p>old'))
  const now = testStore({ file, renderer: '2' })
  expect(now.store.renders.find(one.number, 1)).toBeUndefined()
  now.store.renders.put(one, page(1, '<p>new'))
  expect(now.store.renders.find(one.number, 1)?.html).toBe('<p>new')
})
