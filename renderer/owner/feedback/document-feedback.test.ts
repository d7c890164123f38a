import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import { FakeDocument } from './testing/fake-document.ts'
import { DocumentFeedback, feedbackOf } from './document-feedback.svelte.ts'

const page = () => {
  const target = () => Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  return { document: target(), window: target() }
}

test('comments and pending suggestions are marked in the text, and a clicked mark opens its tab', async () => {
  const fake = new FakeDocument()
  const comment = fake.addComment({ words: 'galley' })
  const suggestion = fake.addSuggestion('goes out', 'is sent out')
  const feedback = new DocumentFeedback(fake.session, fake.notify, page())
  const onOpen = vi.fn()
  const stop = feedback.start(onOpen)
  await vi.waitFor(() => {
    flushSync()
    expect(fake.marks).toMatchObject([
      { id: comment.id, kind: 'comment', active: false },
      { id: suggestion.id, kind: 'suggestion' },
    ])
  })
  fake.click({ id: suggestion.id, kind: 'suggestion' })
  flushSync()
  expect(onOpen).toHaveBeenCalledWith('suggestions', suggestion.id)
  expect(fake.marks.map(({ active }) => active)).toEqual([false, true])
  fake.click({ id: comment.id, kind: 'comment' })
  flushSync()
  expect(fake.marks.map(({ active }) => active)).toEqual([true, false])
  stop()
})

test('the feedback on a document is the same each time it is asked for', () => {
  const fake = new FakeDocument()
  expect(feedbackOf(fake.session, fake.notify)).toBe(feedbackOf(fake.session, fake.notify))
})
