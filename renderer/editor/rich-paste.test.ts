import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { markdownLanguage } from './markdown-language.ts'
import type { PastedMarkdown } from './paste/pasted-markdown.ts'
import { pasting } from './rich-paste.ts'

/** A text in which `|` is the cursor, after something was pasted there. */
function paste(marked: string, markdown: string, first: PastedMarkdown['first'], last = first): string {
  const anchor = marked.indexOf('|')
  const state = EditorState.create({
    doc: marked.replace('|', ''),
    selection: { anchor },
    extensions: [markdownLanguage],
  })
  const next = state.update(pasting(state, { markdown, first, last })).state
  const at = next.selection.main.head
  return `${next.sliceDoc(0, at)}|${next.sliceDoc(at)}`
}

it('puts words between others', () => {
  expect(paste('a | b', '**few**', 'words')).toBe('a **few**| b')
  expect(paste('- |', 'a\\\nb', 'words')).toBe('- a\\\n  b|')
})
it('joins paragraphs with the words around them', () =>
  expect(paste('a | b', 'one\n\ntwo', 'paragraph')).toBe('a one\n\ntwo| b'))
it('sets other blocks apart from the words around them', () => {
  expect(paste('a| b', '# T', 'heading')).toBe('a\n\n# T|\n\n b')
  expect(paste('a\n|\nb', '| x |\n| --- |', 'table')).toBe('a\n\n| x |\n| --- ||\n\nb')
  expect(paste('|', '- a\n- b', 'list')).toBe('- a\n- b|')
  expect(paste('a\n\n|\n\nb', '- a', 'list')).toBe('a\n\n- a|\n\nb')
})
it('keeps to the quote or the item', () => {
  expect(paste('> a |', 'one\n\ntwo', 'paragraph')).toBe('> a one\n>\n> two|')
  expect(paste('- a |', 'one\n\n- x', 'paragraph', 'list')).toBe('- a one\n\n  - x|')
})
it('goes on with the list it is pasted into', () => {
  expect(paste('- a\n- |\n- d', '- b\n- c', 'list')).toBe('- a\n- b\n- c|\n- d')
  expect(paste('- a\n  - |', '1. b\n2. c', 'list')).toBe('- a\n  1. b\n  2. c|')
})
