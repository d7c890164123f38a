import { expect, test } from 'vitest'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { PlacedFeedback } from './placed-feedback.svelte.ts'

const nothing = () => undefined
const made = (id: string, start: number, status: Suggestion['status'] = 'pending') =>
  ({ id, status, created_at: id, resolved_at: null, range: { start, end: start + 1 } }) as Suggestion

test('suggestions are listed in the order of the text, whenever they were made, and what is settled where that is asked for', () => {
  const feedback = new PlacedFeedback({
    ...{ api: {} as never, documentId: 'one', text: { revision: 0, heard: nothing } as never },
    ...{ drafts: {} as never, delivery: {} as never, notify: nothing, explain: String },
    ...{ withSuggestions: () => true, onShowAll: nothing, onShow: nothing },
  })
  feedback.suggestionList.confirm(() => [
    made('a', 30),
    made('b', 10),
    made('c', 0, 'rejected'),
    made('d', 20),
  ])
  const listed = (all: boolean) => feedback.listed(all).map(({ id }) => id)
  expect(listed(false)).toEqual(['b', 'd', 'a'])
  expect(listed(true)).toEqual(['b', 'd', 'a', 'c'])
})
