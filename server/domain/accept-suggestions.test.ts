import fc from 'fast-check'
import { expect, it } from 'vitest'
import { acceptSuggestions } from './accept-suggestions.ts'
import { anchorAt } from './anchors/anchor.ts'
import type { AnchoredRecord } from './document-change.ts'
import { applySuggestions, type SuggestedChange } from './suggestion.ts'

const suggest = (
  id: string,
  original_text: string,
  suggested_text: string,
): SuggestedChange & { id: string } => ({
  id,
  original_text,
  suggested_text,
  anchor: null,
  range: null,
})
const comment = (id: string, content: string, words: string): AnchoredRecord => {
  const start = content.indexOf(words)
  const range = { start, end: start + words.length }
  return { id, kind: 'comment', anchor: anchorAt(content, range.start, range.end), range }
}

it('makes one edit of all, and maps what else stands in the text', () => {
  const content = 'One two three four five six.'
  const anchors = [
    comment('c', content, 'four five'),
    { ...comment('other', content, 'six'), kind: 'suggestion' as const },
  ]
  const { applied, edit } = acceptSuggestions({
    content,
    suggestions: [suggest('s', 'three', '3'), suggest('lost', 'seven', '7'), suggest('t', 'One ', '')],
    anchors,
  })
  expect(applied).toEqual([true, false, true])
  expect(edit).toMatchObject({
    content: 'two 3 four five six.',
    moved: [
      { id: 'c', kind: 'comment', range: { start: 6, end: 15 } },
      { id: 'other', kind: 'suggestion', range: { start: 16, end: 19 } },
    ],
  })
})

it('maps a place that has no words left to be replaced, since it stays', () => {
  const content = 'One two three.'
  const { anchor, range } = comment('s', content, 'three')
  const lost = { ...suggest('lost', 'seven', '7'), anchor, range }
  const suggestions = [suggest('s', 'One ', ''), lost]
  const { applied, edit } = acceptSuggestions({ content, suggestions, anchors: [] })
  expect(applied).toEqual([true, false])
  expect(edit!.moved).toEqual([{ id: 'lost', kind: 'suggestion', range: { start: 4, end: 9 } }])
})

it('makes no edit where none could be applied', () => {
  const nothing = { content: 'One two.', suggestions: [suggest('s', 'three', '3')], anchors: [] }
  expect(acceptSuggestions(nothing)).toEqual({ applied: [false], places: [null], edit: null })
})

it('says what applying them says, and no more than can be handed to another thread', () => {
  const words = fc.constantFrom('a', 'b', 'ab', 'ba ', '')
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1 }),
      fc.array(fc.tuple(words, words)),
      fc.nat(),
      (text, pairs, at) => {
        const content = `${text.join('')}.`
        const suggestions = pairs.map(([from, to], i) => suggest(String(i), from, to))
        const start = at % content.length
        const anchors = [comment('c', content, content.slice(start, start + 2))]
        const accepted = acceptSuggestions({ content, suggestions, anchors })
        const outcome = applySuggestions(content, suggestions)
        expect(accepted.applied).toEqual(outcome.applied)
        expect(accepted.edit?.content ?? content).toBe(outcome.content)
        expect(structuredClone(accepted)).toEqual(accepted)
      },
    ),
  )
})

it('has the same text whichever is accepted first of what is put in at a place and for the words beside it', () => {
  const text = 'alpha one gamma.'
  const kinds = fc.constantFrom(
    ...([
      [6, 6],
      [9, 9],
      [6, 9],
      [0, 5],
      [10, 15],
    ] as const),
  )
  const what = fc.tuple(kinds, fc.constantFrom('X', 'Y', 'Z'), fc.boolean(), fc.nat())
  fc.assert(
    fc.property(
      fc.array(what, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (all, together) => {
        const isFirst = ([[from, to]]: (typeof all)[number], i: number) =>
          from === to || all.findIndex(([[one, other]]) => one === from && other === to) === i
        const made = all.filter(isFirst).map(([[from, to], words, isBehind], i) => {
          const original = text.slice(from, to)
          // Letters right beside a word would make another of it, which nothing is suggested for.
          const [before, behind] = from < to ? ['', ''] : from === 6 ? ['', ' '] : [' ', '']
          const put = before + words + behind
          const suggested = isBehind ? original + put : put + original
          const range = { start: from, end: to }
          return { ...suggest(String(i), original, suggested), anchor: anchorAt(text, from, to), range }
        })
        const order = made.filter((one) => one.original_text === '').map(({ id }) => id)
        const turns = all.filter(isFirst).map(([, , , turn], i) => ({ id: String(i), turn }))
        const inTurn = turns.toSorted((a, b) => a.turn - b.turn).map(({ id }) => id)
        let [content, left] = [text, made]
        while (inTurn.length > 0) {
          const ids = inTurn.splice(0, together)
          const suggestions = ids.map((id) => left.find((one) => one.id === id)!)
          left = left.filter(({ id }) => !ids.includes(id))
          const anchors = left.map((one): AnchoredRecord => ({ ...one, kind: 'suggestion' }))
          const { applied, edit } = acceptSuggestions({ content, suggestions, anchors, order })
          expect(applied).not.toContain(false)
          content = edit!.content
          const moved = new Map(edit!.moved.map((one) => [one.id, one]))
          left = left.map((one) => ({ ...one, ...(moved.get(one.id) as Partial<typeof one> | undefined) }))
        }
        const putAt = (at: number) =>
          made
            .flatMap((one) => (one.original_text === '' && one.range.start === at ? one.suggested_text : []))
            .join('')
        const word = (from: number, to: number) =>
          made.find(({ range }) => range.start === from && range.end === to)?.suggested_text ??
          text.slice(from, to)
        const middle = putAt(6) + word(6, 9) + putAt(9)
        expect(content).toBe(`${word(0, 5)} ${middle} ${word(10, 15)}.`)
      },
    ),
  )
})

it('keeps what is put in at one place in the order in which it is shown, whichever is accepted first', () => {
  const said = fc.constantFrom(' Or not.', '\n\nA paragraph.', '\n- item', 'x', 'y')
  const text = '# Title\n\n- two\n- three\n\nSo they say.\n\nLast one.\n'
  const places = ['- two', '- three', 'So', 'they say.', '# Title'].map(
    (words) => text.indexOf(words) + words.length,
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.array(fc.tuple(said, fc.nat()), { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 2 }),
      (start, all, together) => {
        const range = { start, end: start }
        const anchor = anchorAt(text, start, start)
        const made = all.map(([words], i) => ({ ...suggest(String(i), '', words), anchor, range }))
        const order = made.map(({ id }) => id)
        const turns = order.toSorted((a, b) => all[Number(a)]![1] - all[Number(b)]![1])
        let content = text
        let left = made
        while (turns.length > 0) {
          const ids = turns.splice(0, together)
          const suggestions = ids.map((id) => left.find((one) => one.id === id)!)
          left = left.filter(({ id }) => !ids.includes(id))
          const anchors = left.map((one): AnchoredRecord => ({ ...one, kind: 'suggestion' }))
          const { applied, places, edit } = acceptSuggestions({ content, suggestions, anchors, order })
          expect(applied).not.toContain(false)
          content = edit!.content
          for (const [i, one] of suggestions.entries())
            expect(content.slice(places[i]!.start, places[i]!.end)).toBe(one.suggested_text)
          const moved = new Map(edit!.moved.map((one) => [one.id, one]))
          left = left.map((one) => ({ ...one, ...(moved.get(one.id) as Partial<typeof one> | undefined) }))
        }
        const words = all.map(([one]) => one).join('')
        expect(content).toBe(text.slice(0, start) + words + text.slice(start))
      },
    ),
  )
})
