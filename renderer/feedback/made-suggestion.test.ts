import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { suggestionOn } from './made-suggestion.ts'

/** The source with the words in `[[ ]]` replaced, as the suggestion made of it does. */
function made(marked: string, words: string): string {
  const start = marked.indexOf('[[')
  const end = marked.indexOf(']]') - 2
  const source = marked.replace('[[', '').replace(']]', '')
  const suggestion = suggestionOn(source, { start, end })(words)
  return source.slice(0, suggestion.range.start) + suggestion.words + source.slice(suggestion.range.end)
}

describe('words that are left out take one of their spaces along', () => {
  test.each([
    ['a [[plain]] word', 'a word'],
    ['a **[[bold]]** word', 'a word'],
    ['at the [[end]]', 'at the'],
    ['at the [[end]]\nof a line', 'at the\nof a line'],
    ['[[At]] the beginning', 'the beginning'],
    ['- [[one]] item', '- item'],
    ['> [[one]] quote', '> quote'],
    ['before a [[sign]], and on', 'before a, and on'],
    ['in ([[some]] brackets)', 'in (brackets)'],
    ['a line [[broken]]  \nby hand', 'a line  \nby hand'],
    ['a [[word]]-part', 'a -part'],
    ['One.\n\n[[Two.]]\n\nThree.\n', 'One.\n\nThree.\n'],
    ['- [[parent]]\n  - child\n', '  - child\n'],
  ])('%s', (marked, left) => expect(made(marked, '')).toBe(left))
})

describe('so do words that are taken out by hand', () => {
  test.each([
    ['so [[one two three]] on', 'one  three', 'so one three on'],
    ['so [[one two three]] on', ' two three', 'so two three on'],
    ['so [[one two three]] on', 'one two ', 'so one two on'],
    ['so [[one two three]] on', 'one three', 'so one three on'],
    ['so [[one two three]]', 'one two ', 'so one two'],
    ['[[one two three]] on', ' two three', 'two three on'],
    ['so [[one two three]], on', 'one two ', 'so one two, on'],
    ['so [[one two three]] on', 'one  and  three', 'so one  and  three on'],
    ['[[one  two]] three', 'one  2', 'one  2 three'],
    ['so [[one two\nthree]] on', 'one \nthree', 'so one\nthree on'],
  ])('%s as “%s”', (marked, words, left) => expect(made(marked, words)).toBe(left))
})

describe('a table stays a table', () => {
  const table = '| a | b |\n| --- | --- |\n| one | two |\n'
  test.each([
    ['one', 'this|that', 'this\\|that'],
    ['one', 'this\\|that', 'this\\|that'],
    ['one', 'this\\\\|that', 'this\\\\\\|that'],
    ['one', '`a|b`', '`a\\|b`'],
    ['one', 'two\nlines', 'two lines'],
    ['a', 'a|c', 'a\\|c'],
    ['one | two', 'one | 2', 'one | 2'],
    ['one | two', 'one | two|three', 'one | two\\|three'],
  ])('with “%s” as “%s”', (words, instead, cell) => {
    const changed = made(table.replace(words, `[[${words}]]`), instead)
    expect(changed).toBe(table.replace(words, () => cell))
    const { html } = renderMarkdown(changed)
    expect(html.match(/<t[hd][ >]/g), changed).toHaveLength(4)
    expect(html).not.toMatch(/<p[ >]/)
  })

  test('and elsewhere a | is a |', () => expect(made('in [[prose]] too', 'a|b')).toBe('in a|b too'))
})

const word = fc.constantFrom('one', 'two', 'and', 'so', 'on')
test('nothing but spaces is ever taken along by hand, and no words that stay', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 3, maxLength: 9 }),
      fc.nat(),
      fc.nat(),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '  ', '\n') }),
      (words, from, length, instead) => {
        const start = from % words.length
        const count = 1 + (length % (words.length - start))
        const chosen = words.slice(start, start + count).join(' ')
        const before = words
          .slice(0, start)
          .map((one) => `${one} `)
          .join('')
        const after = words
          .slice(start + count)
          .map((one) => ` ${one}`)
          .join('')
        const left = made(`${before}[[${chosen}]]${after}`, instead)
        expect(left.replace(/\s/g, '')).toBe((before + instead + after).replace(/\s/g, ''))
      },
    ),
  )
})

describe('what would break the markup around it says so', () => {
  const table = '> A quote of somebody\n\n| Name | Value |\n| --- | --- |\n| one | two |\n| three | four |\n'
  const problemOf = (source: string, first: string, last: string, words = '') => {
    const range = { start: source.indexOf(first), end: source.indexOf(last) + last.length }
    return suggestionOn(source, range)(words).problem
  }
  test.each([
    ['somebody', 'Name', /within one table cell/],
    ['Name', 'Value', /within one table cell/],
    ['two', 'three', /within one table cell/],
    ['one', 'two', undefined],
    ['one', 'four', undefined],
    ['Name', 'four', undefined],
    ['somebody', 'somebody', undefined],
  ])('from %s to %s', (first, last, problem) => {
    const said = problemOf(table, first, last)
    if (problem) expect(said).toMatch(problem)
    else expect(said).toBeUndefined()
  })

  test('as long as words are left out', () =>
    expect(problemOf(table, 'somebody', 'Name', 'other words')).toBeUndefined())
  test('in a footnote, too', () => {
    const noted = 'One[^1] two.\n\n[^1]: The note.\n'
    expect(problemOf(noted, 'The', 'note.')).toMatch(/leave its number out/)
    expect(problemOf(noted, 'two', 'The')).toMatch(/Choose within the footnote/)
    expect(problemOf(noted, 'The', 'The')).toBeUndefined()
  })
})
