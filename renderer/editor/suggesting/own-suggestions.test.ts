import { describe, expect, test } from 'vitest'
import { Suggesting } from './testing/suggesting.ts'

describe('what is changed', () => {
  test('within a word suggests another word, however many of its letters change', () => {
    const text = new Suggesting('The colours here.').delete(8, 9)
    expect(text.shown).toBe('The colo[-u]rs here.')
    expect(text.written).toEqual([{ start: 4, original: 'colours', suggested: 'colors' }])
    text.cursor(4, 5).type('C')
    expect(text.written).toEqual([{ start: 4, original: 'colours', suggested: 'Colors' }])
  })

  test('in two places far from each other is two suggestions, which become one where they meet', () => {
    const text = new Suggesting('one two three four').cursor(0, 3).type('1')
    const { length } = text.state.doc
    text.cursor(length - 4, length).type('4')
    expect(text.shown).toBe('[-one][+1] two three [-four][+4]')
    expect(text.written.map(({ suggested }) => suggested)).toEqual(['1', '4'])
    text.delete(4, 15)
    expect(text.written).toEqual([{ start: 0, original: 'one two three four', suggested: '14' }])
  })

  test('around words at once is one suggestion, as when they are made bold', () => {
    const text = new Suggesting('A quick fox.')
    text.dispatch({
      changes: [
        { from: 2, insert: '**' },
        { from: 7, insert: '**' },
      ],
      userEvent: 'input',
    })
    expect(text.shown).toBe('A [+**]quick[+**] fox.')
    expect(text.written).toEqual([{ start: 2, original: 'quick', suggested: '**quick**' }])
  })

  test('by replacing all is a suggestion for each', () => {
    const text = new Suggesting('teh cat and teh dog')
    text.dispatch({
      changes: [
        { from: 0, to: 3, insert: 'the' },
        { from: 12, to: 15, insert: 'the' },
      ],
      userEvent: 'input.replace.all',
    })
    expect(text.written).toEqual([
      { start: 0, original: 'teh', suggested: 'the' },
      { start: 12, original: 'teh', suggested: 'the' },
    ])
  })
})
