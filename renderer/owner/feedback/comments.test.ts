import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../api/client-of.ts'
import { Comments } from './comments.svelte.ts'
import { feedbackAtOnce } from './document-feedback.svelte.ts'
import { FeedbackDrafts } from '../../feedback/feedback-drafts.ts'
import { FakeDocument } from './testing/fake-document.ts'
import { UNDO_MS } from '../../ui/notice.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function opened(fake = new FakeDocument()) {
  const drafts = new FeedbackDrafts('one', null)
  const feedback = feedbackAtOnce(fake.session, fake.notify, drafts)
  const comments = new Comments(fake.session, feedback)
  await comments.load()
  return { fake, comments, drafts, feedback }
}
const bodies = (comments: Comments) => comments.shown.map(({ root }) => root.body)

test('resolving shows at once, and can be undone', async () => {
  const fake = new FakeDocument()
  fake.addComment()
  const { comments } = await opened(fake)
  const answer = fake.hold()
  const resolving = comments.resolve(comments.shown[0]!, true)
  expect(comments.shown).toEqual([])
  expect(comments.resolved).toBe(1)
  answer()
  await resolving
  expect(fake.comments[0]!.resolved_at).not.toBeNull()
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(comments.open).toBe(1)
})

test('an empty list says whether all is hidden from others', async () => {
  const fake = new FakeDocument()
  fake.addComment({ hidden: true })
  const { comments } = await opened(fake)
  expect([comments.shown.length, comments.allHidden]).toEqual([0, true])
  comments.guests.showHidden = true
  expect([comments.shown.length, comments.allHidden]).toEqual([1, false])
})

test('a refused change is taken back and explained', async () => {
  const fake = new FakeDocument()
  fake.addComment({ mine: true })
  const { comments } = await opened(fake)
  const answer = fake.hold(new ApiError('FORBIDDEN', 403, 'no'))
  const editing = comments.edit(comments.shown[0]!.root, 'Other words')
  expect(bodies(comments)).toEqual(['Other words'])
  answer()
  expect(await editing).toBe(false)
  expect(bodies(comments)).toEqual(['Is this the right word?'])
  expect(fake.notices).toMatchObject([{ kind: 'error', text: expect.stringContaining('only its author') }])
})

test('a list asked for before a change was confirmed doesn’t bring back what it replaced', async () => {
  const fake = new FakeDocument()
  fake.addComment()
  const { comments } = await opened(fake)
  const stale = structuredClone(fake.comments)
  const { promise, resolve } = Promise.withResolvers<void>()
  const call = fake.session.api.call
  fake.session.api.call = (async (name: 'listComments', options: object) => {
    if (name !== 'listComments') return call(name, options)
    await promise
    return stale
  }) as never
  const loading = comments.load()
  await comments.resolve(comments.shown[0]!, true)
  resolve()
  await loading
  expect(comments.open).toBe(0)
})

test('a new comment stands on the selected words, without the white space around them', async () => {
  const { fake, comments } = await opened()
  fake.select(' goes out ')
  comments.compose()
  expect(comments.composing!.anchor).toMatchObject({
    exact: 'goes out',
    start: fake.content.indexOf('goes out'),
  })
  expect(await comments.send('  Which way? ')).toBe(true)
  expect(fake.comments).toMatchObject([{ body: 'Which way?', range: { start: 27, end: 35 } }])
  expect(comments.composing).toBeNull()
  expect(comments.activeId).toBe(fake.comments[0]!.id)
})

test('a comment that can’t be sent keeps its words and its place', async () => {
  const { fake, comments, drafts } = await opened()
  fake.select('galley')
  comments.compose()
  comments.keepDraft('new', 'Which galley?')
  fake.refuse('OFFLINE', 0)
  expect(await comments.send('Which galley?')).toBe(false)
  expect(comments.draft('new')).toBe('Which galley?')
  const reopened = new Comments(fake.session, feedbackAtOnce(fake.session, fake.notify, drafts))
  expect(reopened.composing?.anchor?.exact).toBe('galley')
})

test('a reply joins its thread and its draft is gone', async () => {
  const fake = new FakeDocument()
  const root = fake.addComment()
  const { comments } = await opened(fake)
  comments.keepDraft(`reply:${root.id}`, 'Yes')
  await comments.reply(root, 'Yes')
  expect(comments.shown[0]!.replies.map(({ body }) => body)).toEqual(['Yes'])
  expect(comments.draft(`reply:${root.id}`)).toBe('')
})

test('deleting hides a thread with its replies, and happens after the time to undo it', async () => {
  const fake = new FakeDocument()
  const root = fake.addComment()
  fake.addComment({ parent_id: root.id })
  const { comments } = await opened(fake)
  comments.remove(comments.shown[0]!.root)
  expect(comments.threads).toEqual([])
  await comments.load()
  expect(comments.threads).toEqual([])
  expect(fake.called('deleteComment')).toBe(0)
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect(fake.comments).toEqual([])
  expect(comments.threads).toEqual([])
})

test('an undone deletion never reaches the server', async () => {
  const fake = new FakeDocument()
  fake.addComment()
  const { comments } = await opened(fake)
  comments.remove(comments.shown[0]!.root)
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(UNDO_MS * 2)
  expect(comments.open).toBe(1)
  expect(fake.called('deleteComment')).toBe(0)
})

test('a deletion that is refused brings the thread back; one of something already gone is no failure', async () => {
  const fake = new FakeDocument()
  fake.addComment()
  const { comments, feedback } = await opened(fake)
  comments.remove(comments.shown[0]!.root)
  fake.refuse('DB_ERROR', 500)
  await feedback.flush()
  expect(comments.open).toBe(1)
  expect(fake.notices.at(-1)!.kind).toBe('error')
  comments.remove(comments.shown[0]!.root)
  fake.refuse('NOT_FOUND', 404)
  await feedback.flush()
  expect(comments.open).toBe(0)
})

test('a failed look keeps what is shown and says why; the next good one clears that', async () => {
  const fake = new FakeDocument()
  fake.addComment()
  const { comments } = await opened(fake)
  fake.refuse('OFFLINE', 0)
  await expect(comments.load()).rejects.toThrow()
  expect(comments.open).toBe(1)
  expect(comments.problem).toContain('can’t be reached')
  await comments.load()
  expect(comments.problem).toBeNull()
})

test('stepping walks through the threads in order and shows their words', async () => {
  const fake = new FakeDocument()
  const second = fake.addComment({ words: 'draft' })
  const first = fake.addComment({ words: 'galley' })
  const { comments } = await opened(fake)
  expect(comments.step(1)).toBe(first.id)
  expect(comments.step(1)).toBe(second.id)
  expect(comments.step(1)).toBe(second.id)
  expect(comments.step(-1)).toBe(first.id)
  expect(fake.revealed[0]).toEqual(first.range)
  expect(comments.marks.map(({ active }) => active)).toEqual([true, false])
})

test('a resolved thread that is asked for is shown', async () => {
  const fake = new FakeDocument()
  const { id } = fake.addComment({ words: 'galley', resolved_at: '2026-03-01T09:00:00.000Z' })
  const { comments } = await opened(fake)
  expect(comments.shown).toEqual([])
  comments.activate(id)
  expect(comments.shown).toHaveLength(1)
})

test('a comment names the revision that its words were chosen on, also when the text changes before it is sent', async () => {
  const { fake, comments } = await opened()
  fake.select('draft')
  comments.compose()
  await vi.advanceTimersByTimeAsync(0)
  const made = fake.revision
  fake.write(`More. ${fake.content}`)
  expect(await comments.send('Why?')).toBe(true)
  const sent = fake.calls.find(({ name }) => name === 'createComment')
  expect(sent?.options).toMatchObject({ body: { anchor: { exact: 'draft', revision: made } } })
})

test('a comment that was begun on a revision nobody remembers is sent without it', async () => {
  const { fake, comments } = await opened()
  fake.select('draft')
  comments.compose()
  await vi.advanceTimersByTimeAsync(0)
  fake.refuse('VALIDATION_ERROR')
  expect(await comments.send('Why?')).toBe(true)
  const anchors = fake.calls
    .filter(({ name }) => name === 'createComment')
    .map(({ options }) => (options as { body: { anchor: object } }).body.anchor)
  expect(anchors.map((anchor) => 'revision' in anchor)).toEqual([true, false])
})

test('what is listed is resolved at once, with one undo for all of it', async () => {
  const fake = new FakeDocument()
  for (const body of ['Which blue?', 'Why blue?', 'Red.']) fake.addComment({ words: 'galley', body })
  const { comments } = await opened(fake)
  comments.filter.words = 'blue'
  await comments.resolveListed()
  expect(fake.comments.map(({ resolved_at }) => resolved_at !== null)).toEqual([true, true, false])
  expect(fake.notices.map(({ text }) => text)).toEqual(['2 threads resolved.'])
  fake.notices.at(-1)!.action!.run()
  await vi.waitFor(() => expect(comments.open).toBe(3))
  expect(fake.comments.every(({ resolved_at }) => resolved_at === null)).toBe(true)
})

test('all that one person has said is deleted at once, answers to others included, with one undo for all of it', async () => {
  const fake = new FakeDocument()
  const [ana, ben] = [{ author_name: 'Ana' }, { author_name: 'Ben' }]
  const thread = fake.addComment({ words: 'galley', body: 'Which blue?', ...ben })
  fake.addComment({ body: 'This one.', parent_id: thread.id, ...ana })
  fake.addComment({ words: 'draft', body: 'Red.', ...ana })
  const { comments } = await opened(fake)
  expect(comments.ofPerson).toEqual([])
  comments.filter.whose = 'by guest Ana'
  const left = () =>
    comments.threads.flatMap(({ root, replies }) => [root, ...replies].map(({ body }) => body))
  comments.removeOfPerson()
  expect(left()).toEqual(['Which blue?'])
  expect(fake.notices.map(({ text }) => text)).toEqual(['2 comments deleted.'])
  fake.notices.at(-1)!.action!.run()
  expect(left()).toHaveLength(3)
  comments.removeOfPerson()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fake.comments.map(({ body }) => body)).toEqual(['Which blue?'])
})

test('what they said and was resolved is deleted with it, though the list has only what is open', async () => {
  const fake = new FakeDocument()
  fake.addComment({ words: 'galley', body: 'Blue.', author_name: 'Ana' })
  fake.addComment({
    words: 'draft',
    body: 'Red.',
    author_name: 'Ana',
    resolved_at: '2026-01-01T00:00:00.000Z',
  })
  const { comments } = await opened(fake)
  comments.filter.whose = 'by guest Ana'
  expect(comments.listed).toHaveLength(1)
  expect(comments.ofPerson).toHaveLength(2)
  comments.removeOfPerson()
  expect(comments.threads).toEqual([])
})

test('the words that a comment is written on are marked as soon as their revision is known', async () => {
  const fake = new FakeDocument()
  const { comments } = await opened(fake)
  const start = fake.content.indexOf('draft')
  fake.selection = { start, end: start + 5, text: 'draft' }
  comments.compose()
  await vi.waitFor(() =>
    expect(comments.marks).toMatchObject([{ id: 'new', range: { start, end: start + 5 }, active: true }]),
  )
  comments.putAway()
  expect(comments.marks).toEqual([])
})
