import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder, testStore } from './testing/store.ts'

const minute = 60_000
const day = 24 * 60 * minute

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

describe('sign-in tickets', () => {
  test('work once', () => {
    const { store, owner } = testStore()
    const ticket = store.sessions.createTicket(owner.id)
    expect(ticket).toMatch(/^[0-9a-f]{48}$/)
    expect(store.sessions.exchange(ticket)!.userId).toBe(owner.id)
    expect(store.sessions.exchange(ticket)).toBeUndefined()
  })

  test('work for 15 minutes', () => {
    const { store, owner, clock } = testStore()
    const [early, late] = [store.sessions.createTicket(owner.id), store.sessions.createTicket(owner.id)]
    clock.at += 15 * minute - 1
    expect(store.sessions.exchange(early)).toBeDefined()
    clock.at += 1
    expect(store.sessions.exchange(late)).toBeUndefined()
    store.sessions.createTicket(owner.id)
    expect(store.db.prepare('SELECT count(*) FROM tickets').pluck().get()).toBe(1)
  })
})

describe('sessions', () => {
  const signIn = ({ store, owner }: ReturnType<typeof testStore>) =>
    store.sessions.exchange(store.sessions.createTicket(owner.id))!.secret

  test('last as long as they are used at least every 30 days', () => {
    const at = testStore()
    const secret = signIn(at)
    for (let month = 0; month < 6; month++) {
      at.clock.at += 30 * day - minute
      expect(at.store.sessions.findValid(secret)?.user.id).toBe(at.owner.id)
    }
    at.clock.at += 30 * day
    expect(at.store.sessions.findValid(secret)).toBeUndefined()
  })

  test('end with the sign-out; other ones go on', () => {
    const at = testStore()
    const [one, other] = [signIn(at), signIn(at)]
    at.store.sessions.delete(at.store.sessions.findValid(one)!.digest)
    expect(at.store.sessions.findValid(one)).toBeUndefined()
    expect(at.store.sessions.findValid(other)).toBeDefined()
    expect(at.store.sessions.findValid('')).toBeUndefined()
  })

  test('that nobody uses any more are swept out at the next sign-in', () => {
    const at = testStore()
    signIn(at)
    at.clock.at += 31 * day
    signIn(at)
    expect(at.store.db.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(1)
  })
})

test('the files of the database hold no key, ticket or session, also after they were used and deleted', () => {
  const folder = testFolder()
  const at = testStore({ file: path.join(folder, 'galley.db') })
  const { key, row } = at.store.apiKeys.create(at.owner.id, { name: 'CI', access: 'full', expiresAt: null })
  at.store.apiKeys.findValid(key)
  const ticket = at.store.sessions.createTicket(at.owner.id)
  const unused = at.store.sessions.createTicket(at.owner.id)
  const { secret } = at.store.sessions.exchange(ticket)!
  at.store.sessions.findValid(secret)
  const files = () =>
    Buffer.concat(readdirSync(folder).map((name) => readFileSync(path.join(folder, name)))).toString('latin1')
  const expectAbsent = () => {
    const bytes = files()
    for (const text of [key, key.slice(6), ticket, unused, secret]) {
      expect(bytes.includes(text)).toBe(false)
      expect(bytes.includes(Buffer.from(text.slice(-32), 'hex').toString('latin1'))).toBe(false)
    }
    // The control: what is stored can be seen this way.
    expect(bytes.includes('Owner')).toBe(true)
    return bytes
  }
  expect(expectAbsent().includes(row.prefix)).toBe(true)
  at.store.apiKeys.delete(row.id, at.owner.id)
  at.store.close()
  expectAbsent()
})
