import { EditorState, type TransactionSpec } from '@codemirror/state'
import { expect, test } from 'vitest'
import { become, ownSuggestions } from './own-suggestions.ts'
import { keepingHere } from './keeping-here.ts'

/**
 * How a text reads once words that have lost their place are suggested in it.
 * @param text with ^ where they stand
 * @param stood with [ and ] around what they put in where they stood
 */
function kept(text: string, stood: string): string {
  const at = text.indexOf('^')
  const [prefix, suggested, suffix] = stood.split(/[[\]]/) as [string, string, string]
  const doc = text.slice(0, at) + suggested + text.slice(at + 1)
  let state = EditorState.create({ doc, extensions: ownSuggestions })
  const dispatch = (spec: TransactionSpec) => void (state = state.update(spec).state)
  const anchor = { prefix, exact: '', suffix, start: 0 }
  dispatch({
    effects: become.of({
      ...state.field(ownSuggestions),
      stretches: [{ from: at, to: at + suggested.length, kind: 'put in', key: 1 }],
      detached: new Map([[1, { original: '', anchor, lineEnds: 0, revision: 1 }]]),
    }),
  })
  dispatch(keepingHere(state, 1))
  const { detached, stretches } = state.field(ownSuggestions)
  expect([detached.size, stretches.length]).toEqual([0, 1])
  return state.doc.toString()
}

test('what was an item, a row or a line is one where it is suggested again', () => {
  const item = '- two[\n- two and a half]\n- three'
  expect(kept('A list:\n\n^- one\n- two\n', item)).toBe('A list:\n\n- two and a half\n- one\n- two\n')
  expect(kept('- one^\n- two\n', item)).toBe('- one\n- two and a half\n- two\n')
  expect(kept('- on^e\n- two\n', item)).toBe('- one\n- two and a half\n- two\n')
  // The paragraph isn’t the item’s.
  expect(kept('Before.\n\n^Behind.\n', item)).toBe('Before.\n\n- two and a half\n\nBehind.\n')
  expect(kept('Before.^\n\nBehind.\n', item)).toBe('Before.\n\n- two and a half\n\nBehind.\n')
  expect(kept('Before.\n\n^| a | b |\n', item)).toBe('Before.\n\n- two and a half\n\n| a | b |\n')
  expect(kept('^- one', '- one\n[- two]\n- three')).toBe('- two\n- one')
  expect(kept('| a |\n^| b |\n', '| a |\n[| c |\n]| d |')).toBe('| a |\n| c |\n| b |\n')
})

test('what was a paragraph is one, and what was words is apart from other words', () => {
  const paragraph = 'The end.[\n\nA new one.]\n\nMore'
  expect(kept('One.\n\n^Two.\n', paragraph)).toBe('One.\n\nA new one.\n\nTwo.\n')
  expect(kept('One^.\n\nTwo.\n', paragraph)).toBe('One.\n\nA new one.\n\nTwo.\n')
  expect(kept('One.\nAnd^\nmore.\n', paragraph)).toBe('One.\nAnd\nmore.\n\nA new one.\n')
  expect(kept('One.\n\n^\n\nTwo.\n', paragraph)).toBe('One.\n\nA new one.\n\nTwo.\n')
  expect(kept('^', paragraph)).toBe('A new one.')
  expect(kept('This long one can go^.', 'the [others] go')).toBe('This long one can go others.')
})
