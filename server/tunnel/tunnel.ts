import { backOff } from '../platform/back-off.ts'
import { TunnelFailure, type ProbeResult, type TunnelProvider, type TunnelSession } from './provider.ts'
import type { TunnelReason } from '../contract/tunnel.ts'

/*
 *             start()              a probe came back
 *   ┌─────┐ ─────────▶ ┌──────────┐ ──────────────▶ ┌────────┐
 *   │ off │            │ starting │                 │ online │◀─────────┐
 *   └─────┘            └──────────┘                 └────────┘          │ a probe came back
 *      ▲                 │      │                        │ ended, or    │
 *      │ stop(),         │      │ anything else          │ two probes   │
 *      │ from anywhere   │      ▼                        ▼ missing      │
 *      │                 │   ┌──────────────────────────────┐           │
 *      │                 │   │ reconnecting: address withdrawn, ────────┘
 *      │                 │   │ tried again after 1 to 60 s, or on wake  │
 *      │                 ▼   └──────────────────────────────┘
 *      │           ┌────────┐        │ a reason that waiting doesn't mend
 *      └────────── │ failed │ ◀──────┘
 *                  └────────┘
 *
 * What is tried again is a new session. Where the address would be gone for good with the old one, that is kept as long
 * as it doesn't end itself, and its address probed again, for some minutes first.
 */
export type TunnelState =
  | { state: 'off' }
  | { state: 'starting' }
  | { state: 'online'; address: string; stable: boolean; since: number }
  | { state: 'reconnecting'; reason: TunnelReason; message: string; retryAt: number | null }
  | { state: 'failed'; reason: TunnelReason; message: string; toConfirm?: string }

/** Milliseconds. */
export interface TunnelTimes {
  open: number
  probe: number
  /** Between two probes while online. */
  watch: number
  /** Between two probes while an address isn't known everywhere yet, or after one was missed. */
  again: number
  /** For how long a first probe is tried again. */
  firstProbe: number
  /** For how long an address that no other session can have is probed again, while there is a network. */
  keep: number
  close: number
  /** How often the clock is looked at, and the jump of it that means the machine was asleep. */
  tick: number
  slept: number
}

const retries = { first: 1_000, longest: 60_000 }

const usualTimes: TunnelTimes = {
  open: 45_000,
  probe: 10_000,
  watch: 60_000,
  again: 2_000,
  firstProbe: 30_000,
  keep: 300_000,
  close: 6_000,
  tick: 5_000,
  slept: 15_000,
}

export interface TunnelOptions {
  provider: TunnelProvider
  /** Of the share listener. */
  port: number
  /** Looks whether `address` leads to the share listener; throws a TunnelFailure. */
  probe: (address: string, signal: AbortSignal) => Promise<ProbeResult>
  /** Called before an address is first asked for a probe, so that the listener answers to it, and with null after. */
  onAddress: (address: string | null) => void
  onState: (state: TunnelState) => void
  times?: Partial<TunnelTimes>
  random?: () => number
}

export type Tunnel = ReturnType<typeof createTunnel>

/**
 * Keeps one provider's tunnel up: the state machine above. It is online only while a fetch of the public address comes
 * back; the address is withdrawn before anything is torn down.
 */
export function createTunnel(options: TunnelOptions) {
  const { provider, port, probe, onAddress, onState } = options
  const times = { ...usualTimes, ...options.times }
  const random = options.random ?? Math.random
  let state: TunnelState = { state: 'off' }
  let run: { stop: AbortController; done: Promise<void> } | undefined
  let wakeUp: (() => void) | undefined

  function set(next: TunnelState) {
    state = next
    onState(next)
  }

  /** A sleeping machine's timers stand still with it: without this, up to a minute would pass until the next look. */
  function wakeAfterSleep(signal: AbortSignal) {
    let last = Date.now()
    const ticking = setInterval(() => {
      const now = Date.now()
      if (now - last > times.tick + times.slept) wakeUp?.()
      last = now
    }, times.tick).unref()
    signal.addEventListener('abort', () => clearInterval(ticking))
  }

  async function keepUp(signal: AbortSignal) {
    let attempts = 0
    set({ state: 'starting' })
    while (!signal.aborted) {
      const failure = await session(signal, () => (attempts = 0))
      if (signal.aborted) return
      const { reason, message, toConfirm } = failure
      if (failure.final)
        return set({ state: 'failed', reason, message, ...(toConfirm === undefined ? {} : { toConfirm }) })
      const wait = backOff(attempts++, { ...retries, random })
      set({ state: 'reconnecting', reason, message, retryAt: Date.now() + wait })
      await pause(wait, signal)
    }
  }

  /** One session, from its opening to its end, and why it ended. */
  async function session(signal: AbortSignal, onOnline: () => void): Promise<TunnelFailure> {
    let opened: TunnelSession | undefined
    try {
      // It may wait for a person, whom a keychain asks.
      await unlessStopped(provider.preflight(), signal)
      opened = await open(signal)
      if (signal.aborted) return stopped()
      onAddress(opened.address)
      const over = { why: undefined as TunnelFailure | undefined }
      void opened.ended.then((why) => {
        over.why = why ?? new TunnelFailure('process ended', 'The tunnel was closed.')
        wakeUp?.()
      })
      await firstProbe(opened, over, signal)
      if (signal.aborted) return stopped()
      onOnline()
      setOnline(opened)
      return await watch(opened, over, signal)
    } catch (error) {
      return asFailure(error)
    } finally {
      // Nobody may copy a link to an address that is being taken down.
      try {
        if (state.state === 'online' && !signal.aborted) withdraw()
        onAddress(null)
      } finally {
        if (opened) await close(opened)
      }
    }
  }

  /** Stopped meanwhile, it has as long as closing has to take down what it began; what it opens later is closed. */
  async function open(signal: AbortSignal): Promise<TunnelSession> {
    const opening = provider.open(port, AbortSignal.any([signal, AbortSignal.timeout(times.open)]))
    try {
      return await unlessStopped(opening, signal, times.close)
    } catch (error) {
      void opening.then(close, () => undefined)
      throw error
    }
  }

  const close = (opened: TunnelSession) =>
    Promise.race([opened.close().catch(() => undefined), delay(times.close)])

  const setOnline = ({ address, stable }: TunnelSession) =>
    set({ state: 'online', address, stable, since: Date.now() })
  const withdraw = () =>
    set({ state: 'reconnecting', reason: 'other side silent', message: 'The tunnel was cut.', retryAt: null })

  /** An address may take a while to be known everywhere. */
  async function firstProbe(opened: TunnelSession, over: Over, signal: AbortSignal) {
    const until = Date.now() + times.firstProbe
    for (;;) {
      try {
        return await probeOnce(opened, signal)
      } catch (error) {
        if (Date.now() >= until) throw error
        await pause(times.again, signal)
        if (over.why) throw over.why
        if (signal.aborted) throw error
      }
    }
  }

  /**
   * Returns why the session is over. One missed probe may be the network's; the second one counts. An address that
   * every copied link would lose with its session is only withdrawn then, until a probe comes back again.
   */
  async function watch(opened: TunnelSession, over: Over, signal: AbortSignal): Promise<TunnelFailure> {
    let missed = 0
    let wait = times.watch
    // Not by the clock: it goes on while the machine is asleep.
    let waited = 0
    for (;;) {
      // It may have ended while its address was probed.
      if (!over.why) await pause(wait, signal)
      if (over.why) return over.why
      if (signal.aborted) return stopped()
      try {
        await opened.check(AbortSignal.any([signal, AbortSignal.timeout(times.probe)]))
        await probeOnce(opened, signal)
        if (signal.aborted) return stopped()
        if (state.state !== 'online') setOnline(opened)
        missed = waited = 0
        wait = times.watch
      } catch (error) {
        if (over.why) return over.why
        if (signal.aborted) return stopped()
        missed++
        wait = times.again
        if (missed === 1) continue
        const failure = asFailure(error)
        const { reason, message } = failure
        if (opened.stable || failure.final || waited >= times.keep) return failure
        wait = backOff(missed - 2, { ...retries, random })
        // Without a network there is no other session to be had, either.
        if (reason !== 'offline') waited += wait
        set({ state: 'reconnecting', reason, message, retryAt: Date.now() + wait })
      }
    }
  }

  async function probeOnce(opened: TunnelSession, signal: AbortSignal) {
    const shown = await probe(opened.address, AbortSignal.any([signal, AbortSignal.timeout(times.probe)]))
    opened.onProbe?.(shown)
  }

  /** Ends early on `wake`, on the end of the session, and when stopped. */
  function pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        wakeUp = undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done)
      wakeUp = done
    })
  }

  return {
    get state(): TunnelState {
      return state
    },
    /** Does nothing if it runs already. */
    start() {
      if (run) return
      const stop = new AbortController()
      wakeAfterSleep(stop.signal)
      const done = keepUp(stop.signal)
        .catch((error: unknown) => {
          const { reason, message } = asFailure(error)
          if (!stop.signal.aborted) set({ state: 'failed', reason, message })
        })
        // Whoever is told the state may have failed again. It is `state` all the same.
        .catch(() => undefined)
        .finally(() => {
          stop.abort()
          if (run?.stop === stop) run = undefined
        })
      run = { stop, done }
    },
    /** Looks now instead of at the next turn: the machine was asleep, or the network came back. */
    wake: () => wakeUp?.(),
    /** Withdraws the address at once, then takes the tunnel down. */
    async stop() {
      const stopping = run
      run = undefined
      stopping?.stop.abort()
      try {
        set({ state: 'off' })
      } finally {
        await stopping?.done
      }
    },
  }
}

interface Over {
  why: TunnelFailure | undefined
}

const stopped = () => new TunnelFailure('process ended', 'The tunnel was switched off.')
const asFailure = (error: unknown) =>
  error instanceof TunnelFailure
    ? error
    : new TunnelFailure('process ended', `The tunnel failed: ${(error as Error).message}`, { cause: error })

/** What comes of `work`, unless it still hasn't come `grace` milliseconds after `signal` was aborted. */
async function unlessStopped<Result>(work: Promise<Result>, signal: AbortSignal, grace = 0): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const stop = () => (timer = setTimeout(() => reject(stopped()), grace))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, late])
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
