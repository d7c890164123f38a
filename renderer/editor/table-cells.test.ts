import { EditorState, type StateCommand } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { markdownLanguage } from './markdown-language.ts'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { goOnWithTable, leaveTable, nextCell, previousCell } from './table-cells.ts'

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
const toEnd: StateCommand = ({ state, dispatch }) => (
  dispatch(state.update({ selection: { anchor: state.doc.length } })),
  true
)
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

describe('Enter behind a table’s last row', () => {
  const table = `| a | b |\n${rule}\n| c | d |`
  it('puts an empty line between, so that what is typed is no row of it', () => {
    expect(run(`${table}¦`, leaveTable)).toBe(`${table}\n\n¦`)
    expect(run(`${table} ¦ \n\nx`, leaveTable)).toBe(`${table} \n\n¦\n\nx`)
    expect(run(`a | b\n--- | ---\nc | d¦`, leaveTable)).toBe('a | b\n--- | ---\nc | d\n\n¦')
    const { html } = renderMarkdown(run(`${table}¦`, leaveTable).replace('¦', 'typed'))
    expect(html).toMatch(/<\/table>[^]*<p[^>]*>typed<\/p>/)
  })
  it('keeps it apart from what follows', () =>
    expect(run(`${table}¦\n# h`, leaveTable)).toBe(`${table}\n\n¦\n\n# h`))
  it('stays in the quote or item that the table is in', () => {
    expect(run(`> | a |\n> | - |\n> | c |¦`, leaveTable)).toBe('> | a |\n> | - |\n> | c |\n>\n> ¦')
    expect(run(`- | a |\n  | - |\n  | c |¦`, leaveTable)).toBe('- | a |\n  | - |\n  | c |\n\n  ¦')
  })
  it('takes a row away that has nothing in it', () =>
    expect(run(`${table}¦`, nextCell, toEnd, leaveTable)).toBe(`${table}\n\n¦`))
  it('is left to others elsewhere', () => {
    for (const text of [
      `${table.replace('| d |', '| d¦ |')}`,
      `| a | b |¦\n${rule}\n| c | d |`,
      `| a | b |\n${rule}¦`,
      `| a | b |\n${rule}\n| c | d |¦\n| e | f |`,
      `${table}\n\nx¦`,
    ])
      expect(run(text, leaveTable)).toBe(text)
  })
})

describe('a bar behind a table', () => {
  it('goes on with it where Enter had left it', () => {
    for (const table of [`| a | b |\n${rule}\n| c | d |`, '> | a |\n> | - |\n> | b |']) {
      const lead = table.startsWith('>') ? '> ' : ''
      expect(run(`${table}¦`, leaveTable, goOnWithTable)).toBe(`${table}\n${lead}|¦`)
    }
  })
  it('is left to others elsewhere', () => {
    const table = `| a | b |\n${rule}\n| c | d |`
    for (const text of [`${table}\n\nx¦`, `${table}\n\n\n¦`, `${table}\n¦`, 'a | b\n\n¦'])
      expect(run(text, goOnWithTable)).toBe(text)
  })
})
