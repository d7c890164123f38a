import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { AuthorAndServer } from './testing/author-and-server.ts'

afterEach(() => vi.useRealTimers())

interface Written {
  from: number
  to?: number
  insert: string
}

test.each<[string, string, string, Written[], string]>([
  [
    'a line that goes on',
    'Line|\n\nOther.',
    '\n\nNew.',
    [{ from: 4, insert: ' more' }],
    'Line more\n\nNew.\n\nOther.',
  ],
  ['the last line', 'Line|', '\n\nNew.', [{ from: 4, insert: ' more' }], 'Line more\n\nNew.'],
  [
    'a line behind which another comes',
    'Line|\n',
    '\nNew.',
    [{ from: 4, insert: ' more\nNext' }],
    'Line more\nNew.\nNext\n',
  ],
  ['an item', '- one|\n- two', '\n- new', [{ from: 5, insert: ' more' }], '- one more\n- new\n- two'],
  [
    'a line that becomes bold',
    'Line|\n',
    '\nNew.',
    [
      { from: 4, insert: '**' },
      { from: 0, insert: '**' },
    ],
    '**Line**\nNew.\n',
  ],
  [
    'a line that begins otherwise',
    'A\n\n|Line',
    'New.\n\n',
    [{ from: 3, insert: 'So ' }],
    'A\n\nNew.\n\nSo Line',
  ],
  ['words in a line', 'Line| here', ' new', [{ from: 4, insert: ' more' }], 'Line new more here'],
  ['a new line in a line', 'Line| here', '\n', [{ from: 4, insert: ' more' }], 'Line\n more here'],
])('what is put in beside %s', async (_what, text, put, changes, accepted) => {
  vi.useFakeTimers()
  for (const isSent of [true, false]) {
    const desk = new AuthorAndServer(text.replace('|', ''))
    const at = text.indexOf('|')
    desk.type(at, at, put)
    if (isSent) await desk.rest()
    for (const { from, to = from, insert } of changes) desk.others(from, to, insert)
    expect(desk.seen).toBe(accepted)
    await desk.rest()
    expect([desk.seen, desk.accepted]).toEqual([accepted, accepted])
    await desk.suggester.end()
  }
})

const content = 'Alpha one\n\nBeta two\n- item\n- last'
const step = fc.record({
  who: fc.constantFrom(
    ...(['begin', 'begin', 'go on', 'suggest', 'accept', 'send', 'load', 'rest'] as const),
    ...(['write', 'write', 'write'] as const),
  ),
  at: fc.nat(40),
  takes: fc.constantFrom(0, 0, 0, 0, 1, 4),
  put: fc.constantFrom('\n\nNEW', '\n- NEW', 'NEW\n\n', '- NEW\n', ' RED', '\n'),
  text: fc.constantFrom(' more', 'So ', '**', '\nNext', ' on\nNext', 'Intro\n', '\n', ''),
})

const edges = (text: string, edge: RegExp) => [...text.matchAll(edge)].map(({ index }) => index)
/** Lines are put in beside lines, words where words begin and end. */
const placesFor = (put: string, text: string) =>
  edges(text, put.startsWith('\n') ? /$/gm : put.endsWith('\n') ? /^/gm : /\b/g)
/** Where the owner writes: not in a line that was accepted. */
const placesIn = (text: string) => edges(text, /\b|^|$/gm).filter((at) => !/NEW/.test(lineAt(text, at).words))

function lineAt(text: string, at: number): { words: string; end: number } {
  const [start, next] = [text.lastIndexOf('\n', at - 1) + 1, text.indexOf('\n', at)]
  const end = next < 0 ? text.length : next
  return { words: text.slice(at === 0 ? 0 : start, end), end }
}

test('whatever others write beside lines that are put in, these stay lines, and their author sees what accepting all gives', async () => {
  vi.useFakeTimers()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const desk = new AuthorAndServer(content)
      for (const { who, at, takes, put, text } of steps) {
        const { text: now } = desk.server
        const all = who === 'write' ? placesIn(now) : placesFor(put, who === 'begin' ? desk.shown : now)
        const place = all[at % all.length]
        if (who === 'go on') desk.typeOn('!')
        else if (who === 'accept') desk.accept(at)
        else if (who === 'send') await desk.suggester.flush()
        else if (who === 'load') await desk.load()
        else if (who === 'rest') await desk.rest()
        else if (place === undefined) continue
        else if (who === 'begin') desk.type(place, place, put)
        else if (who === 'suggest') desk.server.suggest(place, place, put)
        else desk.others(place, Math.min(place + takes, lineAt(now, place).end), text)
      }
      await desk.rest()
      await desk.rest()
      expect(desk.suggester.isUnsent).toBe(false)
      expect(desk.seen).toBe(desk.accepted)
      const ofBoth = desk.seen.split('\n').filter((line) => /NEW/.test(line) && /[a-z*]/.test(line))
      expect(ofBoth).toEqual([])
    }),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 200) },
  )
})
