import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { SeveralAuthors, type Act } from './testing/several-authors.ts'

afterEach(() => vi.useRealTimers())

const kinds: [number, Act['kind']][] = [
  [6, 'begin'],
  [6, 'go on'],
  [2, 'replace'],
  [1, 'take back'],
  [5, 'send'],
  [6, 'answer'],
  [1, 'do'],
  [1, 'lose'],
  [4, 'hear'],
  [1, 'ask'],
  [1, 'arrive'],
  [3, 'load'],
  [1, 'reload'],
  [2, 'write'],
  [1, 'write over'],
  [3, 'accept'],
  [1, 'reject'],
]
const act = fc.record({
  kind: fc.oneof(...kinds.map(([weight, kind]) => ({ weight, arbitrary: fc.constant(kind) }))),
  who: fc.nat(2),
  at: fc.nat(20),
})

/** What stands once everybody has heard of all is the same for everybody, and nothing that was typed is lost or stands twice. */
async function isAgreed(acts: readonly Act[], count: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const desk = new SeveralAuthors('alpha one gamma.', count)
  const { server } = desk
  for (const one of acts) await desk.act(one)
  await desk.settle()
  for (const author of desk.authors) {
    expect(author.suggester.isUnsent).toBe(false)
    const rows = server.rows.filter(({ by }) => by === author.name)
    const ids: (string | null)[] = rows.map(({ id }) => id)
    const kept = rows.map((row) => ({
      ...{ id: row.id, original: row.original_text, suggested: row.suggested_text },
      isApart: server.record(row).range === null,
    }))
    // What has no place may be on its card alone.
    const shown = new Set(author.words.map(({ id }) => id))
    const inOrder = author.words.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    expect(inOrder).toEqual(kept.filter(({ id, isApart }) => !isApart || shown.has(id)))
    if (!server.areAtOdds(author.name)) expect(author.seen).toBe(server.acceptedOf(author.name))
    // Which of two equal spaces was put in there, the words alone don’t tell.
    if (server.acceptedWithOthers !== null && !server.isAmongWords)
      expect(author.seenWithOthers).toBe(server.acceptedWithOthers)
  }
  const all = [server.text, ...server.rows.map((row) => row.suggested_text), ...server.rejected].join('\n')
  const accepted = [
    server.acceptedWithOthers ?? '',
    ...desk.authors.map(({ name }) => server.acceptedOf(name)),
  ]
  for (const letter of desk.typed) {
    expect(all).toContain(letter)
    for (const text of accepted) expect([text, text.split(letter).length - 1 > 1]).toEqual([text, false])
  }
  await desk.end()
}

const runs = { numRuns: Number(process.env['GALLEY_RUNS'] ?? 100) }

test.each([2, 3])('%i who suggest at the same places see what accepting all gives', async (count) => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30, size: 'max' }), (acts) =>
      isAgreed(acts, count),
    ),
    runs,
  )
})

const did = (kind: Act['kind'], who = 0, at = 0): Act => ({ kind, who, at })

test.each<[string, Act[]]>([
  [
    'what is accepted while its author goes on, where another wrote at its place, stands once',
    [
      did('begin', 1),
      did('reload', 1),
      did('write over'),
      did('write'),
      did('begin', 1),
      did('accept'),
      did('begin'),
    ],
  ],
  [
    'the same before the author has heard that the server has it',
    [did('write over', 0, 2), did('begin', 0, 11), did('send'), did('answer')].concat(
      [did('write', 0, 5), did('accept'), did('begin'), did('answer'), did('begin')],
      [did('go on'), did('begin', 0, 4)],
    ),
  ],
  [
    'what is taken back of words on their way, whose place goes meanwhile, is told the server',
    [did('replace', 0, 1), did('go on'), did('send'), did('write over', 0, 10)].concat([
      did('take back'),
      did('begin'),
      did('accept'),
      did('reject'),
      did('answer'),
    ]),
  ],
])('%s', async (_what, acts) => {
  await isAgreed(acts, 2)
})
