import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { lineDirections } from './direction.ts'
import { markdownLanguage } from './markdown-language.ts'

function directions(doc: string): string[] {
  const state = EditorState.create({ doc, extensions: [markdownLanguage] })
  ensureSyntaxTree(state, doc.length, 5_000)
  return [...lineDirections(state, 0, doc.length).values()]
}

test('a line goes the way of its words', () => {
  expect(directions('Words\n\nשלום\n\n# كلمات\n\nMore')).toEqual([
    'ltr',
    'ltr',
    'rtl',
    'rtl',
    'rtl',
    'rtl',
    'ltr',
  ])
})

test('lines of one paragraph go one way', () => {
  expect(directions('שלום לכם\nGalley הוא כלי')).toEqual(['rtl', 'rtl'])
})

test('marks, boxes, code and addresses have no say', () => {
  expect(directions('- [x] שלום')).toEqual(['rtl'])
  expect(directions('1. שלום\n2. two')).toEqual(['rtl', 'ltr'])
  expect(directions('> שלום')).toEqual(['rtl'])
  expect(directions('`npm` הוא כלי')).toEqual(['rtl'])
  expect(directions('<b>שלום</b>')).toEqual(['rtl'])
  expect(directions('[שלום](https://example.com)')).toEqual(['rtl'])
  expect(directions('| שם | גיל |\n| --- | --- |\n| Dan | 7 |')).toEqual(['rtl', 'rtl', 'rtl'])
})

test('a new item goes like the one before it until it has words', () => {
  expect(directions('- שלום\n- ')).toEqual(['rtl', 'rtl'])
  expect(directions('- one\n- ')).toEqual(['ltr', 'ltr'])
})

test('code goes from left to right', () => {
  expect(directions('שלום\n\n```\nקוד\n```\n\nשלום')).toEqual([
    'rtl',
    'rtl',
    'ltr',
    'ltr',
    'ltr',
    'ltr',
    'rtl',
  ])
})
