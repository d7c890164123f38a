import { describe, expect, test } from 'vitest'
import { testStore } from './testing/store.ts'

const minute = 60_000

describe('sign-in links', () => {
  test('work once', () => {
    const { store, owner } = testStore()
    const ticket = store.signInLinks.createTicket(owner.id)
    expect(ticket).toMatch(/^[0-9a-f]{48}$/)
    expect(store.sessions.exchange(ticket)!.userId).toBe(owner.id)
    expect(store.sessions.exchange(ticket)).toBeUndefined()
  })

  test('work for 15 minutes', () => {
    const { store, owner, clock } = testStore()
    const [early, late] = [store.signInLinks.createTicket(owner.id), store.signInLinks.createTicket(owner.id)]
    clock.at += 15 * minute - 1
    expect(store.sessions.exchange(early)).toBeDefined()
    clock.at += 1
    expect(store.sessions.exchange(late)).toBeUndefined()
    store.signInLinks.createTicket(owner.id)
    expect(store.db.prepare('SELECT count(*) FROM tickets').pluck().get()).toBe(1)
  })
})
