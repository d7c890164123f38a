import { replaceAll, search, SearchQuery, setSearchQuery } from '@codemirror/search'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { countByPlace, keptAddresses } from './kept-addresses.ts'
import { markdownLanguage } from './markdown-language.ts'

function replaced(doc: string, wanted: string, by: string): { text: string; inAddresses: number } {
  let state = EditorState.create({ doc, extensions: [markdownLanguage, search(), keptAddresses] })
  state = state.update({ effects: setSearchQuery.of(new SearchQuery({ search: wanted, replace: by })) }).state
  const { inAddresses } = countByPlace(state)
  const view = {
    get state() {
      return state
    },
    dispatch: (spec: TransactionSpec) => (state = state.update(spec).state),
  }
  replaceAll(view as unknown as EditorView)
  return { text: state.doc.toString(), inAddresses }
}

test('“Replace all” changes the words one sees, and no address behind them', () => {
  const doc =
    'The ship. [A ship](https://ship.example/ship) and ![ship](files/ship.png), a ship.\n<https://ship.example>\n'
  expect(replaced(doc, 'ship', 'boat')).toEqual({
    text: 'The boat. [A boat](https://ship.example/ship) and ![boat](files/ship.png), a boat.\n<https://boat.example>\n',
    inAddresses: 3,
  })
})

test('what stands in addresses only is meant there', () => {
  const doc = '[One](https://old.example/1), [two](https://old.example/2).'
  expect(replaced(doc, 'old.example', 'new.example').text).toBe(
    '[One](https://new.example/1), [two](https://new.example/2).',
  )
})
