import { expect, onTestFinished, test, vi } from 'vitest'
import type { LivePerson } from '../../server/contract/live.ts'
import type { TextLine } from '../api/live.ts'
import { Company } from './company.svelte.ts'
import type { EditedText } from './edited-text.svelte.ts'

/** A company in a text that has no editor but what `drawn` says, and what it hears. */
function begin(drawn: object, say: TextLine['say'] = () => {}) {
  let other: Parameters<TextLine['followText']>[0]
  const line = {
    connected: true as boolean,
    say,
    followText(follower: typeof other) {
      other = follower
      follower.turn(true)
      return () => {}
    },
    reopen: () => {},
    doubt: () => {},
    revive: () => {},
  } satisfies TextLine
  const editorOf = (drawn: object) => ({ setPeople: () => {}, ...drawn })
  const text = {
    revision: 7,
    isDirty: false,
    offsets: { toStored: (at: number) => at },
    editor: editorOf(drawn),
    placesNow: (places: { start: number; end: number }[]) =>
      places.map(({ start, end }) => ({ from: start, to: end })),
  } as unknown as EditedText
  const company = new Company({
    ...{ text, line, client: 'me' },
    receive: () => true,
    onTurn: () => {},
    onUnheard: () => {},
    catchUp: () => Promise.resolve(),
    tellPlace: () => Promise.resolve(),
  })
  onTestFinished(company.start())
  const facts = { revision: 7, title: 'T', updated_at: '2026-01-01T00:00:00.000Z' }
  const followed = (you: string) =>
    other!.hear({ type: 'following', you, pushes: true, ...facts, updates: [] })
  followed('I')
  const draw = (drawn: object) => void Object.assign(text, { editor: editorOf(drawn) })
  return { company, line, hear: other!.hear.bind(other!), turn: other!.turn.bind(other!), followed, draw }
}

test('touches the editor only where somebody else has moved', () => {
  const placePeople = vi.fn()
  const { hear } = begin({ placePeople })
  const at = { anchor: 1, head: 2 }
  hear({ type: 'cursors', revision: 7, cursors: [] })
  hear({ type: 'cursors', revision: 7, cursors: [{ person: 'I', at }] })
  expect(placePeople).not.toHaveBeenCalled()
  hear({ type: 'cursors', revision: 7, cursors: [{ person: 'they', at }] })
  hear({ type: 'cursors', revision: 7, cursors: [{ person: 'they', at: null }] })
  expect(placePeople.mock.calls).toEqual([[[{ id: 'they', at }]], [[{ id: 'they', at: null }]]])
})

test('goes on along with somebody whose connection breaks for a moment, and with nobody who is gone', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { company, hear } = begin({})
  const ada: LivePerson = { id: 'ada', name: 'Ada', kind: 'guest', isOwner: false, colour: 1 }
  hear({ type: 'people', people: [ada] })
  company.follow('ada')
  hear({ type: 'people', people: [] })
  vi.advanceTimersByTime(4_000)
  hear({ type: 'people', people: [ada] })
  vi.advanceTimersByTime(60_000)
  expect(company.followed).toBe('ada')
  hear({ type: 'people', people: [] })
  vi.advanceTimersByTime(6_000)
  expect(company.followed).toBe(null)
})

test('says anew where one is when the text is followed over another connection, if one has been anywhere', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const say = vi.fn<TextLine['say']>()
  const places = () =>
    say.mock.calls.flatMap(([message]) => ('type' in message && message.type === 'cursor' ? [message] : []))
  const main = { anchor: 1, head: 2 }
  const { company, followed } = begin({ view: { state: { selection: { main } } } }, say)
  vi.advanceTimersByTime(1_000)
  expect(places()).toEqual([])
  company.place()
  // It comes back before that was told, and once more after.
  followed('I again')
  vi.advanceTimersByTime(1_000)
  followed('I once more')
  vi.advanceTimersByTime(1_000)
  const told = { type: 'cursor', revision: 7, at: main }
  expect(places()).toEqual([told, told])
})

test('tells an editor that is drawn anew of those who are there, and goes along with them in it', () => {
  const say = vi.fn<TextLine['say']>()
  const editors = [0, 1].map(() => {
    const acts: string[] = []
    const dom = { addEventListener: (act: string) => void acts.push(act) }
    return { acts, setPeople: vi.fn(), goTo: vi.fn(() => true), view: { dom } }
  })
  vi.stubGlobal('document', { addEventListener: () => {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { company, hear, followed, draw } = begin(editors[0]!, say)
  const ada: LivePerson = { id: 'ada', name: 'Ada', kind: 'guest', isOwner: false, colour: 1 }
  hear({ type: 'people', people: [ada] })
  company.follow('ada')
  say.mockClear()
  draw(editors[1]!)
  company.drawn()
  // Who they are, and where, is asked for anew.
  expect(say.mock.calls).toEqual([[{ type: 'follow', since: 7, client: 'me' }]])
  followed('I')
  hear({ type: 'people', people: [ada] })
  expect(editors[1]!.setPeople.mock.calls.at(-1)).toEqual([[expect.objectContaining({ id: 'ada' })]])
  expect(editors[1]!.acts).toContain('keydown')
  expect(company.followed).toBe('ada')
})

test('shows those of whom calls tell until a line that comes tells of them', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { company, line, hear, turn, followed } = begin({})
  const names = () => company.people.map(({ id }) => id)
  const person = (id: string): LivePerson => ({ id, name: id, kind: 'guest', isOwner: false, colour: 1 })
  const presence = { number: 1, you: 'I', revision: 7, people: [person('I'), person('Ada')], cursors: [] }
  line.connected = false
  turn(false)
  expect([company.isDeaf, company.isUnheard, names()]).toEqual([true, true, []])
  company.polled(presence)
  line.connected = true
  turn(true)
  // It may say nothing for as long as it takes.
  vi.advanceTimersByTime(60_000)
  expect([company.isDeaf, names()]).toEqual([true, ['Ada']])
  line.connected = false
  turn(false)
  expect(names()).toEqual(['Ada'])
  line.connected = true
  turn(true)
  followed('I')
  expect([company.isDeaf, company.polling, names()]).toEqual([false, null, ['Ada']])
  company.polled({ ...presence, people: [] })
  expect(names()).toEqual(['Ada'])
  hear({ type: 'people', people: [person('I'), person('Ben')] })
  expect(names()).toEqual(['Ben'])
})
