import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inOneGo } from '../../server/domain/testing/in-one-go.ts'
import { countMarkdownWords } from '../../server/markdown/word-count.ts'
import { markdownWords } from './text-facts.svelte.ts'

it('counts the words of what is written as of what is stored', () => {
  const lines = ['---', 'title: Of words', 'two words', '```js', '```', '# One', '- a [b](c d)', '', '[x]: y']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 12 }), (chosen) => {
      const doc = chosen.join('\n')
      expect(inOneGo(markdownWords(EditorState.create({ doc })))).toBe(countMarkdownWords(doc))
    }),
  )
})

it('can be stopped within a long line', () => {
  const counting = markdownWords(EditorState.create({ doc: 'word '.repeat(60_000) }))
  let stops = 0
  for (; !counting.next().done;) stops++
  expect(stops).toBeGreaterThan(10)
})
