import { expect, it } from 'vitest'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { SuggestionMarks } from './suggestion-marks.ts'

const suggestion = (id: string, { author_name = 'Ada', ...rest }: Partial<Suggestion> = {}): Suggestion => ({
  ...{ id, document_id: 'd', author_id: null, author_name, author_kind: 'guest', key_name: null },
  ...{
    original_text: 'one two',
    suggested_text: 'one three',
    accepted_text: null,
    edited_at: null,
    anchor: null,
    range: { start: 4, end: 11 },
  },
  ...{ note: null, mine: false, status: 'pending', resolved_at: null },
  created_at: `2026-01-01T00:00:0${id}.000Z`,
  ...rest,
})
const wanted = { placedIn: () => 1, activeId: null }

it('draws each in its author’s colour, whatever becomes of others', () => {
  const marks = new SuggestionMarks()
  const [ada, bob] = [
    suggestion('1', { author_colour: 4 }),
    suggestion('2', { author_name: 'Bob', author_colour: 2 }),
  ]
  const colours = (list: Suggestion[]) =>
    Object.fromEntries(marks.of(list, wanted).map(({ id, suggestion }) => [id, suggestion!.colour]))
  expect(colours([bob, ada])).toEqual({ 1: 4, 2: 2 })
  expect(colours([bob])).toEqual({ 2: 2 })
  // As when the page is read again and its author’s colour is another.
  expect(colours([{ ...ada, author_colour: 5 }])).toEqual({ 1: 5 })
})

it('tells what each changes, and who suggests it, by the same object until that is something else', () => {
  const marks = new SuggestionMarks()
  const [first] = marks.of([suggestion('1')], wanted)
  expect(first).toMatchObject({
    ...{ id: '1', kind: 'suggestion', range: { start: 4, end: 11 }, revision: 1 },
    suggestion: { pieces: [{ from: 4, to: 7, insert: 'three' }], author: 'Ada (guest)', shown: 'changes' },
  })
  const [again] = marks.of([suggestion('1')], { ...wanted, activeId: '1' })
  expect(again!.active).toBe(true)
  expect(again!.suggestion).toBe(first!.suggestion)
  const [changed] = marks.of([suggestion('1', { suggested_text: 'one four' })], wanted)
  expect(changed!.suggestion!.pieces).toEqual([{ from: 4, to: 7, insert: 'four' }])
  const [plain] = marks.of([suggestion('1')], { ...wanted, shown: 'original' })
  expect(plain!.suggestion!.shown).toBe('original')
})

it('takes words that aren’t as they were as a whole, and draws nothing that has no place', () => {
  const marks = new SuggestionMarks()
  const [whole] = marks.of([suggestion('1', { range: { start: 0, end: 9 } })], wanted)
  expect(whole!.suggestion!.pieces).toEqual([{ from: 0, to: 9, insert: 'one three' }])
  expect(marks.of([suggestion('1', { range: null })], wanted)).toEqual([])
})
