import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { knownHunks } from './known-hunks.ts'
import { textOf } from './shared-text.ts'

const piece = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '⟨', '\n', '😀'), maxLength: 6 })
const change = fc.record({ at: fc.nat(40), removed: fc.nat(6), put: piece })
const made = fc
  .tuple(fc.array(piece, { maxLength: 6 }), fc.array(change, { maxLength: 4 }))
  .map(([pieces, all]) => {
    const before = pieces.join('')
    const changes = all.reduce((one, { at, removed, put }) => {
      const from = Math.min(at, one.newLength)
      const next = { from, to: Math.min(from + removed, one.newLength), insert: textOf(put) }
      return one.compose(ChangeSet.of(next, one.newLength))
    }, ChangeSet.empty(before.length))
    return { before, changes, after: changes.apply(textOf(before)).toString() }
  })

it('makes the text of the one before, whatever was changed, and cuts no word', () => {
  fc.assert(
    fc.property(made, ({ before, after, changes }) => {
      let [text, at] = ['', 0]
      for (const { fromA, toA, fromB, toB } of knownHunks(before, after, changes)) {
        expect(fromA).toBeGreaterThanOrEqual(at)
        for (const [whole, from, to] of [
          [before, fromA, toA],
          [after, fromB, toB],
        ] as const)
          for (const place of from < to ? [from, to] : [])
            expect(/^[ab]{2}$/.test(whole.slice(place - 1, place + 1))).toBe(false)
        text += before.slice(at, fromA) + after.slice(fromB, toB)
        at = toA
      }
      expect(text + before.slice(at)).toBe(after)
    }),
    { numRuns: 2000 },
  )
})

it('leaves out what was taken out and came back', () => {
  const changes = ChangeSet.of({ from: 4, to: 9, insert: 'quick' }, 15)
  expect(knownHunks('The quick house', 'The quick house', changes)).toEqual([])
})

it('keeps apart what was taken out before a word and behind it', () => {
  const before = 'one two three'
  const changes = ChangeSet.of(
    [
      { from: 0, to: 4 },
      { from: 7, to: 13 },
    ],
    before.length,
  )
  expect(knownHunks(before, 'two', changes)).toEqual([
    { fromA: 0, toA: 4, fromB: 0, toB: 0 },
    { fromA: 7, toA: 13, fromB: 3, toB: 3 },
  ])
})
