import { expect, it } from 'vitest'
import { ApiError, type ApiClient } from '../api/client.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import type { Draft, DraftStore } from './drafts.ts'
import { EditingSession, type SessionNotice } from './session.svelte.ts'

const at = '2026-01-01T00:00:00.000Z'

/** A server with one document, and a browser with some drafts of it. */
function scene(content: string, left: Draft[] = []) {
  let away = false
  let onChange = () => {}
  let server: Document = {
    id: 'd',
    owner_id: 'o',
    title: 'T',
    content,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
  const drafts = new Map(left.map((draft) => [draft.writer, draft]))
  const store: DraftStore = {
    put: (draft) => Promise.resolve(void drafts.set(draft.writer, draft)),
    delete: (_id, writer) => Promise.resolve(void drafts.delete(writer)),
    list: () => Promise.resolve([...drafts.values()]),
  }
  const notices: SessionNotice[] = []
  const api = {
    url: () => '',
    call(name: string, options: { body?: Partial<Document>; ifMatch?: number; ifNoneMatch?: number }) {
      if (name === 'getDocument') {
        if (options.ifNoneMatch === server.revision)
          return Promise.reject(new ApiError('BAD_ANSWER', 304, ''))
        return Promise.resolve(server)
      }
      if (away) return Promise.reject(new ApiError('OFFLINE', 0, ''))
      onChange()
      if (options.ifMatch !== server.revision) {
        return Promise.reject(new ApiError('PRECONDITION_FAILED', 412, '', server))
      }
      server = { ...server, ...options.body, revision: server.revision + 1 }
      return Promise.resolve(server)
    },
  } as unknown as ApiClient
  const session = new EditingSession({
    api,
    document: server,
    drafts: store,
    onNotice: (notice) => notices.push(notice),
  })
  return {
    session,
    drafts,
    notices,
    server: () => server,
    goAway: () => void (away = true),
    /** Does something while the next change is on its way to the server. */
    meanwhile(act: () => void) {
      onChange = () => {
        onChange = () => {}
        act()
      }
    },
    someoneElse(change: Partial<Document>) {
      server = { ...server, ...change, revision: server.revision + 1 }
    },
  }
}
const draft = (base: string, content: string): Draft => ({
  documentId: 'd',
  writer: 'gone',
  base: { revision: 1, title: 'T', content: base },
  title: 'T',
  content,
  at: 0,
})

it('takes in what a window that is gone left unsaved, saves it, and says so', async () => {
  const { session, drafts, notices, server } = scene('one\n', [draft('one\n', 'one\ntwo\n')])
  await session.restoreDrafts()
  expect(session.content).toBe('one\ntwo\n')
  expect(notices).toMatchObject([{ kind: 'restored' }])
  await session.saveNow()
  expect(server().content).toBe('one\ntwo\n')
  await session.close()
  expect(drafts.size).toBe(0)
})

it('merges what was left with what the document has become', async () => {
  const { session, server } = scene('zero\none\n', [draft('one\n', 'one\ntwo\n')])
  await session.restoreDrafts()
  await session.saveNow()
  expect(server().content).toBe('zero\none\ntwo\n')
  await session.close()
})

it('says nothing where the server has it all already', async () => {
  const { session, drafts, notices } = scene('one\ntwo\n', [draft('one\n', 'one\ntwo\n')])
  await session.restoreDrafts()
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

it('can take the restored text back out', async () => {
  const { session, notices } = scene('one\n', [draft('one\n', 'one\ntwo\n')])
  await session.restoreDrafts()
  const [notice] = notices
  if (notice?.kind === 'restored') notice.undo()
  expect(session.content).toBe('one\n')
  await session.close()
})

it('keeps both texts and names the conflict where the same words were changed', async () => {
  const { session } = scene('the red fox\n', [draft('the quick fox\n', 'the slow fox\n')])
  await session.restoreDrafts()
  expect(session.content).toBe('the slow red fox\n')
  expect(session.conflicts).toMatchObject([{ mine: 'slow', theirs: 'red' }])
  await session.close()
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

it('leaves mixed line endings as they are while nothing is edited', async () => {
  const { session, server } = scene('one\r\ntwo\n')
  expect(session.content).toBe('one\r\ntwo\n')
  session.rename('Other')
  await session.saveNow()
  expect(server()).toMatchObject({ title: 'Other', content: 'one\r\ntwo\n' })
  await session.close()
})
