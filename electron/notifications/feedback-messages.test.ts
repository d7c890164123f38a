import { expect, test } from 'vitest'
import type { FeedbackNews } from '../../server/contract/events.ts'
import { feedbackMessage } from './feedback-messages.ts'

const comment: FeedbackNews = {
  documentId: 'd1',
  title: 'On proofs',
  kind: 'comment',
  shownAs: 'comment',
  id: 'c1',
  author: 'Ana',
}
const suggestion: FeedbackNews = {
  ...comment,
  kind: 'suggestion',
  shownAs: 'suggestion',
  id: 's1',
  author: 'Ben',
}
const elsewhere: FeedbackNews = { ...comment, documentId: 'd2', title: 'Letters' }

test('one says who did what, and leads there', () => {
  expect(feedbackMessage([comment])).toEqual({
    title: 'On proofs',
    body: 'Ana commented',
    path: '/documents/d1#comment-c1',
  })
  expect(feedbackMessage([{ ...comment, kind: 'reply' }])).toMatchObject({
    body: 'Ana replied',
    path: '/documents/d1#comment-c1',
  })
  expect(feedbackMessage([{ ...suggestion, kind: 'reply' }])).toMatchObject({
    body: 'Ben replied',
    path: '/documents/d1#suggestion-s1',
  })
  expect(feedbackMessage([suggestion])).toMatchObject({
    body: 'Ben suggested a change',
    path: '/documents/d1#suggestion-s1',
  })
})

test('several on one document say how many, and from whom', () => {
  expect(feedbackMessage([comment, comment])).toEqual({
    title: 'On proofs',
    body: '2 new comments from Ana',
    path: '/documents/d1',
  })
  expect(feedbackMessage([suggestion, suggestion]).body).toBe('2 new suggestions from Ben')
  const crowd = ['Ana', 'Ben', 'Cem', 'Dee'].map((author) => ({ ...comment, author }))
  expect(feedbackMessage([suggestion, ...crowd]).body).toBe(
    '5 new comments and suggestions from Ben, Ana and 2 more people',
  )
})

test('several on several documents say which', () => {
  expect(feedbackMessage([comment, elsewhere, suggestion])).toEqual({
    title: '3 new comments and suggestions',
    body: 'In On proofs and Letters',
    path: '/',
  })
})

test('what others call themselves is never more than plain text in one line', () => {
  const author = 'Ana</b>\n<a href="https://evil.test">&amp;\u202e'.padEnd(400, 'x')
  const { body } = feedbackMessage([{ ...comment, author, title: '\n' }], 'linux')
  expect(body).not.toMatch(/[<>&\n\u202e]/)
  expect(body.length).toBeLessThan(60)
  expect(feedbackMessage([{ ...comment, title: '\n' }]).title).toBe('No title')
})

test('who is done reading is told, and a click leads to the document', () => {
  const done: FeedbackNews = { ...comment, kind: 'done', shownAs: 'document', id: 'r1' }
  expect(feedbackMessage([done])).toMatchObject({ body: 'Ana is done reading', path: '/documents/d1' })
  expect(feedbackMessage([done, { ...done, author: 'Ben' }]).body).toBe('2 finished reviews from Ana and Ben')
  expect(feedbackMessage([done, comment]).body).toBe(
    '2 new comments, suggestions and finished reviews from Ana',
  )
})
