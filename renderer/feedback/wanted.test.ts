import { expect, test } from 'vitest'
import type { LiveChange } from '../../server/contract/live.ts'
import { wantedOf } from './wanted.ts'

const change = (what: LiveChange['what'], more: Partial<LiveChange> = {}): LiveChange => ({
  type: 'changed',
  document_id: 'd',
  what,
  ...more,
})
const named = (ids: string[], gone: string[] = []) => change('comments', { ids, gone })

test('what is named is wanted, and nothing else', () => {
  expect(wantedOf('comments', [named(['a']), named(['b'], ['c'])], false)).toEqual({
    ids: new Set(['a', 'b']),
    gone: new Set(['c']),
  })
  expect(wantedOf('comments', [named(['a']), named([], ['a'])], false)).toEqual({
    ids: new Set(),
    gone: new Set(['a']),
  })
  expect(wantedOf('suggestions', [named(['a'])], false)).toBe('nothing')
})

test('all of it is wanted where nobody knows what changed', () => {
  expect(wantedOf('comments', null, false)).toBe('all')
  expect(wantedOf('comments', [change('comments')], false)).toBe('all')
  expect(wantedOf('comments', [change('permission')], false)).toBe('all')
})

test('a new text moves what has a place in it, and leaves the rest', () => {
  const text = change('content', { revision: 3 })
  expect(wantedOf('comments', [text], true)).toBe('all')
  expect(wantedOf('comments', [text], false)).toBe('nothing')
  expect(wantedOf('comments', [text, named(['a'])], false)).toEqual({ ids: new Set(['a']), gone: new Set() })
  expect(wantedOf('comments', ['silence', change('links'), change('openings')], true)).toBe('nothing')
})
