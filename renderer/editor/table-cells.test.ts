import { EditorState, type StateCommand } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { markdownLanguage } from './markdown-language.ts'
import { nextCell, previousCell } from './table-cells.ts'

/** A text in which `|` is part of tables, so that the cursor is `¦` and a selection `‹›`. */
function run(marked: string, ...commands: StateCommand[]): string {
  const start = marked.search(/[‹¦]/)
  const doc = marked.replace(/[‹¦›]/g, '')
  const end = marked.includes('›') ? marked.replace('‹', '').indexOf('›') : start
  let state = EditorState.create({
    doc,
    selection: { anchor: start, head: end },
    extensions: [markdownLanguage],
  })
  for (const command of commands) command({ state, dispatch: (transaction) => (state = transaction.state) })
  const { from, to } = state.selection.main
  const text = state.doc.toString()
  if (from === to) return `${text.slice(0, from)}¦${text.slice(from)}`
  return `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`
}
const rule = '| --- | --- |'

describe('Tab in a table', () => {
  it('goes to the next cell, from row to row', () => {
    expect(run(`| a¦ | b |\n${rule}\n| c | d |`, nextCell)).toBe(`| a | ‹b› |\n${rule}\n| c | d |`)
    expect(run(`| a | ‹b› |\n${rule}\n| c | d |`, nextCell)).toBe(`| a | b |\n${rule}\n| ‹c› | d |`)
    expect(run(`| a | b |\n${rule}¦\n| c | d |`, nextCell)).toBe(`| a | b |\n${rule}\n| ‹c› | d |`)
  })
  it('goes back with Shift, and stays in the first one', () => {
    expect(run(`| a | b |\n${rule}\n| c¦ | d |`, previousCell)).toBe(`| a | ‹b› |\n${rule}\n| c | d |`)
    expect(run(`| a | b |\n${rule}\n| c | ‹d› |`, previousCell)).toBe(`| a | b |\n${rule}\n| ‹c› | d |`)
    expect(run(`| a¦ | b |\n${rule}`, previousCell)).toBe(`| a¦ | b |\n${rule}`)
  })
  it('begins a row behind the last cell', () => {
    expect(run(`| a | b |\n${rule}\n| c | d¦ |`, nextCell)).toBe(`| a | b |\n${rule}\n| c | d |\n| ¦ |  |`)
    expect(run(`> | a | b |\n> ${rule}\n> | c | d¦ |\n\nx`, nextCell)).toBe(
      `> | a | b |\n> ${rule}\n> | c | d |\n> | ¦ |  |\n\nx`,
    )
  })
  it('goes through empty cells, and tables without outer bars', () => {
    const empty = `| a | b |\n${rule}\n| ¦ |  |`
    expect(run(empty, nextCell)).toBe(`| a | b |\n${rule}\n|  | ¦ |`)
    expect(run(empty, nextCell, previousCell)).toBe(empty)
    expect(run('a¦ | b\n--- | ---\nc | d', nextCell)).toBe('a | ‹b›\n--- | ---\nc | d')
    expect(run('a | b¦\n--- | ---\nc | d', nextCell)).toBe('a | b\n--- | ---\n‹c› | d')
  })
  it('takes an escaped bar for a word', () =>
    expect(run(`| a¦ \\| x | b |\n${rule}`, nextCell)).toBe(`| a \\| x | ‹b› |\n${rule}`))
  it('is left to others outside of tables', () => {
    expect(
      nextCell({
        state: EditorState.create({ doc: 'a | b', extensions: [markdownLanguage] }),
        dispatch: () => {},
      }),
    ).toBe(false)
  })
})
