import { EditorState, type StateCommand, type TransactionSpec } from '@codemirror/state'
import { expect, test } from 'vitest'
import { markdownLanguage } from '../markdown-language.ts'
import { redoOwn, undoOwn } from '../own-undo.ts'
import { become, ownSuggestions, stretchesOf } from './own-suggestions.ts'
import { without } from './stretches.ts'
import { suggestingMode } from './suggesting-mode.ts'
import { keepingHere } from './undo-keeping-here.ts'

/**
 * How a text reads once words that have lost their place are suggested in it.
 * @param text with ^ where they stand, and ‹ and › around what is selected
 * @param stood with [ and ] around what they put in where they stood, behind what that is for and a →
 */
function kept(text: string, stood: string): string {
  const plain = text.replace(/[‹›]/g, '')
  const at = plain.indexOf('^')
  const [prefix, put, suffix] = stood.split(/[[\]]/) as [string, string, string]
  const [suggested, original] = put.split('→').toReversed() as [string, string | undefined]
  const doc = plain.replace('^', suggested)
  const place = (sign: string) => {
    const before = text.slice(0, Math.max(0, text.indexOf(sign))).replace('‹', '')
    return before.replace('^', suggested).length
  }
  const selection = { anchor: place('‹'), head: place('›') }
  let state = EditorState.create({
    doc,
    selection,
    extensions: [suggestingMode(() => undefined), markdownLanguage],
  })
  const dispatch = (spec: TransactionSpec) => void (state = state.update(spec).state)
  const anchor = { prefix, exact: original ?? '', suffix, start: 0 }
  dispatch({
    effects: become.of({
      ...state.field(ownSuggestions),
      stretches: [{ from: at, to: at + suggested.length, kind: 'put in', key: 1 }],
      detached: new Map([[1, { original: original ?? '', anchor, lineEnds: 0, revision: 1 }]]),
    }),
  })
  const before = shown(state)
  const detached = [...state.field(ownSuggestions).detached]
  dispatch(keepingHere(state, 1))
  expect(state.field(ownSuggestions).detached.size).toBe(0)
  expect(stretchesOf(state).filter(({ kind }) => kind === 'put in')).toHaveLength(1)
  const taken = stretchesOf(state).filter(({ kind }) => kind === 'taken out')
  const reads = without([{ from: 0, to: state.doc.length, kind: 'put in', key: 0 }], taken)
    .map(({ from, to }) => state.sliceDoc(from, to))
    .join('')
  const now = shown(state)
  // What is typed since goes first, and comes last.
  const end = state.doc.length
  dispatch({ changes: { from: end, insert: '!' }, userEvent: 'input.type' })
  const step = (command: StateCommand) => command({ state, dispatch: (made) => (state = made.state) })
  const typed = shown(state)
  const steps = [undoOwn, undoOwn, redoOwn, redoOwn].map((command) => [step(command), shown(state)])
  expect(steps).toEqual([
    [true, now],
    [true, before],
    [true, now],
    [true, typed],
  ])
  expect([step(undoOwn), step(undoOwn), step(undoOwn)]).toEqual([true, true, false])
  expect([...state.field(ownSuggestions).detached]).toEqual(detached)
  return reads
}

const shown = (state: EditorState) => [
  state.doc.toString(),
  stretchesOf(state).map(({ from, to, kind }) => [from, to, kind]),
]

const item = '- two[\n- two and a half]\n- three'
const paragraph = 'The end.[\n\nA new one.]\n\nMore'
const words = 'the [others] go'
const cell = '| a[ others] | b |'
const replaced = 'A [quick→slow] fox.'

test.each([
  // An item, a row or a line is one.
  [item, 'A list:\n\n^- one\n- two\n', 'A list:\n\n- two and a half\n- one\n- two\n'],
  [item, '- one^\n- two\n', '- one\n- two and a half\n- two\n'],
  [item, '- on^e\n- two\n', '- one\n- two and a half\n- two\n'],
  ['- one\n[- two]\n- three', '^- one', '- two\n- one'],
  ['| a |\n[| c |\n]| d |', '| a |\n^| b |\n', '| a |\n| c |\n| b |\n'],
  // The paragraph isn’t the item’s, nor is the row.
  [item, 'Before.\n\n^Behind.\n', 'Before.\n\n- two and a half\n\nBehind.\n'],
  [item, 'Before.\n\n^| a | b |\n', 'Before.\n\n- two and a half\n\n| a | b |\n'],
  // A paragraph is one.
  [paragraph, 'One.\n\n^Two.\n', 'One.\n\nA new one.\n\nTwo.\n'],
  [paragraph, 'One^.\n\nTwo.\n', 'One.\n\nA new one.\n\nTwo.\n'],
  [paragraph, 'One.\nAnd^\nmore.\n', 'One.\nAnd\nmore.\n\nA new one.\n'],
  [paragraph, 'One.\n\n^\n\nTwo.\n', 'One.\n\nA new one.\n\nTwo.\n'],
  [paragraph, '^', 'A new one.'],
  // Words are apart from other words, and behind the marks of those.
  [words, 'This long one can go^.', 'This long one can go others.'],
  [words, 'A list:\n\n^- one\n', 'A list:\n\n- others one\n'],
  ['the[ others] go', 'A list:\n\n^1. one\n', 'A list:\n\n1. others one\n'],
  [words, '^> ## One\n', '> ## others One\n'],
  [words, '- [^x] one', '- [x] others one'],
  [words, '```\na\n^- b\n```', '```\na\nothers- b\n```'],
  [cell, '| a | b |\n| --- | --- |\n^| c | d |', '| a | b |\n| --- | --- |\n| others c | d |'],
  // Where there are no words they would stand beside, they are a paragraph.
  [words, 'One.\n\n^| c | d |', 'One.\n\nothers\n\n| c | d |'],
  [words, 'One.\n\n^```\na\n```', 'One.\n\nothers\n\n```\na\n```'],
  // What was for other words is so for those that are there again, or selected.
  [replaced, 'One.\n\n^A quick cat, not quickly.', 'One.\n\nA slow cat, not quickly.'],
  [replaced, 'A quick cat and a quick dog^.', 'A quick cat and a slow dog.'],
  [replaced, 'Quickly^.\n\nOne.\n\nA quick cat.', 'Quickly slow.\n\nOne.\n\nA quick cat.'],
  [replaced, 'A quick cat^ and ‹a fast› one.', 'A quick cat and slow one.'],
  [words, 'One can go^ and ‹come›.', 'One can go others and come.'],
])('of “%s”, suggested again in “%s”', (stood, text, reads) => {
  expect(kept(text, stood)).toBe(reads)
})
