import { afterEach, describe, expect, test, vi } from 'vitest'
import { TunnelFailure, type TunnelProvider } from './provider.ts'
import { createTunnel, type TunnelState } from './tunnel.ts'

afterEach(() => vi.useRealTimers())

const silent = () => new TunnelFailure('other side silent', 'Nothing answers.')

/** A provider and a public address that do what the test says, a clock that the test moves, and all that was seen. */
function run() {
  vi.useFakeTimers()
  const seen: TunnelState[] = []
  const events: string[] = []
  const at = {
    seen,
    events,
    /** Thrown when opening, if set. */
    opening: undefined as TunnelFailure | undefined,
    /** Thrown by probes, if set. */
    probeFailure: undefined as TunnelFailure | undefined,
    stable: true,
    /** What is waited for first. */
    waiting: { preflight: Promise.resolve(), open: Promise.resolve(), probe: Promise.resolve() },
    /** Thrown when closing a session, if set. */
    closing: undefined as Error | undefined,
    /** Called with each state, after it was noted. */
    tell: (_state: TunnelState): void => undefined,
    addresses: ['https://one.example'],
    end: (_why: TunnelFailure | null): void => undefined,
  }
  const provider: TunnelProvider = {
    name: 'url',
    preflight: () => at.waiting.preflight,
    async open() {
      if (at.opening) throw at.opening
      await at.waiting.open
      const { promise: ended, resolve } = Promise.withResolvers<TunnelFailure | null>()
      at.end = resolve
      events.push('open')
      return {
        address: at.addresses.length > 1 ? at.addresses.shift()! : at.addresses[0]!,
        stable: at.stable,
        ended,
        check: () => Promise.resolve(),
        close: () => {
          events.push('close')
          resolve(null)
          return at.closing ? Promise.reject(at.closing) : Promise.resolve()
        },
      }
    },
  }
  const tunnel = createTunnel({
    provider,
    port: 1,
    async probe() {
      events.push('probe')
      await at.waiting.probe
      if (at.probeFailure) throw at.probeFailure
      return { namesClients: false }
    },
    onAddress: (address) => void events.push(`answers to ${address}`),
    onState: (state) => {
      seen.push(state)
      events.push(state.state)
      at.tell(state)
    },
    random: () => 1,
  })
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { ...at, at, tunnel, later, states: () => seen.map((one) => one.state) }
}

test('it is online only after a probe has come back', async () => {
  const { at, tunnel, later, events } = run()
  at.probeFailure = silent()
  tunnel.start()
  await later(9_000)
  expect(tunnel.state).toEqual({ state: 'starting' })
  at.probeFailure = undefined
  await later(2_000)
  expect(tunnel.state).toMatchObject({ state: 'online', address: 'https://one.example', stable: true })
  expect(events.indexOf('answers to https://one.example')).toBeLessThan(events.indexOf('probe'))
  await tunnel.stop()
})

test('an address that no probe comes back from is given up after half a minute, and tried again', async () => {
  const { at, tunnel, later } = run()
  at.probeFailure = silent()
  tunnel.start()
  await later(33_000)
  expect(tunnel.state).toMatchObject({ state: 'reconnecting', reason: 'other side silent' })
  at.probeFailure = undefined
  await later(2_500)
  expect(tunnel.state.state).toBe('online')
  await tunnel.stop()
})

test('one missed probe changes nothing, two in a row withdraw the address before it is taken down', async () => {
  const { at, tunnel, later, events, states } = run()
  tunnel.start()
  await later(0)
  at.probeFailure = silent()
  await later(60_000)
  expect(tunnel.state.state).toBe('online')
  at.probeFailure = undefined
  await later(2_000)
  expect(tunnel.state.state).toBe('online')
  at.probeFailure = silent()
  await later(62_000)
  expect(states()).toEqual(['starting', 'online', 'reconnecting', 'reconnecting'])
  expect(tunnel.state).toMatchObject({ reason: 'other side silent', message: 'Nothing answers.' })
  expect(events.slice(events.lastIndexOf('online') + 1).filter((one) => one !== 'probe')).toEqual([
    'reconnecting',
    'answers to null',
    'close',
    'reconnecting',
  ])
  await tunnel.stop()
})

test('a session that ends is noticed at once, and says why', async () => {
  const { at, tunnel, later } = run()
  tunnel.start()
  await later(0)
  at.opening = new TunnelFailure('offline', 'No network.')
  at.end(new TunnelFailure('process ended', 'It crashed.'))
  await later(0)
  expect(tunnel.state).toMatchObject({
    state: 'reconnecting',
    reason: 'process ended',
    message: 'It crashed.',
  })
  await later(1_000)
  expect(tunnel.state).toMatchObject({ state: 'reconnecting', reason: 'offline', message: 'No network.' })
  await tunnel.stop()
})

test('the pauses double up to a minute, and being online makes them short again', async () => {
  const { at, tunnel, later, seen } = run()
  at.opening = silent()
  tunnel.start()
  const pauses: number[] = []
  for (let i = 0; i < 9; i++) {
    await later(0)
    const state = tunnel.state as TunnelState & { state: 'reconnecting' }
    pauses.push(state.retryAt! - Date.now())
    await later(pauses.at(-1)!)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000))
  at.opening = undefined
  await later(60_000)
  expect(tunnel.state.state).toBe('online')
  at.opening = silent()
  at.end(silent())
  await later(0)
  expect((seen.at(-1) as { retryAt: number }).retryAt - Date.now()).toBe(1_000)
  await tunnel.stop()
})

test('a reason that waiting doesn’t mend stops it, until it is started again', async () => {
  const { at, tunnel, later } = run()
  at.opening = new TunnelFailure('sign-in rejected', 'The key was refused.', { final: true })
  tunnel.start()
  await later(0)
  expect(tunnel.state).toEqual({
    state: 'failed',
    reason: 'sign-in rejected',
    message: 'The key was refused.',
  })
  await later(600_000)
  expect(tunnel.state.state).toBe('failed')
  at.opening = undefined
  tunnel.start()
  await later(0)
  expect(tunnel.state.state).toBe('online')
  await tunnel.stop()
})

test('waking up ends the pause', async () => {
  const { at, tunnel, later } = run()
  at.opening = silent()
  tunnel.start()
  await later(7_000)
  expect(tunnel.state.state).toBe('reconnecting')
  at.opening = undefined
  tunnel.wake()
  await later(0)
  expect(tunnel.state.state).toBe('online')
  await tunnel.stop()
})

test('a machine that was asleep looks soon after it wakes', async () => {
  const { at, tunnel, later, events } = run()
  tunnel.start()
  await later(0)
  const before = events.length
  at.probeFailure = silent()
  vi.setSystemTime(Date.now() + 3_600_000)
  await later(5_000)
  expect(events.slice(before)).toContain('probe')
  await tunnel.stop()
})

test('switching it off withdraws the address at once and takes everything down', async () => {
  const { tunnel, later, events } = run()
  tunnel.start()
  await later(0)
  const stopped = tunnel.stop()
  expect(tunnel.state).toEqual({ state: 'off' })
  await stopped
  expect(events.slice(-3)).toEqual(['off', 'answers to null', 'close'])
  await later(600_000)
  expect(tunnel.state).toEqual({ state: 'off' })
  expect(vi.getTimerCount()).toBe(0)
})

describe('where the state can’t be told', () => {
  const fails = () => {
    throw new Error('The disk is full.')
  }

  test('it has failed, with nothing left open, and can be started again', async () => {
    const { at, tunnel, later, events } = run()
    at.tell = ({ state }) => state === 'starting' || fails()
    tunnel.start()
    await later(0)
    expect(tunnel.state).toMatchObject({ state: 'failed', message: 'The tunnel failed: The disk is full.' })
    expect(events.at(-2)).toBe('close')
    at.tell = () => undefined
    tunnel.start()
    await later(0)
    expect(tunnel.state.state).toBe('online')
    await tunnel.stop()
  })

  test('switching it off takes everything down all the same', async () => {
    const { at, tunnel, later, events } = run()
    tunnel.start()
    await later(0)
    at.tell = fails
    await expect(tunnel.stop()).rejects.toThrow('The disk is full.')
    expect(tunnel.state).toEqual({ state: 'off' })
    expect(events.at(-1)).toBe('close')
  })
})

test('a session that can’t be closed is over all the same', async () => {
  const { at, tunnel, later } = run()
  at.closing = new Error('Busy.')
  tunnel.start()
  await later(0)
  at.end(silent())
  await later(0)
  expect(tunnel.state).toMatchObject({ state: 'reconnecting', message: 'Nothing answers.' })
  await later(1_000)
  expect(tunnel.state.state).toBe('online')
  await tunnel.stop()
})

test('switched off while its preflight waits, it is off at once, and opens nothing later', async () => {
  const { at, tunnel, later, events } = run()
  const asked = Promise.withResolvers<void>()
  at.waiting.preflight = asked.promise
  tunnel.start()
  await later(0)
  const stopped = tunnel.stop()
  await later(0)
  await stopped
  asked.resolve()
  await later(600_000)
  expect(events).toEqual(['starting', 'off', 'answers to null'])
})

test('switched off while it opens, it doesn’t wait for ever, and what opens later is closed', async () => {
  const { at, tunnel, later, events } = run()
  const opening = Promise.withResolvers<void>()
  at.waiting.open = opening.promise
  tunnel.start()
  await later(0)
  let isOff = false
  void tunnel.stop().then(() => (isOff = true))
  await later(5_999)
  expect(isOff).toBe(false)
  await later(1)
  expect(isOff).toBe(true)
  opening.resolve()
  await later(0)
  expect(events).toEqual(['starting', 'off', 'answers to null', 'open', 'close'])
  await later(6_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('switched off while it opens, it waits until what was begun is taken down', async () => {
  const { at, tunnel, later, events } = run()
  const opening = Promise.withResolvers<void>()
  at.waiting.open = opening.promise
  tunnel.start()
  await later(0)
  const stopped = tunnel.stop()
  await later(2_000)
  opening.resolve()
  await stopped
  expect(events).toEqual(['starting', 'off', 'open', 'answers to null', 'close'])
})

test('switched off while its first probe comes back, it stays off', async () => {
  const { at, tunnel, later } = run()
  const probe = Promise.withResolvers<void>()
  at.waiting.probe = probe.promise
  tunnel.start()
  await later(0)
  const stopped = tunnel.stop()
  probe.resolve()
  await stopped
  expect(tunnel.state).toEqual({ state: 'off' })
})

test('a session that ends while its address is probed is noticed at once', async () => {
  const { at, tunnel, later } = run()
  const probes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  at.waiting.probe = probes[0]!.promise
  tunnel.start()
  await later(0)
  at.end(silent())
  probes[0]!.resolve()
  await later(0)
  expect(tunnel.state.state).toBe('reconnecting')
  await later(1_000)
  expect(tunnel.state.state).toBe('online')
  at.waiting.probe = probes[1]!.promise
  tunnel.wake()
  await later(0)
  at.end(silent())
  probes[1]!.resolve()
  await later(0)
  expect(tunnel.state.state).toBe('reconnecting')
  await tunnel.stop()
})

describe('an address that is gone for good with its session', () => {
  const online = async () => {
    const at = run()
    at.at.stable = false
    at.tunnel.start()
    await at.later(0)
    at.events.length = 0
    return at
  }
  const withoutProbes = (events: string[]) => events.filter((one) => one !== 'probe')

  test('is withdrawn while it isn’t reached, and is the same once it is', async () => {
    const { at, tunnel, later, events } = await online()
    at.probeFailure = silent()
    tunnel.wake()
    await later(2_000)
    expect(tunnel.state).toEqual({
      state: 'reconnecting',
      reason: 'other side silent',
      message: 'Nothing answers.',
      retryAt: Date.now() + 1_000,
    })
    await later(100_000)
    at.probeFailure = undefined
    tunnel.wake()
    await later(0)
    expect(tunnel.state).toMatchObject({ state: 'online', since: Date.now() })
    expect(new Set(withoutProbes(events))).toEqual(new Set(['reconnecting', 'online']))
    // As patient the next time.
    at.probeFailure = silent()
    await later(330_000)
    expect(withoutProbes(events)).not.toContain('close')
    await tunnel.stop()
  })

  test('is given up after some minutes', async () => {
    const { at, tunnel, later, events } = await online()
    at.probeFailure = silent()
    await later(330_000)
    expect(withoutProbes(events)).not.toContain('close')
    await later(120_000)
    expect(
      withoutProbes(events)
        .filter((one) => one !== 'reconnecting')
        .slice(0, 3),
    ).toEqual(['answers to null', 'close', 'open'])
    await tunnel.stop()
  })

  test('is kept for as long as there is no network, and however long the machine is asleep', async () => {
    const { at, tunnel, later, events } = await online()
    at.probeFailure = new TunnelFailure('offline', 'No network.')
    await later(3_600_000)
    at.probeFailure = silent()
    await later(120_000)
    vi.setSystemTime(Date.now() + 3_600_000)
    await later(60_000)
    expect(withoutProbes(events)).not.toContain('close')
    at.probeFailure = undefined
    await later(60_000)
    expect(tunnel.state.state).toBe('online')
    await tunnel.stop()
  })

  test('is given up at once when its session ends, or says that waiting mends nothing', async () => {
    const { at, tunnel, later, events } = await online()
    at.probeFailure = silent()
    await later(63_000)
    expect(withoutProbes(events)).not.toContain('close')
    at.end(new TunnelFailure('process ended', 'It crashed.'))
    await later(0)
    expect(events).toContain('close')
    expect(tunnel.state).toMatchObject({ message: 'It crashed.' })
    at.probeFailure = undefined
    await later(1_000)
    expect(tunnel.state.state).toBe('online')
    at.probeFailure = new TunnelFailure('sign-in rejected', 'No.', { final: true })
    await later(62_000)
    expect(tunnel.state.state).toBe('failed')
  })

  test.each([
    ['comes back', undefined],
    ['fails', silent()],
  ])('switched off while a probe %s, it stays off', async (_how, failure) => {
    const { at, tunnel, later } = await online()
    at.probeFailure = silent()
    await later(62_000)
    const probe = Promise.withResolvers<void>()
    at.waiting.probe = probe.promise
    await later(1_000)
    at.probeFailure = failure
    const stopped = tunnel.stop()
    probe.resolve()
    await stopped
    expect(tunnel.state).toEqual({ state: 'off' })
  })
})
