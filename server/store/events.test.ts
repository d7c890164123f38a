import { randomUUID } from 'node:crypto'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventKind, GalleyEvent } from '../contract/events.ts'
import { createDeferredWrites } from './deferred-writes.ts'
import { backUp } from './backup.ts'
import { eventsInSlice, eventStore } from './events.ts'
import { replaceAll } from './restored-rows.ts'
import { readBackup } from './backup-copy.ts'
import { createSharedCommit } from './shared-commit.ts'
import { longId, shortId } from './short-id.ts'
import { testFolder, testStore } from './testing/store.ts'

const day = 24 * 60 * 60 * 1000

function at(most?: number) {
  const { store, clock, owner } = testStore()
  const writer = createSharedCommit(store)
  const deferred = createDeferredWrites({ writer, afterCommit: store.afterCommit })
  const events = eventStore(store.db, () => clock.at, deferred, most)
  const event = (more: Partial<GalleyEvent> = {}): Omit<GalleyEvent, 'seq'> => ({
    at: clock.at,
    kind: 'comment.created',
    ownerId: owner.id,
    documentId: randomUUID(),
    revision: 3,
    principal: { kind: 'guest', name: 'Ada', id: randomUUID() },
    subjectId: randomUUID(),
    suggestionId: null,
    ...more,
  })
  const append = (more?: Partial<GalleyEvent>) => store.transaction(() => events.append(event(more)))
  const numbers = () => events.after(0, 1_000_000).map(({ seq }) => seq)
  return { store, clock, owner, deferred, events, event, append, numbers }
}

it('an event comes out as it went in, whatever its ids look like', () => {
  const { events, event, store } = at()
  const put = [
    event(),
    event({
      documentId: null,
      revision: null,
      subjectId: null,
      principal: { kind: 'galley', name: null, id: null },
    }),
    event({ ownerId: 'a user', documentId: 'ABC', subjectId: randomUUID().toUpperCase() }),
    event({ suggestionId: randomUUID() }),
  ]
  store.transaction(() => put.forEach((one) => events.append(one)))
  expect(events.after(0, 10)).toEqual(put.map((one, i) => ({ seq: i + 1, ...one })))
})

it('what happens to several is an event for each, in their order', () => {
  const { append, events, event, store } = at()
  const subjects = [randomUUID(), 'no UUID', randomUUID(), '["a"]', randomUUID().toUpperCase()]
  const { subjectId: _, ...what } = event()
  append()
  expect(store.transaction(() => events.appendEach(what, subjects))).toBe(2)
  append()
  const expected = subjects.map((subjectId, i) => ({ ...what, seq: i + 2, subjectId }))
  expect(events.after(1, 10).slice(0, -1)).toEqual(expected)
  expect(events.newest()).toBe(7)
})

it('an id is the same after it was shortened', () => {
  const same = (id: string) => void expect(longId(shortId(id))).toBe(id)
  fc.assert(fc.property(fc.oneof(fc.uuid(), fc.string()), same))
})

it('takes little room: a million are not much more than a hundred megabytes', () => {
  const { events, event, store } = at()
  const pages = () => store.db.pragma('page_count', { simple: true }) as number
  const before = pages()
  store.transaction(() => {
    for (let i = 0; i < 2_000; i++) events.append(event())
  })
  expect(((pages() - before) * 4096) / 2_000).toBeLessThan(140)
})

it('gives no number twice, also where the transaction of one is undone or the oldest go', () => {
  const { append, clock, deferred, events, numbers, store } = at()
  append()
  expect(() =>
    store.transaction(() => {
      append()
      throw new Error('no')
    }),
  ).toThrow('no')
  expect([append(), numbers()]).toEqual([2, [1, 2]])
  clock.at += 31 * day
  deferred.now()
  expect(numbers()).toEqual([2])
  expect(append()).toBe(3)
  deferred.now()
  expect([events.oldest(), events.newest()]).toEqual([3, 3])
})

describe('what is kept', () => {
  it('is what is no older than thirty days', () => {
    const { append, clock, deferred, numbers } = at()
    for (let i = 0; i < 4; i++) {
      append()
      clock.at += 10 * day
    }
    deferred.now()
    expect(numbers()).toEqual([2, 3, 4])
  })

  it('is no more than so many, however quickly they come, and the oldest go first', () => {
    const { event, events, deferred, numbers, store } = at(1_000)
    store.transaction(() => {
      for (let i = 0; i < 3_700; i++) events.append(event())
    })
    deferred.now()
    expect([numbers().length, events.oldest(), events.newest()]).toEqual([1_000, 2_701, 3_700])
  })
})

describe('a slice', () => {
  const kinds: EventKind[] = ['comment.created', 'comment.deleted', 'document.changed']
  it('after slice gives, from wherever it begins, all that is asked for, in order and once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ kind: fc.constantFrom(...kinds), mine: fc.boolean(), document: fc.nat(2) }), {
          maxLength: 60,
        }),
        fc.nat(70),
        fc.integer({ min: 1, max: 7 }),
        fc.option(fc.subarray(kinds, { minLength: 1 }), { nil: undefined }),
        fc.option(fc.nat(2), { nil: undefined }),
        (happened, since, limit, wantedKinds, document) => {
          const { append, events, owner } = at()
          const documents = [randomUUID(), randomUUID(), randomUUID()]
          for (const one of happened)
            append({
              kind: one.kind,
              ownerId: one.mine ? owner.id : randomUUID(),
              documentId: documents[one.document]!,
            })
          const documentId = document === undefined ? undefined : documents[document]
          const wanted = { ownerId: owner.id, kinds: wantedKinds, documentId }
          const whole = events
            .after(since, 1_000)
            .filter(
              (one) =>
                one.ownerId === owner.id &&
                (!wantedKinds || wantedKinds.includes(one.kind)) &&
                (documentId === undefined || one.documentId === documentId),
            )
          const paged: GalleyEvent[] = []
          let upTo = since
          for (let isLast = false; !isLast;) {
            const slice = events.slice(upTo, limit, wanted)
            paged.push(...slice.events)
            expect(slice.upTo).toBeGreaterThanOrEqual(upTo)
            ;({ upTo, isLast } = slice)
          }
          expect(paged).toEqual(whole)
          expect(upTo).toBe(Math.max(since, events.newest()))
        },
      ),
    )
  })

  it('looks through so many rows and no more', () => {
    const { event, events, owner, store } = at()
    const documentId = randomUUID()
    store.transaction(() => {
      for (let i = 0; i < eventsInSlice + 10; i++) events.append(event())
      events.append(event({ documentId }))
    })
    const first = events.slice(0, 10, { ownerId: owner.id, documentId })
    expect(first).toEqual({ events: [], upTo: eventsInSlice, isLast: false })
    const second = events.slice(first.upTo, 10, { ownerId: owner.id, documentId })
    expect(second).toMatchObject({ events: [{ documentId }], isLast: true })
  })
})

describe('a restore of a backup', () => {
  async function restored(work: (there: ReturnType<typeof testStore>, kinds: () => EventKind[]) => void) {
    const folder = testFolder()
    const there = testStore({ file: path.join(folder, 'galley.db') })
    const { store, owner } = there
    const append = (kind: EventKind) =>
      store.transaction(() =>
        store.events.append({
          at: there.clock.at,
          kind,
          ownerId: owner.id,
          documentId: null,
          revision: null,
          subjectId: null,
          suggestionId: null,
          principal: { kind: 'owner', name: 'Owner', id: owner.id },
        }),
      )
    append('key.created')
    const backup = path.join(folder, 'backup.db')
    await backUp(store.db, backup)
    append('key.deleted')
    work(there, () => store.events.after(0, 100).map(({ kind }) => kind))
    readBackup(backup, path.join(folder, 'copy.db'))
    replaceAll(store.db, path.join(folder, 'copy.db'))
    return there
  }

  it('leaves what has happened, says that it was restored, and goes on with the numbers', async () => {
    const { store, owner } = await restored((_, kinds) => {
      expect(kinds()).toEqual(['key.created', 'key.deleted'])
    })
    expect(store.events.after(0, 100)).toMatchObject([
      { seq: 1, kind: 'key.created' },
      { seq: 2, kind: 'key.deleted' },
      { seq: 3, kind: 'backup.restored', ownerId: owner.id, principal: { kind: 'galley' } },
    ])
  })

  it('of a database that was lost uses no number that may have been used', async () => {
    const { store } = await restored(({ store }) => void store.db.exec('DELETE FROM events'))
    const [first, second] = store.events.after(0, 100)
    expect(first).toMatchObject({ seq: 1, kind: 'key.created' })
    expect(second!.kind).toBe('backup.restored')
    // However far it had got: by the clock, and a client can still say it.
    expect(second!.seq).toBeGreaterThan(Date.UTC(2026, 0, 1) * 100)
    expect(String(second!.seq).length).toBeLessThanOrEqual(15)
  })

  it('into a new library in the place of one that was lost uses none either', async () => {
    const { store } = await restored(({ store, clock }) => {
      store.db.prepare('UPDATE events SET at = ?').run(clock.at + 1)
    })
    expect(store.events.newest()).toBeGreaterThan(Date.UTC(2026, 0, 1) * 100)
  })
})

it('what happened before numbers were left out stays, until there are too many', () => {
  const { store, deferred, append, numbers } = at(5)
  for (let i = 0; i < 4; i++) append()
  store.db.exec('UPDATE events SET seq = 1000 WHERE seq = 4')
  deferred.now()
  expect(numbers()).toEqual([1, 2, 3, 1000])
  for (let i = 0; i < 3; i++) append()
  append({ at: 0 })
  deferred.now()
  expect(numbers()).toEqual([1000, 1001, 1002, 1003, 1004])
})
