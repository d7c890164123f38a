import { expect, test } from 'vitest'
import type { Comment } from '../../server/contract/records/comments.ts'
import type { Notice } from '../ui/notice.ts'
import type { Delivery, Posted } from './delivery.ts'
import { FeedbackDrafts } from './feedback-drafts.ts'
import { Feedback } from './feedback.svelte.ts'

const comment = (id: string, of: Partial<Comment> = {}) =>
  ({
    id,
    parent_id: null,
    body: 'As it was',
    created_at: '',
    resolved_at: null,
    anchor: null,
    range: null,
    ...of,
  }) as Comment

/** Feedback whose delivery answers as it is told, and keeps what has no answer. */
function scene(answer?: () => Promise<Posted>) {
  const notices: Notice[] = []
  const shown: string[] = []
  const delivery: Delivery = {
    undoMs: 0,
    tellsArrival: true,
    post: answer ?? (() => Promise.resolve({ kind: 'kept', entry: { key: 'one' } })),
    settle: ({ kind }) => Promise.resolve(kind === 'kept' ? 'Kept here.' : null),
  }
  const feedback = new Feedback({
    delivery,
    drafts: new FeedbackDrafts('one', null),
    notify: (notice) => void notices.push(notice),
    explain: (_, doing) => `Couldn’t ${doing}`,
    onShow: (id) => void shown.push(id),
  })
  feedback.commentList.confirm(() => [comment('a')])
  return { feedback, notices, shown }
}

test('what waits is told of, its draft is gone, and it is nowhere shown as arrived', async () => {
  const { feedback, notices } = scene()
  feedback.drafts.keep('reply:a', { body: 'Yes' })
  expect(await feedback.reply({ id: 'a' }, 'Yes')).toBe(true)
  expect(feedback.drafts.find('reply:a')).toBeNull()
  expect(feedback.threads[0]!.replies).toEqual([])
  expect(notices).toEqual([{ kind: 'success', text: 'Kept here.' }])
})

test('what was refused is taken back and explained, and its draft stays', async () => {
  const { feedback, notices } = scene(() => Promise.reject(new Error('no')))
  feedback.drafts.keep('edit:a', { body: 'Other words' })
  const editing = feedback.edit(feedback.comments[0]!, 'Other words')
  expect(feedback.comments[0]!.body).toBe('Other words')
  expect(await editing).toBe(false)
  expect(feedback.comments[0]!.body).toBe('As it was')
  expect(feedback.drafts.find('edit:a')).not.toBeNull()
  expect(notices).toEqual([{ kind: 'error', text: 'Couldn’t change the comment' }])
})

test('a thread that is deleted goes with its replies, once the server has taken it', async () => {
  const { feedback } = scene(() => Promise.resolve({ kind: 'sent', record: null }))
  feedback.commentList.confirm((items) => [...items, comment('b', { parent_id: 'a' })])
  expect(await feedback.remove(feedback.comments[0]!)).toBe(true)
  expect(feedback.comments).toEqual([])
})

test('a list asked for before something arrived doesn’t take its place', () => {
  const { feedback } = scene()
  const take = feedback.commentList.begin()
  const message = { kind: 'comment', body: { body: 'New' }, place: null } as const
  feedback.arrived(message, comment('b'))
  expect(take([comment('a')])).toBe(false)
  expect(feedback.comments.map(({ id }) => id)).toEqual(['a', 'b'])
})
