import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Suggesting } from './suggesting/testing/suggesting.ts'
import { wholeCharacters } from './whole-characters.ts'

const at = (doc: string) => EditorState.create({ doc, extensions: wholeCharacters })

test.each([
  ['what another program has cut', { from: 1, insert: ' cut \ud83d' }, 'a cut \ufffd😀b'],
  ['the other half of it', { from: 1, insert: '\ude00 cut' }, 'a\ufffd cut😀b'],
  ['halves at many places', { from: 0, to: 1, insert: '\ud83d-\ude00' }, '\ufffd-\ufffd😀b'],
  ['half an emoji deleted from before', { from: 1, to: 2, insert: '' }, 'ab'],
  ['half an emoji deleted from behind', { from: 2, to: 3, insert: '' }, 'ab'],
  ['a deletion that ends in one', { from: 0, to: 2, insert: '' }, 'b'],
  ['words put into the middle of one', { from: 2, insert: 'x' }, 'a😀xb'],
  ['a half put into the middle of one', { from: 2, insert: '\ud83d' }, 'a😀\ufffdb'],
  ['an emoji that differs from the one before by a half', { from: 2, to: 3, insert: '\ude01' }, 'a😁b'],
  ['half of one written over with words', { from: 2, to: 3, insert: 'x' }, 'axb'],
])('no half of a character comes of %s', (_what, changes, after) => {
  expect(at('a😀b').update({ changes }).newDoc.toString()).toBe(after)
})

test('the cursor stays behind what was put in, and undo takes all of it back', () => {
  const { state, changes, startState } = at('ab').update({
    changes: { from: 1, insert: 'x\ud83d' },
    selection: { anchor: 3 },
    userEvent: 'input.paste',
  })
  expect([state.doc.toString(), state.selection.main.head]).toEqual(['ax\ufffdb', 3])
  expect(changes.invert(startState.doc).apply(state.doc).toString()).toBe('ab')
})

test('what is suggested is whole, too', () => {
  const one = new Suggesting('a😀b', wholeCharacters).delete(2, 3).cursor(1).type('cut \ud83d')
  expect(one.shown).toBe('a[-😀][+cut \ufffd]b')
})

test('whatever is changed, the text has whole characters', () => {
  const unit = fc.constantFrom('a', '\n', '\ud83d', '\ude00', '😀')
  const text = fc.string({ unit, maxLength: 8 })
  fc.assert(
    fc.property(text, fc.array(fc.tuple(fc.nat(9), fc.nat(9), text), { maxLength: 3 }), (doc, parts) => {
      const before = at(doc.toWellFormed())
      const { length } = before.doc
      const changes = parts.map(([a, b, insert]) => {
        const [from, to] = [a % (length + 1), b % (length + 1)].sort((x, y) => x - y)
        return { from: from!, to: to!, insert }
      })
      let last = 0
      const apart = changes
        .sort((a, b) => a.from - b.from)
        .filter(({ from, to }) => from >= last && ((last = to + 1), true))
      expect(before.update({ changes: apart }).newDoc.toString().isWellFormed()).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
