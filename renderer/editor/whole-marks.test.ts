import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { markdownLanguage } from './markdown-language.ts'
import { wholeMarks } from './whole-marks.ts'

/** A text in which `|` are the ends of what is selected. */
function over(marked: string, words: string, userEvent = 'input.type') {
  const [a = '', b = '', c = ''] = marked.split('|')
  const selection = { anchor: a.length, head: a.length + b.length }
  const state = EditorState.create({ doc: a + b + c, selection, extensions: [markdownLanguage, wholeMarks] })
  const next = state.update({ ...state.replaceSelection(words), userEvent }).state
  const { head } = next.selection.main
  return `${next.sliceDoc(0, head)}|${next.sliceDoc(head)}`
}

test.each([
  ['The **bo|ld words** and| more.', 'The **bo**X| more.'],
  ['The |very **bo|ld words** and.', 'The X|**ld words** and.'],
  ['The **bo|ld** and *sla|nted* words.', 'The **bo**X|*nted* words.'],
  ['The **bo|ld** and [a| link](https://e.org/).', 'The **bo**X| [link](https://e.org/).'],
  ['See [a li|nk](https://e.org/) and| more.', 'See [a li](https://e.org/)X| more.'],
  ['Run `np|m test` and| look.', 'Run `np`X| look.'],
  ['***bo|th*** and| more', '***bo***X| more'],
  // Nothing is left of those words.
  ['The **|bold** and| more.', 'The X| more.'],
  ['The |very **bold|** words.', 'The X| words.'],
  // What is whole, or all within, is what was chosen.
  ['The |**bold**| words.', 'The X| words.'],
  ['The **b|ol|d** words.', 'The **bX|d** words.'],
])('typing over “%s” keeps marks in pairs', (before, after) => {
  expect(over(before, 'X')).toBe(after)
})

test('so does deleting; what others do, or undo, is as it is', () => {
  expect(over('The **bo|ld words** and| more.', '', 'delete.selection')).toBe('The **bo**| more.')
  expect(over('The **bo|ld words** and| more.', 'X', 'undo')).toBe('The **boX| more.')
})

test.each([
  ['|Words.\n\n## |Head', '## |Head', 'X|\n\n## Head'],
  ['|Words.\n\n|## Head', '## |Head', 'X|\n\n## Head'],
  ['|Words.\n\n1. |one', '1. |one', 'X|\n\n1. one'],
  ['|Words.\n\n> - |one', '> - |one', 'X|\n\n> - one'],
  ['> |Words.\n>\n> # |Head', '> # |Head', '> X|\n>\n> # Head'],
  ['- |one\n\n## |Head', '## |Head', '- X|\n\n## Head'],
  ['# |Head\n\n|Words.', '|Words.', '# X|\n\nWords.'],
  ['- [x] |one\n- [ ] |two', '- [ ] |two', '- [x] X|\n- [ ] two'],
  ['|\n\n## |Head', '## |Head', 'X|\n\n## Head'],
  // As a triple click chooses lines.
  ['|Words.\n|\nMore.', '|\nMore.', 'X|\n\nMore.'],
  ['|Words.\n\n|More.', '|More.', 'X|\n\nMore.'],
  ['|- one\n|- two', '|- two', 'X|\n- two'],
  ['```\n|  a\n|b\n```', '```\n|b\n```', '```\nX|\nb\n```'],
  // Both are alike, or one is a part of the other.
  ['1. |one\n2. |two', '1. |two', '1. X|two'],
  ['- |one\n\n  |more', '- |more', '- X|more'],
  // Lines become one.
  ['Wo|rds.\n\n## |Head', 'Wo|Head', 'WoX|Head'],
  // Within a line somebody has chosen what they see, as in code.
  ['|## |Head', '|Head', 'X|Head'],
  ['```\n|a\n  |b\n```', '```\n|b\n```', '```\nX|b\n```'],
])('the marks of a line stay when lines are chosen up to its words: “%s”', (before, deleted, typed) => {
  expect(over(before, '', 'delete.selection')).toBe(deleted)
  expect(over(before, 'X')).toBe(typed)
})

test('whole lines that something is composed over keep their end', () => {
  expect(over('|- one\n|- two', '', 'input')).toBe('|\n- two')
})

test('so does typing far down in a text whose marks nobody has looked at yet', () => {
  const before = 'A line of words.\n\n'.repeat(400)
  expect(over(`${before}The **bo|ld words** and| more.`, 'X')).toBe(`${before}The **bo**X| more.`)
})

test('readers see no mark of words that were cut, wherever somebody types', () => {
  const text = 'One **bold two** then *slanted three* and ~~struck four~~ or [five six](https://e.org/) end.'
  // Where a mark would stand by itself, nothing is selected: marks aren’t seen.
  const seen = [...text.matchAll(/[a-z ]/gi)].map(({ index }) => index).filter((at) => at < 67 || at > 84)
  fc.assert(
    fc.property(fc.constantFrom(...seen), fc.constantFrom(...seen), (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      fc.pre(from < to)
      const result = over(`${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`, 'x').replace(
        '|',
        '',
      )
      const read = renderMarkdown(result).html.replace(/<[^>]*>/g, '')
      expect(read, result).not.toMatch(/[*~[\]()]/)
    }),
    { numRuns: 300 },
  )
})
