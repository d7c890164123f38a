import { describe, expect, it } from 'vitest'
import { ChangeMap } from '../change-map.ts'
import { textDiff } from '../diff/index.ts'
import { anchorAt } from './anchor.ts'
import { mapAnchors } from './anchors-after-changes.ts'
import { mapInsertions } from './insertions-after-changes.ts'
import { LocalAlignment } from './local-alignment.ts'

const change = (before: string, after: string) => ({
  before,
  after,
  map: new ChangeMap(textDiff(before, after), before.length),
})
const pairsOf = (before: string, after: string, left = 100_000_000) =>
  new LocalAlignment(before, after, change(before, after).map, { left }).pairs

const terms =
  'Permission is granted to any person who has a copy of this work to use it, to change it and to give it away, as long as this notice stays in all of the copies, and as long as nobody says that those who made it stand behind what was made of it by others.'
const about = {
  Anna: 'Rye bread at home needs a sourdough that was fed the evening before.',
  Bert: 'Small boats are laid up in October, when gales make the harbour dangerous.',
  Cora: 'Tower clocks were wound by hand every morning until motors came.',
  Dora: 'Whoever keeps bees looks after them in spring and leaves them alone in winter.',
  Emil: 'A bicycle that has stood for years wants new tyres before anything else.',
  Fred: 'Letters that nobody answers are put into a drawer below the window.',
}
type Name = keyof typeof about
const names = Object.keys(about) as Name[]
const moved: Name[] = ['Fred', 'Dora', 'Emil', 'Anna', 'Cora', 'Bert']
const of = (name: Name) => `Written by ${name}. ${about[name]}\n${terms}`
/** Each with another beginning and end than it had. */
const edited = (name: Name) => of(name).replace('Permission', 'Leave').replace('of it by others', 'of it')
const text = names.map(of).join('\n\n')

describe('the partners of the words of two texts', () => {
  it('tell the copies of a passage apart by what is unique about each', () => {
    const after = moved.map(edited).join('\n\n')
    const { a, b, now } = pairsOf(text, after)
    for (const name of names) {
      const [from, to] = [text, after].map((one) => one.indexOf('stand behind', one.indexOf(name)))
      const i = a.firstStartingAt(from!)
      expect(b.starts[now[i]!], name).toBe(to)
    }
  })

  it('make one of many places that are alike the clear one', () => {
    const after = moved.map(edited).join('\n\n')
    const near = new LocalAlignment(text, after, change(text, after).map, { left: 100_000_000 })
    const start = text.indexOf('give it away', text.indexOf('Cora'))
    const [best, next] = near.counterparts({ start, end: start + 12 }, 0).places
    expect(best!.range!.start).toBe(after.indexOf('give it away', after.indexOf('Cora')))
    expect(next!.score).toBeLessThan(0.9 * best!.score)
  })

  it('are no more than may be looked for', () => {
    const { now } = pairsOf(text, moved.map(edited).join('\n\n'), 600_000)
    expect(now.some((partner) => partner < 0)).toBe(true)
  })
})

describe('what stands in one of many copies that were moved', () => {
  const words = 'granted to any person'
  const after = moved.map(edited).join('\n\n')

  it.each(names)('stays in its own, which is %s’s', (name) => {
    const start = text.indexOf(words, text.indexOf(name))
    const range = { start, end: start + words.length }
    const now = after.indexOf(words, after.indexOf(name))
    const anchored = { anchor: anchorAt(text, range.start, range.end), range }
    expect(mapAnchors([anchored], change(text, after))).toEqual([{ start: now, end: now + words.length }])
    const place = { anchor: anchorAt(text, start, start), range: { start, end: start } }
    expect(mapInsertions([place], change(text, after), { left: 1e8 })).toEqual([{ start: now, end: now }])
  })

  it('is nowhere when its own is gone', () => {
    const left = moved.filter((name) => name !== 'Dora').map(edited)
    const start = text.indexOf(words, text.indexOf('Dora'))
    const range = { start, end: start + words.length }
    const anchored = { anchor: anchorAt(text, range.start, range.end), range }
    expect(mapAnchors([anchored], change(text, left.join('\n\n')))).toEqual([null])
  })
})
