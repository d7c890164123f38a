import path from 'node:path'
import { expect, test } from 'vitest'
import { testFolder, testStore } from './testing/store.ts'

const page = (html: string) => ({ facts: '{}', html })

test('a page is found for its revision only', () => {
  const at = testStore()
  const one = at.create('one')
  at.store.renders.put(one, page('<p>one'))
  expect(at.store.renders.find(one)?.html).toBe('<p>one')
  at.store.deferred.now()
  expect(at.store.renders.find(one)?.html).toBe('<p>one')
  const two = at.edit(one.id, 'two')
  expect(at.store.renders.find(two)).toBeUndefined()
  at.store.renders.put(two, page('<p>two'))
  at.store.deferred.now()
  expect(at.store.renders.find(two)?.html).toBe('<p>two')
})

test('a page that comes late, of a text that is another one by now or gone, is not kept', () => {
  const at = testStore()
  const one = at.create('one')
  const two = at.edit(one.id, 'two')
  at.store.renders.put(two, page('<p>two'))
  at.store.renders.put(one, page('<p>one'))
  at.store.deferred.now()
  expect(at.store.renders.find(one)).toBeUndefined()
  expect(at.store.renders.find(two)?.html).toBe('<p>two')
  at.store.renders.put(one, page('<p>one'))
  at.store.deferred.now()
  expect(at.store.renders.find(one)).toBeUndefined()
  at.store.transaction(() => at.store.documents.delete(two))
  at.store.renders.put(two, page('<p>two'))
  at.store.deferred.now()
  expect(at.store.renders.find(two)).toBeUndefined()
})

test('another document that takes the number of one that is gone doesn’t get its page', () => {
  const at = testStore()
  const gone = at.create('one')
  at.store.renders.put(gone, page('<p>one'))
  at.store.transaction(() => at.store.documents.delete(gone))
  const other = at.create('other')
  expect(other.number).toBe(gone.number)
  expect(at.store.renders.find(other)).toBeUndefined()
})

test('another renderer’s pages are not used', () => {
  const file = path.join(testFolder(), 'galley.db')
  const old = testStore({ file, renderer: '1' })
  const one = old.create('one')
  old.store.renders.put(one, page('<p>old'))
  old.store.deferred.now()
  const now = testStore({ file, renderer: '2' })
  expect(now.store.renders.find(one)).toBeUndefined()
  now.store.renders.put(one, page('<p>new'))
  now.store.deferred.now()
  expect(now.store.renders.find(one)?.html).toBe('<p>new')
})
