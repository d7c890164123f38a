import { describe, expect, it } from 'vitest'
import { anchorAt } from './anchors/anchor.ts'
import { haveGrown, isOneWord } from './grown-words.ts'

describe('whether one word goes on in the next text', () => {
  it.each([
    ['some', 'one'],
    ['one', '2'],
    ['one', '\u0301'],
    ['don', '’t'],
    ['don’', 't'],
    ['snake_', 'case'],
    ['می\u200C', 'روم'],
    ['서울', '은'],
    ['👩', '\u200D🚀'],
    ['か', '\u3099'],
  ])('it does: %s|%s', (left, right) => expect(isOneWord(left, right)).toBe(true))

  it.each([
    ['some ', 'one'],
    ['', 'one'],
    ['one', '’ he said'],
    ['_', 'one'],
    ['one', '_'],
    ['one', '-way'],
    ['one', '. Two'],
    ['大', '東京'],
    ['コー', 'ヒー'],
    ['ภาษา', 'ไทย'],
    ['one', '東'],
    ['👩', '🚀'],
  ])('it doesn’t: %s|%s', (left, right) => expect(isOneWord(left, right)).toBe(false))
})

describe('words that have grown', () => {
  const grown = (before: string, words: string, after: string, now = words) => {
    const from = before.indexOf(words)
    const start = after.indexOf(now)
    return haveGrown(after, { start, end: start + now.length }, anchorAt(before, from, from + words.length))
  }

  it('are a part of a larger one, at an end at which they weren’t', () => {
    expect(grown('Some one here.', 'one', 'Someone here.')).toBe(true)
    expect(grown('One', 'One', 'Ones')).toBe(true)
    expect(grown('One', 'One', 'NoOne')).toBe(true)
    expect(grown('Its colour.', 'our', 'Its colour.')).toBe(false)
    expect(grown('Its colour.', 'our', 'Its colours.')).toBe(true)
    expect(grown('Its colour.', 'our', 'Its favour.')).toBe(false)
  })

  it('haven’t where something else stands beside them now', () => {
    expect(grown('Some one here.', 'one', 'Some “one” here.')).toBe(false)
    expect(grown('。東京', '東京', '大東京')).toBe(false)
  })

  it('are told by what their anchor had around them, be it more or less', () => {
    expect(grown('Only one here.', 'Only one here', 'Only ones here.', 'one')).toBe(true)
    expect(grown('Only someone here.', 'someone', 'Only someone here.', 'one')).toBe(false)
    expect(grown('Only one here.', 'one', 'Only ones here.', 'Only one')).toBe(true)
    expect(grown('Only one here.', 'here', 'Only ones here.', 'ones here')).toBe(false)
  })
})
