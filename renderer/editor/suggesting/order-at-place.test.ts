import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { AuthorAndServer } from './testing/author-and-server.ts'

afterEach(() => vi.useRealTimers())

const content = 'alpha one gamma.'

test.each<[string, (desk: AuthorAndServer) => Promise<void>, string]>([
  [
    'what another has suggested before it stands before it',
    async (desk) => {
      desk.server.suggest(9, 9, ' early')
      desk.type(9, 9, ' sheet')
      await desk.rest()
    },
    'alpha one early sheet gamma.',
  ],
  [
    'what was sent before another’s goes on before that, in one piece',
    async (desk) => {
      desk.type(9, 9, ' earl')
      await desk.rest()
      desk.server.suggest(9, 9, ' sheet')
      await desk.rest()
      desk.typeOn('y')
    },
    'alpha one early sheet gamma.',
  ],
  [
    'letters that another puts at the end of a word stay with it',
    async (desk) => {
      desk.server.suggest(6, 9, 'ones')
      desk.type(9, 9, ' more')
      await desk.rest()
    },
    'alpha ones more gamma.',
  ],
])('%s', async (_what, act, read) => {
  vi.useFakeTimers()
  const desk = new AuthorAndServer(content)
  await act(desk)
  expect(desk.seenWithOthers).toBe(read)
  await desk.rest()
  expect([desk.server.acceptedWithOthers, desk.seenWithOthers]).toEqual([read, read])
  // Whichever is accepted first, at once and not only once a list has come.
  desk.accept(desk.server.rows.findIndex((row) => row.by !== desk.name))
  expect(desk.seen).toBe(read)
  await desk.rest()
  expect([desk.seen, desk.accepted]).toEqual([read, read])
  await desk.suggester.end()
})

test('what is accepted of one’s own and of another’s at once stands once', async () => {
  vi.useFakeTimers()
  const desk = new AuthorAndServer(content)
  desk.server.suggest(9, 9, ' early')
  desk.type(9, 9, ' sheet')
  await desk.rest()
  desk.accept(1)
  expect(desk.seen).toBe('alpha one sheet gamma.')
  desk.accept(0)
  await desk.rest()
  expect([desk.seen, desk.server.text]).toEqual(Array(2).fill('alpha one early sheet gamma.'))
  await desk.suggester.end()
})

test('what is accepted before a list has told of it goes to its side once one does', async () => {
  vi.useFakeTimers()
  const desk = new AuthorAndServer(content)
  desk.server.suggest(9, 9, ' early')
  desk.type(9, 9, ' sheet')
  await desk.suggester.flush()
  desk.accept(0)
  desk.typeOn('s')
  await desk.rest()
  expect([desk.seen, desk.accepted]).toEqual(Array(2).fill('alpha one early sheets gamma.'))
  desk.typeOn('!')
  expect(desk.seen).toBe('alpha one early sheets! gamma.')
  await desk.suggester.end()
})

const step = fc.record({
  who: fc.constantFrom(
    'begin',
    'begin',
    'go on',
    'suggest',
    'suggest',
    'accept',
    'write',
    'send',
    'load',
    'rest',
  ),
  at: fc.nat(20),
  text: fc.constantFrom(' a', ' be', ' cee'),
})

test('whatever others suggest and write there, and whatever is accepted, its author sees what accepting all gives', async () => {
  vi.useFakeTimers()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const desk = new AuthorAndServer(content)
      const places = (text: string) => [...text.matchAll(/(?<=\w)(?= )|\.$/g)].map(({ index }) => index)
      for (const { who, at, text } of steps) {
        const all = places(who === 'begin' ? desk.shown : desk.server.text)
        const place = all[at % all.length]!
        if (who === 'begin') desk.type(place, place, text.toUpperCase())
        else if (who === 'go on') desk.typeOn('!')
        else if (who === 'suggest') desk.server.suggest(place, place, text)
        else if (who === 'write') desk.others(place, place, text)
        else if (who === 'accept') desk.accept(at)
        else if (who === 'send') await desk.suggester.flush()
        else if (who === 'load') await desk.load()
        else await desk.rest()
      }
      // What was accepted while more was typed is heard of first, and the rest sent then.
      await desk.rest()
      await desk.rest()
      expect(desk.suggester.isUnsent).toBe(false)
      expect(desk.seen).toBe(desk.accepted)
      expect(desk.seenWithOthers).toBe(desk.server.acceptedWithOthers)
      await desk.suggester.end()
    }),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 200) },
  )
})
