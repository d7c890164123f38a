// Runs before each test file of those that share a process. What one left behind, the next would find.
import { afterAll, expect, vi } from 'vitest'

const globals = () =>
  new Map(
    Object.getOwnPropertyNames(globalThis)
      // Vitest’s and Svelte’s own; Svelte’s throw where they are asked for.
      .filter((name) => !/^(__|\$)/.test(name))
      // Asked for, since Node makes some only then.
      .map((name) => [name, (globalThis as Record<string, unknown>)[name]]),
  )

const before = globals()
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  const after = globals()
  const left = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !Object.is(before.get(name), after.get(name)),
  )
  expect(left, 'globals that the file left otherwise than it found them').toEqual([])
})
