import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { liveCodes, type LiveMessage } from '../../server/contract/live.ts'
import { LiveConnection, type LiveSocket } from './live.ts'

/** A socket whose other end is the test. */
class Line extends EventTarget {
  readyState = 0
  sent: string[] = []
  /** How often it was asked whether anything comes through. */
  pings = 0
  /** Lets itself be opened, and swallows whatever is sent from then on. */
  swallows = false
  closesSlowly = false
  send(text: string) {
    if (text !== '{"type":"ping"}') return void this.sent.push(text)
    this.pings++
    if (!this.swallows) this.say('{"type":"pong"}')
  }
  close() {
    this.readyState = 2
    if (!this.closesSlowly) this.end(1000)
  }
  answer() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  say(data: unknown) {
    this.dispatchEvent(Object.assign(new Event('message'), { data }))
  }
  end(code: number) {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

let lines: Line[]
let dialled: string[]
let heard: LiveMessage[]
let states: boolean[]
let live: LiveConnection
const last = () => lines.at(-1)!

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  lines = []
  dialled = []
  heard = []
  states = []
  live = new LiveConnection('/api/live', {
    onMessage: (message) => heard.push(message),
    onState: (connected) => states.push(connected),
    name: () => ' Ada ',
    open: (url) => {
      dialled.push(url)
      lines.push(new Line())
      return last() as unknown as LiveSocket
    },
  })
})
afterEach(() => {
  live.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a live connection', () => {
  it('hears what the server says, and passes over what it doesn’t understand', () => {
    last().answer()
    last().say('{"type": "changed", "document_id": "1", "what": "content"}')
    last().say('nonsense')
    last().say('null')
    last().say('{"type": "later"}')
    expect(heard).toEqual([{ type: 'changed', document_id: '1', what: 'content' }])
  })

  it('says nothing over a connection that is being closed', () => {
    last().answer()
    const [line] = lines
    line!.readyState = 2
    live.say({ type: 'unfollow' })
    expect(line!.sent).toEqual(['{"name":"Ada"}'])
  })

  it('comes anew at once, whenever the end of the one before is heard of', () => {
    last().answer()
    const [line] = lines
    line!.closesSlowly = true
    live.reopen()
    expect([line!.readyState, lines.length, states]).toEqual([2, 2, [true, false]])
    last().answer()
    live.say({ type: 'unfollow' })
    expect(last().sent).toEqual(['{"name":"Ada"}', '{"type":"unfollow"}'])
    line!.say('{"type": "everything", "since": "a"}')
    line!.end(liveCodes.unauthorized)
    expect([heard, live.connected, live.ended]).toEqual([[], true, false])
    vi.advanceTimersByTime(600_000)
    expect([lines.length, states]).toEqual([2, [true, false, true]])
  })

  it('has nothing to come anew from while it waits for the next try', () => {
    last().end(1006)
    live.reopen()
    expect(lines).toHaveLength(1)
    vi.advanceTimersByTime(1_000)
    expect(lines).toHaveLength(2)
    last().end(1006)
    vi.advanceTimersByTime(1_999)
    expect(lines).toHaveLength(2)
  })

  it('gives a try up that nobody answers, and makes the next', () => {
    const [line] = lines
    line!.closesSlowly = true
    vi.advanceTimersByTime(15_000 + 1_000)
    expect([line!.readyState, lines.length]).toEqual([2, 2])
    line!.answer()
    expect(states).toEqual([])
    last().answer()
    vi.advanceTimersByTime(600_000)
    expect([lines.length, states]).toEqual([2, [true]])
  })

  it('says when it comes back how far it has heard, which is nobody’s business but the server’s', () => {
    last().answer()
    last().say('{"type": "told", "since": "a+1"}')
    last().say('{"type": "everything"}')
    last().end(1006)
    vi.advanceTimersByTime(1_000)
    expect(dialled.at(-1)).toBe('/api/live?since=a%2B1')
    last().answer()
    last().say('{"type": "sharing", "since": "b"}')
    last().end(1006)
    vi.advanceTimersByTime(1_000)
    expect(dialled.at(-1)).toBe('/api/live?since=b')
    expect(heard.map(({ type }) => type)).toEqual(['everything', 'sharing'])
  })

  it('says its reader’s name when it opens, and when that changes', () => {
    live.greet()
    expect(last().sent).toEqual([])
    last().answer()
    live.greet()
    expect(last().sent).toEqual(['{"name":"Ada"}', '{"name":"Ada"}'])
  })

  it('is there only once the server has answered over it, and is tried anew less and less where that swallows all', () => {
    const pauses = [1, 2, 4, 8, 16, 32, 60, 60]
    for (const [i, seconds] of pauses.entries()) {
      last().swallows = true
      last().closesSlowly = true
      last().answer()
      // What comes from there says nothing of what goes there.
      last().say('{"type": "told", "since": "a"}')
      vi.advanceTimersByTime(4_999)
      expect([last().pings, last().readyState, last().sent]).toEqual([1, 1, ['{"name":"Ada"}']])
      vi.advanceTimersByTime(1)
      expect([last().readyState, lines.length]).toEqual([2, i + 1])
      vi.advanceTimersByTime(seconds * 1000)
      expect(lines).toHaveLength(i + 2)
    }
    expect(states).toEqual([])
    last().answer()
    expect(states).toEqual([true])
    last().end(1006)
    vi.advanceTimersByTime(1_000)
    expect(lines).toHaveLength(pauses.length + 2)
  })

  it('is taken for dead 25 s after nothing comes through any more, and 5 s after there was reason to ask', () => {
    last().answer()
    vi.advanceTimersByTime(60_000)
    expect([last().pings, states]).toEqual([4, [true]])
    last().swallows = true
    vi.advanceTimersByTime(24_999)
    expect(states).toEqual([true])
    vi.advanceTimersByTime(1)
    expect([lines.length, states]).toEqual([1, [true, false]])
    vi.advanceTimersByTime(1_000)
    last().answer()
    live.doubt()
    vi.advanceTimersByTime(6_000)
    last().swallows = true
    live.doubt()
    vi.advanceTimersByTime(4_999)
    expect([last().pings, states]).toEqual([3, [true, false, true]])
    vi.advanceTimersByTime(1)
    expect(states).toEqual([true, false, true, false])
  })

  it('is opened again when it breaks, after longer and longer pauses up to a minute', () => {
    const pauses = [1, 2, 4, 8, 16, 32, 60, 60]
    for (const [i, seconds] of pauses.entries()) {
      last().end(1006)
      vi.advanceTimersByTime(seconds * 1000 - 1)
      expect(lines).toHaveLength(i + 1)
      vi.advanceTimersByTime(1)
      expect(lines).toHaveLength(i + 2)
    }
    last().answer()
    last().end(1001)
    vi.advanceTimersByTime(1_000)
    expect(lines).toHaveLength(pauses.length + 2)
    expect(states).toEqual([true, false])
  })

  it('is opened at once when the network is back', () => {
    last().end(1006)
    globalThis.dispatchEvent?.(new Event('online'))
    if ('dispatchEvent' in globalThis) expect(lines).toHaveLength(2)
  })

  it('is opened at once where somebody has heard from the server, and not twice', () => {
    last().end(1006)
    live.openNow()
    expect(lines).toHaveLength(2)
    live.openNow()
    last().answer()
    live.openNow()
    vi.advanceTimersByTime(600_000)
    expect(lines).toHaveLength(2)
  })

  it.each([4401, 4404])('stays closed after %s: nothing would mend it', (code) => {
    last().answer()
    last().end(code)
    vi.advanceTimersByTime(600_000)
    expect(lines).toHaveLength(1)
    expect(states).toEqual([true, false])
  })

  it('leaves its place to others for a minute when it had to make room', () => {
    last().answer()
    last().end(liveCodes.replaced)
    vi.advanceTimersByTime(59_000)
    expect(lines).toHaveLength(1)
    vi.advanceTimersByTime(1_000)
    expect(lines).toHaveLength(2)
  })

  it('ends for good when it is closed', () => {
    last().answer()
    live.close()
    vi.advanceTimersByTime(600_000)
    expect(lines).toHaveLength(1)
  })

  it('tries again where there can be no socket at all', () => {
    let tries = 0
    const blocked = new LiveConnection('/api/live', {
      onMessage: () => {},
      open: () => {
        tries++
        throw new Error('blocked')
      },
    })
    vi.advanceTimersByTime(3_000)
    expect(tries).toBe(3)
    blocked.close()
  })
})
