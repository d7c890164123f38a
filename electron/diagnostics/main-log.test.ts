import { afterEach, expect, test, vi } from 'vitest'
import { keepMainLog, logLine } from './main-log.ts'

const at = new Date('2026-03-01T09:30:00.000Z')
const said = (...words: unknown[]) => (JSON.parse(logLine(50, words, at)) as { msg: string }).msg

afterEach(() => vi.restoreAllMocks())

test('a line is one JSON object with level, time and message', () => {
  expect(logLine(40, ['one\ntwo', { a: 1 }], at)).toBe(
    '{"level":40,"time":"2026-03-01T09:30:00.000Z","msg":"one\\ntwo {\\"a\\":1}"}\n',
  )
})

test('of addresses and keys nothing secret is kept', () => {
  const words = said(
    'at http://127.0.0.1:4780/sign-in#SECRET and https://x.org/share/SECRET?a, gally_SECRET_1',
  )
  expect(words).toBe('at http://127.0.0.1:4780/… and https://x.org/… gally_…')
})

test('an error is told by kind and place, not by its message, which may quote a text', () => {
  const words = said('It failed.', new TypeError('bad text: SECRET'))
  expect(words).toMatch(/^It failed\. TypeError\n\s+at .*main-log\.test\.ts/)
  expect(words).not.toContain('SECRET')
})

test('a line has an end', () => expect(said('x'.repeat(10_000))).toHaveLength(2_000))

test('what is said in the terminal is kept too', () => {
  const lines: string[] = []
  const { log, warn, error } = console
  const shown = vi.fn()
  Object.assign(console, { log: shown, warn: shown, error: shown })
  try {
    keepMainLog({ write: (line) => void lines.push(line) })
    console.log('a')
    console.warn('b')
    console.error('c')
  } finally {
    Object.assign(console, { log, warn, error })
    process.removeAllListeners('uncaughtExceptionMonitor')
  }
  expect(shown.mock.calls).toEqual([['a'], ['b'], ['c']])
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 30, msg: 'a' },
    { level: 40, msg: 'b' },
    { level: 50, msg: 'c' },
  ])
})
