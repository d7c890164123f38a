import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { anyText, anyWords, whole } from './testing/arbitrary-text.ts'
import { anchorAt } from './anchors/anchor.ts'
import { applyChanges, ChangeSet } from './change-set.ts'
import { applySuggestions, placeSuggestion, placeUnanchored, type SuggestedChange } from './suggestion.ts'

const suggest = (
  original_text: string,
  suggested_text: string,
  place: Partial<SuggestedChange> = {},
): SuggestedChange => ({
  original_text,
  suggested_text,
  anchor: null,
  range: null,
  ...place,
})

describe('where a suggestion applies', () => {
  const text = 'cat one, cat two, cat three'

  it('is the range its words were mapped to', () => {
    const suggestion = suggest('cat', 'dog', { range: { start: 18, end: 21 }, anchor: anchorAt(text, 0, 3) })
    expect(placeSuggestion(text, suggestion)).toEqual({ start: 18, end: 21 })
  })

  it('is nowhere when the anchor stands on other words by now, or nowhere', () => {
    const anchor = anchorAt(text, 9, 12)
    expect(placeSuggestion(text, suggest('cat', 'dog', { range: { start: 4, end: 7 }, anchor }))).toBeNull()
    expect(placeSuggestion(text, suggest('cat', 'dog', { range: null, anchor }))).toBeNull()
    const astray = { exact: 'horse', prefix: '', suffix: '', start: 3 }
    expect(placeSuggestion(text, suggest('two', '2', { anchor: astray }))).toBeNull()
    const elsewhere = suggest('two', '2', { anchor: anchorAt(text, 0, 7), range: { start: 0, end: 7 } })
    expect(placeSuggestion(text, elsewhere)).toBeNull()
  })

  it('is the first occurrence when there is no anchor', () => {
    expect(placeSuggestion(text, suggest('cat', 'dog'))).toEqual({ start: 0, end: 3 })
  })

  it('is where the words stand within what an anchor stands on', () => {
    const sentence = 'A cat sat. Another cat ran. The last cat slept.'
    const anchor = anchorAt(sentence, 28, 47)
    const range = { start: 28, end: 47 }
    expect(placeSuggestion(sentence, suggest('cat', 'dog', { anchor, range }))).toEqual({
      start: 37,
      end: 40,
    })
    const edited = sentence.replace('slept', 'snored')
    const wider = { start: 28, end: 48 }
    expect(placeSuggestion(edited, suggest('cat', 'dog', { anchor, range: wider }))).toEqual({
      start: 37,
      end: 40,
    })
    const twice = sentence.replace('slept', 'saw a cat')
    expect(
      placeSuggestion(twice, suggest('cat', 'dog', { anchor, range: { start: 28, end: 52 } })),
    ).toBeNull()
  })

  it('is where the words stand around what an anchor stands on', () => {
    const anchor = anchorAt(text, 13, 16)
    const range = { start: 13, end: 16 }
    expect(placeSuggestion(text, suggest('cat two', 'dog', { anchor, range }))).toEqual({ start: 9, end: 16 })
  })

  it('is not looked for beyond what a list of many may read', () => {
    const budget = { left: 30 }
    expect(placeSuggestion(text, suggest('two', '2'), budget)).not.toBeNull()
    expect(placeSuggestion(text, suggest('two', '2'), budget)).toBeNull()
    const mapped = suggest('two', '2', { range: { start: 13, end: 16 } })
    expect(placeSuggestion(text, mapped, budget)).toEqual({ start: 13, end: 16 })
  })

  it('is nowhere when the text doesn’t hold the words exactly', () => {
    expect(placeSuggestion(text, suggest('Cat', 'dog'))).toBeNull()
    expect(placeSuggestion(text, suggest('', 'dog'))).toBeNull()
    const nearly = anchorAt('a sentence with one word to change', 2, 34)
    expect(
      placeSuggestion('a sentence with one wort to change', suggest(nearly.exact, 'x', { anchor: nearly })),
    ).toBeNull()
  })
})

it('is marked without an anchor where its words stand alone, as far as may be looked', () => {
  const mark = (words: string, left = Infinity) =>
    placeUnanchored('a cat, a dog and another dog', words, { left })
  expect(mark('cat')).toEqual({ start: 2, end: 5 })
  expect(mark('dog')).toBeNull()
  expect(mark('a')).toBeNull()
  expect(mark('fish')).toBeNull()
  expect(mark('')).toBeNull()
  expect(mark('cat', 0)).toBeNull()
})

describe('an applied suggestion', () => {
  it('replaces one occurrence literally, whatever signs it contains', () => {
    const signs = fc.constantFrom('$&', '$1', '$$', "$'", '$`', '\\', '.*', '^', '(', '\r\n')
    const words = fc.array(fc.oneof(anyWords, signs), { maxLength: 5 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(anyText, words, words, anyText, (before, original, suggested, after) => {
        fc.pre(original !== '')
        const text = before + original + after
        const start = before.length
        const range = { start, end: start + original.length }
        const { content, changes, applied } = applySuggestions(text, [
          suggest(original, suggested, { range }),
        ])
        expect([content, applied]).toEqual([before + suggested + after, [true]])
        expect(applyChanges(text, changes)).toBe(content)
      }),
      { numRuns: 500 },
    )
  })

  it('may delete its words', () => {
    expect(applySuggestions('a very good day', [suggest('very ', '')]).content).toBe('a good day')
  })

  it('is none when its words are gone', () => {
    expect(applySuggestions('a good day', [suggest('very', 'quite')]).applied).toEqual([false])
  })
})

describe('several suggestions applied at once', () => {
  it('each find their own place in the result of those before', () => {
    const text = 'cat one, cat two, cat three'
    const at = (start: number, suggested: string) =>
      suggest('cat', suggested, {
        range: { start, end: start + 3 },
        anchor: anchorAt(text, start, start + 3),
      })
    const { content, changes, applied } = applySuggestions(text, [
      at(18, 'a tall giraffe'),
      at(0, ''),
      suggest('horse', 'pony'),
      at(9, 'dog'),
    ])
    expect(content).toBe(' one, dog two, a tall giraffe three')
    expect(applyChanges(text, changes)).toBe(content)
    expect(applied).toEqual([true, true, false, true])
  })

  it('leave the same words elsewhere alone when another has replaced those they were about', () => {
    const text = 'alpha beta gamma. beta again.'
    const anchor = anchorAt(text, 6, 10)
    const range = { start: 6, end: 10 }
    const [one, two] = ['ONE', 'TWO'].map((word) => suggest('beta', word, { anchor, range })) as [
      SuggestedChange,
      SuggestedChange,
    ]
    for (const [both, content] of [
      [[one, two], 'alpha ONE gamma. beta again.'],
      [[two, one], 'alpha TWO gamma. beta again.'],
    ] as const) {
      const outcome = applySuggestions(text, both)
      expect(outcome.content).toBe(content)
      expect(outcome.applied).toEqual([true])
    }
    const cats = 'The cat sat. A cat ran.'
    const within = applySuggestions(cats, [
      suggest('A cat ran.', 'A dog ran.', { range: { start: 13, end: 23 } }),
      suggest('cat', 'kitten', { range: { start: 15, end: 18 } }),
    ])
    expect(within.content).toBe('The cat sat. A dog ran.')
  })

  it('are one change that is put together once, however many they are', () => {
    const text = Array.from({ length: 500 }, (_, i) => `Line ${i} is here.\n`).join('')
    const each = Array.from({ length: 500 }, (_, i) => {
      const words = `Line ${i} is`
      const start = text.indexOf(words)
      const range = { start, end: start + words.length }
      return suggest(words, `Row ${i} was`, { range, anchor: anchorAt(text, start, range.end) })
    })
    const compose = vi.spyOn(ChangeSet.prototype, 'compose')
    const { content, applied } = applySuggestions(text, each.toReversed())
    expect(compose.mock.calls.length).toBeLessThan(10)
    compose.mockRestore()
    expect(applied.every(Boolean)).toBe(true)
    expect(content).toBe(text.replaceAll('Line', 'Row').replaceAll(' is ', ' was '))
  })

  it('may build on each other', () => {
    const { content } = applySuggestions('one two', [suggest('two', 'three'), suggest('three', 'four')])
    expect(content).toBe('one four')
  })

  it('that don’t overlap all apply, in any order', () => {
    const parts = fc.array(fc.tuple(anyWords, anyWords), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat()), (pairs, random) => {
        let text = ''
        const suggestions = pairs.map(([original, suggested]) => {
          text += '|'
          const range = { start: text.length, end: text.length + original.length }
          text += original
          return suggest(original, suggested, { range })
        })
        fc.pre(whole(text, text.length) === text.length)
        const order = suggestions.map((_, i) => i).sort(() => (random.next().value % 3) - 1)
        const { content } = applySuggestions(
          text,
          order.map((i) => suggestions[i]!),
        )
        expect(content).toBe(pairs.map(([, suggested]) => `|${suggested}`).join(''))
      }),
    )
  })
})
