import { ChangeSet, EditorSelection, EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textDiff } from '../../server/domain/diff/index.ts'
import { keptSelection } from './kept-selection.ts'
import { twoWriters } from './testing/two-writers.ts'

const parse = (marked: string) => {
  const [anchor, head] = [marked.indexOf('|'), marked.lastIndexOf('|') - 1]
  return { doc: marked.replaceAll('|', ''), anchor, head: head < anchor ? anchor : head }
}

/** A text with its cursor, or both ends of what is selected, as `|`, after it has become another by whole words. */
function became(marked: string, now: string): string {
  const { doc, anchor, head } = parse(marked)
  const state = EditorState.create({ doc, selection: { anchor, head } })
  const changes = ChangeSet.of(
    textDiff(doc, now).map(({ fromA, toA, fromB, toB }) => ({
      ...{ from: fromA, to: toA, insert: now.slice(fromB, toB) },
    })),
    doc.length,
  )
  const { main } = state.update({ changes, ...keptSelection(state, changes) }).state.selection
  const behind = main.empty ? now.slice(main.to) : `${now.slice(main.from, main.to)}|${now.slice(main.to)}`
  return `${now.slice(0, main.from)}|${behind}`
}

describe('a cursor in a word that others change', () => {
  it.each([
    ['Alpha some|thing omega.', 'Alpha somethings omega.', 'Alpha some|things omega.'],
    ['Alpha some|thing omega.', 'Alpha Xsomething omega.', 'Alpha Xsome|thing omega.'],
    ['Alpha some|thing omega.', 'Alpha someXthing omega.', 'Alpha some|Xthing omega.'],
    ['Alpha someth|ing omega.', 'Alpha somXething omega.', 'Alpha somXeth|ing omega.'],
    ['Alpha some|thing omega.', 'Alpha -something- omega.', 'Alpha -some|thing- omega.'],
    ['Alpha somethi|ng omega.', 'Alpha Asomething to endings omega.', 'Alpha Asomethi|ng to endings omega.'],
    // At its ends.
    ['Alpha something| omega.', 'Alpha somethings omega.', 'Alpha somethings| omega.'],
    ['Alpha |something omega.', 'Alpha asomething omega.', 'Alpha |asomething omega.'],
    // Another word altogether.
    ['The gr|een house', 'The purple house', 'The |purple house'],
    // Not among what is seen as one character.
    ['The cafe|s open', 'The cafe\u0301s open', 'The cafe\u0301|s open'],
  ])('%j is %j: %j', (before, now, after) => {
    expect(became(before, now)).toBe(after)
  })
})

describe('what is selected', () => {
  it.each([
    ['Alpha |something| omega.', 'Alpha somethingowner omega.', 'Alpha |something|owner omega.'],
    ['Alpha |something| omega.', 'Alpha ownersomething omega.', 'Alpha owner|something| omega.'],
    ['Alpha so|me|thing omega.', 'Alpha somethings omega.', 'Alpha so|me|things omega.'],
    ['|Alpha some|thing omega.', 'Alpha somethings omega.', '|Alpha some|things omega.'],
    ['The |green| house', 'The purple house', 'The |purple| house'],
  ])('%j is %j: %j', (before, now, after) => {
    expect(became(before, now)).toBe(after)
  })
})

it('keeps several cursors, each at its letters', () => {
  const doc = 'one two'
  const cursors = [EditorSelection.cursor(1), EditorSelection.cursor(5)]
  const state = EditorState.create({
    ...{ doc, selection: EditorSelection.create(cursors, 1) },
    extensions: EditorState.allowMultipleSelections.of(true),
  })
  const changes = ChangeSet.of([{ from: 0, to: 7, insert: 'ones twos' }], doc.length)
  const { selection } = state.update({ changes, ...keptSelection(state, changes) }).state
  expect(selection.ranges.map(({ head }) => head)).toEqual([1, 6])
  expect(selection.mainIndex).toBe(1)
})

it('never cuts a character, nor leaves the text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'ab', ' ', '\n', '😀', '😁', 'e\u0301'), { maxLength: 20 })
    .map((parts) => parts.join(''))
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(text, text, place, place, (before, after, one, other) => {
      const at = (share: number) => {
        const place = Math.round(share * before.length)
        return before.slice(0, place).isWellFormed() ? place : place - 1
      }
      const state = EditorState.create({ doc: before, selection: { anchor: at(one), head: at(other) } })
      const changes = ChangeSet.of([{ from: 0, to: before.length, insert: after }], before.length)
      const { main } = state.update({ changes, ...keptSelection(state, changes) }).state.selection
      for (const end of [main.from, main.to]) expect(after.slice(0, end).isWellFormed()).toBe(true)
    }),
    { seed: 20261128 },
  )
})

it('goes on where it was while another writes in the same word by a program', () => {
  const { company, one, other } = twoWriters('Alpha something omega.\n')
  one.do({ selection: { anchor: 'Alpha some'.length } })
  other.do({ changes: { from: 6, to: 15, insert: 'somethings' }, userEvent: 'input.paste' })
  company.settle()
  expect(one.text).toBe('Alpha somethings omega.\n')
  expect(one.state.selection.main.head).toBe('Alpha some'.length)
})
