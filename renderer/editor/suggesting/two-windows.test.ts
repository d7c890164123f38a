import { afterEach, expect, test, vi } from 'vitest'
import { joined } from './joined.ts'
import { content, desk, keepsInBrowser, record } from './testing/desk.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** By when the other window has changed it. */
const later = '2026-01-01T01:00:00.000Z'

test('what two windows of one author make of one suggestion at once is one with the words of both', async () => {
  vi.useFakeTimers()
  const { suggester, asked, type, become, records, put, shown, load } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  await load()
  type(19, ' red')
  // Nothing is heard here of what the other has sent.
  become({ suggested_text: ' brown tan', edited_at: later })
  await suggester.flush()
  expect(records()).toMatchObject([{ original_text: '', suggested_text: ' brown tan red' }])
  expect([put(), shown()]).toEqual([[' brown tan red'], 'One.\n\nA quick brown tan red fox.\n\nThree.'])
  expect([suggester.state.kind, suggester.words]).toEqual(['saved', ''])
  // One types on behind one’s own words.
  type(27, '!')
  await suggester.flush()
  expect(records()).toMatchObject([{ suggested_text: ' brown tan red!' }])
  expect(asked.map(({ name }) => name).filter((name) => name === 'createSuggestion')).toHaveLength(1)
  await suggester.end()
})

test('the cursor stays behind the words that it was behind while another window’s come before them', async () => {
  vi.useFakeTimers()
  const { suggester, type, become, load, cursor, shown } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  await load()
  type(19, ' red')
  become({ suggested_text: ' dark brown', edited_at: later })
  await suggester.flush()
  expect(shown().slice(0, cursor())).toBe('One.\n\nA quick dark brown red')
  await suggester.end()
})

test('a change that arrived without an answer is one’s own, and is gone on with', async () => {
  vi.useFakeTimers()
  const { suggester, type, become, records, beAway, load } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  await load()
  type(19, ' red')
  beAway(true)
  await suggester.flush().catch(() => undefined)
  become({ suggested_text: ' brown red', edited_at: later })
  beAway(false)
  type(23, ' wine')
  await suggester.flush()
  expect(records()).toMatchObject([{ suggested_text: ' brown red wine' }])
  await suggester.end()
})

test('what another window has made of one stays where it was withdrawn here as it had been', async () => {
  vi.useFakeTimers()
  const { suggester, type, takeOut, become, records, put, load } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  await load()
  takeOut(13, 19)
  become({ suggested_text: ' brown tan', edited_at: later })
  await suggester.flush()
  expect([records().length, put()]).toEqual([1, [' brown tan']])
  takeOut(13, 23)
  await suggester.flush()
  expect([records(), put()]).toEqual([[], []])
  await suggester.end()
})

test('where it isn’t known how both meet, they are two', async () => {
  vi.useFakeTimers()
  const { suggester, type, become, records, load } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  await load()
  type(19, ' red')
  become({ original_text: 'gone', suggested_text: 'tan', edited_at: later, range: null })
  await suggester.flush()
  expect(records()).toMatchObject([{ suggested_text: 'tan' }, { suggested_text: ' brown red' }])
  await suggester.end()
})

test('what a closed window has left meets what another has made of it since', async () => {
  vi.useFakeTimers()
  const made = record('s0', { suggested_text: ' brown', range: { start: 13, end: 13 } })
  const leave = async (isPlaced = true) => {
    keepsInBrowser()
    const first = desk(content, [made])
    first.beAway(true)
    first.type(19, ' red')
    if (!isPlaced) first.others(6, 20)
    await first.suggester.end()
  }
  const other = { ...made, suggested_text: ' brown tan', edited_at: later }
  await leave()
  const second = desk(content, [other])
  await vi.waitFor(() => expect(second.records()).toMatchObject([{ suggested_text: ' brown tan red' }]))
  expect(second.put()).toEqual([' brown tan red'])
  await second.suggester.end()

  // Where its place isn’t sure here, both stand by themselves.
  await leave(false)
  const elsewhere = desk(content, [{ ...other, range: null }])
  await vi.waitFor(() =>
    expect(elsewhere.records()).toMatchObject([
      { suggested_text: ' brown tan' },
      { suggested_text: ' brown red' },
    ]),
  )
  await elsewhere.suggester.end()
})

test('no word that either has put in is lost, whatever both are for', () => {
  const text = 'One alpha here. Two beta.'
  const at = (start: number, original: string, suggested: string) => ({ start, original, suggested })
  const both = (...[before, theirs, mine]: Parameters<typeof at>[]) =>
    joined(text, before ? at(...before) : null, at(...theirs!), at(...mine!))
  expect(both([4, 'alpha', 'omega'], [4, 'alpha', 'omega one'], [4, 'alpha', 'omega'])).toMatchObject({
    suggested: 'omega one',
  })
  // Both have another word for one.
  expect(both([4, 'alpha', 'omega'], [4, 'alpha', 'zeta'], [4, 'alpha', 'eta'])).toMatchObject({
    suggested: 'zeta eta',
  })
  // Either reaches further than it did.
  expect(
    both([4, 'alpha', 'omega'], [4, 'alpha here', 'omega there'], [0, 'One alpha', 'An omega']),
  ).toMatchObject({
    ...{ start: 0, original: 'One alpha here', suggested: 'An omega there' },
  })
  // What was taken out here is gone, but not what was put in there.
  expect(both([9, '', ' one two'], [9, '', ' one and two'], [9, '', ' one'])).toMatchObject({
    suggested: ' one and ',
  })
})
