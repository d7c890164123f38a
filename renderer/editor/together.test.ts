import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createApiClient, type ApiClient } from '../api/client.ts'
import { RealGalley } from './testing/real-galley.ts'
import { Writer } from './testing/writer.ts'

// Several of the app’s editors, real connections, and a server that is killed now and then. `GALLEY_RUNS=2000` is for a
// night; see CONTRIBUTING.
const runs = Number(process.env['GALLEY_RUNS'] ?? 12)

const place = fc.double({ min: 0, max: 1, noNaN: true })
const who = fc.nat(4)
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('type' as const), who, at: place }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), who, at: place, length: fc.nat(8) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cut', 'lose', 'double'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('patch', 'accept', 'restore'), at: place }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
const rarely = fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(30) })

/** What is typed: words that are like no others, so that each can be looked for. */
const marker = (writer: number, number: number) => `⟨${writer}·${number}⟩`
const markers = /⟨\d·\d+⟩/g

async function until(isSo: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(what())
    await pause(10)
  }
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test(
  'editors over real connections come to one text, with everything that was taken, once',
  async () => {
    const { galley, key, owner, base } = await begin()
    const restart = async () => {
      await galley.stop('SIGKILL')
      await galley.start()
    }

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.constantFrom(3, 5),
        ...[rarely, rarely, rarely],
        (steps, count, killedAt, revokedAt, stalledAt) =>
          run({ owner, base, key, restart, steps, count, killedAt, revokedAt, stalledAt }),
      ),
      { numRuns: runs, endOnFailure: true },
    )
    await galley.stop('SIGTERM')
    // It replays each log, and throws if anything isn't as it should be.
    await galley.run('check')
  },
  120_000 + runs * 5_000,
)

/** A server, and somebody who owns what is on it. */
async function begin() {
  const galley = await RealGalley.start()
  const key = await galley.run('key', 'create', '--name', 'test')
  const authorization = `Bearer ${key}`
  const owner = createApiClient({
    base: galley.url,
    fetch: (to, init) =>
      fetch(to, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization } }),
  })
  return { galley, key, owner, base: galley.url }
}

test('words that two have put in the place of the same one stand side by side whole, after one was away', async () => {
  const { key, owner, base } = await begin()
  const { id } = await owner.call('createDocument', { body: { title: 'T', content: 'The green house.\n' } })
  const { token } = await owner.call('createShareLink', { params: { id }, body: { permission: 'edit' } })
  const near = await Writer.open({ base, document: id, as: { key } })
  const away = await Writer.open({ base, document: id, as: { token } })
  // Known to the server, so that what it says goes over the line.
  away.type(0, 0, ' ')
  await until(
    () => !away.saver.dirty && away.isFollowing && near.content === away.content,
    () => 'not begun',
  )
  away.stall(3_500)
  const replace = async (writer: Writer, word: string) => {
    const at = writer.shown.indexOf('green')
    writer.type(at, at + 'green'.length, word.slice(0, 1))
    for (let i = 1; i < word.length; i++) {
      await pause(60)
      writer.type(at + i, at + i, word.slice(i, i + 1))
    }
  }
  await Promise.all([replace(near, 'brown'), replace(away, 'purple')])
  await until(
    () => {
      away.comeBack()
      return !near.saver.dirty && !away.saver.dirty && near.content === away.content
    },
    () => JSON.stringify([near.content, away.content]),
  )
  expect(away.conflicts).toEqual([{ mine: 'purple', theirs: 'brown' }])
  expect(away.content).toMatch(/^ The (purple ?brown|brown ?purple) house\.\n$/)
  for (const writer of [near, away]) writer.close()
})

test('who writes over a connection that died without a word goes on over a new one', async () => {
  const { key, owner, base } = await begin()
  const { id } = await owner.call('createDocument', { body: { title: 'T', content: 'One.\n' } })
  const [near, away] = await Promise.all([1, 2].map(() => Writer.open({ base, document: id, as: { key } })))
  const all = (content: string) =>
    until(
      () => [near!, away!].every((one) => one.isFollowing && !one.saver.dirty && one.content === content),
      () => JSON.stringify([near!.content, away!.content]),
    )
  await all('One.\n')
  away!.swallow()
  near!.type(0, 0, 'Zero. ')
  away!.type(4, 4, ' Two.')
  await all('Zero. One. Two.\n')
  away!.type(15, 15, ' Three.')
  near!.type(0, 0, 'So: ')
  await all('So: Zero. One. Two. Three.\n')
  expect(away!.calls).toBe(1)
  for (const writer of [near!, away!]) writer.close()
}, 60_000)

test.each([
  ['one three', 'one', ' two', 'one two three', 'near'],
  ['One.\r\n\r\nThree.\r\n', 'One.', '\n\nAll of two.', 'One.\n\nAll of two.\n\nThree.\n', 'near'],
  ['- one\n- three\n', 'one', '\n- two', '- one\n- two\n- three\n', 'away'],
])('what two wrote alike while one was away stays while either stands by it: %j', async (...one) => {
  const [content, behind, put, together, undoesFirst] = one
  const { key, owner, base } = await begin()
  const { id } = await owner.call('createDocument', { body: { title: 'T', content } })
  const { token } = await owner.call('createShareLink', { params: { id }, body: { permission: 'edit' } })
  const near = await Writer.open({ base, document: id, as: { key } })
  const away = await Writer.open({ base, document: id, as: { token } })
  const [nearHand, awayHand] = [near.hand(), away.hand()]
  // Known to the server, so that what it says goes over the line.
  awayHand.replace(0, 0, ' ')
  await until(
    () => !away.saver.dirty && away.isFollowing && near.content === away.content,
    () => 'not begun',
  )
  const settled = async (wanted: string) => {
    await until(
      async () => {
        away.comeBack()
        const { revision } = await owner.call('getDocument', { params: { id } })
        return [near, away].every(
          (writer) => !writer.saver.dirty && writer.revision === revision && writer.shown === ` ${wanted}`,
        )
      },
      () => JSON.stringify([wanted, near.shown, away.shown]),
    )
    for (const { text } of [nearHand, awayHand]) expect(text).toBe(` ${wanted}`)
  }
  away.stall(3_500)
  awayHand.typeAfter(behind, put)
  nearHand.typeAfter(behind, put)
  await settled(together)
  const [first, last] = undoesFirst === 'near' ? [nearHand, awayHand] : [awayHand, nearHand]
  first.undo()
  await settled(together)
  last.undo()
  await settled(content.replaceAll('\r', ''))
  first.redo()
  await settled(together)
  last.redo()
  await settled(together)
  last.undo()
  await settled(together)
  for (const writer of [near, away]) writer.close()
})

interface Run {
  owner: ApiClient
  base: string
  key: string
  restart: () => Promise<void>
  steps: Step[]
  count: number
  killedAt: number | null
  revokedAt: number | null
  /** When a network is gone for longer than an absence takes. */
  stalledAt: number | null
}

async function run(options: Run): Promise<void> {
  const { owner, base, key, restart, steps, count, killedAt, revokedAt, stalledAt } = options
  const { id } = await owner.call('createDocument', {
    body: { title: 'T', content: '\uFEFFOne two\r\nthree 😀\rfour five\nsix seven eight\n' },
  })
  const params = { id }
  const links = await Promise.all(
    Array.from({ length: count - 1 }, () =>
      owner.call('createShareLink', { params, body: { permission: 'edit' } }),
    ),
  )
  const writers = await Promise.all([
    Writer.open({ base, document: id, as: { key } }),
    ...links.map(({ token }) => Writer.open({ base, document: id, as: { token } })),
  ])
  const typed = new Map<string, number>()
  let revoked: { writer: number; before: Set<string> } | null = null
  let isRestored = false
  let stalled: Promise<unknown> | undefined
  const content = async () => (await owner.call('getDocument', { params })).content
  try {
    for (const [i, one] of steps.entries()) {
      if (i === killedAt) await restart()
      if (i === stalledAt) {
        writers.at(-1)!.stall(2_500)
        stalled = pause(2_600)
      }
      if (i === revokedAt) {
        await owner.call('revokeShareLink', { params, query: { link_id: links[0]!.id } })
        revoked = { writer: 1, before: new Set(typed.keys()) }
      }
      if (one.kind === 'wait') await pause(one.ms)
      else if ('who' in one) {
        const n = one.who % count
        const writer = writers[n]!
        const text = writer.shown
        if (one.kind === 'type') {
          const word = marker(n, typed.size)
          typed.set(word, n)
          writer.type(between(text, one.at), between(text, one.at), word)
        } else if (one.kind === 'delete') {
          const from = between(text, one.at)
          // What was typed in the run is left, so that it can be counted.
          const [rest] = /^[^⟨⟩]*/.exec(text.slice(from, from + one.length))!
          writer.type(from, whole(text, from + rest.length), '')
        } else if (one.kind === 'cut') writer.cut()
        else if (one.kind === 'lose') writer.trouble.lost++
        else writer.trouble.doubled++
      } else isRestored = (await decide(owner, id, one.kind, one.at)) || isRestored
    }
    await stalled
    const left = writers.filter((_, n) => n !== revoked?.writer)
    for (const { trouble } of left) Object.assign(trouble, { lost: 0, doubled: 0 })
    await until(
      async () => {
        for (const writer of left) writer.comeBack()
        const now = await content()
        return left.every((writer) => !writer.saver.dirty && writer.isFollowing && writer.content === now)
      },
      () =>
        `not one text: ${JSON.stringify(left.map(({ content, saver, isFollowing }) => [content, saver.state, isFollowing]))}`,
    )
    const found = [...(await content()).matchAll(markers)].map(([word]) => word)
    expect(new Set(found).size, 'each once').toBe(found.length)
    const late = found.filter(
      (word) => revoked && typed.get(word) === revoked.writer && !revoked.before.has(word),
    )
    expect(late, 'nothing by who was shut out').toEqual([])
    const own = [...typed].filter(([, n]) => n !== revoked?.writer).map(([word]) => word)
    if (!isRestored) expect(found).toEqual(expect.arrayContaining(own))
    for (const writer of left) expect(writer.notices.filter(({ kind }) => kind === 'diverged')).toEqual([])
  } finally {
    for (const writer of writers) writer.close()
  }
}

/** A place outside of what was typed in the run. */
function between(text: string, part: number): number {
  const at = Math.floor(part * text.length)
  const around = [...text.matchAll(markers)].find(
    ({ index, 0: word }) => index < at && at < index + word.length,
  )
  return whole(text, around?.index ?? at)
}

/** A place that isn’t within a character. */
const whole = (text: string, at: number) => ((text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at)

/** Changes by other ways; answers whether text may have gone by it. */
async function decide(owner: ApiClient, id: string, kind: string, part: number): Promise<boolean> {
  const params = { id }
  const { content, revision } = await owner.call('getDocument', { params })
  if (kind === 'restore') {
    await owner.call('restoreRevision', { params: { id, revision: Math.max(1, Math.ceil(part * revision)) } })
    return true
  }
  const words = [...content.matchAll(/[a-z]+/g)]
  const word = words[Math.floor(part * words.length)]
  if (!word) return false
  const { index, 0: chosen } = word
  if (kind === 'patch') {
    const changed = `${content.slice(0, index)}patched${content.slice(index + chosen.length)}`
    await owner
      .call('updateDocument', { params, body: { content: changed }, ifMatch: revision })
      .catch(() => {})
  } else {
    const body = { original_text: chosen, suggested_text: 'accepted' }
    const suggestion = await owner.call('createSuggestion', { params, body }).catch(() => null)
    if (suggestion)
      await owner.call('acceptSuggestion', { params: { id, suggestion_id: suggestion.id } }).catch(() => {})
  }
  return false
}
