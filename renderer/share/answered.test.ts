import { beforeEach, expect, test, vi } from 'vitest'
import type { Comment } from '../../server/contract/records/comments.ts'
import { peopleOf } from '../feedback/people.ts'
import { threadsOf } from '../feedback/threads.ts'
import { Answered } from './answered.svelte.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

let made = 0
function comment(body: string, { mine = false, to = null as string | null } = {}): Comment {
  made += 1
  const at = new Date(Date.UTC(2026, 2, 1, 9, made)).toISOString()
  return {
    ...{
      id: `c${made}`,
      document_id: 'd',
      parent_id: to,
      suggestion_id: null,
      author_id: null,
      key_name: null,
    },
    ...{
      author_name: mine ? 'Ada' : 'Bob',
      author_kind: 'guest' as const,
      body,
      anchor: null,
      range: null,
      mine,
      resolved_at: null,
    },
    ...{ created_at: at, updated_at: at, edited_at: null },
  }
}

/** Somebody’s page, with all that was said. */
const visit = (all: Comment[]) =>
  new Answered('d', () => ({
    threads: threadsOf(all),
    suggestions: [],
    said: all,
    people: peopleOf(all),
  }))

test('who comes back is told of replies to them and of who means them, until they looked', () => {
  const own = comment('Is this so?', { mine: true })
  const other = comment('Hm')
  const first = visit([own, other])
  first.begin()
  expect(first.count).toBe(0)

  const later = [
    ...[own, other],
    comment('It is', { to: own.id }),
    comment('Not mine', { to: other.id }),
    comment('What does @Ada say?', { to: other.id }),
    comment('@Adam is somebody else', { to: other.id }),
  ]
  const again = visit(later)
  expect(again.news).toEqual([
    { id: own.id, count: 1 },
    { id: other.id, count: 1 },
  ])
  again.look(own.id)
  expect(again.count).toBe(1)
  again.look(other.id)
  expect(visit(later).count).toBe(0)
})
