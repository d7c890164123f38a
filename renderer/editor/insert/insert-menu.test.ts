import { history, undo } from '@codemirror/commands'
import { EditorState, type Extension, type TransactionSpec } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../server/markdown/render.ts'
import { markdownLanguage } from '../markdown-language.ts'
import { documentText } from '../suggesting/stretches.ts'
import { stretchesOf } from '../suggesting/own-suggestions.ts'
import { suggestingMode } from '../suggesting/suggesting-mode.ts'
import { insertItemsFor, type InsertName } from './insert-items.ts'
import { inserting } from './inserting.ts'
import { openedInsertMenu } from './insert-menu.ts'

function stateOf(marked: string, ...extensions: Extension[]): EditorState {
  const anchor = marked.indexOf('¦')
  return EditorState.create({
    doc: marked.replace('¦', ''),
    selection: { anchor },
    extensions: [markdownLanguage, openedInsertMenu, ...extensions],
  })
}
function shown(state: EditorState): string {
  const at = state.selection.main.head
  return `${state.sliceDoc(0, at)}¦${state.sliceDoc(at)}`
}
const typing = (state: EditorState, words: string): EditorState =>
  [...words].reduce(
    (now, sign) => now.update({ ...now.replaceSelection(sign), userEvent: 'input.type' }).state,
    state,
  )
const items = (state: EditorState) => state.field(openedInsertMenu)?.items.map(({ name }) => name) ?? null

/** Types a slash where the cursor is, and takes something from the menu. */
function insert(marked: string, name: Exclude<InsertName, 'file'> | null, ...extensions: Extension[]) {
  const state = typing(stateOf(marked, ...extensions), '/')
  const { from } = state.field(openedInsertMenu)!
  const spec: TransactionSpec = inserting(state, { from, to: state.selection.main.head }, name)
  return state.update(spec).state
}

describe('a slash', () => {
  it('opens the menu where a word could begin, and what is typed on looks in it', () => {
    for (const place of ['¦', 'a ¦', '- ¦', '> ¦', 'a ¦ b'])
      expect(items(typing(stateOf(place), '/')), place).toHaveLength(13)
    expect(items(typing(stateOf('¦'), '/head'))).toEqual(['heading1', 'heading2', 'heading3'])
    expect(items(typing(stateOf('¦'), '/num li'))).toEqual(['ordered'])
    expect(items(typing(stateOf('¦'), '/todo'))).toEqual(['tasks'])
    expect(items(typing(stateOf('| ¦ | b |\n| - | - |'), '/'))).toEqual(['footnote', 'maths'])
    expect(insertItemsFor('pict', false, true).map(({ name }) => name)).toEqual(['file'])
  })
  it('is a slash elsewhere, and where it turns out to be one', () => {
    for (const place of ['and¦', 'a ¦b', '```\n¦\n```', '`a ¦ b`', 'https:¦'])
      expect(items(typing(stateOf(place), '/')), place).toBeNull()
    for (const words of ['/ ', '/usr', '//', '/table  '])
      expect(items(typing(stateOf('¦'), words)), words).toBeNull()
    const opened = typing(stateOf('a ¦'), '/ta')
    expect(items(opened.update({ selection: { anchor: 0 } }).state)).toBeNull()
    expect(items(opened.update({ changes: { from: 2, to: 5 }, userEvent: 'delete' }).state)).toBeNull()
  })
  it('stays where its place is while others write', () => {
    const state = typing(stateOf('a ¦'), '/ta').update({ changes: { from: 0, insert: 'xyz ' } }).state
    expect(state.field(openedInsertMenu)).toMatchObject({ from: 6, query: 'ta' })
  })
})

describe('what is inserted', () => {
  it.each<[string, InsertName, string]>([
    ['¦', 'table', `| ¦    |     |     |\n| --- | --- | --- |\n|     |     |     |\n|     |     |     |`],
    ['> ¦', 'codeBlock', '> ```\n> ¦\n> ```'],
    ['a ¦', 'codeBlock', 'a\n\n```\n¦\n```'],
    ['a\n¦\nb', 'divider', 'a\n\n---\n\n¦\n\nb'],
    ['¦', 'diagram', '```mermaid\nflowchart LR\n  A[First] --> B[Then]¦\n```'],
    ['¦', 'maths', '$$\n¦\n$$'],
    ['as ¦', 'maths', 'as $¦$'],
    ['said ¦.', 'footnote', 'said ¦.'],
    ['one ¦\n', 'footnote', 'one[^1]\n\n[^1]: ¦'],
    ['a[^2] b ¦\n\n[^2]: x\n', 'footnote', 'a[^2] b[^3]\n\n[^2]: x\n[^3]: ¦'],
    ['¦', 'heading2', '## ¦'],
    ['a ¦', 'quote', '> a¦'],
    ['¦', 'bullets', '- ¦'],
    ['¦', 'ordered', '1. ¦'],
    ['¦', 'tasks', '- [ ] ¦'],
  ])('at %j: %s', (place, name, after) => {
    if (place === after) return expect(items(typing(stateOf(place), '/'))).toBeNull()
    const state = insert(place, name as Exclude<InsertName, 'file'>, history())
    expect(shown(state)).toBe(after)
    let undone = state
    undo({ state, dispatch: (transaction) => (undone = transaction.state) })
    expect(shown(undone)).toBe(place.replace('¦', '/¦'))
  })
  it('is a table for readers, too', () =>
    expect(renderMarkdown(insert('a ¦', 'table').doc.toString()).html).toMatch(/<p[^>]*>a<\/p>[^]*<table>/))
  it('is suggested where one suggests', () => {
    const state = insert(
      'words ¦',
      'table',
      suggestingMode(() => {}),
    )
    expect(state.doc.toString()).toMatch(/^words *\n\n\| {4,}\|/)
    const stretches = stretchesOf(state)
    expect(documentText(state.doc, stretches, 0, 6)).toBe('words ')
    expect(new Set(stretches.map(({ key }) => key)).size).toBe(1)
  })
})
