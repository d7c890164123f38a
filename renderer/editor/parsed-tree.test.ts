import { syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { afterEach, expect, test, vi } from 'vitest'
import { markdownLanguage } from './markdown-language.ts'
import { parsedTree } from './parsed-tree.ts'
import { tableNode } from './tables/table-around.ts'

afterEach(() => vi.restoreAllMocks())

/** A machine that does something else for 200 ms between each two looks at the clock. */
function busyMachine() {
  let now = 0
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 200))
}

test('what stands around a place is known while the machine does something else', () => {
  busyMachine()
  const doc = 'Words.\n\n'.repeat(5) + '| A | B |\n| --- | --- |\n| one | two |\n'
  const state = EditorState.create({ doc, extensions: markdownLanguage })
  expect(syntaxTree(state).length, 'else this tests nothing').toBeLessThan(doc.length)
  const at = doc.indexOf('one')
  expect(tableNode(state, at)).toMatchObject({ from: doc.indexOf('| A'), to: doc.length - 1 })
  expect(parsedTree(state, at).length).toBe(doc.length)
})

test('of a text that takes longer as much is known as has been read', () => {
  busyMachine()
  const state = EditorState.create({ doc: 'Words.\n\n'.repeat(2_000), extensions: markdownLanguage })
  expect(parsedTree(state, state.doc.length).length).toBeLessThan(state.doc.length)
})
