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

test('a link that may have lost a permission is asked what it allows before anything that it may not tell', async () => {
  let shows = true
  const asked: string[] = []
  const call = async (name: string) => {
    asked.push(name)
    await Promise.resolve()
    if (name !== 'listMarks') return []
    shows = false
    return { revision: 0, limited: null, marks: [] }
  }
  const feedback = new PlacedFeedback({
    ...{ api: { call } as never, documentId: 'one', text: { revision: 0, heard: nothing } as never },
    ...{ drafts: {} as never, delivery: {} as never, notify: nothing, explain: String },
    ...{ withSuggestions: () => shows, onShowAll: nothing, onShow: nothing },
  })
  await feedback.load([{ type: 'changed', document_id: 'one', what: 'permission' }])
  expect(asked).toEqual(['listMarks', 'listComments'])
})
