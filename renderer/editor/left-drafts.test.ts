import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pushedBy, textOf, type OutgoingChange } from '../../server/domain/shared-text.ts'
import { textsOf, type Draft, type DraftStore } from './drafts.ts'
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

/** What is written: words that are like no others, so that each can be counted. */
const count = (text: string, mark: string) => text.split(mark).length - 1
const place = fc.double({ min: 0, max: 1, noNaN: true })
const placeIn = (text: string, at: number) => {
  const found = Math.floor(at * text.length)
  // Not in the middle of what somebody has written, which would be counted no more, nor of a line’s end.
  const whole = [...text.matchAll(/⟨\w+⟩|\r\n/g)].find(
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
          others.push(`⟨else${++written}⟩`)
          stub.change({ content: `${now.slice(0, from)}⟨else${written}⟩${now.slice(from)}` })
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
        await session.restoreDrafts()
        if (session.areDraftsLeft) await session.restoreDrafts()
        expect(session.areDraftsLeft).toBe(false)
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
