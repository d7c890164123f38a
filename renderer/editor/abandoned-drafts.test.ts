import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { pushedBy, type OutgoingChange } from '../../server/domain/outgoing-change.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import { takeOverNewest, textsOf, type Draft, type DraftStore } from './drafts.ts'
import { EditedText } from './edited-text.svelte.ts'
import { EditingSession, type SessionNotice } from './session.svelte.ts'
import { StubServer } from './testing/stub-server.ts'

const client = 'the-client-that-is-gone'

/** What the browser keeps of a document. */
function keptIn(drafts: Map<string, Draft>): DraftStore {
  return {
    put: (draft) => Promise.resolve(void drafts.set(draft.writer, draft)),
    delete: (_id, writer) => Promise.resolve(void drafts.delete(writer)),
    list: () => Promise.resolve([...drafts.values()]),
  }
}

function openSession(stub: StubServer, drafts: Map<string, Draft>) {
  const notices: SessionNotice[] = []
  const session = new EditingSession({
    api: stub.api,
    document: stub.document,
    drafts: keptIn(drafts),
    onNotice: (notice) => notices.push(notice),
  })
  return { session, notices }
}

/** A window that writes in a text until it is gone. */
class GoneWindow {
  readonly stub: StubServer
  readonly text: EditedText
  readonly drafts = new Map<string, Draft>()

  constructor(content: string) {
    this.stub = new StubServer(content)
    this.text = new EditedText(this.stub.document)
  }

  type(at: number, insert: string): void {
    const { length } = this.text.current
    this.text.typed(ChangeSet.of({ from: at, insert: textOf(insert) }, length))
  }

  keep(): void {
    const [documentId, writer] = ['d', 'gone']
    const title = 'T'
    this.drafts.set(writer, {
      ...this.text.draft,
      ...{ documentId, writer, client, title, savedTitle: title, at: 0 },
    })
  }

  /** Sends what there is, of which only the answer may get lost. */
  async send({ isAnswered }: { isAnswered: boolean }): Promise<void> {
    const change = this.text.outgoing()
    if (!change) return
    const answer = await push(this.stub, change)
    if (isAnswered) this.text.receive(answer.updates)
  }
}

const push = (stub: StubServer, change: OutgoingChange) =>
  stub.api.call('pushChange', { params: { id: 'd' }, body: pushedBy(client, change) })

/** What is written: words that are like no others, so that each can be counted, and others’ also in a comparison. */
const count = (text: string, mark: string) => text.split(mark).length - 1
const place = fc.double({ min: 0, max: 1, noNaN: true })
const placeIn = (text: string, at: number) => {
  const found = Math.floor(at * text.length)
  // Not in the middle of what somebody has written, which would be counted no more, nor of a line’s end.
  const whole = [...text.matchAll(/⟨\w+⟩|{\w+}|\r\n/g)].find(
    ({ index, 0: { length } }) => index < found && found < index + length,
  )
  return whole ? whole.index : found
}
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('types' as const, 'else' as const), at: place }),
  fc.record({ kind: fc.constantFrom('keeps' as const, 'sends' as const, 'sends, unanswered' as const) }),
)

it('takes in each word that a window has left, once, whatever of it had arrived and whoever wrote meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('The quick brown fox jumps over the lazy dog.\n', 'one two\r\nthree four\r\nfive\n'),
      fc.array(step, { maxLength: 14 }),
      fc.record({ own: fc.option(place), meanwhile: fc.option(place), later: place }),
      fc.constantFrom('stays', 'taken back', 'arrives late', 'no answer'),
      fc.boolean(),
      async (content, steps, { own, meanwhile, later }, ending, isAllKept) => {
        const gone = new GoneWindow(content)
        const { stub, drafts, text } = gone
        let written = 0
        const others: string[] = []
        const someoneElse = (at: number) => {
          const { content: now } = stub.document
          const from = placeIn(now, at)
          others.push(`{else${++written}}`)
          stub.change({ content: `${now.slice(0, from)}{else${written}}${now.slice(from)}` })
        }
        for (const one of steps) {
          if (one.kind === 'types') gone.type(placeIn(text.current, one.at), `⟨gone${++written}⟩`)
          else if (one.kind === 'else') someoneElse(one.at)
          else if (one.kind === 'keeps') gone.keep()
          else await gone.send({ isAnswered: one.kind === 'sends' })
        }
        if (isAllKept) gone.keep()
        const lastSent = text.isSending ? text.outgoing() : null
        const there = stub.document.content
        const left = [...drafts.values()].map((draft) => textsOf(draft).content).join('')
        const mine = new Set(`${left}${there}`.match(/⟨gone\d+⟩/g))

        const { session, notices } = openSession(stub, drafts)
        if (own !== null) {
          const at = placeIn(session.content, own)
          session.write([{ start: at, end: at, text: '⟨own⟩' }])
        }
        if (meanwhile !== null) stub.meanwhile = () => someoneElse(meanwhile)
        if (ending === 'no answer') stub.troubles.push('lost answer')
        await session.abandoned.restore()
        if (session.abandoned.areLeft) await session.abandoned.restore()
        expect(session.abandoned.areLeft).toBe(false)
        expect([...drafts.keys()]).not.toContain('gone')
        someoneElse(later)
        if (ending === 'taken back')
          for (const notice of notices) if (notice.kind === 'restored') notice.undo()
        await session.saveNow().catch(() => session.saveNow())
        // What nobody could write down any more may be new.
        if (ending === 'arrives late' && isAllKept && lastSent) await push(stub, lastSent)
        await session.refresh()

        const { content: now } = stub.document
        expect(session.content).toBe(now)
        const isTakenBack = (mark: string) =>
          ending === 'taken back' && mine.has(mark) && !there.includes(mark)
        for (const mark of [...mine, ...others, ...(own === null ? [] : ['⟨own⟩'])])
          expect([mark, count(now, mark)]).toEqual([mark, isTakenBack(mark) ? 0 : 1])
        await session.close()
      },
    ),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 60) },
  )
})

afterEach(() => void vi.unstubAllGlobals())

it.each([{ locks: true }, { locks: false }])(
  'has each word once where sessions take in one draft at the same time and it arrives late itself (locks: $locks)',
  async ({ locks }) => {
    if (!locks) vi.stubGlobal('navigator', {})
    const visits = fc.array(fc.constantFrom('opens' as const, 'goes on' as const), {
      minLength: 2,
      maxLength: 3,
    })
    const troubles = fc.array(fc.constantFrom('offline' as const, 'lost answer' as const, undefined), {
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), visits, troubles, fc.boolean(), async (s, kinds, found, isSent) => {
        const gone = new GoneWindow('The quick brown fox jumps over the lazy dog.\n')
        const { stub, drafts, text } = gone
        gone.type(9, '⟨gone1⟩')
        if (isSent) await gone.send({ isAnswered: false })
        gone.type(3, '⟨gone2⟩')
        gone.keep()
        stub.change({ content: `${stub.document.content}⟨else⟩\n` })
        stub.troubles.push(...(found as typeof stub.troubles))
        const between = async <Result>(act: () => Promise<Result>) => {
          await s.schedule(Promise.resolve())
          return s.schedule(act())
        }
        const call: typeof stub.api.call = (...asked) => between(() => stub.api.call(...asked))
        const api = { ...stub.api, call }
        const kept = keptIn(drafts)
        const store: DraftStore = {
          put: (draft) => between(() => kept.put(draft)),
          delete: (id, writer) => between(() => kept.delete(id, writer)),
          list: (id) => between(() => kept.list(id)),
        }
        const visit = async (kind: 'opens' | 'goes on') => {
          const { document } = stub
          const goOnWith = kind === 'goes on' ? await takeOverNewest(store, 'd') : null
          const session = new EditingSession({ api, document, drafts: store, goOnWith, onNotice: () => {} })
          await session.abandoned.restore()
          await session.saveNow().catch(() => {})
          await session.close()
        }
        const arriveLate = async () => {
          const last = text.outgoing()!
          if (isSent) return
          await s.schedule(Promise.resolve())
          await push(stub, last).catch(() => {})
        }
        await s.waitFor(Promise.all([...kinds.map(visit), arriveLate()]))
        stub.troubles.length = 0
        await s.waitFor(visit('opens'))
        for (const mark of ['⟨gone1⟩', '⟨gone2⟩', '⟨else⟩'])
          expect([mark, count(stub.document.content, mark)]).toEqual([mark, 1])
        expect([...drafts.values()]).toEqual([])
      }),
      { numRuns: Number(process.env['GALLEY_RUNS'] ?? 100) },
    )
  },
)

it('has nothing twice where the last that a window sent arrives just then, with more than it wrote down', async () => {
  const gone = new GoneWindow('one\n')
  gone.type(0, 'some ')
  gone.keep()
  gone.type(5, 'more ')
  const last = gone.text.outgoing()!
  const { stub, drafts } = gone
  let isThere = false
  const call: typeof stub.api.call = async (...asked) => {
    if (asked[0] === 'pushChange' && !isThere) {
      isThere = true
      await push(stub, last)
    }
    return stub.api.call(...asked)
  }
  const session = new EditingSession({
    ...{ api: { ...stub.api, call }, document: stub.document, drafts: keptIn(drafts) },
    onNotice: () => {},
  })
  await session.abandoned.restore()
  await session.saveNow()
  if (session.abandoned.areLeft) await session.abandoned.restore()
  await session.refresh()
  expect([stub.document.content, session.content, drafts.size]).toEqual([
    'some more one\n',
    'some more one\n',
    0,
  ])
  await session.close()
})

it('takes in what another window leaves while this one is open, once the server is asked again', async () => {
  const gone = new GoneWindow('one\n')
  const { stub, drafts } = gone
  const { session, notices } = openSession(stub, drafts)
  await session.abandoned.restore()
  gone.type(0, '⟨gone⟩')
  gone.keep()
  await session.abandoned.isThere()
  await session.saveNow()
  await session.abandoned.isThere()
  expect([stub.document.content, drafts.size]).toEqual(['⟨gone⟩one\n', 0])
  expect(notices.map(({ kind }) => kind)).toEqual(['restored'])
  // Nothing tells an open window from one that is gone.
  vi.stubGlobal('navigator', {})
  gone.keep()
  await session.abandoned.isThere()
  expect(drafts.size).toBe(1)
  await session.close()
})

it('takes no session of this page for one that is gone, also where the browser has no locks', async () => {
  vi.stubGlobal('navigator', {})
  const [stub, drafts] = [new StubServer('one\n'), new Map<string, Draft>()]
  const [first, second] = [openSession(stub, drafts).session, openSession(stub, drafts).session]
  first.write([{ start: 0, end: 0, text: '⟨first⟩' }])
  await first.keeper.settled()
  await second.abandoned.restore()
  expect([drafts.size, second.content]).toEqual([1, 'one\n'])
  await first.close()
  await second.close()
})
