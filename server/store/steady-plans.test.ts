import { expect, test, vi } from 'vitest'
import { testStore } from './testing/store.ts'

/** How often SQLite has planned a statement that was run ten times: its rows' maker is made anew with each plan. */
function plansOf(sql: string, ...parameters: unknown[]): number {
  const { store } = testStore()
  const statement = store.db.prepare(sql)
  const made = vi.spyOn(globalThis, 'Function')
  try {
    for (let i = 0; i < 10; i++) statement.get(...parameters)
    return made.mock.calls.length
  } finally {
    made.mockRestore()
  }
}

test.each([
  ['sorts', 'SELECT sql, name FROM sqlite_schema WHERE name = ? ORDER BY rowid LIMIT 1', ['users']],
  ['names its parameters', 'SELECT id, name FROM users WHERE name = @name ORDER BY id', [{ name: 'Owner' }]],
  [
    'joins',
    'SELECT u.id, k.name FROM users u LEFT JOIN api_keys k ON k.user_id = u.id WHERE u.name = ?',
    ['Owner'],
  ],
])('a statement that %s is planned once, however often it is run', (_what, sql, parameters) => {
  expect(plansOf(sql, ...parameters)).toBe(1)
})

test('what only looks like a parameter stays as it is', () => {
  const { store } = testStore()
  const read = store.db
    .prepare(`SELECT ? AS "a?", 'it''s @b?' AS b, @c AS c -- and why?`)
    .get({ c: 3 }, 'one') as object
  expect(read).toEqual({ 'a?': 'one', b: "it's @b?", c: 3 })
})
