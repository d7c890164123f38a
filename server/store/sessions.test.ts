import { describe, expect, test } from 'vitest'
import { testStore } from './testing/store.ts'

const minute = 60_000
const day = 24 * 60 * minute

describe('sessions', () => {
  const signIn = ({ store, owner }: ReturnType<typeof testStore>) =>
    store.sessions.exchange(store.signInLinks.createTicket(owner.id))!.secret

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
