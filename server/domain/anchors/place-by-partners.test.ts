import { describe, expect, it } from 'vitest'
import { ChangeMap } from '../change-map.ts'
import { textDiff } from '../diff/index.ts'
import { Surroundings } from './surroundings.ts'

const one = 'Rye bread at home needs a sourdough that was fed the evening before, and much patience.'
const two = 'Small boats are laid up in October, when gales make the harbour dangerous for them.'
const three = 'Tower clocks were wound by hand every morning until motors came at last.'
const four = 'Letters that nobody answers are put into a drawer below the window in the hall of the house.'
const text = [one, two, three, four].join('\n\n')
const to = (after: string) =>
  new Surroundings(
    { before: text, after, map: new ChangeMap(textDiff(text, after), text.length) },
    { left: 1e8 },
  )

describe('places and words by the partners of words', () => {
  it('are beside the one word of the two around a place that is left', () => {
    const after = [three, one, two.replace('October, when gales make', 'May , as calm seas make')].join(
      '\n\n',
    )
    const at = text.indexOf(' make the harbour')
    expect(to(after).placeOf(at)).toBe(after.indexOf(' make the harbour'))
  })

  it('are at the end of a paragraph whose last words are others now', () => {
    const changed = two.replace('dangerous for them.', 'a place of peril')
    const after = [changed, three, four, one].join('\n\n')
    expect(to(after).placeOf(text.indexOf('\n\nTower'))).toBe(after.indexOf('\n\nTower'))
  })

  it('are where most of the words are, rather than at others', () => {
    const after = [four, three, one, two.replace('gales', 'winds')].join('\n\n')
    const start = text.indexOf('when gales make')
    const range = { start, end: start + 'when gales make'.length }
    const own = { start: after.indexOf('when winds'), end: after.indexOf(' the harbour') }
    const other = { start: after.indexOf('nobody'), end: after.indexOf(' are put') }
    const around = to(after)
    expect(around.placeOfWords(range, null)).toEqual(own)
    expect(around.placeOfWords(range, other)).toEqual(own)
    expect(around.isOfOthers({ start: 0, end: 'Rye bread'.length }, other)).toBe(true)
    expect(around.isOfOthers(range, own)).toBe(false)
  })
})
