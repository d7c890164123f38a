import { expect, test } from 'vitest'
import { FeedbackFilter, type Filtered } from './feedback-filter.svelte.ts'

const author = (name: string, fields = {}) => ({
  ...{ author_id: null, author_name: name, key_name: null, mine: false },
  ...fields,
})
const threads: Filtered[] = [
  {
    by: [author('Ada'), author('Owner', { author_id: 'o', mine: true })],
    texts: ['Which blue?', 'Soft.'],
    detached: false,
  },
  { by: [author('Ben')], texts: ['Why not a red PENCIL?'], detached: true },
]
const taken = (filter: FeedbackFilter) => threads.flatMap((one, i) => (filter.takes(one) ? i : []))

test('what is listed is chosen by who said something, by lost words, and by what was said', () => {
  const filter = new FeedbackFilter()
  expect(taken(filter)).toEqual([0, 1])
  expect(filter.isOn).toBe(false)
  expect(filter.choices(threads).map(({ label }) => label)).toEqual([
    'By everybody',
    'Mine',
    'Ada (guest)',
    'Ben (guest)',
    'Words no longer in the text',
  ])
  filter.whose = 'mine'
  expect(taken(filter)).toEqual([0])
  filter.whose = filter.choices(threads)[3]!.value
  expect(taken(filter)).toEqual([1])
  filter.whose = 'detached'
  expect(taken(filter)).toEqual([1])
  filter.words = 'blue'
  expect(taken(filter)).toEqual([])
  filter.clear()
  filter.words = ' pencil  Red'
  expect(taken(filter)).toEqual([1])
})

test('who is chosen stays a choice when nothing of theirs is left', () => {
  const filter = new FeedbackFilter()
  filter.whose = 'mine'
  expect(filter.choices([]).map(({ value }) => value)).toEqual(['all', 'mine'])
  const eve: Filtered = { by: [author('Eve', { author_id: null })], texts: [], detached: false }
  filter.whose = filter.choices([eve]).find(({ label }) => label.startsWith('Eve'))!.value
  expect(filter.choices([]).map(({ label }) => label)).toEqual([
    'By everybody',
    expect.stringMatching(/^Eve/),
  ])
})

test('a guest who is chosen stays it under another name, and is told from others of that name', () => {
  const said = (name: string, guest_id: string): Filtered => ({
    ...{ by: [author(name, { guest_id })], texts: [], detached: false },
  })
  const filter = new FeedbackFilter()
  filter.whose = filter.choices([said('Quinn', 'q')])[1]!.value
  expect(filter.takes(said('Owner', 'q'))).toBe(true)
  expect(filter.takes(said('Quinn', 'r'))).toBe(false)
  expect(filter.choices([said('Owner', 'q')]).find(({ value }) => value === filter.whose)?.label).toBe(
    'Owner (guest)',
  )
})

test('two guests of one name are two choices that can be told apart', () => {
  const said = (guest_id: string): Filtered => ({
    ...{ by: [author('Quinn', { guest_id })], texts: [], detached: false },
  })
  const filter = new FeedbackFilter()
  const both = [said('q'), said('r'), said('q')]
  const [, first, second] = filter.choices(both)
  expect([first!.label, second!.label]).toEqual(['Quinn (guest)', 'Quinn (guest) (2)'])
  filter.whose = second!.value
  expect(both.map((one) => filter.takes(one))).toEqual([false, true, false])
})

test('a script is chosen by itself, though what it said is one’s own to change', () => {
  const script = author('Owner', { author_id: 'o', mine: true, author_kind: 'script', key_name: 'Nightly' })
  const said: Filtered = { by: [script], texts: [], detached: false }
  const filter = new FeedbackFilter()
  const [, nightly] = filter.choices([said])
  expect(nightly).toMatchObject({ label: 'Nightly (script)' })
  filter.whose = 'mine'
  expect(filter.takes(said)).toBe(false)
  filter.whose = nightly!.value
  expect(filter.takes(said)).toBe(true)
})
