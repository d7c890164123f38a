import { flushSync } from 'svelte'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DocumentNews } from '../../api/document-news.ts'
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
  expect(onOpen).toHaveBeenCalledWith('suggestions', suggestion.id, false)
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

test('news of one comment has that one asked for, news of the text what has a place in it, and no news nothing', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const fake = new FakeDocument()
  let hear: (news?: DocumentNews) => void = () => {}
  const session = Object.create(fake.session) as typeof fake.session
  Object.defineProperty(session, 'onNews', {
    value: (listener: typeof hear) => {
      hear = listener
      return () => {}
    },
  })
  fake.addSuggestion('goes out', 'is sent out')
  fake.addComment()
  const feedback = new DocumentFeedback(session, fake.notify, page())
  const stop = feedback.start()
  await vi.waitFor(() => expect(feedback.comments.threads).toHaveLength(1))
  const calls = async (news: DocumentNews) => {
    const before = fake.calls.length
    hear(news)
    await vi.advanceTimersByTimeAsync(1_000)
    return fake.calls
      .slice(before)
      .map(({ name, options: { query } }) => [name, query !== undefined && 'since' in query])
  }
  const changed = { type: 'changed', document_id: fake.session.document.id } as const
  const { id } = fake.addComment()
  expect(await calls({ ...changed, what: 'comments', ids: [id], gone: [] })).toEqual([['listComments', true]])
  expect(feedback.comments.threads).toHaveLength(2)
  expect(await calls({ ...changed, what: 'content', revision: 2 })).toEqual([['listSuggestions', false]])
  expect(await calls({ ...changed, what: 'links' })).toEqual([])
  expect(await calls('silence')).toEqual([])
  // Others who write without a pause.
  const before = fake.calls.length
  for (let revision = 3; revision < 13; revision++) {
    hear({ ...changed, what: 'content', revision })
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(fake.calls.length - before).toBeLessThanOrEqual(2)
  stop()
})

test('threads and suggestions are gone through in the order of the text, one step for the same words', async () => {
  const fake = new FakeDocument()
  const late = fake.addComment({ words: 'review' })
  const [first] = ['is sent out', 'leaves'].map((words) => fake.addSuggestion('goes out', words))
  const early = fake.addComment({ words: 'galley' })
  fake.addComment({ body: 'On all of it' })
  const feedback = new DocumentFeedback(fake.session, fake.notify, page())
  const onOpen = vi.fn()
  const stop = feedback.start(onOpen)
  await vi.waitFor(() => expect(feedback.walk).toHaveLength(3))
  const gone = [1, 1, 1, 1, -1].map((by) => {
    feedback.step(by as 1 | -1)
    return feedback.activeId
  })
  expect(gone).toEqual([early.id, first!.id, late.id, early.id, late.id])
  expect(onOpen).toHaveBeenLastCalledWith('comments', late.id, true)
  stop()
})

test('who goes through what has no place in the text is told where it is', async () => {
  const fake = new FakeDocument()
  fake.addComment({ body: 'On all of it' })
  const feedback = new DocumentFeedback(fake.session, fake.notify, page())
  const stop = feedback.start(vi.fn())
  await vi.waitFor(() => expect(feedback.comments.threads).toHaveLength(1))
  feedback.step(1)
  expect(feedback.activeId).toBeNull()
  expect(fake.notices.at(-1)).toMatchObject({
    kind: 'info',
    text: expect.stringContaining('no place in the text'),
  })
  stop()
})
