import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { drawn } from './drawn-own.ts'
import { suggestedPlaces } from '../suggested-places.ts'
import { become, ownSuggestions } from './own-suggestions.ts'

test('where two have lost their place at once, each note stands behind its words, and in no others', () => {
  let state = EditorState.create({ doc: 'one two rest', extensions: ownSuggestions })
  const anchor = { prefix: '', exact: '', suffix: '', start: 0 }
  const apart = { original: '', anchor, lineEnds: 0, revision: 1 }
  state = state.update({
    effects: become.of({
      ...state.field(ownSuggestions),
      stretches: [
        { from: 0, to: 4, kind: 'put in', key: 1 },
        { from: 4, to: 8, kind: 'put in', key: 2 },
      ],
      detached: new Map([1, 2].map((key) => [key, apart])),
    }),
  }).state
  const [shown] = drawn(state, () => undefined)
  const order: string[] = []
  for (const cursor = shown.iter(); cursor.value; cursor.next())
    order.push(`${cursor.from < cursor.to ? 'words' : 'note'} ${cursor.to}`)
  expect(order).toEqual(['words 4', 'note 4', 'words 8', 'note 8'])
})

test('what others put in among words that one takes out is none of these', () => {
  const others = suggestedPlaces.of(() => [{ from: 4, to: 4, isGone: false }])
  let state = EditorState.create({ doc: 'one two rest', extensions: [ownSuggestions, others] })
  state = state.update({
    effects: become.of({
      ...state.field(ownSuggestions),
      stretches: [{ from: 0, to: 8, kind: 'taken out', key: 1 }],
    }),
  }).state
  const [shown] = drawn(state, () => undefined)
  const struck: string[] = []
  for (const cursor = shown.iter(); cursor.value; cursor.next())
    struck.push(state.doc.sliceString(cursor.from, cursor.to))
  expect(struck).toEqual(['one ', 'two '])
})

/** Words between [ and ], which have lost their place between prefix and suffix, and ⏎ where the page begins a new line. */
function linesAround(shown: string, prefix: string, suffix: string): string {
  const [before, words, behind] = shown.split(/[[\]]/) as [string, string, string]
  const [from, to] = [before.length, before.length + words.length]
  let state = EditorState.create({ doc: before + words + behind, extensions: ownSuggestions })
  const anchor = { prefix, exact: '', suffix, start: 0 }
  state = state.update({
    effects: become.of({
      ...state.field(ownSuggestions),
      stretches: [{ from, to, kind: 'put in', key: 1 }],
      detached: new Map([[1, { original: '', anchor, lineEnds: 0, revision: 1 }]]),
    }),
  }).state
  const [drawings] = drawn(state, () => undefined)
  const breaks: number[] = []
  for (const cursor = drawings.iter(); cursor.value; cursor.next()) {
    const { widget } = cursor.value.spec as { widget?: object }
    if (widget?.constructor.name === 'LineBreak') breaks.push(cursor.from)
  }
  const isBroken = (at: number) => (breaks.includes(at) ? '⏎' : '')
  return before + isBroken(from) + words + isBroken(to) + behind
}

test.each([
  ['before the next item', '- one\n[ more]- three', '- one\n- two', '\n- three', '- one\n more⏎- three'],
  ['behind the item before', '- one[ more]\n- three', '- one\n- two', '\n- three', '- one⏎ more\n- three'],
  ['alone in a line', 'One.\n\n[ more]\n\nThree.', 'One.\n\nTwo', '.\n\nThree.', 'One.\n\n more\n\nThree.'],
  ['in the place of a paragraph', '[Two.]Three.', 'One.\n\n', '\n\nThree.', 'Two.⏎Three.'],
])(
  'words whose line is gone are a line of their own on the page: %s',
  (_where, shown, prefix, suffix, seen) => {
    expect(linesAround(shown, prefix, suffix)).toBe(seen)
  },
)

test.each([
  ['behind the word before', 'A quick[er] cat.', 'A quick', ' fox.', 'A quicker cat.'],
  ['before the word behind', 'A slow[er] fox.', 'A quick', ' fox.', 'A slower fox.'],
])('words whose line is still there stay in it: %s', (_where, shown, prefix, suffix, seen) => {
  expect(linesAround(shown, prefix, suffix)).toBe(seen)
})
