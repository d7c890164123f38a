import { afterEach, expect, test, vi } from 'vitest'
import { OptimisticList } from '../../feedback/optimistic-list.svelte.ts'
import { sendLeft } from './sending.ts'
import { content, desk, keepsInBrowser, offline, record } from './testing/desk.ts'
import { leftUnsent, UnsentSuggestions } from './unsent-suggestions.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** What a closed window has left, and somebody who sends that without an editor. */
async function left() {
  const kept = keepsInBrowser()
  const window = desk(content)
  window.beAway(true)
  window.type(13, ' brown')
  await window.suggester.end()

  const asked: { name: string; body: Record<string, unknown> }[] = []
  let answer: (goesWell: boolean) => void = () => {}
  const api = {
    url: () => '',
    call: (name: string, { body }: { body: Record<string, unknown> }) => {
      asked.push({ name, body })
      return new Promise((resolve, reject) => {
        answer = (goesWell) => (goesWell ? resolve(record('s', body)) : reject(offline()))
      })
    },
  }
  const list = new OptimisticList<never>()
  const sending = { api: api as never, documentId: 'd', list, load: () => Promise.resolve() }
  const send = async () => {
    const unsent = new UnsentSuggestions('d', { sends: true })
    const refused: string[] = []
    await sendLeft(
      { ...sending, signature: () => ({}), onRefused: (words) => refused.push(words) },
      await unsent.takeLeft(),
      (one, isTaken) => unsent.sent(one, isTaken),
    ).finally(() => unsent.release())
    return refused
  }
  /** Begins to send it; `answered` resolves once that has ended. */
  const begin = async () => {
    const before = asked.length
    const answered = send()
    await vi.waitFor(() => expect(asked).toHaveLength(before + 1))
    return { answered }
  }
  const notes = async () => (await leftUnsent('d')).map(({ one }) => !one.isWithdrawn && (one.note ?? null))
  return { kept, asked, begin, notes, answer: (goesWell: boolean) => answer(goesWell) }
}

test('what is being sent waits as before for who looks, and takes a reason, which is kept where it isn’t answered', async () => {
  const { begin, answer, notes } = await left()
  const [found] = await leftUnsent('d')
  const { answered } = await begin()
  expect(await notes()).toEqual([null])
  expect(found!.giveReason('It says which.')).toBe(true)
  expect(await notes()).toEqual(['It says which.'])
  answer(false)
  await expect(answered).rejects.toThrow('no')
  expect(await notes()).toEqual(['It says which.'])
})

test('a reason that was given while it is being sent is sent after it', async () => {
  const { kept, asked, begin, answer, notes } = await left()
  const { answered } = await begin()
  const [found] = await leftUnsent('d')
  expect(found!.giveReason('It says which.')).toBe(true)
  for (let round = 1; round <= 4; round++) {
    await vi.waitFor(() => expect(asked).toHaveLength(round))
    answer(true)
  }
  expect(await answered).toEqual([])
  expect(asked.map(({ name, body }) => [name, body['note'] ?? null])).toEqual([
    // It had been asked for before, which may have been done.
    ['createSuggestion', null],
    ['updateSuggestion', null],
    ['createSuggestion', null],
    ['updateSuggestion', 'It says which.'],
  ])
  expect([kept, await notes()]).toEqual([{}, []])
})

test('what is discarded while it is being sent isn’t sent again', async () => {
  const { kept, begin, answer } = await left()
  const [found] = await leftUnsent('d')
  const { answered } = await begin()
  found!.discard()
  answer(false)
  await expect(answered).rejects.toThrow('no')
  expect(kept).toEqual({})
})
