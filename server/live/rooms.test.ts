import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { coloursOfPeople, type LiveText } from '../contract/live.ts'
import type { Follower } from './room.ts'
import { createRooms } from './rooms.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function scene() {
  let now = 0
  const facts = { revision: 1, title: 'T', updated_at: '2026-01-01T00:00:00.000Z', length: 0 }
  const rooms = createRooms({
    read: () => ({ ...facts, updates: [] }),
    onFailure: (error) => {
      throw error
    },
    now: () => now,
  })
  /** Somebody comes to the text; answers how they leave, and what colour they see people with. */
  const come = (id: string, person: string | null = null) => {
    let people: Extract<LiveText, { type: 'people' }>['people'] = []
    const follower: Follower = {
      ...{ id, person, kind: 'guest', isOwner: false, seesAll: false, agentId: null },
      name: () => id,
      isSeen: () => true,
      isTold: () => true,
      send(text) {
        const message = JSON.parse(text) as LiveText
        if (message.type === 'people') people = message.people
      },
    }
    rooms.enter('d', follower, 1)
    return {
      leave: () => rooms.leave('d', follower),
      colour: async () => {
        await vi.advanceTimersByTimeAsync(1_000)
        return people.find((one) => one.id === id)?.colour
      },
    }
  }
  return { come, wait: (ms: number) => (now += ms) }
}

it('gives each a colour of their own, and who comes back soon the one they had, whoever came meanwhile', async () => {
  const { come, wait } = scene()
  const [ada, ben] = [come('ada'), come('ben')]
  expect([await ada.colour(), await ben.colour()]).toEqual([0, 1])
  ada.leave()
  const cy = come('cy')
  expect(await cy.colour()).toBe(2)
  wait(60_000)
  expect(await come('ada').colour()).toBe(0)
})

it('keeps the colours where everybody goes and comes back in another order', async () => {
  const { come } = scene()
  for (const { leave } of [come('ada'), come('ben')]) leave()
  expect(await come('ben').colour()).toBe(1)
  expect(await come('ada').colour()).toBe(0)
})

it('knows a person again in another page, but gives two of their pages two colours', async () => {
  const { come } = scene()
  come('ben')
  const page = come('one', 'ada')
  expect(await page.colour()).toBe(1)
  page.leave()
  expect(await come('two', 'ada').colour()).toBe(1)
  expect(await come('three', 'ada').colour()).toBe(2)
})

it('keeps no colour for ever, nor from those who are here', async () => {
  const { come, wait } = scene()
  const ada = come('ada')
  ada.leave()
  wait(11 * 60_000)
  const ben = come('ben')
  expect(await ben.colour()).toBe(0)
  for (let i = 1; i < coloursOfPeople; i++) come(`guest ${i}`).leave()
  const others = Array.from({ length: coloursOfPeople - 1 }, (_, i) => come(`other ${i}`))
  const colours = await Promise.all(others.map(({ colour }) => colour()))
  expect(new Set([0, ...colours]).size).toBe(coloursOfPeople)
  expect(Math.max(...colours.map(Number))).toBeLessThan(coloursOfPeople)
})
