import { expect, it, vi } from 'vitest'
import { ApiError } from '../api/client.ts'
import { draftsOf, textsOf, type Draft, type DraftStore } from './drafts.ts'
import { EditingSession, type SessionNotice } from './session.svelte.ts'
import { StubServer } from './testing/stub-server.ts'

/** A server with one document, and a browser with some drafts of it. */
function scene(content: string, left: Draft[] = []) {
  const server = new StubServer(content)
  const drafts = new Map(left.map((draft) => [draft.writer, draft]))
  const store: DraftStore = {
    put: (draft) => Promise.resolve(void drafts.set(draft.writer, draft)),
    delete: (_id, writer) => Promise.resolve(void drafts.delete(writer)),
    list: () => Promise.resolve([...drafts.values()]),
  }
  const notices: SessionNotice[] = []
  const session = new EditingSession({
    api: server.api,
    document: server.document,
    drafts: store,
    onNotice: (notice) => notices.push(notice),
  })
  return {
    session,
    drafts,
    notices,
    stub: server,
    server: () => server.document,
    goAway: () => void (server.away = true),
    /** Does something while the next change is on its way to the server. */
    meanwhile: (act: () => void) => void (server.meanwhile = act),
    someoneElse: (change: { content?: string; title?: string }) => server.change(change),
  }
}
/** As an earlier version kept it. */
const whole = (base: string, content: string) => ({
  documentId: 'd',
  writer: 'gone',
  base: { revision: 1, title: 'T', content: base },
  title: 'T',
  content,
  at: 0,
})
const draft = (base: string, content: string): Draft => draftsOf([whole(base, content)], () => undefined)[0]!

it('takes in what a window that is gone left unsaved, saves it, and says so', async () => {
  const { session, drafts, notices, server } = scene('one\n', [draft('one\n', 'one\ntwo\n')])
  await session.abandoned.restore()
  expect(session.content).toBe('one\ntwo\n')
  expect(notices).toMatchObject([{ kind: 'restored' }])
  await session.saveNow()
  expect(server().content).toBe('one\ntwo\n')
  await session.close()
  expect(drafts.size).toBe(0)
})

it('merges what was left with what the document has become', async () => {
  const { session, server } = scene('zero\none\n', [draft('one\n', 'one\ntwo\n')])
  await session.abandoned.restore()
  await session.saveNow()
  expect(server().content).toBe('zero\none\ntwo\n')
  await session.close()
})

it('takes out of what was left what had reached the server, whatever others made of it since', async () => {
  const first = scene('the quick fox\n')
  const { stub, session, drafts } = first
  session.rename('T')
  const client = 'the-client-that-is-gone'
  const changes = [4, [5, 'slow'], 5]
  await stub.api.call('pushChange', { body: { base: 1, client, number: 1, changes } as never })
  stub.change({ content: 'the sly fox\n' })
  drafts.set('gone', {
    ...draft('the quick fox\n', ''),
    ...{ client, number: 1, sending: changes as never, unsent: [12, [0, ', at last'], 1] },
  })
  await session.refresh()
  await session.abandoned.restore()
  await session.saveNow()
  expect(stub.document.content).toBe('the sly fox, at last\n')
  await session.close()
})

it('saves half a character of a draft as a whole one, which can be stored', async () => {
  const { session, server } = scene('one\n', [draft('one\n', 'one \ud83d\n')])
  await session.abandoned.restore()
  await session.saveNow()
  expect([server().content, session.content]).toEqual(['one \ufffd\n', 'one \ufffd\n'])
  session.rename('Cut \ud83d')
  await session.saveNow()
  expect(server().title).toBe('Cut \ufffd')
  await session.close()
})

it('says why a text is refused for what it says, and tries again once it has changed', async () => {
  const { session, stub, server } = scene('one\n')
  stub.troubles.push('unfit', 'unfit')
  session.write([{ start: 0, end: 0, text: 'a' }])
  await session.saveNow().catch(() => {})
  const failed = { kind: 'failed', cause: 'refused', reason: 'This can’t be stored.', retryAt: null }
  expect(session.saver.state).toMatchObject(failed)
  expect(stub.requests.length).toBe(2)
  session.write([{ start: 1, end: 1, text: 'b' }])
  await session.saveNow()
  expect([server().content, session.saver.state.kind]).toEqual(['abone\n', 'saved'])
  await session.close()
})

it('says nothing where the server has it all already', async () => {
  const { session, drafts, notices } = scene('one\ntwo\n', [draft('one\n', 'one\ntwo\n')])
  await session.abandoned.restore()
  expect(notices).toEqual([])
  expect(drafts.size).toBe(0)
  await session.close()
})

it('settles when what was typed while it was saved is saved too', async () => {
  const { session, meanwhile, server } = scene('one\n')
  session.rename('First')
  meanwhile(() => session.rename('Second'))
  await session.settle()
  expect(server().title).toBe('Second')
  await session.close()
})

it('settles without a server once what was typed is in the browser', async () => {
  const { session, drafts, goAway, server } = scene('one\n')
  goAway()
  session.rename('First')
  await session.settle()
  expect(server().title).toBe('T')
  expect([...drafts.values()]).toMatchObject([{ title: 'First' }])
  await session.close()
})

it('leaves a draft from which another window comes to the same text, whatever was saved before', async () => {
  const { session, drafts, goAway, someoneElse } = scene('the quick fox\n', [
    draft('the quick fox\n', 'the slow fox\n'),
  ])
  await session.abandoned.restore()
  await session.saveNow()
  someoneElse({ content: 'so the slow fox\n' })
  await session.refresh()
  const { revision } = session.base
  const later = draft('so the slow fox\n', 'so the slow fox, at last\n')
  drafts.set('gone later', { ...later, writer: 'gone later', revision })
  await session.abandoned.restore()
  goAway()
  await session.settle()
  const [left] = drafts.values()
  expect(textsOf(left!)).toEqual({ saved: 'so the slow fox\n', content: 'so the slow fox, at last\n' })
  expect(left!.base.content).toBe('the quick fox\n')
  await session.close()
  expect(drafts.size).toBe(1)
})

it('can take the restored text back out', async () => {
  const { session, notices } = scene('one\n', [draft('one\n', 'one\ntwo\n')])
  await session.abandoned.restore()
  const [notice] = notices
  if (notice?.kind === 'restored') notice.undo()
  expect(session.content).toBe('one\n')
  await session.close()
})

it('keeps both texts and names the conflict where the same words were changed', async () => {
  const { session } = scene('the red fox\n', [draft('the quick fox\n', 'the slow fox\n')])
  await session.abandoned.restore()
  expect(session.content).toBe('the slow red fox\n')
  expect(session.conflicts).toMatchObject([{ mine: 'slow', theirs: 'red' }])
  await session.close()
})

it('puts words side by side that both changed during an absence, whichever way it hears of it first', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { session, stub, goAway, someoneElse } = scene('the quick fox\n', [
    draft('the quick fox\n', 'the slow fox\n'),
  ])
  await session.abandoned.restore()
  goAway()
  await expect(session.saveNow()).rejects.toMatchObject({ code: 'OFFLINE' })
  vi.setSystemTime(Date.now() + 30_000)
  someoneElse({ content: 'the red fox\n' })
  const asked = stub.changesSince(1)
  stub.away = false
  session.saver.receive(asked)
  session.saver.receive(asked)
  await session.saveNow()
  expect(session.conflicts).toMatchObject([{ mine: 'slow', theirs: 'red' }])
  expect(stub.document.content).toBe('the slow red fox\n')
  expect(session.saver.state.kind).toBe('saved')
  await session.close()
  vi.useRealTimers()
})

it('brings in others’ changes with their line endings', async () => {
  const { session, someoneElse } = scene('one\n')
  someoneElse({ content: 'one\r\ntwo\r\n', title: 'New' })
  await session.refresh()
  expect(session.content).toBe('one\r\ntwo\r\n')
  expect(session.title).toBe('New')
  expect(session.unsaved).toBe(false)
  await session.close()
})

it('keeps the writer’s title where both changed it, and tells the other', async () => {
  const { session, someoneElse, server, notices } = scene('one\n')
  someoneElse({ title: 'Theirs' })
  session.rename('Mine')
  await session.saveNow()
  expect(server().title).toBe('Mine')
  expect(notices).toEqual([{ kind: 'renamed', title: 'Theirs' }])
  await session.close()
})

it('keeps what both have written in the title, also where the other is just before', async () => {
  const { session, someoneElse, meanwhile, server, notices } = scene('one\n')
  session.rename('T mine')
  meanwhile(() => someoneElse({ title: 'T theirs' }))
  await session.saveNow()
  expect([session.title, server().title]).toEqual(['T mine theirs', 'T mine theirs'])
  expect(notices).toEqual([])
  await session.close()
})

it('leaves mixed line endings as they are, but for what is edited', async () => {
  const { session, server } = scene('one\r\ntwo\n', [draft('one\r\ntwo\n', 'one\r\nand\r\ntwo\n')])
  expect(session.content).toBe('one\r\ntwo\n')
  session.rename('Other')
  await session.saveNow()
  expect(server()).toMatchObject({ title: 'Other', content: 'one\r\ntwo\n' })
  await session.abandoned.restore()
  await session.saveNow()
  expect(server().content).toBe('one\r\nand\r\ntwo\n')
  await session.close()
})

it('starts anew from the server’s text, and hands out its own, where the two have come apart', async () => {
  const { session, stub, someoneElse, notices, server } = scene('one\n', [draft('one\n', 'one\nmine\n')])
  await session.abandoned.restore()
  await session.saveNow()
  someoneElse({ content: 'zero\none\nmine\n' })
  const { call } = stub.api
  stub.api.call = async (name, options) => {
    const answer = await call(name, options)
    if (name !== 'listChanges') return answer
    return JSON.parse(JSON.stringify(answer).replace('zero', 'heroes')) as never
  }
  await session.refresh().catch(() => {})
  stub.api.call = call
  await expect.poll(() => session.content).toBe(server().content)
  expect(notices.some(({ kind }) => kind === 'diverged')).toBe(true)
  await session.close()
})

it('sends nothing while it may only be read, keeps what waits, and sends that once it may be written', async () => {
  const { session, drafts, stub, server, someoneElse } = scene('one\n')
  stub.troubles.push('forbidden')
  session.rename('Mine')
  await vi.waitFor(() => expect(session.saver.state).toMatchObject({ kind: 'failed', cause: 'forbidden' }))
  session.setReadOnly(true)
  const sent = stub.requests.length
  someoneElse({ content: 'one\ntwo\n' })
  // A mark in a newer text makes it look for changes.
  session.setMarks([{ id: 'a', kind: 'comment', range: { start: 0, end: 3 }, revision: 2, active: false }])
  await vi.waitFor(() => expect(session.content).toBe('one\ntwo\n'))
  await Promise.resolve()
  expect(stub.requests.length - sent).toBe(0)
  expect(drafts.size).toBe(1)
  session.setReadOnly(false)
  await vi.waitFor(() => expect(server().title).toBe('Mine'))
  await session.close()
})

/** A window goes while its change may or may not have arrived, and another goes on in its place from an older text. */
async function goneOnWith(sent: Partial<Draft>, more: string) {
  const { stub, session: first, drafts, someoneElse, goAway } = scene('one\n')
  const kept = stub.document
  someoneElse({ content: 'zero\none\n' })
  const client = 'the-client-that-is-gone'
  const push = { base: 2, client, number: 1, changes: [9, [0, 'two ']] }
  await stub.api.call('pushChange', { body: push as never })
  goAway()
  const left: Draft = {
    ...draft('zero\none\n', 'zero\none\ntwo '),
    ...{ revision: 2, client, ...sent },
  }
  drafts.set('gone', left)
  const notices: SessionNotice[] = []
  const session = new EditingSession({
    api: stub.api,
    document: kept,
    goOnWith: { draft: left, writer: 'gone', release: () => {} },
    drafts: {
      put: (one) => Promise.resolve(void drafts.set(one.writer, one)),
      delete: (_id, writer) => Promise.resolve(void drafts.delete(writer)),
      list: () => Promise.resolve([]),
    },
    onNotice: (notice) => notices.push(notice),
  })
  await session.abandoned.restore()
  expect(session.content).toBe('zero\none\ntwo ')
  session.write([{ start: 13, end: 13, text: more }])
  await expect(session.saveNow()).rejects.toThrow()
  stub.away = false
  await session.saveNow()
  await session.saveNow()
  await first.close()
  await session.close()
  return { content: stub.document.content, drafts, notices }
}

it('goes on with what a window that is gone left, from the text that it was written in', async () => {
  const sending = { number: 1, sending: [9, [0, 'two ']] as never, unsent: null }
  const { content, drafts, notices } = await goneOnWith(sending, 'three')
  expect(content).toBe('zero\none\ntwo three')
  expect(drafts.size).toBe(0)
  expect(notices).toMatchObject([{ kind: 'restored' }])
})

it('doubles nothing and loses nothing where that window couldn’t write down any more what it had sent', async () => {
  const { content } = await goneOnWith({ number: 0 }, 'three')
  expect(content).toBe('zero\none\ntwo three')
})

it('asks, where it goes on from a kept page, what becomes of words whose paragraph was taken out meanwhile', async () => {
  const { stub, session: earlier, drafts, someoneElse } = scene('Alpha.\n\nBeta stands.\n\nGamma.\n')
  stub.away = true
  earlier.write([{ start: 12, end: 12, text: ' mine' }])
  await earlier.keeper.settled()
  const [left] = [...drafts.values()].map((one) => ({ ...one, at: 0 }))
  earlier.saver.dispose()
  someoneElse({ content: 'Alpha.\n\nGamma.\n' })
  stub.away = false
  const session = new EditingSession({
    api: stub.api,
    document: { ...stub.document, content: 'Alpha.\n\nBeta stands.\n\nGamma.\n', revision: 1 },
    goOnWith: { draft: left!, writer: left!.writer, release: () => {} },
    drafts: {
      put: () => Promise.resolve(),
      delete: () => Promise.resolve(),
      list: () => Promise.resolve([]),
    },
    onNotice: () => {},
  })
  session.saver.lose(new ApiError('OFFLINE', 0, 'no'))
  expect(session.saver.state).toMatchObject({ kind: 'failed', cause: 'unreachable' })
  await session.abandoned.restore()
  await session.saveNow()
  expect(session.conflicts).toMatchObject([{ mine: expect.stringContaining('Beta mine stands.') as string }])
  await session.close()
})

it('sends and keeps nothing any more once it is closed, whatever is answered late: another window may go on with it', async () => {
  const { session, stub, drafts } = scene('one\n')
  const { call } = stub.api
  let answer = () => {}
  const late = new Promise<void>((resolve) => (answer = resolve))
  stub.api.call = async (name, options) => {
    if (name === 'listChanges') await late
    return call(name, options)
  }
  session.heardAgain()
  stub.away = true
  session.write([{ start: 0, end: 0, text: 'mine ' }])
  await session.close()
  const [kept] = [...drafts.values()]
  stub.away = false
  answer()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(stub.document.content).toBe('one\n')
  expect([...drafts.values()]).toEqual([kept])
})
