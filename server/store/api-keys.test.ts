import { describe, expect, test } from 'vitest'
import { testStore } from './testing/store.ts'

const minute = 60_000

describe('API keys', () => {
  const fields = { name: 'CI', access: 'full' as const, expiresAt: null }

  test('have 32 hexadecimal digits after the prefix, and are found by themselves only', () => {
    const at = testStore()
    const { key, row } = at.store.apiKeys.create(at.owner.id, fields)
    expect(key).toMatch(/^gally_[0-9a-f]{32}$/)
    expect(row).toMatchObject({ prefix: key.slice(0, 12), access: 'full', last_used_at: null })
    expect(at.store.apiKeys.findValid(key)!.row.id).toBe(row.id)
    for (const other of [key.toUpperCase(), `${key} `, key.slice(0, -1), '', `gally_${'0'.repeat(32)}`]) {
      expect(at.store.apiKeys.findValid(other)).toBeUndefined()
    }
  })

  test('end when they expire or are deleted, by their owner only', () => {
    const at = testStore()
    const { keys, other } = { keys: at.store.apiKeys, other: at.store.users.create('Other') }
    const brief = keys.create(at.owner.id, { ...fields, expiresAt: at.clock.at + minute })
    const lasting = keys.create(at.owner.id, fields)
    expect(keys.findValid(brief.key)).toBeDefined()
    at.clock.at += minute
    expect(keys.findValid(brief.key)).toBeUndefined()
    expect(keys.delete(lasting.row.id, other.id)).toBe(false)
    expect(keys.findValid(lasting.key)).toBeDefined()
    expect(keys.delete(lasting.row.id, at.owner.id)).toBe(true)
    expect(keys.findValid(lasting.key)).toBeUndefined()
  })

  test('note their use, to the minute', () => {
    const at = testStore()
    const { key } = at.store.apiKeys.create(at.owner.id, fields)
    const used = () => at.store.apiKeys.list(at.owner.id)[0]!.last_used_at
    const first = at.clock.at
    at.store.apiKeys.findValid(key)
    at.clock.at += minute - 1
    at.store.apiKeys.findValid(key)
    expect(used()).toBe(first)
    at.clock.at += 1
    at.store.apiKeys.findValid(key)
    expect(used()).toBe(first + minute)
  })
})
