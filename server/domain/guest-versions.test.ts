import { expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import { leftByGuests, type LeftVersion } from './guest-versions.ts'

const now = 10 * 24 * 60 * 60 * 1000
const hour = 60 * 60 * 1000
const guest = (added: number, hoursAgo = 1): LeftVersion => ({
  byGuest: true,
  at: now - hoursAgo * hour,
  added,
})
const account = (added: number): LeftVersion => ({ ...guest(added), byGuest: false })

it('counts what guests left since somebody with an account changed the text', () => {
  expect(leftByGuests([guest(100_000), guest(200_000), account(1), guest(400_000)], now)).toBe(300_000)
  expect(leftByGuests([account(1), guest(400_000)], now)).toBe(0)
  expect(leftByGuests([], now)).toBe(0)
})

it('counts no more than a day', () => {
  expect(leftByGuests([guest(100_000, 23.9), guest(200_000, 24), guest(400_000, 30)], now)).toBe(100_000)
})

it('counts short texts for what they cost all the same', () => {
  expect(leftByGuests([guest(0), guest(1)], now)).toBe(2 * 16 * 1024)
})

it('looks no further than it has to', () => {
  let looked = 0
  function* endless(): Generator<LeftVersion> {
    for (;;) {
      looked++
      yield guest(limits.guestVersions / 4)
    }
  }
  expect(leftByGuests(endless(), now)).toBe(limits.guestVersions)
  expect(looked).toBe(4)
})
