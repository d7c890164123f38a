import { describe, expect, test } from 'vitest'
import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { Notice } from '../ui/notice.ts'
import type { FeedbackDelivery, Posted } from './delivery.ts'
import type { Message } from './message.ts'
import { FeedbackDrafts } from './feedback-drafts.ts'
import { Feedback } from './feedback.svelte.ts'
import { isAnsweredSince, repliesTo } from './replies.ts'

const comment = (id: string, of: Partial<Comment> = {}) =>
  ({
    id,
    parent_id: null,
    suggestion_id: null,
    body: 'As it was',
    created_at: '',
    resolved_at: null,
    anchor: null,
    range: null,
    ...of,
  }) as Comment

/** Feedback whose delivery answers as it is told, and keeps what has no answer. */
function scene(answer?: (message: Message) => Promise<Posted>) {
  const notices: Notice[] = []
  const shown: string[] = []
  const delivery: FeedbackDelivery = {
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

describe('what a suggestion is answered', () => {
  const suggestion = (replies: Comment[] = []) =>
    ({ id: 's', status: 'pending', original_text: 'a', suggested_text: 'b', replies }) as Suggestion
  const answer = (id: string, of: Partial<Comment> = {}) => comment(id, { suggestion_id: 's', ...of })
  const bodies = ({ feedback }: ReturnType<typeof scene>) =>
    feedback.suggestions.flatMap(repliesTo).map(({ body }) => body)
  const sending = (record: Comment | Suggestion | null) => {
    const sent: Message[] = []
    const made = scene((message) => {
      sent.push(message)
      return Promise.resolve({ kind: 'sent', record })
    })
    return { ...made, sent }
  }

  test('is sent as an answer to it, and shows with it alone', async () => {
    const at = sending(answer('r', { body: 'Why?' }))
    at.feedback.suggestionList.confirm(() => [suggestion()])
    at.feedback.drafts.keep('reply:s', { body: 'Why?' })
    expect(await at.feedback.reply({ id: 's' }, ' Why? ', { author_name: 'Ada' })).toBe(true)
    expect(at.sent).toEqual([
      {
        ...{ kind: 'comment', answers: 'suggestion', place: null },
        body: { body: 'Why?', parent_id: 's', author_name: 'Ada' },
      },
    ])
    expect(bodies(at)).toEqual(['Why?'])
    expect(at.feedback.said.map(({ id }) => id)).toEqual(['a', 'r'])
    expect(at.feedback.threads.map(({ id }) => id)).toEqual(['a'])
    expect(at.feedback.drafts.find('reply:s')).toBeNull()
  })

  test('shows at once as it was changed, and as before where that is refused', async () => {
    const at = scene(() => Promise.reject(new Error('no')))
    at.feedback.suggestionList.confirm(() => [suggestion([answer('r')])])
    const editing = at.feedback.edit(answer('r'), 'Other words')
    expect(bodies(at)).toEqual(['Other words'])
    expect(await editing).toBe(false)
    expect(bodies(at)).toEqual(['As it was'])
  })

  test('is gone once it was deleted', async () => {
    const at = sending(null)
    at.feedback.suggestionList.confirm(() => [suggestion([answer('r'), answer('q', { body: 'Stays' })])])
    expect(await at.feedback.remove(answer('r'))).toBe(true)
    expect(bodies(at)).toEqual(['Stays'])
  })

  test('stays when the suggestion itself comes without it', () => {
    const at = scene()
    at.feedback.suggestionList.confirm(() => [suggestion([answer('r')])])
    const { replies: _, ...changed } = suggestion()
    const message = { kind: 'edit', target: 's', body: { body: '' } } as const
    at.feedback.arrived(message, { ...changed, suggested_text: 'c' })
    expect(at.feedback.suggestions).toMatchObject([{ suggested_text: 'c', replies: [{ id: 'r' }] }])
  })

  test('is news after the decision, until this reader answers', () => {
    const decided = (...replies: Partial<Comment>[]) => ({
      ...suggestion(replies.map((of, i) => answer(String(i), { mine: false, ...of }))),
      resolved_at: '2026-03-01T09:30:00.000Z',
    })
    const before = { created_at: '2026-03-01T09:29:00.000Z' }
    const after = { created_at: '2026-03-01T09:31:00.000Z' }
    expect(
      [[], [before], [after], [after, { ...after, mine: true }]].map((all) =>
        isAnsweredSince(decided(...all)),
      ),
    ).toEqual([false, false, true, false])
    expect(isAnsweredSince({ ...decided(after), resolved_at: null })).toBe(false)
  })
})
