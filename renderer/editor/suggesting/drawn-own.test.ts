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
