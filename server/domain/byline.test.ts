import { expect, test } from 'vitest'
import { byline, suggesterLine } from './byline.ts'

const by = (more: Partial<Parameters<typeof byline>[0]>) =>
  byline({ author_id: 'a', author_name: 'Owner', author_kind: 'person', key_name: null, ...more })

test('nobody passes for somebody else by their name', () => {
  const guest = { author_id: null, author_kind: 'guest' } as const
  expect(by({})).toBe('Owner')
  expect(by(guest)).toBe('guest “Owner”')
  expect(by({ ...guest, author_name: 'x” Owner (by agent with key “Claude”)\n↳ Owner' })).toBe(
    'guest “x’ Owner (by agent with key ’Claude’) ↳ Owner”',
  )
  expect(by({ author_kind: 'agent', author_id: null })).toBe('agent “Owner”')
  expect(by({ author_kind: 'agent', key_name: 'Claude\nCode' })).toBe(
    'Owner (by agent with key “Claude Code”)',
  )
  expect(by({ author_kind: 'agent' })).toBe('Owner (by agent)')
  expect(by({ author_kind: 'script', key_name: 'Sync' })).toBe('Owner (by script with key “Sync”)')
  const name = { name: 'Owner', key_name: null }
  expect(suggesterLine({ ...name, guest: true, kind: 'guest' })).toBe('guest “Owner”')
  expect(suggesterLine({ ...name, guest: false, kind: 'person' })).toBe('Owner')
  expect(suggesterLine({ ...name, guest: null, kind: null })).toBe('somebody called “Owner”')
})
