import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChangeMap } from './change-map.ts'
import { sizeOfChange } from './change-size.ts'
import { applyChanges } from './change-set.ts'
import { textDiff } from './diff/index.ts'
import { anyText, changesFor, editedText } from './testing/arbitrary-text.ts'

const sizeBetween = (before: string, after: string) =>
  sizeOfChange({ before, after, map: new ChangeMap(textDiff(before, after), before.length) })

describe('the size of a change', () => {
  it.each([
    ['a letter typed at the end of a word', 'the wor', 'the word', 0, 1],
    ['a letter typed into a word', 'the wrd here', 'the word here', 0, 1],
    ['a letter typed before one like it', 'aa', 'aaa', 0, 1],
    ['a letter deleted', 'the woord', 'the word', 1, 0],
    ['a letter replaced', 'the ward', 'the word', 1, 1],
    ['letters in two words', 'one two three', 'ones two threes', 0, 2],
    ['another word', 'one cat', 'one dog', 3, 3],
    ['all of a text', 'one', '', 3, 0],
    ['nothing', 'one', 'one', 0, 0],
    ['an emoji for one whose first half is the same', 'x😀y', 'x😃y', 2, 2],
    ['an emoji for one whose second half is the same', 'x\u{1F600}y', 'x\u{1FA00}y', 2, 2],
    ['one more of the same emoji', '😀😀', '😀😀😀', 0, 2],
  ])('counts code units: %s', (_name, before, after, removed, inserted) => {
    expect(sizeBetween(before, after)).toEqual({ removed, inserted })
  })

  it('makes up the difference in length, and is never more than the hunks', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        const map = new ChangeMap(textDiff(before, after), before.length)
        const { removed, inserted } = sizeOfChange({ before, after, map })
        expect(inserted - removed).toBe(after.length - before.length)
        expect(removed).toBeLessThanOrEqual(map.size.removed)
        expect(removed + inserted > 0).toBe(before !== after)
      }),
    )
  })

  it('is the same for a change and for the way back, turned round', () => {
    fc.assert(
      fc.property(
        anyText.chain((before) => changesFor(before).map((changes) => ({ before, changes }))),
        ({ before, changes }) => {
          const after = applyChanges(before, changes)
          const map = ChangeMap.of(changes)
          const { removed, inserted } = sizeOfChange({ before, after, map })
          expect(sizeOfChange({ before: after, after: before, map: map.inverse(after.length) })).toEqual({
            removed: inserted,
            inserted: removed,
          })
        },
      ),
    )
  })
})
