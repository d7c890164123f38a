import { describe, expect, it } from 'vitest'
import { ChangeMap } from '../change-map.ts'
import { ChangeSet } from '../change-set.ts'
import { textDiff } from '../diff/index.ts'
import { PiecedText } from '../pieced-text.ts'
import { anchorAt } from './anchor.ts'
import { mapInsertions, type Insertion } from './map-insertions.ts'

const one = 'The first paragraph is about proofs, and says what they are for.\n'
const two = 'The second is about margins, which are wide so that somebody can write in them.\n'
const three = 'The third says when all of it is to be back: within a week, or a little later.\n'
const text = [one, two, three].join('\n')
const at = text.indexOf(', which are wide')

/** A place is told with a bar in the text. */
const shown = (after: string, [place]: readonly ({ start: number } | null)[]) =>
  place ? `${after.slice(0, place.start)}|${after.slice(place.start)}` : null
const insertionAt = (text: string, start: number): Insertion => ({
  anchor: anchorAt(text, start, start),
  range: { start, end: start },
})
const compared = (after: string, start = at, before = text) => {
  const map = new ChangeMap(textDiff(before, after), before.length)
  const texts = { before: PiecedText.of(before), after: PiecedText.of(after) }
  return shown(after, mapInsertions([insertionAt(before, start)], { ...texts, map }, { left: 1e8 }))
}
const known = (changes: ChangeSet, source = text, start = at) => {
  const before = PiecedText.of(source)
  const after = before.changed(changes)
  const change = { before, after, map: ChangeMap.of(changes), isKnown: true }
  return shown(after.whole, mapInsertions([insertionAt(source, start)], change, { left: 1e8 }))
}
const marked = (within: string) => within.replace('margins', 'margins|')

describe('where something is to be put in', () => {
  it('goes with a paragraph that is moved, whether that is known or told by comparing', () => {
    const from = text.indexOf(two)
    const changes = ChangeSet.of(
      [
        { from, to: from + two.length + 1 },
        { from: text.length, insert: `\n${two}` },
      ],
      text.length,
    )
    expect(known(changes)).toBe([one, three, marked(two)].join('\n'))
    expect(compared([three, one, two].join('\n'))).toBe([three, one, marked(two)].join('\n'))
  })

  it('is where the change says, if that is known and says it', () => {
    const changes = ChangeSet.of({ from: at, to: text.length, insert: '.' }, text.length)
    expect(known(changes)).toBe(`${text.slice(0, at)}|.`)
  })

  it('stays where one side of it was written anew, and is nowhere once both were', () => {
    const anew = 'The second is about margins. Nobody needs those any more, these days.\n'
    expect(compared([one, anew, three].join('\n'))).toBe([one, marked(anew), three].join('\n'))
    expect(compared([one, three].join('\n'))).toBeNull()
  })

  it.each([
    ['1. One here\n2. Two here\n3. Three', '1. One here|\n3. Three'],
    ['- One here\n- Two here', '- One here|'],
    ['1. One here\n\n2. Two here\n\n3. Three', '1. One here|\n\n3. Three'],
    ['| One here | x |\n| Two here | x |\n| Three | |', '| One here | x ||\n| Three | |'],
    ['One here\nTwo here\nThree', null],
  ])('is among the others where the item before it is taken out of %j', (list, expected) => {
    const [place, from] = ['Two here', 'here'].map((words) => list.indexOf(words) + words.length) as [
      number,
      number,
    ]
    const end = list.indexOf('\n', place)
    const item = { from: list.indexOf('\n', from), to: end < 0 ? list.length : end }
    expect(known(ChangeSet.of(item, list.length), list, item.to)).toBe(expected)
    // With an item that is moved it goes.
    const moved = ChangeSet.of(
      [item, { from: 0, insert: `${list.slice(item.from + 1, item.to)}\n` }],
      list.length,
    )
    expect(known(moved, list, item.to)).toMatch(/Two here.*\|\n/)
  })

  it.each([at, text.indexOf(two) + two.length - 1])(
    'goes nowhere when its paragraph is cut, and is in it again once that is pasted (%i)',
    (place) => {
      const from = text.indexOf(two)
      const cut = ChangeSet.of({ from, to: from + two.length - 1 }, text.length)
      const start = PiecedText.of(text)
      const without = start.changed(cut)
      const insertion = insertionAt(text, place)
      const change = { before: start, after: without, map: ChangeMap.of(cut), isKnown: true }
      expect(mapInsertions([insertion], change, { left: 1e8 })).toEqual([null])
      const gone = { ...insertion, range: null }
      const typed = ChangeSet.of({ from: 0, insert: 'Typed elsewhere. ' }, without.length)
      const later = {
        before: without,
        after: without.changed(typed),
        map: ChangeMap.of(typed),
        isKnown: true,
      }
      expect(mapInsertions([gone], later, { left: 1e8 })).toEqual([null])
      const pasted = ChangeSet.of({ from: without.length, insert: `\n${two}` }, without.length)
      const after = without.changed(pasted)
      const now = mapInsertions(
        [gone],
        { before: without, after, map: ChangeMap.of(pasted), isKnown: true },
        { left: 1e8 },
      )
      const end = without.length + 1 + place - from
      expect(now).toEqual([{ start: end, end }])
    },
  )

  it('stays while words beside it are taken out, as long as any of its line are left', () => {
    const line = text.indexOf(two)
    const changes = ChangeSet.of({ from: line + 4, to: at }, text.length)
    expect(known(changes)).toBe(`${text.slice(0, line + 4)}|${text.slice(at)}`)
  })

  it('stays at either end of a text', () => {
    expect(compared(`${text}More.\n`, 0)).toBe(`|${text}More.\n`)
    expect(compared(`Before.\n${text}`, text.length)).toBe(`Before.\n${text}|`)
    expect(compared('Some words.', 0, '')).toBe('|Some words.')
    expect(compared('ab XX cd', 2, 'ab cd')).toBe('ab| XX cd')
    expect(compared('Hi there!', 2, 'Hi')).toBe('Hi| there!')
  })
})
