import { expect, test } from 'vitest'
import { FeedbackDrafts } from './feedback-drafts.ts'

function newStorage(broken = false) {
  const kept = new Map<string, string>()
  const guard = () => {
    if (broken) throw new Error('The storage is full')
  }
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => (guard(), void kept.set(key, value)),
    removeItem: (key: string) => (guard(), void kept.delete(key)),
  }
}

test('a draft survives the page and is kept apart by document and place', () => {
  const storage = newStorage()
  new FeedbackDrafts('one', storage).keep('reply:a', { body: 'Half a thou' })
  expect(new FeedbackDrafts('one', storage).find('reply:a')).toEqual({ body: 'Half a thou' })
  expect(new FeedbackDrafts('one', storage).find('reply:b')).toBeNull()
  expect(new FeedbackDrafts('two', storage).find('reply:a')).toBeNull()
})

test('all that was begun on a document is found, there and after the page', () => {
  const storage = newStorage()
  const own = { ...storage, key: (at: number) => [...storage.kept.keys()][at] ?? null }
  const walked = Object.defineProperty(own, 'length', { get: () => storage.kept.size })
  const drafts = new FeedbackDrafts('one', walked)
  drafts.keep('new', { body: 'Half a thou' })
  drafts.keep('reply:a', { body: 'And so' })
  new FeedbackDrafts('other', walked).keep('new', { body: 'Elsewhere' })
  const begun = [
    ['new', { body: 'Half a thou' }],
    ['reply:a', { body: 'And so' }],
  ]
  expect([...drafts.all()]).toEqual(begun)
  expect([...new FeedbackDrafts('one', walked).all()]).toEqual(begun)
  const passing = new FeedbackDrafts('one', newStorage(true))
  passing.keep('new', { body: 'Half a thou' })
  expect([...passing.all()]).toEqual([begun[0]])
})

test('an emptied draft leaves nothing behind', () => {
  const storage = newStorage()
  const drafts = new FeedbackDrafts('one', storage)
  drafts.keep('new', { body: 'x' })
  drafts.keep('new', { body: '  ' })
  expect(storage.kept.size).toBe(0)
})

test('without room in the storage a draft lives as long as the page', () => {
  const drafts = new FeedbackDrafts('one', newStorage(true))
  drafts.keep('new', { body: 'kept' })
  expect(drafts.find('new')).toEqual({ body: 'kept' })
})

test('what somebody else wrote into the storage is no draft', () => {
  const storage = newStorage()
  storage.kept.set('galley.draft.one.new', '{"body":7}')
  storage.kept.set('galley.draft.one.edit:x', 'no JSON')
  const drafts = new FeedbackDrafts('one', storage)
  expect(drafts.find('new')).toBeNull()
  expect(drafts.find('edit:x')).toBeNull()
})
