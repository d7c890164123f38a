import { afterEach, expect, test, vi } from 'vitest'
import type { Unmade } from './due-suggestions.ts'
import { content, desk, keepsInBrowser, offline, record, type Asked } from './testing/desk.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what a closed window was not answered goes on in the text, under its key and in the words it had', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const first = desk(content)
  first.beAway(true)
  first.type(13, ' brown')
  await first.suggester.flush().catch(() => undefined)
  first.type(19, ' red')
  const [{ idempotencyKey, body }] = first.asked as [Asked]
  await first.suggester.end()
  expect(Object.keys(kept)).toHaveLength(1)

  const second = desk(content)
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([' brown red']))
  await vi.waitFor(() => expect(second.suggester.state).toMatchObject({ kind: 'failed' }))
  expect(second.suggester.catchesUp).toBe(true)
  second.beAway(false)
  second.asked.length = 0
  second.suggester.isThere()
  await second.suggester.flush()
  expect(second.asked).toMatchObject([
    { name: 'createSuggestion', idempotencyKey, body },
    { name: 'updateSuggestion', body: { suggested_text: ' brown red' } },
  ])
  expect(second.asked[0]!.body).toEqual(body)
  expect([second.put(), second.suggester.catchesUp]).toEqual([[' brown red'], false])
  expect(kept).toEqual({})
  await second.suggester.end()
})

test('what a closed window made more of isn’t asked for again once it was rejected meanwhile', async () => {
  vi.useFakeTimers()
  keepsInBrowser()
  const first = desk(content)
  first.type(13, ' brown')
  await first.suggester.flush()
  const made = record('s0', { suggested_text: ' brown', range: { start: 13, end: 13 } })
  first.beAway(true)
  first.type(19, ' red')
  await first.suggester.end()

  const second = desk(content)
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([' brown red']))
  second.asked.length = 0
  await second.add({ ...made, status: 'rejected' })
  expect([second.put(), second.refused]).toEqual([[], [' brown red']])
  second.beAway(false)
  await second.suggester.flush()
  expect(second.asked.map(({ name }) => name)).not.toContain('createSuggestion')
  await second.suggester.end()
})

test('of what a closed window made more of only that is asked for once the other was accepted', async () => {
  vi.useFakeTimers()
  const leave = async () => {
    keepsInBrowser()
    const first = desk(content)
    first.type(13, ' brown')
    await first.suggester.flush()
    first.beAway(true)
    first.type(19, ' red')
    await first.suggester.end()
  }
  const accepted = record('s0', { suggested_text: ' brown', status: 'accepted' })
  const more = { original_text: ' brown', suggested_text: ' brown red', anchor: { start: 13 } }
  await leave()
  const after = desk('One.\n\nA quick brown fox.\n\nThree.', [accepted])
  await vi.waitFor(() => expect(after.asked).toHaveLength(3))
  expect(after.asked[1]).toMatchObject({ name: 'createSuggestion', body: more })
  expect(after.put()).toEqual([' red'])
  await after.suggester.end()

  // Where the text that has it comes after the window.
  await leave()
  const before = desk(content)
  before.beAway(true)
  await vi.waitFor(() => expect(before.put()).toEqual([' brown red']))
  before.others(13, 13, ' brown')
  await before.add(accepted)
  expect([before.put(), before.shown()]).toEqual([[' red'], 'One.\n\nA quick brown red fox.\n\nThree.'])
  await before.suggester.end()

  // What its owner has said otherwise isn’t asked again by itself.
  await leave()
  const other = desk('One.\n\nA quick tan fox.\n\nThree.', [{ ...accepted, accepted_text: ' tan' }])
  await vi.waitFor(() => expect(other.refused).toEqual([' brown red']))
  expect(other.asked.map(({ name }) => name)).not.toContain('createSuggestion')
  await other.suggester.end()
})

test('what was taken back while nobody could be reached stays so in the next window, until the server has heard it', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const made = record('s0', { suggested_text: ' brown', range: { start: 13, end: 13 } })
  const first = desk(content, [made])
  expect(first.put()).toEqual([' brown'])
  first.beAway(true)
  first.takeOut(13, 19)
  await first.suggester.end()

  const second = desk(content, [made])
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([]))
  await second.load()
  expect([second.put(), second.suggester.isGone('s0')]).toEqual([[], true])
  await second.suggester.end()

  const third = desk(content, [made])
  await third.suggester.flush()
  await vi.waitFor(() => expect(kept).toEqual({}))
  expect(third.asked.map(({ name }) => name)).toEqual(['withdrawSuggestion'])
  expect(third.put()).toEqual([])
  await third.suggester.end()
})

test('what may have been made is made once, and withdrawn, by who comes back after it was taken back', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const first = desk(content)
  first.beAway(true)
  first.type(13, ' brown')
  await first.suggester.flush().catch(() => undefined)
  const [{ idempotencyKey }] = first.asked as [Asked]
  first.takeOut(13, 19)
  await first.suggester.end()

  const second = desk(content)
  await vi.waitFor(() => expect(kept).toEqual({}))
  expect(second.asked).toMatchObject([
    { name: 'createSuggestion', idempotencyKey },
    { name: 'withdrawSuggestion' },
  ])
  expect([second.put(), second.refused]).toEqual([[], []])
  await second.suggester.end()
})

test('why one suggests what waits goes with it, or after it where it may have been made', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const { suggester, asked, made, type, beAway } = desk(content)
  beAway(true)
  type(13, ' brown')
  expect(suggester.waiting).toEqual([])
  suggester.lose(offline())
  const [{ key, name }] = suggester.waiting as [Unmade]
  expect(suggester.giveReason(key, 'It says which.')).toBe(true)
  await suggester.flush().catch(() => undefined)
  expect(asked[0]!.body).toMatchObject({ suggested_text: ' brown', note: 'It says which.' })
  // It may have been made so.
  suggester.giveReason(key, 'So it is.')
  expect(suggester.waiting).toMatchObject([{ name, suggestion: { note: 'So it is.' } }])
  await suggester.end()

  const second = desk(content)
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([' brown']))
  await vi.waitFor(() => expect(second.suggester.waiting).toMatchObject([{ name }]))
  second.beAway(false)
  second.asked.length = 0
  await second.suggester.flush()
  expect(second.asked).toMatchObject([
    { name: 'createSuggestion', body: { note: 'It says which.' } },
    { name: 'updateSuggestion', body: { note: 'So it is.' } },
  ])
  expect([made, second.made, kept]).toEqual([[], [name, 's0'], {}])
  expect(second.suggester.giveReason(key, 'Again.')).toBe(false)
  await second.suggester.end()
})
