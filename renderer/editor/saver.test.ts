import fc from 'fast-check'
import { ChangeSet } from '@codemirror/state'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changesToJson } from '../../server/domain/change-set.ts'
import { ApiError } from '../api/client-of.ts'
import { mergeTexts } from '../../server/domain/merge.ts'
import { SharedText, textOf } from '../../server/domain/shared-text.ts'
import { Saver } from './saver.svelte.ts'
import { StubServer } from './testing/stub-server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A writer’s text and the server’s. */
function scene(content = 'one two three') {
  const server = new StubServer(content)
  const shared = new SharedText({ revision: 1, content })
  const text = {
    title: 'T',
    get content() {
      return shared.current.toString()
    },
  }
  const conflicts: unknown[] = []
  const client = 'the-client-of-a-test'
  const saver = new Saver({
    isRenamed: () => text.title !== server.document.title,
    text: shared,
    random: () => 1,
    push: ({ base, hash, number, changes }, { keepalive }) =>
      server.api.call('pushChange', {
        body: { base, ...(hash === null ? {} : { hash }), client, number, changes: changesToJson(changes) },
        keepalive,
      }),
    rename: ({ keepalive }) =>
      server.api.call('updateDocument', { body: { title: text.title }, keepalive }).then(() => true),
    missed: () => server.api.call('listChanges', { query: { since: shared.revision, client } }),
    receive: ({ updates }) => void shared.receive(updates),
    rejoin: ({ updates }) => {
      conflicts.push(updates)
      shared.receive(updates)
    },
    merge(theirs) {
      const merged = mergeTexts(shared.confirmed.toString(), text.content, theirs.content).text
      const mine = { from: 0, to: theirs.content.length, insert: textOf(merged) }
      shared.startAnew(theirs, ChangeSet.of(mine, theirs.content.length))
    },
  })
  const update = () => server.changesSince(shared.revision, client)
  const poll = () => saver.receive(update())
  return {
    saver,
    text,
    troubles: server.troubles,
    requests: server.requests,
    conflicts,
    server: () => server.document,
    poll,
    update,
    forget: () => server.forget(),
    type(next: string) {
      const before = text.content
      let from = 0
      while (from < Math.min(before.length, next.length) && before[from] === next[from]) from++
      let tail = 0
      while (
        tail < Math.min(before.length, next.length) - from &&
        before.at(-1 - tail) === next.at(-1 - tail)
      )
        tail++
      const insert = textOf(next.slice(from, next.length - tail))
      shared.change(ChangeSet.of({ from, to: before.length - tail, insert }, before.length))
      saver.changed()
    },
    someoneElse: (next: string) => server.change({ content: next }),
  }
}

describe('saving', () => {
  it('waits for a pause, says what it does, and sends only what changed', async () => {
    const { saver, type, requests, server } = scene()
    expect(saver.state.kind).toBe('saved')
    type('one two three f')
    await vi.advanceTimersByTimeAsync(200)
    type('one two three fo')
    expect(saver.state.kind).toBe('waiting')
    await vi.advanceTimersByTimeAsync(200)
    expect(requests).toEqual([])
    await vi.advanceTimersByTimeAsync(300)
    expect(saver.state.kind).toBe('saved')
    expect(server().content).toBe('one two three fo')
    expect(requests).toMatchObject([
      { name: 'pushChange', body: { base: 1, number: 1, changes: [13, [0, ' fo']] }, keepalive: false },
    ])
  })

  it('waits hardly at all while somebody else writes', async () => {
    const { type, someoneElse, poll, server } = scene()
    someoneElse('zero one two three')
    poll()
    type('zero one two three four')
    await vi.advanceTimersByTimeAsync(30)
    expect(server().content).toBe('zero one two three four')
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

  it('sends nothing when what was typed is taken out again', async () => {
    const { type, requests, saver } = scene()
    type('one two three four')
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

  it('merges with a text that no changes lead to', async () => {
    const { type, someoneElse, forget, server, text } = scene()
    type('one two three four')
    someoneElse('zero one two three')
    forget()
    await vi.advanceTimersByTimeAsync(1000)
    expect(text.content).toBe('zero one two three four')
    expect(server().content).toBe('zero one two three four')
  })

  it('sends nothing twice where two wait at once for what is typed while something is sent', async () => {
    const { saver, type, requests, server } = scene()
    type('one two three f')
    const first = saver.flush()
    type('one two three fo')
    await Promise.all([first, saver.flush(), saver.flush()])
    expect(requests).toHaveLength(2)
    expect(server().content).toBe('one two three fo')
  })

  it('takes nothing of what was missed for long one by one', async () => {
    const { saver, type, troubles, someoneElse, conflicts, update, server } = scene()
    troubles.push('offline', 'offline', 'offline')
    type('one two three four')
    await vi.advanceTimersByTimeAsync(3_500)
    someoneElse('zero one two three')
    expect(saver.receive(update(), false)).toBe(false)
    expect(conflicts).toEqual([])
    expect(saver.receive(update(), true)).toBe(true)
    expect(conflicts).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server().content).toBe('zero one two three four')
    someoneElse('zero one two three four!')
    expect(saver.receive(update(), false)).toBe(true)
  })

  it('lets a person choose where others wrote during a long absence', async () => {
    const { type, troubles, someoneElse, conflicts, server } = scene()
    troubles.push(...Array.from({ length: 6 }, () => 'offline' as const))
    type('one two three four')
    await vi.advanceTimersByTimeAsync(25_000)
    someoneElse('zero one two three')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(conflicts[0]).toMatchObject([{ revision: 2 }])
    expect(server().content).toBe('zero one two three four')
  })

  it('lets a person choose, too, where the clock was set back during an absence', async () => {
    const { type, troubles, someoneElse, conflicts, server } = scene()
    troubles.push(...Array.from({ length: 6 }, () => 'offline' as const))
    type('one two three four')
    await vi.advanceTimersByTimeAsync(25_000)
    vi.setSystemTime(Date.now() - 3_600_000)
    someoneElse('zero one two three')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(conflicts[0]).toMatchObject([{ revision: 2 }])
    expect(server().content).toBe('zero one two three four')
  })

  it('tries again with growing pauses while nothing answers, and then saves', async () => {
    const { saver, type, troubles, server } = scene()
    troubles.push('offline', 'fault', 'offline')
    type('x')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver).toMatchObject({ slow: false, state: { kind: 'waiting' } })
    await vi.advanceTimersByTimeAsync(1000)
    expect(saver.state).toMatchObject({ kind: 'failed', cause: 'fault' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(saver.state.kind).toBe('failed')
    await vi.advanceTimersByTimeAsync(4000)
    expect(saver.state.kind).toBe('saved')
    expect(server().content).toBe('x')
  })

  it('says nothing of a moment in which nobody can be reached', async () => {
    const { saver, type, troubles } = scene()
    troubles.push('offline')
    const seen = new Set<string>()
    for (let i = 0; i < 30; i++) {
      type(`one two three ${'x'.repeat(i)}`)
      await vi.advanceTimersByTimeAsync(100)
      seen.add(`${saver.state.kind} ${saver.slow}`)
    }
    expect([...seen].sort()).toEqual(['saved false', 'waiting false'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(saver.state.kind).toBe('saved')
  })

  it.each([
    ['hears nothing for long', ['timed out', 'slow', 'timed out', 'timed out'], 100],
    ['gets some of it only late', ['slow', 'slow', 'slow'], 10],
  ] as const)(
    'never says that words are saved which the server hasn’t got: one who %s',
    async (_who, due, letters) => {
      const { saver, type, troubles, text, server } = scene()
      troubles.push(...due)
      let since = 0
      for (let i = 0; i < 450; i++) {
        if (i < letters) type(`${text.content}x`)
        await vi.advanceTimersByTimeAsync(100)
        const has = server().content.length
        since = has === text.content.length ? 0 : since + 1
        if (since > 20 && saver.state.kind !== 'failed') expect(saver).toMatchObject({ slow: true })
      }
      expect(saver).toMatchObject({ slow: false, state: { kind: 'saved' } })
    },
  )

  it('goes on saying that nobody can be reached while it tries again, until somebody is', async () => {
    const { saver, type, troubles, poll } = scene()
    troubles.push('offline', 'offline', 'slow', 'offline')
    type('x')
    await vi.advanceTimersByTimeAsync(2000)
    for (let i = 0; i < 60; i++) {
      await vi.advanceTimersByTimeAsync(100)
      if (saver.state.kind === 'saved') break
      expect(saver.state).toMatchObject({ kind: 'failed', cause: 'unreachable' })
      if (i === 50) poll()
    }
    await vi.advanceTimersByTimeAsync(10)
    expect(saver.state.kind).toBe('saved')
  })

  it('says at once that nobody can be reached where that is known', async () => {
    const { saver, type, troubles } = scene()
    const lost = { kind: 'failed', cause: 'unreachable' }
    saver.lose(new ApiError('OFFLINE', 0, 'no'))
    expect(saver.state.kind).toBe('saved')
    troubles.push('offline')
    type('x')
    expect(saver.state).toMatchObject(lost)
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state).toMatchObject(lost)
    await vi.advanceTimersByTimeAsync(1000)
    expect(saver.state.kind).toBe('saved')
    troubles.push('slow')
    type('xy')
    await vi.advanceTimersByTimeAsync(700)
    expect(saver.state.kind).toBe('saving')
    saver.lose(new ApiError('OFFLINE', 0, 'no'))
    expect(saver.state).toMatchObject(lost)
    await vi.advanceTimersByTimeAsync(3000)
    expect(saver.state.kind).toBe('saved')
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
    ['forbidden', 'forbidden'],
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
    const reason = 'It is too long'
    expect(saver.state).toMatchObject({ kind: 'failed', cause: 'refused', reason, retryAt: null })
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

  it('takes in what others wrote, and passes over what is old', () => {
    const { saver, text, someoneElse, poll } = scene()
    someoneElse('one two')
    poll()
    expect(text.content).toBe('one two')
    poll()
    expect(text.content).toBe('one two')
    expect(saver.state.kind).toBe('saved')
  })

  it('sends a small rest along while the page goes, and no large one', async () => {
    const { saver, type, requests } = scene()
    type('x'.repeat(70_000))
    saver.leave()
    expect(requests).toEqual([])
    await saver.flush()
    requests.length = 0
    type('x')
    saver.leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(requests).toMatchObject([{ keepalive: true }])
  })

  it('sends nothing along where nothing came through before', async () => {
    const { saver, type, requests, troubles } = scene()
    troubles.push('offline')
    type('x')
    await vi.advanceTimersByTimeAsync(500)
    expect(requests.length).toBe(1)
    saver.leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(requests.length).toBe(1)
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
          } else if (next.kind === 'poll') s.poll()
          else if (next.kind === 'wait') await vi.advanceTimersByTimeAsync('for' in next ? next.for : 0)
          else s.troubles.push(next.kind)
        }
        s.troubles.length = 0
        await vi.advanceTimersByTimeAsync(60_000)
        s.poll()
        expect(s.saver.state.kind).toBe('saved')
        expect(s.server().content).toBe(s.text.content)
        for (const word of words) expect(s.text.content).toContain(word)
        s.saver.dispose()
      }),
      { numRuns: 150 },
    )
  })
})
