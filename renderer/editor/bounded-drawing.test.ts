import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState, type Range } from '@codemirror/state'
import type { Decoration } from '@codemirror/view'
import { expect, test } from 'vitest'
import { boundedDrawing, mostDrawn } from './bounded-drawing.ts'
import { previewDecorations } from './live-preview.ts'
import { markdownLanguage } from './markdown-language.ts'
import { signColours } from './sign-colours.ts'

const nobody = { range: () => false, line: () => false }

function drawn(doc: string): { all: Range<Decoration>[]; preview: Range<Decoration>[]; signs: number } {
  const state = EditorState.create({ doc, extensions: [markdownLanguage] })
  ensureSyntaxTree(state, doc.length, 5000)
  const all = previewDecorations(state, 0, doc.length, nobody)
  const signs = signColours(state, [{ from: 0, to: doc.length }]).length
  return { all, preview: boundedDrawing(state.doc, all), signs }
}

const much = 2_000
test.each([
  ['code', '`a` '.repeat(much)],
  ['emphasis', '*a* '.repeat(700)],
  ['links', '[a](b) '.repeat(much)],
  ['pictures', '![a](b) '.repeat(much)],
  ['addresses', '<http://a.b> '.repeat(much)],
  ['notes', '[^1] '.repeat(much)],
  ['tags', '<b> '.repeat(much)],
  ['columns', `${'|a'.repeat(much)}|\n${'|-'.repeat(much)}|\n${'|'.repeat(much)}`],
])('A line of too many is shown as it is written, and those around it are drawn: %s', (_what, line) => {
  const { preview, signs } = drawn(`# A *word*\n\n${line}\n\n## A \`word\``)
  // Those of the headings, and of whole lines.
  expect(preview.length).toBeLessThan(20)
  expect(preview.some(({ from, to, value }) => from < to && value.spec.class === 'md-emphasis')).toBe(true)
  expect(signs).toBeLessThan(20)
})

test('Where many lines have much each, the last of them are shown as they are written', () => {
  const { preview, signs } = drawn(`${'`a` '.repeat(50)}\n\n`.repeat(60))
  for (const count of [preview.length, signs]) {
    expect(count).toBeLessThanOrEqual(mostDrawn.view)
    expect(count).toBeGreaterThan(mostDrawn.view / 2)
  }
})

test('What people write is drawn whole', () => {
  const table = `| a | b | c | d |\n|---|---|---|---|\n${'| `a` | **b** | [c](d) | *e* |\n'.repeat(60)}`
  const { all, preview } = drawn(`${'See `a`, [b](c) and **d**. '.repeat(20)}\n\n${table}`)
  expect(preview).toEqual(all)
})
