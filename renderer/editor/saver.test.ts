import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../api/client.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import { mergeTexts } from '../../server/domain/merge.ts'
import { Saver } from './saver.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Trouble =
  | 'slow'
  | 'offline'
  | 'fault'
  | 'lost answer'
  | 'signed out'
  | 'deleted'
  | 'too long'
  | 'too much'
  | 'disk full'

/** A writer’s text and a server that keeps every rule of the API about revisions. */
function scene(content = 'one two three') {
  const at = '2026-01-01T00:00:00.000Z'
  let server: Document = {
    id: 'd',
    owner_id: 'o',
    title: 'T',
    content,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
  const text = { title: 'T', content }
  const troubles: Trouble[] = []
  const requests: { change: object; revision: number; keepalive: boolean }[] = []
  const saver = new Saver({
    base: { revision: 1, title: 'T', content },
    read: () => ({ ...text }),
    random: () => 1,
    async send(change, revision, { keepalive }) {
      requests.push({ change, revision, keepalive })
      await Promise.resolve()
      const trouble = troubles.shift()
      if (trouble === 'slow') await new Promise((done) => setTimeout(done, 3000))
      if (trouble === 'offline') throw new ApiError('OFFLINE', 0, 'no')
      if (trouble === 'fault') throw new ApiError('INTERNAL_ERROR', 500, 'no')
      if (trouble === 'signed out') throw new ApiError('UNAUTHORIZED', 401, 'Unauthorized')
      if (trouble === 'deleted') throw new ApiError('NOT_FOUND', 404, 'Document not found')
      if (trouble === 'too much') throw new ApiError('RATE_LIMITED', 429, 'Too much at once.', null, 60)
      if (trouble === 'disk full') throw new ApiError('STORAGE_FULL', 507, 'no')
      if (trouble === 'too long') throw new ApiError('PAYLOAD_TOO_LARGE', 413, 'no')
      if (revision !== server.revision) throw new ApiError('PRECONDITION_FAILED', 412, 'no', server)
      server = { ...server, ...change, revision: server.revision + 1 }
      if (trouble === 'lost answer') throw new ApiError('OFFLINE', 0, 'no')
      return server
    },
    merge(base, theirs) {
      if (text.title === base.title) text.title = theirs.title
      text.content = mergeTexts(base.content, text.content, theirs.content).text
    },
  })
  return {
    saver,
    text,
    troubles,
    requests,
    server: () => server,
    type(next: string) {
      text.content = next
      saver.changed()
    },
    someoneElse(next: string) {
      server = { ...server, content: next, revision: server.revision + 1 }
    },
  }
}

describe('saving', () => {
  it('waits for a pause, says what it does, and sends only what changed', async () => {
    const { saver, type, requests, server } = scene()
    expect(saver.state.kind).toBe('saved')
    type('one two three f')
    await vi.advanceTimersByTimeAsync(500)
    type('one two three fo')
    expect(saver.state.kind).toBe('waiting')
    await vi.advanceTimersByTimeAsync(500)
    expect(requests).toEqual([])
    await vi.advanceTimersByTimeAsync(600)
    expect(saver.state.kind).toBe('saved')
    expect(server().content).toBe('one two three fo')
    expect(requests).toEqual([{ change: { content: 'one two three fo' }, revision: 1, keepalive: false }])
  })

  it('is only slow where saving takes long, or is tried again', async () => {
    const { saver, type, troubles } = scene()
    const seen: boolean[] = []
    for (let i = 0; i < 60; i++) {
      type(`one two three ${'x'.repeat(i)}`)
      await vi.advanceTimersByTimeAsync(100)
      seen.push(saver.slow)
    }
    await vi.advanceTimersByTimeAsync(1000)
    expect(seen).not.toContain(true)
    troubles.push('slow')
    type('slowly')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver).toMatchObject({ slow: false, state: { kind: 'saving' } })
    await vi.advanceTimersByTimeAsync(2000)
    expect(saver).toMatchObject({ slow: true, state: { kind: 'saving' } })
    await vi.advanceTimersByTimeAsync(1000)
    expect(saver).toMatchObject({ slow: false, state: { kind: 'saved' } })
    troubles.push('too long')
    type('refused')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state.kind).toBe('failed')
    type('shorter')
    expect(saver).toMatchObject({ slow: true, state: { kind: 'waiting' } })
    await vi.advanceTimersByTimeAsync(700)
    expect(saver).toMatchObject({ slow: false, state: { kind: 'saved' } })
  })

  it('does not wait for ever while somebody types on', async () => {
    const { type, server } = scene()
    for (let i = 0; i < 50; i++) {
      type(`one two three ${'x'.repeat(i)}`)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(server().revision).toBeGreaterThan(1)
  })

  it('saves a title beside the text', async () => {
    const { saver, text, server } = scene()
    text.title = 'New'
    saver.changed()
    await saver.flush()
    expect(server()).toMatchObject({ title: 'New', content: 'one two three' })
  })

  it('sends nothing when the text is as it was', async () => {
    const { type, requests, saver } = scene()
    type('changed')
    type('one two three')
    await vi.advanceTimersByTimeAsync(1000)
    expect(requests).toEqual([])
    expect(saver.state.kind).toBe('saved')
  })

  it('merges what someone else has changed, and saves both', async () => {
    const { type, someoneElse, server, text } = scene()
    type('one two three four')
    someoneElse('zero one two three')
    await vi.advanceTimersByTimeAsync(1000)
    expect(text.content).toBe('zero one two three four')
    expect(server().content).toBe('zero one two three four')
  })

  it('tries again with growing pauses while nothing answers, and then saves', async () => {
    const { saver, type, troubles, server } = scene()
    troubles.push('offline', 'fault', 'offline')
    type('x')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state).toMatchObject({ kind: 'failed', cause: 'unreachable' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(saver.state).toMatchObject({ kind: 'failed', cause: 'fault' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(saver.state.kind).toBe('failed')
    await vi.advanceTimersByTimeAsync(4000)
    expect(saver.state.kind).toBe('saved')
    expect(server().content).toBe('x')
  })

  it('knows its own text again when only the answer was lost', async () => {
    const { type, troubles, server, text } = scene()
    troubles.push('lost answer')
    type('mine')
    await vi.advanceTimersByTimeAsync(700)
    type('mine, longer')
    await vi.advanceTimersByTimeAsync(3000)
    expect(text.content).toBe('mine, longer')
    expect(server()).toMatchObject({ content: 'mine, longer', revision: 3 })
  })

  it.each([
    ['signed out', 'signed-out'],
    ['deleted', 'deleted'],
  ] as const)('waits for the writer when %s', async (trouble, cause) => {
    const { saver, type, troubles, requests, server } = scene()
    troubles.push(trouble)
    type('x')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state).toMatchObject({ kind: 'failed', cause, retryAt: null })
    type('xy')
    await vi.advanceTimersByTimeAsync(100_000)
    expect(requests.length).toBe(1)
    saver.retry()
    await vi.advanceTimersByTimeAsync(0)
    expect(server().content).toBe('xy')
  })

  it('tries a refused text again once it has changed', async () => {
    const { saver, type, troubles } = scene()
    troubles.push('too long')
    type('x')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state).toMatchObject({ kind: 'failed', cause: 'refused', retryAt: null })
    type('y')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state.kind).toBe('saved')
  })

  it('says that the disk is full, keeps the words, and saves them once there is room', async () => {
    const { saver, type, troubles, server } = scene()
    troubles.push('disk full')
    type('x')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state).toMatchObject({
      kind: 'failed',
      cause: 'fault',
      reason: 'The disk that holds your documents is full',
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server().content).toBe('x')
    expect(saver.state.kind).toBe('saved')
  })

  it('says what was too much, and tries again when it was told to', async () => {
    const { saver, type, troubles, server } = scene()
    troubles.push('too much')
    type('x')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state).toMatchObject({ kind: 'failed', cause: 'fault', reason: 'Too much at once' })
    await vi.advanceTimersByTimeAsync(58_000)
    expect(server().content).not.toBe('x')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(server().content).toBe('x')
  })

  it('tells whoever asked for a save now why there was none', async () => {
    const { saver, type, troubles } = scene()
    troubles.push('offline')
    type('x')
    await expect(saver.flush()).rejects.toMatchObject({ code: 'OFFLINE' })
  })

  it('takes in what others wrote, and ignores what is old', () => {
    const { saver, text, server, someoneElse } = scene()
    const old = server()
    someoneElse('one two')
    saver.receive(server())
    expect(text.content).toBe('one two')
    saver.receive({ ...old, content: 'old' })
    expect(text.content).toBe('one two')
    expect(saver.state.kind).toBe('saved')
  })

  it('sends a small rest along while the page goes, and no large one', async () => {
    const { saver, type, requests } = scene()
    type('x'.repeat(70_000))
    saver.leave()
    expect(requests).toEqual([])
    type('x')
    saver.leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(requests).toMatchObject([{ keepalive: true }])
  })

  it('loses no word, whoever writes and whatever fails', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('type' as const) }),
      fc.record({ kind: fc.constant('other' as const) }),
      fc.record({ kind: fc.constant('poll' as const) }),
      fc.record({ kind: fc.constantFrom('offline', 'fault', 'lost answer') }),
      fc.record({ kind: fc.constant('wait' as const), for: fc.constantFrom(1, 100, 700, 5000) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const s = scene('start.')
        const words: string[] = []
        for (const [i, next] of steps.entries()) {
          if (next.kind === 'type') {
            words.push(`mine${i}x`)
            s.type(`${s.text.content} mine${i}x`)
          } else if (next.kind === 'other') {
            words.push(`other${i}x`)
            s.someoneElse(`other${i}x ${s.server().content}`)
          } else if (next.kind === 'poll') s.saver.receive(s.server())
          else if (next.kind === 'wait') await vi.advanceTimersByTimeAsync('for' in next ? next.for : 0)
          else s.troubles.push(next.kind)
        }
        s.troubles.length = 0
        await vi.advanceTimersByTimeAsync(60_000)
        s.saver.receive(s.server())
        expect(s.saver.state.kind).toBe('saved')
        expect(s.server().content).toBe(s.text.content)
        for (const word of words) expect(s.text.content).toContain(word)
        s.saver.dispose()
      }),
      { numRuns: 150 },
    )
  })
})
