import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChangingWays, type Act } from './testing/changing-ways.ts'

const place = fc.double({ min: 0, max: 1, noNaN: true })
const kind = (name: Act['kind']) => fc.record({ kind: fc.constant(name), at: place })
const act = fc.oneof(
  { weight: 8, arbitrary: kind('type') },
  { weight: 5, arbitrary: kind('choose') },
  { weight: 3, arbitrary: kind('go') },
  { weight: 2, arbitrary: kind('take out') },
  { weight: 2, arbitrary: kind('retype') },
  { weight: 5, arbitrary: kind('answer') },
  { weight: 2, arbitrary: kind('do') },
  { weight: 1, arbitrary: kind('lose') },
  { weight: 2, arbitrary: kind('others') },
  { weight: 2, arbitrary: kind('load') },
  { weight: 2, arbitrary: kind('send') },
)

/** Does one thing after the other, and sees that all that was seen is what stands once the server has all of it. */
async function standsAsSeen(acts: readonly Act[]): Promise<void> {
  const desk = new ChangingWays('alpha beta gamma.')
  for (const one of acts) await desk.act(one)
  const seen = desk.seen
  await desk.settle()
  const { text, suggestions } = desk.server
  expect([...text].filter((letter) => desk.written.has(letter))).toHaveLength(desk.written.size)
  expect([...text].filter((letter) => desk.suggested.has(letter))).toEqual([])
  const placed = suggestions.map((one) => ({ ...one, ...one.place.place! })).sort((a, b) => a.start - b.start)
  for (const [i, { start }] of placed.entries()) expect(start).toBeGreaterThanOrEqual(placed[i - 1]?.end ?? 0)
  expect(desk.server.acceptAll()).toBe(seen)
}

test('whatever way one types by, and whenever the server answers, all of it stands once, where it was seen', async () => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 40 }), standsAsSeen), {
    numRuns: 400,
  })
})

test.each<[string, Act['kind'][]]>([
  [
    'what others write before words that are suggested in two pieces',
    ['type', 'choose', 'type', 'go', 'type', 'answer', 'choose', 'others'],
  ],
  [
    'what one types in a word of which one suggests another, though the server’s list is there before that',
    ['type', 'choose', 'type', 'choose', 'answer', 'answer', 'type', 'answer', 'load'],
  ],
])('%s stands where it was seen', async (_what, kinds) => {
  await standsAsSeen(kinds.map((kind) => ({ kind, at: 0 })))
})
