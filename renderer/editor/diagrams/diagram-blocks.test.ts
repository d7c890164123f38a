import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { markdownLanguage } from '../markdown-language.ts'
import { diagramBlocks, mayBegin } from './diagram-blocks.ts'

function stateOf(doc: string): EditorState {
  const state = EditorState.create({ doc, extensions: [markdownLanguage] })
  ensureSyntaxTree(state, doc.length, 5000)
  return state
}
const blocksIn = (doc: string) =>
  diagramBlocks(stateOf(doc)).map(({ from, to, source }) => [doc.slice(from, to), source])

it('finds diagrams that stand in nothing else, whole', () => {
  const block = '```mermaid\nflowchart LR\n  A --> B\n```'
  expect(blocksIn(`Before.\n\n${block}\n\n~~~ Mermaid\npie\n~~~\n`)).toEqual([
    [block, 'flowchart LR\n  A --> B'],
    ['~~~ Mermaid\npie\n~~~', 'pie'],
  ])
})

it.each([
  ['is being written', '```mermaid\nflowchart LR\n'],
  ['is empty', '```mermaid\n```'],
  ['is other code', '```js\nmermaid\n```'],
  ['stands in a quote', '> ```mermaid\n> pie\n> ```'],
])('leaves alone what %s', (_what, doc) => {
  expect(blocksIn(doc)).toEqual([])
})

it('is told of a change that may begin one, though it writes only the end of the word', () => {
  const state = stateOf('```mermai\npie\n```')
  expect(mayBegin(state.update({ changes: { from: 9, insert: 'd' } }))).toBe(true)
  expect(mayBegin(state.update({ changes: { from: 10, insert: 'x' } }))).toBe(false)
})
