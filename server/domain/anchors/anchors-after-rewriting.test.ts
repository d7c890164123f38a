import { describe, expect, it } from 'vitest'
import { CHANGE_BUDGET } from '../budget.ts'
import { charactersRead, flat, megabytes, prose, wrapped } from '../testing/large-text.ts'
import { saved } from '../testing/saved.ts'
import { anchorAt } from './anchor.ts'
import { mapAnchors, type Anchored } from './anchors-after-changes.ts'

/** So many anchors of different lengths, spread over a text. */
function spread(text: string, count: number): Anchored[] {
  return Array.from({ length: count }, (_, i) => {
    const start = text.indexOf(' ', Math.floor((i * (text.length - 300)) / count)) + 1
    const end = text.indexOf(' ', start + [5, 20, 60, 150][i % 4]!)
    return { anchor: anchorAt(text, start, end), range: { start, end } }
  })
}
const mappedFrom = (
  before: string,
  after: string,
  anchored: Anchored[],
  budget = { left: CHANGE_BUDGET.anchors },
) => mapAnchors(anchored, saved(before, after), budget)

describe('two hundred anchors in two megabytes', () => {
  const text = prose(2 * 2 ** 20)
  const lines = wrapped(text, 70)
  const paragraphs = text.split('\n\n')
  it.each<[string, string, string, number]>([
    ['the text is wrapped anew', lines, wrapped(text, 100), 180],
    ['its lines end otherwise', lines, lines.replaceAll('\n', '\r\n'), 190],
    ['its paragraphs change their order', text, paragraphs.reverse().join('\n\n'), 170],
    ['one word is replaced by another everywhere', text, text.replaceAll(/\be\w*/g, 'other'), 180],
  ])('mostly survive when %s', (_what, before, after, least) => {
    const anchored = spread(flat(before), 200)
    const places = mappedFrom(flat(before), flat(after), anchored)
    expect(places.filter(Boolean).length).toBeGreaterThanOrEqual(least)
    // Of what they stand on now most is what they quote, though it may be less of it.
    const strangers = places.filter((place, i) => {
      const quoted = new Set(anchored[i]!.anchor.exact.split(/\s+/))
      const words = place ? after.slice(place.start, place.end).trim().split(/\s+/) : []
      return words.filter((word) => quoted.has(word)).length * 2 < words.length
    })
    expect(strangers.length).toBeLessThanOrEqual(6)
  })
})

describe('mapping anchors over a text written anew', () => {
  const text = prose(10 * 2 ** 20)
  const long = 'a'.repeat(99_999)
  const anchors = spread(text, 200)
  const lost = (exact: string) =>
    Array.from({ length: 200 }, (_, i) => ({
      anchor: { exact: exact + i, prefix: 'x'.repeat(32), suffix: 'y'.repeat(32), start: i },
      range: null,
    }))

  it.each<[string, string, string, Anchored[]]>([
    ['by other prose', text, prose(10 * 2 ** 20, 8), anchors],
    ['by line feeds', text, megabytes('\n', 10), anchors],
    ['from a line', text.slice(0, 2000), megabytes('\n', 10), spread(text.slice(0, 2000), 200)],
    ['by what nearly has all quotes everywhere', text, megabytes('a', 4), lost('a'.repeat(60))],
    ['by what nearly has all long quotes everywhere', text, megabytes('a', 4), lost(long)],
    ['by one letter, which all look for', text, megabytes('a', 4), lost('a')],
  ])('%s costs no more than it may', (_what, before, after, anchored) => {
    const budget = { left: CHANGE_BUDGET.anchors }
    mappedFrom(flat(before), flat(after), anchored, budget)
    expect(budget.left).toBeGreaterThan(-CHANGE_BUDGET.anchors)
  })

  it('reads no more than it may', () => {
    const before = text.slice(0, 1_000_000)
    const after = flat(prose(1_000_000, 8))
    const change = saved(before, after)
    const read = charactersRead(() => mapAnchors(spread(before, 200), change, { left: 1_000_000 }))
    expect(read).toBeLessThan(1_000_000)
  })
})
