// The outbox where the browser's storage fails: what was written is neither lost nor called sent.
import { expect, test } from 'vitest'
import type { Permission } from '../../../server/contract/records/share-links.ts'
import { ApiError } from '../../api/client-of.ts'
import type { EntryStore } from './entries.ts'
import type { NewCommentBody, Message } from '../../feedback/message.ts'
import { memoryEntries } from './testing/memory-entries.ts'
import { Outbox } from './outbox.svelte.ts'
import { localStorageEntries } from './local-storage-entries.ts'

/** A browser’s `localStorage` with room for so many letters. */
function storageOf(room = Infinity) {
  const kept = new Map<string, string>()
  const storage: Storage & { room: number } = {
    room,
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      if (value.length > this.room) throw new DOMException('Full', 'QuotaExceededError')
      kept.set(key, value)
    },
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  }
  return storage
}

/** A machine that is away until it is back, and does nothing twice under one key. */
function machine() {
  const comments = new Map<string, string>()
  const made = {
    comments,
    isAway: true,
    onComment: () => undefined as void,
    call(
      name: string,
      { body, idempotencyKey = '' }: { body?: NewCommentBody; idempotencyKey?: string },
    ): Promise<object> {
      if (made.isAway) return Promise.reject(new ApiError('OFFLINE', 0, 'Away'))
      if (name !== 'createComment') return Promise.resolve({ revision: 1, marks: [], limited: null })
      comments.set(idempotencyKey, body!.body)
      made.onComment()
      return Promise.resolve({ id: idempotencyKey, document_id: 'd' })
    },
  }
  return made
}

/** A database that can be made to fail. */
function databaseOf() {
  const store = memoryEntries()
  const failing = { reads: false, writes: false }
  const guard = (fails: boolean) =>
    fails ? Promise.reject(new DOMException('The connection is closing', 'InvalidStateError')) : null
  const database: EntryStore = {
    add: (entry) => guard(failing.writes) ?? store.add(entry),
    list: (token) => guard(failing.reads) ?? store.list(token),
    change: (order, change) => guard(failing.writes) ?? store.change(order, change),
    restore: (entry) => guard(failing.writes) ?? store.restore(entry),
  }
  return { database, failing, store }
}

/** A recipient’s outbox; without `storage` the browser’s fallback keeps nothing. */
function outboxOf({ storage = storageOf() }: { storage?: Storage | null } = {}) {
  const at = machine()
  const kept = databaseOf()
  const open = () =>
    new Outbox({
      token: 't',
      documentId: 'd',
      api: { call: ((name: string, options: object) => at.call(name, options)) as never },
      database: kept.database,
      fallback: localStorageEntries(storage),
      onArrival: () => undefined,
      onEnding: () => undefined,
      patience: 5_000,
    })
  return { at, ...kept, open, outbox: open() }
}
const saying = (body: string) => ({ kind: 'comment', body: { body }, place: null }) as const
const delivered = ({ comments }: ReturnType<typeof machine>) => [...comments.values()]
const shown = ({ entries }: Outbox) => entries.map(({ body }) => (body as NewCommentBody).body)

// The first, so that no other outbox tells this one to look meanwhile.
test('storage that fails while something is sent makes nothing sent that isn’t', async () => {
  const { at, failing, outbox, store } = outboxOf({ storage: null })
  at.call = () => {
    failing.reads = true
    return Promise.reject(new ApiError('OFFLINE', 0, 'Away'))
  }
  expect(await outbox.post(saying('one'))).toMatchObject({ kind: 'kept' })
  expect(shown(outbox)).toEqual(['one'])
  expect(await store.list('t')).toMatchObject([{ state: 'waiting' }])
})

test('where the database takes nothing, words outlive the page beside the drafts, and arrive in order', async () => {
  const { at, failing, open, outbox } = outboxOf()
  failing.reads = failing.writes = true
  const posted = await outbox.post(saying('one'))
  expect(posted.kind === 'kept' && outbox.lasts(posted.entry)).toBe(true)
  // It is back; but what follows doesn't overtake.
  failing.reads = failing.writes = false
  await outbox.post(saying('two'))
  expect(outbox.wouldLose).toBe(false)
  const again = open()
  await again.load()
  expect(shown(again)).toEqual(['one', 'two'])
  at.isAway = false
  await again.deliver({ now: true })
  expect(delivered(at)).toEqual(['one', 'two'])
  expect(again.entries).toEqual([])
})

test('where nothing is kept it says so, until there is room or it has arrived', async () => {
  const storage = storageOf(0)
  const { at, failing, outbox } = outboxOf({ storage })
  failing.reads = failing.writes = true
  const posted = await outbox.post(saying('one'))
  expect(posted.kind === 'kept' && outbox.lasts(posted.entry)).toBe(false)
  expect(outbox.wouldLose).toBe(true)
  storage.room = Infinity
  await outbox.load()
  expect(outbox.wouldLose).toBe(false)
  storage.room = 0
  await outbox.post(saying('two'))
  expect(outbox.wouldLose).toBe(true)
  at.isAway = false
  await outbox.deliver({ now: true })
  expect([outbox.wouldLose, outbox.entries.length, storage.length]).toEqual([false, 0, 0])
  expect(delivered(at)).toEqual(['one', 'two'])
})

test('what can’t be read for a moment stays in view, and is delivered', async () => {
  const { at, failing, outbox } = outboxOf({ storage: null })
  await outbox.post(saying('one'))
  failing.reads = true
  await outbox.load()
  expect(shown(outbox)).toEqual(['one'])
  at.isAway = false
  expect(await outbox.deliver({ now: true })).toMatchObject({ kind: 'later' })
  expect(shown(outbox)).toEqual(['one'])
  failing.reads = false
  await outbox.deliver({ now: true })
  expect(delivered(at)).toEqual(['one'])
  expect(outbox.entries).toEqual([])
})

test('what waits in the fallback isn’t held up by a database that fails', async () => {
  const { at, failing, outbox } = outboxOf({ storage: null })
  await outbox.post(saying('one'))
  failing.writes = true
  await outbox.post(saying('two'))
  at.isAway = false
  await outbox.deliver({ now: true })
  expect(delivered(at)).toEqual(['two'])
  failing.writes = false
  await outbox.deliver({ now: true })
  expect(delivered(at)).toEqual(['two', 'one'])
})

test('what another tab took after delivering it is sent, and there once', async () => {
  const { at, outbox, store } = outboxOf({ storage: null })
  at.isAway = false
  let taken = false
  at.onComment = () => {
    if (taken) return
    taken = true
    // The answer goes to the other tab.
    void store.change(1, () => null)
    throw new ApiError('OFFLINE', 0, 'Away')
  }
  const posted = await outbox.post(saying('one'))
  expect(posted).toMatchObject({ kind: 'sent', record: { document_id: 'd' } })
  expect(delivered(at)).toEqual(['one'])
})

test('words that the browser cleared away on the way are kept, not called sent', async () => {
  const { at, outbox, store } = outboxOf()
  at.call = () => {
    void store.change(1, () => null)
    return Promise.reject(new ApiError('OFFLINE', 0, 'Away'))
  }
  expect(await outbox.post(saying('one'))).toMatchObject({ kind: 'kept' })
  expect(shown(outbox)).toEqual(['one'])
})

test('what was refused for the permission alone waits again once the link permits it', async () => {
  const { outbox, store } = outboxOf()
  const refuse = async (message: Message, permission?: Permission) => {
    const { order } = await store.add({ ...message, key: 'k', token: 't', documentId: 'd', writtenAt: 0 })
    const refusal = { code: 'FORBIDDEN', message: 'No', ...(permission ? { permission } : {}) } as const
    await store.change(order, (entry) => ({ ...entry, state: 'refused', refusal }))
    return order
  }
  const lowered = await refuse(saying('while it was lowered'), 'view')
  const unknown = await refuse(saying('of an earlier version'))
  // The link permitted it then: it isn’t theirs, and won’t be.
  await refuse({ kind: 'edit', target: 'c', body: { body: 'of somebody else' } }, 'comment')
  const withdrawal = await refuse({ kind: 'withdraw', target: 's', body: null }, 'comment')
  const waiting = async (permission: Permission) => {
    await outbox.load()
    await outbox.takeUp(permission)
    return outbox.waiting.map(({ order }) => order)
  }
  expect(await waiting('view')).toEqual([])
  expect(await waiting('comment')).toEqual([lowered, unknown])
  expect(await waiting('edit')).toEqual([lowered, unknown, withdrawal])
})

test('what is discarded and brought back is as it was', async () => {
  const { outbox, store } = outboxOf()
  await outbox.post(saying('one'))
  await store.change(1, (entry) => ({ ...entry, unsureSince: Date.now() - 1, faults: 2 }))
  const [before] = await store.list('t')
  const undo = await outbox.discard(1)
  expect(await store.list('t')).toEqual([])
  await undo!()
  expect(await store.list('t')).toEqual([before])
})
