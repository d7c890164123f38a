import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApiClient, type ApiClient } from '../../api/client.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import { Comments } from './comments.svelte.ts'
import { feedbackAtOnce } from './document-feedback.svelte.ts'
import { FeedbackDrafts } from '../../feedback/feedback-drafts.ts'
import { repliesTo } from '../../feedback/replies.ts'
import type { Notice } from '../../ui/notice.ts'
import { Suggestions } from './suggestions.svelte.ts'
import { Versions } from '../versions/versions.svelte.ts'

/** The same classes against the product’s own server, whose rules they must agree with. */

const cli = path.resolve(import.meta.dirname, '../../../server/cli.ts')
let folder: string
let server: ChildProcess
let url: string
let owner: ApiClient
let notices: Notice[] = []
const notify = (notice: Notice) => void notices.push(notice)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'galley-review-'))
  server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--share-port', '0', '--data', folder])
  let said = ''
  server.stdout!.on('data', (chunk) => (said += String(chunk)))
  const [, origin, ticket] = await vi.waitFor(
    () => /(http:\S+)\/sign-in#(\w+)/.exec(said) ?? Promise.reject(new Error('Not ready')),
    { timeout: 15_000 },
  )
  url = origin!
  const signedIn = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  owner = createApiClient({
    base: url,
    fetch: (to, init) => fetch(to, { ...init, headers: { ...init?.headers, cookie } }),
  })
})

afterAll(async () => {
  server.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** An open document whose editor always agrees with the server. */
async function opened(content: string) {
  notices = []
  let document = await owner.call('createDocument', { body: { title: 'On proofs', content } })
  const params = { id: document.id }
  const { token } = await owner.call('createShareLink', { params, body: { permission: 'edit' } })
  const session: DocumentSession = {
    api: owner,
    get document() {
      return document
    },
    get content() {
      return document.content
    },
    unsaved: false,
    selection: null,
    saveNow: () => Promise.resolve(),
    refresh: async () => {
      document = await owner.call('getDocument', { params })
    },
    write: () => {},
    reveal: () => {},
    setMarks: () => {},
    onMarkClick: () => () => {},
  }
  return { session, params, guest: createApiClient({ base: url, shareToken: token, fetch: keepingCookie() }) }
}

/** One guest’s browser. */
function keepingCookie(): typeof fetch {
  let cookie: string | undefined
  return async (to, init) => {
    const answer = await fetch(to, { ...init, headers: { ...init?.headers, ...(cookie ? { cookie } : {}) } })
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return answer
  }
}

const text = '# On proofs\n\nA galley is the draft that goes out for review.\n'

test('a comment on selected words keeps its place while the text changes, and is resolved and deleted', async () => {
  const { session, params, guest } = await opened(text)
  const start = text.indexOf('goes out')
  Object.assign(session, { selection: { start, end: start + 8, text: 'goes out' } })
  const feedback = feedbackAtOnce(session, notify, new FeedbackDrafts(params.id, null))
  const comments = new Comments(session, feedback)
  comments.compose()
  expect(await comments.send('Which way?')).toBe(true)
  await guest.call('createComment', {
    params,
    body: { body: 'By post.', parent_id: comments.activeId, author_name: 'A reader' },
  })
  await owner.call('updateDocument', { params, body: { content: `Before.\n\n${text}` } })
  await comments.load()
  const [thread] = comments.shown
  expect(thread).toMatchObject({
    place: 'words',
    root: { range: { start: start + 9, end: start + 17 }, mine: true },
    replies: [{ author_name: 'A reader', mine: false }],
  })
  await comments.resolve(thread!, true)
  await comments.load()
  expect(comments.shown).toEqual([])
  comments.remove(comments.threads[0]!.root)
  await feedback.flush()
  await comments.load()
  expect(comments.threads).toEqual([])
  expect(notices.filter(({ kind }) => kind === 'error')).toEqual([])
})

test('only what the owner wrote can be edited by the owner, and a refusal says so', async () => {
  const { session, params, guest } = await opened(text)
  await guest.call('createComment', { params, body: { body: 'Mine.' } })
  const feedback = feedbackAtOnce(session, notify, new FeedbackDrafts(params.id, null))
  const comments = new Comments(session, feedback)
  await comments.load()
  expect(await comments.edit(comments.shown[0]!.root, 'Yours.')).toBe(false)
  expect(comments.shown[0]!.root.body).toBe('Mine.')
  expect(notices).toMatchObject([{ kind: 'error', text: expect.stringContaining('only its author') }])
})

test('suggestions are accepted, reopened and refused as the server decides', async () => {
  const { session, params, guest } = await opened(text)
  const suggest = (original_text: string, suggested_text: string) =>
    guest.call('createSuggestion', { params, body: { original_text, suggested_text } })
  await suggest('goes out', 'is sent out')
  await suggest('is not there', 'x')
  const feedback = feedbackAtOnce(session, notify, new FeedbackDrafts('one', null))
  const suggestions = new Suggestions(session, feedback)
  await suggestions.load()
  expect(suggestions.pending.map(({ range }) => range !== null)).toEqual([true, false])
  await suggestions.decisions.accept(suggestions.pending[0]!)
  expect(session.content).toContain('is sent out for review')
  notices.at(-1)!.action!.run()
  await vi.waitFor(() => expect(session.content).toBe(text))
  await vi.waitFor(() => expect(suggestions.pending).toHaveLength(2))

  await suggestions.decisions.accept(suggestions.pending[0]!)
  await suggestions.decisions.accept(suggestions.pending[0]!)
  expect(notices.at(-1)!.text).toContain('aren’t in the text as they were')
  await suggestions.decisions.reject(suggestions.pending[0]!)
  await suggestions.load()
  expect(suggestions.all.map(({ status }) => status).sort()).toEqual(['accepted', 'rejected'])
})

test('a suggestion is answered, and what others answer comes with the news of it', async () => {
  const { session, params, guest } = await opened(text)
  const body = { original_text: 'goes out', suggested_text: 'is sent out' }
  const { id } = await guest.call('createSuggestion', { params, body })
  await owner.call('createSuggestion', { params, body })
  const suggestions = new Suggestions(
    session,
    feedbackAtOnce(session, notify, new FeedbackDrafts('one', null)),
  )
  await suggestions.load()
  const said = () =>
    repliesTo(suggestions.all.find((one) => one.id === id)!).map(({ body, mine }) => [body, mine])
  expect(await suggestions.actions.reply({ id }, 'Who sends it?')).toBe(true)
  expect(said()).toEqual([['Who sends it?', true]])
  const news = { ids: new Set([id]), gone: new Set<string>() }
  const answered = { ...params, suggestion_id: id }
  const reply = await guest.call('createReply', { params: answered, body: { body: 'We do' } })
  await suggestions.load(news)
  expect(said()).toEqual([
    ['Who sends it?', true],
    ['We do', false],
  ])
  await guest.call('updateComment', { params: { ...params, comment_id: reply.id }, body: { body: 'I do' } })
  await suggestions.load(news)
  expect(said()[1]).toEqual(['I do', false])
  // What a decision answers is the suggestion without its replies.
  await suggestions.decisions.reject(suggestions.all.find((one) => one.id === id)!)
  expect(said()).toHaveLength(2)
  await guest.call('deleteComment', { params: { ...params, comment_id: reply.id } })
  await suggestions.load(news)
  expect(said()).toEqual([['Who sends it?', true]])
  const [own] = repliesTo(suggestions.all.find((one) => one.id === id)!)
  expect(await suggestions.actions.edit(own!, 'Who?')).toBe(true)
  expect(said()).toEqual([['Who?', true]])
})

test('all suggestions are accepted at once, and that is undone at once', async () => {
  const { session, params, guest } = await opened(text)
  for (const [original_text, suggested_text] of [
    ['galley', 'galley proof'],
    ['goes out', 'is sent out'],
    ['review', 'reading'],
  ] as const) {
    await guest.call('createSuggestion', { params, body: { original_text, suggested_text } })
  }
  const feedback = feedbackAtOnce(session, notify, new FeedbackDrafts('one', null))
  const suggestions = new Suggestions(session, feedback)
  await suggestions.load()
  await suggestions.decisions.decideAll('accept')
  expect(session.content).toContain('A galley proof is the draft that is sent out for reading.')
  expect(notices.at(-1)).toMatchObject({ text: '3 suggestions accepted.', action: { label: 'Undo' } })
  notices.at(-1)!.action!.run()
  await vi.waitFor(() => expect(session.content).toBe(text))
  await vi.waitFor(() => expect(suggestions.pending).toHaveLength(3))
})

test('versions are compared and restored, and a restore can be undone', async () => {
  const { session, params } = await opened(text)
  await owner.call('updateDocument', { params, body: { content: 'Something else.\n' } })
  await session.refresh()
  const versions = new Versions(session, notify)
  await versions.load()
  const first = versions.list.at(-1)!
  expect(await versions.text(first.revision)).toBe(text)
  await versions.select(first.revision, 'current')
  expect(versions.comparison!.passages.length).toBeGreaterThan(0)
  await versions.restore(first.revision)
  expect(session.content).toBe(text)
  notices.at(-1)!.action!.run()
  await vi.waitFor(() => expect(session.content).toBe('Something else.\n'))
})

test('a guest’s new name is taken back, to what they were called before', async () => {
  const { session, params, guest } = await opened('One two three.')
  await guest.call('createComment', { params, body: { body: 'Said.', author_name: 'Ada' } })
  const feedback = feedbackAtOnce(session, notify, new FeedbackDrafts('one', null))
  const comments = new Comments(session, feedback)
  await comments.load()
  const said = () => comments.shown[0]!.root
  const called = async () => (await owner.call('listGuests', { params })).map(({ name }) => name)
  const undo = async (name: string) => {
    notices.at(-1)!.action!.run()
    await vi.waitFor(() => expect(said().author_name).toBe(name))
  }
  await comments.guests.rename(said(), 'Countess')
  await undo('Ada')
  expect(await called()).toEqual(['Ada'])
  await comments.guests.rename(said(), 'Countess')
  await comments.guests.rename(said(), 'Byron')
  await undo('Countess')
  expect(await called()).toEqual(['Countess'])
})

test('all from a guest is deleted at once, comments, replies, suggestions and reactions, with one undo for all of it', async () => {
  const { session, params, guest } = await opened('One two three.')
  const author_name = 'Ada'
  await owner.call('createComment', { params, body: { body: 'Mine.' } })
  const [mine] = await owner.call('listComments', { params })
  await guest.call('createComment', { params, body: { body: 'Said.', author_name } })
  await guest.call('createComment', { params, body: { body: 'So?', author_name, parent_id: mine!.id } })
  const reacts = { params: { ...params, comment_id: mine!.id } }
  for (const reaction of ['agree', 'heart'] as const)
    await guest.call('react', { ...reacts, body: { reaction, set: true, author_name } })
  await owner.call('react', { ...reacts, body: { reaction: 'agree', set: true } })
  await guest.call('createSuggestion', {
    params,
    body: { original_text: 'two', suggested_text: '2', author_name },
  })
  const feedback = feedbackAtOnce(session, notify, new FeedbackDrafts('one', null))
  const comments = new Comments(session, feedback)
  const suggestions = new Suggestions(session, feedback, comments.guests)
  await Promise.all([comments.load(), suggestions.load()])
  const shown = () => [
    ...comments.shown.flatMap(({ root, replies }) => [root, ...replies].map(({ body }) => body)),
    ...comments.shown[0]!.root.reactions!.map(({ reaction, count, names }) => [
      reaction,
      count,
      names.join(),
    ]),
    ...suggestions.all.map(({ suggested_text }) => suggested_text),
  ]
  const before = shown()
  expect(before).toHaveLength(6)
  const left = ['Mine.', ['agree', 1, 'Owner']]
  const [theirs] = suggestions.all
  comments.guests.remove(theirs!)
  expect(shown()).toEqual(left)
  const counts = '2 comments, 1 suggestion, and 2 reactions'
  expect(notices.at(-1)!.text).toBe(`All from Ada is deleted: ${counts}.`)
  notices.at(-1)!.action!.run()
  expect(shown()).toEqual(before)
  comments.guests.remove(theirs!)
  await feedback.flush()
  expect(shown()).toEqual(left)
  await comments.load()
  expect(shown()).toEqual(left)
  expect((await owner.call('listComments', { params })).map(({ body }) => body)).toEqual(['Mine.'])
  expect(await owner.call('listSuggestions', { params })).toEqual([])
})
