import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLf } from '../../server/domain/line-endings.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import { toEditorChanges, toStoredChanges } from './line-breaks.ts'

const anyText = fc
  .array(fc.constantFrom('a', 'word ', '\n', '\r', '\r\n', '😀', '\uFEFF'), { maxLength: 12 })
  .map((parts) => parts.join(''))
const place = fc.double({ min: 0, max: 1, noNaN: true })
const edits = fc.array(fc.tuple(place, place, anyText), { minLength: 1, maxLength: 4 })

/** Changes of a text at places that don't overlap. */
function changesOf(length: number, wanted: [number, number, string][], isWhole: (at: number) => boolean) {
  let at = 0
  const specs = wanted
    .map(([from, to, insert]) => ({
      from: Math.floor(Math.min(from, to) * length),
      to: Math.floor(Math.max(from, to) * length),
      insert,
    }))
    .sort((a, b) => a.from - b.from)
    .flatMap(({ from, to, insert }) => {
      if (from < at || !isWhole(from) || !isWhole(to)) return []
      at = to + 1
      return [{ from, to, insert: textOf(insert) }]
    })
  return ChangeSet.of(specs, length)
}
const wholeIn = (text: string) => (at: number) => (text.charCodeAt(at) & 0xfc00) !== 0xdc00
const applied = (text: string, changes: ChangeSet) => changes.apply(textOf(text)).toString()

describe('changes of a text with any line endings', () => {
  it('do in the editor what they do to the stored text', () => {
    fc.assert(
      fc.property(anyText, edits, (before, wanted) => {
        const changes = changesOf(before.length, wanted, wholeIn(before))
        const after = applied(before, changes)
        const inEditor = toEditorChanges(before, after, changes)
        const shown = Text.of(toLf(before).split('\n'))
        expect(ChangeSet.of(inEditor, shown.length).apply(shown).toString()).toBe(toLf(after))
      }),
      { numRuns: 2_000 },
    )
  })

  it('do to the stored text what they do in the editor', () => {
    fc.assert(
      fc.property(anyText, edits, (before, wanted) => {
        const shown = toLf(before)
        const typed = wanted.map(([from, to, insert]) => [from, to, toLf(insert)] as [number, number, string])
        const changes = changesOf(shown.length, typed, wholeIn(shown))
        const stored = applied(before, toStoredChanges(before, changes))
        expect(toLf(stored)).toBe(applied(shown, changes))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['one\r\ntwo\r\n', 8, 8, 'and\n', 'one\r\ntwo\r\nand\r\n'],
    ['one\rtwo', 3, 3, '\n', 'one\r\rtwo'],
    ['one\r\ntwo\nthree\r\n', 7, 8, '\n\n', 'one\r\ntwo\r\n\r\nthree\r\n'],
    ['one\n', 1, 2, '', 'oe\n'],
    // Where two ends of lines would become one, there alone they become line feeds.
    ['a\rb\n\rc\r\n', 2, 3, '', 'a\n\n\rc\r\n'],
    ['\ra\n', 0, 2, '\n', '\n\n'],
  ])('leave all lines but those that change as they are: %j', (before, from, to, insert, after) => {
    const changes = ChangeSet.of({ from, to, insert: textOf(insert) }, toLf(before).length)
    expect(applied(before, toStoredChanges(before, changes))).toBe(after)
  })
})
