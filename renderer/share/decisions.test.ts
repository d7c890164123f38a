import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { Decisions, tellDecisions, tellOutcome } from './decisions.svelte.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const suggestion = (id: number, changes: Partial<Suggestion> = {}) =>
  ({ id: String(id), mine: true, status: 'pending', resolved_at: null, ...changes }) as Suggestion
const decided = (id: number, second: number, changes: Partial<Suggestion> = {}) =>
  suggestion(id, {
    status: 'accepted',
    resolved_at: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    ...changes,
  })
/** A visit, of which all that is said is noted. */
function visit(here = () => true) {
  const said: string[] = []
  return { said, decisions: new Decisions('document', (own) => void said.push(tellDecisions(own)), here) }
}

test('counts what was decided since the reader was last here, each decision once', () => {
  const first = visit()
  first.decisions.learn(Array.from({ length: 20 }, (_, i) => suggestion(i)))
  // Sixteen are decided before their eyes, one after the other.
  const all = (count: number) =>
    Array.from({ length: 20 }, (_, i) => (i < count ? decided(i, i + 1) : suggestion(i)))
  for (let count = 1; count <= 16; count++) first.decisions.learn(all(count))
  expect(first.said).toEqual(Array.from({ length: 16 }, () => 'Your suggestion was accepted.'))

  const second = visit()
  second.decisions.learn(all(18))
  second.decisions.learn(all(18))
  expect(second.said).toEqual(['2 of your suggestions were accepted.'])

  const third = visit()
  third.decisions.learn(all(18))
  expect(third.said).toEqual([])
})

test('shows those that were told until their writer has looked at them', () => {
  visit().decisions.learn([decided(1, 1), decided(2, 2)])
  const second = visit()
  second.decisions.learn([decided(1, 1), decided(2, 2)])
  expect([...second.decisions.shown]).toEqual(['1', '2'])
  second.decisions.see('1')
  const third = visit()
  third.decisions.learn([decided(1, 1), decided(2, 2)])
  expect([...third.decisions.shown]).toEqual(['2'])
})

test('tells nobody who isn’t there, and all of it at once when they are', () => {
  let here = false
  const { decisions, said } = visit(() => here)
  decisions.learn([suggestion(1), suggestion(2)])
  decisions.learn([decided(1, 1), suggestion(2)])
  decisions.learn([decided(1, 1), decided(2, 2, { status: 'rejected' })])
  expect(said).toEqual([])
  here = true
  decisions.learn([decided(1, 1), decided(2, 2, { status: 'rejected' })])
  expect(said).toEqual(['Of your suggestions 1 was accepted, 1 not taken.'])
})

test('what was reopened and decided again is told again, and others’ never', () => {
  visit().decisions.learn([decided(1, 1), decided(2, 2, { mine: false })])
  const { decisions, said } = visit()
  decisions.learn([suggestion(1), decided(2, 2, { mine: false })])
  decisions.learn([decided(1, 5, { status: 'rejected' }), decided(2, 2, { mine: false })])
  expect(said).toEqual(['Your suggestion was not taken.'])
})

test('without storage each decision is told once as long as the page is open', () => {
  vi.stubGlobal('localStorage', undefined)
  const { decisions, said } = visit()
  decisions.learn([decided(1, 1)])
  decisions.learn([decided(1, 1), decided(2, 2)])
  expect(said).toEqual(['Your suggestion was accepted.', 'Your suggestion was accepted.'])
})

test('says that words are in the text only where they are', () => {
  const [accepted, rejected] = [{ status: 'accepted' }, { status: 'rejected' }] as const
  expect(tellOutcome(accepted, true, false)).toBe(': it is in the text now.')
  expect(tellOutcome(accepted, true, true)).toBe(': it is in the new text.')
  for (const isNewer of [true, false]) {
    expect(tellOutcome(accepted, false, isNewer)).toBe(', but the text has changed there since.')
    expect(tellOutcome(rejected, true, isNewer)).toBe(': the text stays as it was.')
    for (const one of [accepted, rejected]) expect(tellOutcome(one, null, isNewer)).toBe('')
    expect(tellOutcome(rejected, false, isNewer)).toBe('')
    expect(tellOutcome({ status: 'pending' }, true, isNewer)).toBe('')
  }
})

test('tells of one that is open again, which is not shown as decided any more, and of what becomes of it then', () => {
  const { decisions, said } = visit()
  decisions.learn([suggestion(1)])
  decisions.learn([decided(1, 1)])
  decisions.learn([suggestion(1)])
  expect(said).toEqual(['Your suggestion was accepted.', 'Your suggestion is to be decided again.'])
  expect(decisions.shown.size).toBe(0)
  decisions.learn([suggestion(1)])
  decisions.learn([decided(1, 2, { status: 'rejected' })])
  expect(said.slice(2)).toEqual(['Your suggestion was not taken.'])
  expect([...decisions.shown]).toEqual(['1'])
})
