import { EditorState, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textDiff } from '../../server/domain/diff/index.ts'
import { letterChanges } from './letter-changes.ts'

describe('changes to the letter', () => {
  it('keep a word that others wrote against', () => {
    const [before, after] = ['A two.', 'A twoBeta.']
    expect(letterChanges(before, after, textDiff(before, after))).toEqual([
      { from: 'A two'.length, to: 'A two'.length, insert: 'Beta' },
    ])
  })

  it('make the one text of the other, with no character cut in two', () => {
    const text = fc
      .array(fc.constantFrom('a', 'ab', ' ', '\n', '😀', '😁', '🀀'), { maxLength: 20 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = letterChanges(before, after, textDiff(before, after))
        for (const { from, to, insert } of changes) {
          for (const part of [before.slice(0, from), before.slice(to), insert])
            expect(part.isWellFormed()).toBe(true)
        }
        const state = EditorState.create({ doc: Text.of(before.split('\n')) })
        expect(state.update({ changes }).newDoc.toString()).toBe(after)
      }),
    )
  })
})
