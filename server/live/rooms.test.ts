import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { LiveText } from '../contract/live.ts'
import type { Follower } from './room.ts'
import { createRooms } from './rooms.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function scene() {
  const facts = { revision: 1, title: 'T', updated_at: '2026-01-01T00:00:00.000Z', length: 0 }
  const colours = new Map<string, number>()
  const left: string[] = []
  const rooms = createRooms({
    read: () => ({ ...facts, updates: [] }),
    onFailure: (error) => {
      throw error
    },
    colours: {
      meet(_document, { name }) {
        colours.set(name, colours.get(name) ?? colours.size)
        return colours.get(name)!
      },
      left: (_document, name) => void left.push(name),
    },
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
  return { come, colours, left, rooms }
}

it('shows a person in one colour, whichever page of theirs it is, and others in others', async () => {
  const { come } = scene()
  const [page, other, ben] = [come('one', 'ada'), come('two', 'ada'), come('three')]
  expect(await Promise.all([page, other, ben].map(({ colour }) => colour()))).toEqual([0, 0, 1])
})

it('says that a person has gone once the last of their pages has', () => {
  const { come, left } = scene()
  const [page, other, ben] = [come('one', 'ada'), come('two', 'ada'), come('three')]
  page.leave()
  expect(left).toEqual([])
  other.leave()
  expect(left).toEqual(['ada'])
  ben.leave()
  expect(left).toEqual(['ada', 'three'])
})

it('tells another colour as soon as somebody has one', async () => {
  const { come, colours, rooms } = scene()
  const ada = come('one', 'ada')
  expect(await ada.colour()).toBe(0)
  colours.set('ada', 5)
  rooms.changed('d')
  expect(await ada.colour()).toBe(5)
})
