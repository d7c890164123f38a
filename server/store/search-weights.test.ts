import path from 'node:path'
import { expect, test } from 'vitest'
import { searchTerms } from '../domain/search-terms.ts'
import { openDatabase } from './database.ts'
import { searchWeights } from './search-weights.ts'
import { testFolder, testStore } from './testing/store.ts'

test('a word that stood often counts as that for a while, and is counted again then', () => {
  const file = path.join(testFolder(), 'galley.db')
  const { store, create } = testStore({ file })
  const ids = Array.from({ length: 5 }, (_, n) => create(n < 2 ? 'often and rare' : 'often').id)
  const index = () => {
    while (store.searchIndex.write(50)) continue
  }
  index()
  let now = 0
  const db = openDatabase({ file, readonly: true })
  const weights = searchWeights(db, () => now)
  const weigh = (words: string, most: number) => weights.ofTerms(searchTerms(words), false, most)
  expect([weigh('often ', 4), weigh('rare ', 4), weigh('rare often ', 10)]).toEqual([4, 2, 7])

  for (const id of ids.slice(1)) store.transaction(() => store.documents.delete(store.documents.find(id)!))
  index()
  expect([weigh('often ', 4), weigh('often ', 5), weigh('rare ', 4)]).toEqual([4, 1, 1])
  now = 600_000
  expect(weigh('often ', 4)).toBe(1)
  db.close()
})
