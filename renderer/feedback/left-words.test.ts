import { expect, test } from 'vitest'
import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { Notice } from '../ui/notice.ts'
import { FeedbackDrafts } from './feedback-drafts.ts'
import { Feedback } from './feedback.svelte.ts'
import { LeftWords } from './left-words.svelte.ts'

const comment = (id: string, of: Partial<Comment> = {}) =>
  ({
    id,
    parent_id: null,
    suggestion_id: null,
    created_at: '',
    resolved_at: null,
    anchor: null,
    range: null,
    ...of,
  }) as Comment
const suggestion = (id: string, status: Suggestion['status'] = 'pending', replies: Comment[] = []) =>
  ({ id, status, original_text: 'a', suggested_text: 'b', replies }) as unknown as Suggestion

function scene() {
  const notices: Notice[] = []
  const delivery = {
    ...{ undoMs: 7_000, tellsArrival: true },
    post: () => Promise.resolve({ kind: 'sent' as const, record: null }),
    settle: () => Promise.resolve(null),
  }
  const feedback = new Feedback({
    ...{ delivery, drafts: new FeedbackDrafts('one', null), onShow: () => undefined },
    notify: (notice) => void notices.push(notice),
    explain: (_, doing) => doing,
  })
  const words = new LeftWords(feedback)
  const load = async (comments: Comment[], suggestions: Suggestion[]) => {
    await feedback.commentList.load(() => Promise.resolve(comments))
    await feedback.suggestionList.load(() => Promise.resolve(suggestions))
  }
  const left = () => Object.fromEntries(words.all.map(({ slot, why, at }) => [slot, at ?? why]))
  return { feedback, words, notices, load, left }
}

test('what was begun on something that is deleted, withdrawn or decided is left, wherever it was begun', async () => {
  const { feedback, load, left } = scene()
  const slots = [
    'reply:a',
    'edit:b',
    'edit:c',
    'reply:s',
    'reason:s',
    'accept:s',
    'reason:unsent-x',
    'new',
    'suggest:1',
  ]
  for (const slot of slots) feedback.drafts.keep(slot, { body: `Words of ${slot}` })
  // Until all is known nothing is said to be gone.
  expect(left()).toEqual({})
  const answer = comment('c', { suggestion_id: 's' })
  await load([comment('a'), comment('b', { parent_id: 'a' })], [suggestion('s', 'pending', [answer])])
  expect(left()).toEqual({})

  await load(
    [comment('a', { resolved_at: 'now' }), comment('b', { parent_id: 'a' })],
    [suggestion('s', 'accepted', [answer])],
  )
  expect(left()).toEqual({
    ...{ 'reply:a': 'a', 'edit:b': 'a', 'edit:c': 's', 'reply:s': 's' },
    'reason:s': 'The suggestion that you were giving a reason for is decided.',
    'accept:s': 'The suggestion that you were rewording is decided.',
  })

  await load([], [])
  expect(left()).toEqual({
    'reply:a': 'What you were answering is deleted or withdrawn.',
    'edit:b': 'The comment that you were changing is deleted.',
    'edit:c': 'The comment that you were changing is deleted.',
    'reply:s': 'What you were answering is deleted or withdrawn.',
    'reason:s': 'The suggestion that you were giving a reason for is withdrawn.',
    'accept:s': 'The suggestion that you were rewording is withdrawn.',
  })
})

test('a deletion that is undone has its words on their card again', async () => {
  const { feedback, notices, load, left } = scene()
  await load([comment('a')], [])
  feedback.drafts.keep('reply:a', { body: 'Yes' })
  await feedback.remove(feedback.comments[0]!)
  expect(Object.keys(left())).toEqual(['reply:a'])
  notices[0]!.action!.run()
  expect(left()).toEqual({})
})

test('what is written at is not left, and is once its card has gone', async () => {
  const { feedback, load, left } = scene()
  feedback.drafts.keep('reply:a', { body: 'Yes' })
  await load([comment('a', { resolved_at: 'now' })], [])
  const stops = [feedback.written.begin('reply:a'), feedback.written.begin('reply:a')]
  expect(left()).toEqual({})
  stops[0]!()
  expect(left()).toEqual({})
  stops[1]!()
  expect(left()).toEqual({ 'reply:a': 'a' })
})

test('what is left is discarded with an undo, and made a comment unless another is begun', async () => {
  const { feedback, words, notices, load, left } = scene()
  await load([], [])
  feedback.drafts.keep('reply:a', { body: 'Yes' })
  words.discard(words.all[0]!)
  expect(left()).toEqual({})
  expect(feedback.drafts.find('reply:a')).toBeNull()
  notices[0]!.action!.run()
  expect(Object.keys(left())).toEqual(['reply:a'])

  words.comment(words.all[0]!, () => false)
  expect(Object.keys(left())).toEqual(['reply:a'])
  let begun = ''
  words.comment(words.all[0]!, (body) => ((begun = body), true))
  expect(begun).toBe('Yes')
  expect(left()).toEqual({})
})

test('who takes a card away themselves is shown what they had begun on it, and nothing that they sent or discarded', async () => {
  const { feedback, load, left } = scene()
  await load([comment('a'), comment('b'), comment('c')], [])
  for (const id of ['a', 'b']) feedback.drafts.keep(`reply:${id}`, { body: 'Yes' })
  feedback.drafts.keep('reply:c', { body: ' \n' })
  const stop = feedback.written.begin('reply:a')
  await feedback.reply({ id: 'b' }, 'Yes')
  for (const one of feedback.comments) await feedback.remove(one)
  expect(left()).toEqual({})
  stop()
  expect(left()).toEqual({ 'reply:a': 'What you were answering is deleted or withdrawn.' })
  await feedback.flush()
})
