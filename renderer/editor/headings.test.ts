import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { inOneGo } from '../../server/domain/testing/in-one-go.ts'
import { headings } from './headings.ts'
import { markdownLanguage } from './markdown-language.ts'

const of = (doc: string) =>
  inOneGo(headings(EditorState.create({ doc, extensions: [markdownLanguage] }))).map(({ level, text }) => [
    level,
    text,
  ])

it('finds headings of both kinds, also in quotes and lists', () => {
  expect(of('# One\n\nTwo\n---\n\n> ### Three\n\n- #### Four\n')).toEqual([
    [1, 'One'],
    [2, 'Two'],
    [3, 'Three'],
    [4, 'Four'],
  ])
})
it('finds one behind a byte-order mark, also of a text with front matter', () => {
  expect(of('\uFEFF# One\n\nWords\n')).toEqual([[1, 'One']])
  expect(of('\uFEFFOne\n---\n')).toEqual([[2, 'One']])
  expect(of('\uFEFF---\na: b\n---\n# One\n')).toEqual([[1, 'One']])
  expect(of('\uFEFF```\n# One\n```\n\uFEFF# Two\n')).toEqual([])
})
it('takes no comment in code for a heading', () => {
  expect(of('```sh\n# not one\n```\n\n    # nor this\n')).toEqual([])
})
it('shows the words without their marks', () => {
  expect(of('## A **bold** [link](https://a.example) and `code_with_lines` ##\n')).toEqual([
    [2, 'A bold link and code_with_lines'],
  ])
})
it('has the beginning of one that is very long', () => {
  expect(String(of(`# ${'[*a'.repeat(20_000)}\n`)[0]![1]).length).toBeLessThan(1_001)
})
it('goes through a long text with stops', () => {
  const doc = 'Words.\n\n# One\n\n'.repeat(2_000)
  const work = headings(EditorState.create({ doc, extensions: [markdownLanguage] }))
  let stops = 0
  for (;;) {
    const { done, value } = work.next()
    if (done) {
      expect(value).toHaveLength(2_000)
      break
    }
    stops++
  }
  expect(stops).toBeGreaterThan(10)
})
