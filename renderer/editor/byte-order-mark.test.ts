import { copyLineDown, copyLineUp, moveLineDown, moveLineUp } from '@codemirror/commands'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { keptByteOrderMark } from './byte-order-mark.ts'
import { fromElsewhere } from './own-undo.ts'
import { Suggesting } from './suggesting/testing/suggesting.ts'
import { wholeCharacters } from './whole-characters.ts'

const extensions = [keptByteOrderMark, wholeCharacters]
const after = (spec: TransactionSpec) => {
  const { state } = EditorState.create({ doc: '\uFEFFab', extensions }).update(spec)
  return [state.doc.toString(), state.selection.main.anchor, state.selection.main.head]
}

test.each<[string, TransactionSpec, [string, number, number]]>([
  ['goes to the beginning', { selection: { anchor: 0 } }, ['\uFEFFab', 1, 1]],
  ['selects all', { selection: { anchor: 0, head: 3 } }, ['\uFEFFab', 1, 3]],
  [
    'types at the beginning',
    { changes: { from: 0, insert: 'x\n' }, selection: { anchor: 2 } },
    ['\uFEFFx\nab', 3, 3],
  ],
  ['deletes all', { changes: { from: 0, to: 3 } }, ['\uFEFF', 1, 1]],
  [
    'types over all',
    { changes: { from: 0, to: 3, insert: 'x' }, selection: { anchor: 1 } },
    ['\uFEFFx', 2, 2],
  ],
  ['deletes what isn’t seen', { changes: { from: 0, to: 1 }, selection: { anchor: 0 } }, ['\uFEFFab', 1, 1]],
  ['puts in a text that has one', { changes: { from: 0, to: 3, insert: '\uFEFFx' } }, ['\uFEFFx', 1, 1]],
  [
    'writes in two places',
    {
      changes: [
        { from: 0, insert: 'x' },
        { from: 2, insert: 'y' },
      ],
    },
    ['\uFEFFxayb', 1, 1],
  ],
])('a byte-order mark stays where the text begins when one %s', (_what, spec, expected) => {
  expect(after(spec)).toEqual(expected)
})

test('what comes from elsewhere is shown to the letter', () => {
  const annotations = fromElsewhere.of(true)
  expect(after({ changes: { from: 0, insert: 'x' }, annotations })[0]).toBe('x\uFEFFab')
  expect(after({ changes: { from: 0, to: 1 }, annotations })[0]).toBe('ab')
})

test('it is in no suggestion', () => {
  expect(new Suggesting('\uFEFFab', extensions).type('x').shown).toBe('\uFEFF[+x]ab')
  expect(new Suggesting('\uFEFFab', extensions).delete(0, 3).shown).toBe('\uFEFF[-ab]')
})

test.each([
  ['copied down', copyLineDown, 2, '\uFEFF# A\n# A\nb', 6],
  ['copied up', copyLineUp, 2, '\uFEFF# A\n# A\nb', 2],
  ['moved down', moveLineDown, 2, '\uFEFFb\n# A', 4],
  ['moved to the top', moveLineUp, 6, '\uFEFFb\n# A', 2],
])('it stays where it is when a line is %s', (_what, command, anchor, text, at) => {
  let state = EditorState.create({ doc: '\uFEFF# A\nb', extensions, selection: { anchor } })
  command({ state, dispatch: (transaction) => (state = transaction.state) })
  expect(state.doc.toString()).toBe(text)
  expect(state.selection.main.head).toBe(at)
})

test('it is neither copied nor put in with what was copied', () => {
  const { state } = EditorState.create({ doc: '\uFEFFab', extensions }).update({
    changes: { from: 3, insert: '\n\uFEFFab' },
    selection: { anchor: 7 },
  })
  expect([state.doc.toString(), state.selection.main.head]).toEqual(['\uFEFFab\nab', 6])
  const [copied] = state.facet(EditorView.clipboardOutputFilter)
  expect(copied!('\uFEFFab', state)).toBe('ab')
  expect(after({ changes: { from: 0, insert: '\uFEFF\n' } })[0]).toBe('\uFEFF\nab')
})
