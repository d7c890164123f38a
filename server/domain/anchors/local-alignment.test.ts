import { describe, expect, it } from 'vitest'
import { ChangeMap } from '../change-map.ts'
import { prose } from '../testing/large-text.ts'
import { LocalAlignment } from './local-alignment.ts'
import { textDiff } from '../diff/index.ts'

const between = (before: string, after: string, left = 100_000_000) => {
  const budget = { left }
  const map = new ChangeMap(textDiff(before, after), before.length)
  return { near: new LocalAlignment(before, after, map, budget), budget }
}
const rangeOf = (text: string, words: string) => ({
  start: text.indexOf(words),
  end: text.indexOf(words) + words.length,
})

const bread =
  'Whoever bakes rye bread at home needs a sourdough that was fed the evening before, and patience.'
const boats =
  'Small boats are laid up in October, when the northerly gales make the harbour entrance dangerous.'
const clocks =
  'Tower clocks were wound by hand every morning until electric motors replaced the sexton’s arm.'

describe('the surroundings of words in two texts', () => {
  it('tell where words are in a passage that was moved and edited', () => {
    const before = [bread, boats, clocks].join('\n\n')
    const edited = boats.replace('Small boats', 'All boats').replace('make', 'used to make')
    const after = [clocks, edited, bread].join('\n\n')
    const range = rangeOf(before, 'northerly gales')
    const [best] = between(before, after).near.counterparts(range, range.start).places
    expect(best?.range).toEqual(rangeOf(after, 'northerly gales'))
    expect(best?.own).toBe(1)
  })

  it('pass over white space and a letter that was corrected at the edge', () => {
    const before = [bread, boats, clocks].join('\n\n')
    const after = [clocks, bread, boats.replace('northerly gales make', 'northery\ngales\nmake')].join('\n\n')
    const range = rangeOf(before, 'northerly gales make')
    const [best] = between(before, after).near.counterparts(range, range.start).places
    expect(best?.range).toEqual(rangeOf(after, 'northery\ngales\nmake'))
  })

  it('lead back to the place that words came from', () => {
    const before = [bread, boats, clocks].join('\n\n')
    const after = [clocks, boats, bread].join('\n\n')
    const range = rangeOf(after, 'fed the evening before')
    const [best] = between(before, after).near.origins(range, range.start).places
    expect(best?.range).toEqual(rangeOf(before, 'fed the evening before'))
  })

  it('say so when the budget isn’t enough to read what was changed', () => {
    const text = prose(200_000)
    const { near, budget } = between(text, text.split('\n\n').reverse().join('\n\n'), 1_000_000)
    expect(near.whole).toBe(false)
    expect(budget.left).toBeGreaterThan(0)
  })

  it('cost no more than they may, whatever the texts', () => {
    for (const word of ['a', 'a ', 'ab ab ', 'word, ']) {
      const before = word.repeat(20_000)
      const after = `${word.repeat(9_000)}b ${word.repeat(11_500)}c`
      const { near, budget } = between(before, after, 20_000_000)
      for (let start = 0; start < before.length - 400; start += 97) {
        near.counterparts({ start, end: start + 300 }, start)
      }
      expect(budget.left).toBeGreaterThan(-1_000_000)
    }
  })
})
