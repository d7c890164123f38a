import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Agents } from './agents.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const claude = { id: 'key 1', person: 'key:1', name: 'Claude', isSeen: true }
const change = { agent: claude, documentId: 'd', revision: 2, at: null }
const shown = (agents: Agents) =>
  agents.of('d').map(({ name, isWriting }) => `${name}${isWriting ? ' writes' : ''}`)

it('fades: first it stops writing, then it has gone; whoever reads on stays', () => {
  let told = 0
  const agents = new Agents(() => told++)
  agents.changed(change)
  expect(shown(agents)).toEqual(['Claude writes'])
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(3_000)
    agents.saw('d', claude)
  }
  expect(shown(agents)).toEqual(['Claude'])
  expect(agents.of('d')[0]!.last).toEqual({ revision: 2, at: null })
  vi.advanceTimersByTime(40_000)
  expect(shown(agents)).toEqual(['Claude'])
  vi.advanceTimersByTime(10_000)
  expect(shown(agents)).toEqual([])
  expect(told).toBe(3)
})

it('knows only so many of one document', () => {
  const agents = new Agents(() => {})
  for (let i = 0; i < 30; i++) agents.saw('d', { ...claude, id: `key ${i}`, name: `Agent ${i}` })
  expect(shown(agents)).toHaveLength(20)
  expect(shown(agents).at(-1)).toBe('Agent 29')
  agents.close()
})
