import { history, undo } from '@codemirror/commands'
import { EditorState, type StateCommand } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../server/markdown/render.ts'
import { markdownLanguage } from '../markdown-language.ts'
import {
  breakInCell,
  editTable,
  goOnWithTable,
  nextCell,
  nextRow,
  overBar,
  previousCell,
  typedInTable,
} from './table-commands.ts'
import { pastingInCell } from './table-paste.ts'

/** A text in which `|` is part of tables, so that the cursor is `¦` and a selection `‹›`. */
function run(marked: string, ...commands: StateCommand[]): string {
  const start = marked.search(/[‹¦]/)
  const doc = marked.replace(/[‹¦›]/g, '')
  const end = marked.includes('›') ? marked.replace('‹', '').indexOf('›') : start
  let state = EditorState.create({
    doc,
    selection: { anchor: start, head: end },
    extensions: [markdownLanguage, typedInTable, history()],
  })
  for (const command of commands) command({ state, dispatch: (transaction) => (state = transaction.state) })
  const { from, to } = state.selection.main
  const text = state.doc.toString()
  if (from === to) return `${text.slice(0, from)}¦${text.slice(from)}`
  return `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`
}
const type =
  (words: string): StateCommand =>
  ({ state, dispatch }) => (
    dispatch(state.update(state.replaceSelection(words), { userEvent: 'input.type' })),
    true
  )
const rule = '| --- | --- |'
const table = `| a   | b   |\n${rule}\n| c   | d   |`

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
    expect(run(table.replace('d', 'd¦'), nextCell)).toBe(`${table}\n| ¦    |     |`)
    expect(run(`> | a | b |\n> ${rule}\n> | c | d¦ |\n\nx`, nextCell)).toBe(
      `> | a   | b   |\n> ${rule}\n> | c   | d   |\n> | ¦    |     |\n\nx`,
    )
    expect(run(`- | a¦ |\n  | - |`, nextCell)).toBe('- | a   |\n  | --- |\n  | ¦    |')
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
  it('makes a table even in which something was typed, and nothing that undo takes back', () => {
    const typed = run(table.replace('a ', 'a¦ '), type('nchor'), nextCell)
    expect(typed).toBe(`| anchor | ‹b›   |\n| ------ | --- |\n| c      | d   |`)
    const undone = run(table.replace('a ', 'a¦ '), type('nchor'), nextCell, undo)
    expect(undone).toBe(`| a¦ | b   |\n| ------ | --- |\n| c      | d   |`)
  })
  it('is left to others outside of tables', () => {
    for (const command of [nextCell, nextRow, breakInCell, editTable('rowBelow')])
      expect(run('a | b¦', command)).toBe('a | b¦')
  })
})

describe('Enter in a table', () => {
  it('goes to the row below', () => {
    expect(run(`| a | b¦ |\n${rule}\n| c | d |`, nextRow)).toBe(`| a | b |\n${rule}\n| c | ‹d› |`)
    expect(run(`| a | b |\n${rule}¦\n| c | d |`, nextRow)).toBe(`| a | b |\n${rule}\n| ‹c› | d |`)
    expect(run(`¦| a | b |\n${rule}\n| c | d |`, nextRow)).toBe(`¦| a | b |\n${rule}\n| c | d |`)
  })
  it('begins one behind the last, and leaves the table from one with nothing in it', () => {
    expect(run(`${table}¦`, nextRow)).toBe(`${table}\n| ¦    |     |`)
    expect(run(`| a | b |\n${rule}¦`, nextRow)).toBe(`| a   | b   |\n${rule}\n| ¦    |     |`)
    expect(run(`${table}¦`, nextRow, nextRow)).toBe(`${table}\n\n¦`)
    expect(run(`${table}¦\n# h`, nextRow, nextRow)).toBe(`${table}\n\n¦\n\n# h`)
    const { html } = renderMarkdown(run(`${table}¦`, nextRow, nextRow, type('typed')).replace('¦', ''))
    expect(html).toMatch(/<\/table>[^]*<p[^>]*>typed<\/p>/)
  })
  it('stays in the quote or item that the table is in', () => {
    expect(run(`> | a |\n> | - |\n> | c |¦`, nextRow, nextRow)).toBe(
      '> | a   |\n> | --- |\n> | c   |\n>\n> ¦',
    )
    expect(run(`- | a |\n  | - |\n  | c |¦`, nextRow, nextRow)).toBe('- | a   |\n  | --- |\n  | c   |\n\n  ¦')
  })
  it('breaks the line within a cell with Shift', () =>
    expect(run(table.replace('c ', 'c¦ '), breakInCell)).toBe(table.replace('c ', 'c<br>¦ ')))
})

describe('a bar', () => {
  it('goes on with a table where Enter had left it', () => {
    expect(run(`${table}\n\n¦`, goOnWithTable)).toBe(`${table}\n|¦`)
    expect(run('> | a |\n> | - |\n> | b |\n>\n> ¦', goOnWithTable)).toBe('> | a |\n> | - |\n> | b |\n> |¦')
    for (const text of [`${table}\n\nx¦`, `${table}\n\n\n¦`, `${table}\n¦`, 'a | b\n\n¦'])
      expect(run(text, goOnWithTable)).toBe(text)
  })
  it('that stands there already is gone over, as tables are typed by hand', () => {
    const row = `| a   | b   |\n${rule}\n| ¦    |     |`
    expect(run(row, overBar, type('c'), overBar, type('d'), overBar)).toBe(
      `| a   | b   |\n${rule}\n| c   | d    |¦`,
    )
    expect(run(table.replace('c', '¦c'), overBar)).toBe(table.replace('c', '¦c'))
  })
})

describe('what is pasted into a cell', () => {
  const pasted =
    (words: string, isSheet = false): StateCommand =>
    ({ state, dispatch }) => {
      const spec = pastingInCell(state, words, isSheet)
      if (spec) dispatch(state.update(spec))
      return spec !== null
    }
  it('goes over the cells from there on, as many as it has', () => {
    const after = `| a   | b   |     |\n| --- | --- | --- |\n| c   | 1   | 2   |\n|     | 3   | ‹4›   |`
    expect(run(table.replace('d', 'd¦'), pasted('1\t2\n3\t4\n'))).toBe(after)
    expect(run(table.replace('d', 'd¦'), pasted('| 1 | 2 |\n| - | - |\n| 3 | 4 |'))).toBe(after)
    expect(run(table.replace('c ', 'c¦ '), pasted('1\n2', true))).toBe(
      `| a   | b   |\n${rule}\n| 1   | d   |\n| ‹2›   |     |`,
    )
  })
  it('stays in it, with its lines and bars', () => {
    expect(run(table.replace('c ', 'c¦ '), pasted(' 1|2\nx\n'))).toBe(table.replace('c ', 'c1\\|2<br>x¦ '))
    expect(run(table.replace('c ', 'c¦ '), pasted('x'))).toBe(table.replace('c ', 'c¦ '))
    expect(run(`${table}\n\n¦`, pasted('a|b\nc'))).toBe(`${table}\n\n¦`)
  })
})

describe('editing a table', () => {
  it('adds, moves and takes away rows', () => {
    expect(run(table.replace('c', 'c¦'), editTable('rowBelow'))).toBe(
      `| a   | b   |\n${rule}\n| c   | d   |\n| ¦    |     |`,
    )
    expect(run(table.replace('c', 'c¦'), editTable('rowUp'))).toBe(`| ‹c›   | d   |\n${rule}\n| a   | b   |`)
    expect(run(table.replace('a ', 'a¦ '), editTable('deleteRow'))).toBe(`| ‹c›   | d   |\n${rule}`)
    expect(run(`x\n\n| a¦ |\n| - |\n\ny`, editTable('deleteRow'))).toBe('x\n\n¦\n\ny')
  })
  it('adds, moves, aligns and takes away columns', () => {
    expect(run(table.replace('c', 'c¦'), editTable('columnAfter'))).toBe(
      `| a   |     | b   |\n| --- | --- | --- |\n| c   | ¦    | d   |`,
    )
    expect(run(table.replace('d', 'd¦'), editTable('columnBack'))).toBe(
      `| b   | a   |\n${rule}\n| ‹d›   | c   |`,
    )
    expect(run(table.replace('d', 'd¦'), editTable('alignRight'))).toBe(
      `| a   |   b |\n| --- | --: |\n| c   |   ‹d› |`,
    )
    expect(run(table.replace('d', 'd¦'), editTable('alignRight'), editTable('alignRight'))).toBe(
      table.replace('d', '‹d›'),
    )
    expect(run(table.replace('d', 'd¦'), editTable('deleteColumn'))).toBe(`| a   |\n| --- |\n| ‹c›   |`)
  })
})
