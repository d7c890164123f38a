import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ngrok, readDomain, type NgrokModule, type NgrokOptions } from './ngrok.ts'
import { createReachabilityProbes } from './reachability-probe.ts'
import { TunnelFailure } from './provider.ts'
import { createTunnel } from './tunnel.ts'

const token = '2abcDEFghiJKL_secret'
const never = new AbortController().signal

/**
 * A fake of the package and of ngrok behind it: everything of `NgrokModule`, with a public side on loopback that carries to
 * where it was told. That the package has these functions, and says these things when it fails, isn't shown here, but
 * for what can be seen without a network, at the end.
 */
async function play(more: Partial<NgrokOptions> = {}) {
  const at = {
    /** What connecting, or opening the endpoint, fails with. */
    refusal: undefined as string | undefined,
    noDomain: undefined as string | undefined,
    /** What connecting waits for. */
    waits: Promise.resolve(),
    tokens: [] as string[],
    domains: [] as string[],
    open: 0,
    closed: 0,
    disconnect: (_error: string): boolean => false,
    stop: (): void => undefined,
  }
  let to = ''
  const edge = http.createServer((request, response) => {
    const passed = http.request(to + request.url!, { headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => void edge.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    edge.closeAllConnections()
    edge.close()
  })
  const address = `http://localhost:${(edge.address() as AddressInfo).port}`
  class SessionBuilder {
    authtoken(given: string) {
      at.tokens.push(given)
      return this
    }
    handleDisconnection(handler: (address: string, error: string) => boolean) {
      at.disconnect = (error) => handler('connect.ngrok-agent.com:443', error)
      return this
    }
    handleStopCommand(handler: () => void) {
      at.stop = handler
      return this
    }
    async connect() {
      await at.waits
      if (at.refusal !== undefined) throw new Error(at.refusal)
      at.open++
      return {
        httpEndpoint: () => ({
          domain(name: string) {
            at.domains.push(name)
            return this
          },
          listenAndForward(where: string) {
            if (at.noDomain !== undefined) return Promise.reject(new Error(at.noDomain))
            to = where
            return Promise.resolve({ url: () => address })
          },
        }),
        close() {
          at.open--
          at.closed++
          return Promise.resolve()
        },
      }
    }
  }
  const module: NgrokModule = { SessionBuilder }
  const provider = ngrok({
    token: () => Promise.resolve(token),
    domain: null,
    load: () => Promise.resolve(module),
    ...more,
  })
  return { at, provider, address }
}

async function startOrigin() {
  const probes = createReachabilityProbes()
  const server = http.createServer((request, response) =>
    response.end(probes.answerTo(request.url!.slice('/probe/'.length)) ?? 'read me'),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, probes }
}

test('it leads from the address that ngrok gives to the port, until it is closed', async () => {
  const { at, provider, address } = await play()
  const { port } = await startOrigin()
  await provider.preflight()
  const session = await provider.open(port, never)
  expect(session).toMatchObject({ address, stable: false })
  expect(at).toMatchObject({ tokens: [token], domains: [], open: 1 })
  expect(await (await fetch(address)).text()).toBe('read me')
  await session.check(never)
  await session.close()
  expect(at.open).toBe(0)
  expect(await session.ended).toBe(null)
})

test('a reserved domain is asked for, and is there the next time', async () => {
  const { at, provider } = await play({ domain: ' https://Galley.ngrok.app/ ' })
  const session = await provider.open(1, never)
  expect(session.stable).toBe(true)
  expect(at.domains).toEqual(['galley.ngrok.app'])
})

test.each(['galley', 'http://galley.ngrok.app', 'galley.ngrok.app:8080', 'a b', 'galley.ngrok.app/x'])(
  '“%s” is no reserved domain',
  async (domain) => {
    expect(() => readDomain(domain)).toThrow(TunnelFailure)
    const { provider, at } = await play({ domain })
    await expect(provider.preflight()).rejects.toMatchObject({ reason: 'not set up', final: true })
    expect(at.tokens).toEqual([])
  },
)

test('without a token nothing is asked of ngrok', async () => {
  const { provider, at } = await play({ token: () => Promise.resolve(' ') })
  await expect(provider.preflight()).rejects.toMatchObject({ reason: 'not set up', final: true })
  await expect(provider.open(1, never)).rejects.toMatchObject({ reason: 'not set up' })
  expect(at.tokens).toEqual([])
})

const session = 'failed to connect session: authentication failed: '
test.each([
  [
    `${session}The authtoken you specified is properly formed, but it is invalid.\nYour authtoken: ${token}\n\nERR_NGROK_107 error_code: ERR_NGROK_107`,
    'sign-in rejected',
    true,
  ],
  [`${session}The account has been suspended. error_code: ERR_NGROK_103`, 'sign-in rejected', true],
  [
    `${session}Your account is limited to 1 simultaneous ngrok agent sessions. error_code: ERR_NGROK_108`,
    'rate limited',
    false,
  ],
  ['failed to connect session: failed to establish tcp connection', 'offline', false],
  ['failed to connect session: tls handshake error', 'network blocked', false],
])('%s is told as %s', async (refusal, reason, final) => {
  const { at, provider } = await play()
  at.refusal = refusal
  const failure = (await provider.open(1, never).catch((error: unknown) => error)) as TunnelFailure
  expect(failure).toMatchObject({ name: 'TunnelFailure', reason, final })
  expect(failure.message).not.toContain(token)
  expect(failure.cause).toBeUndefined()
  expect(at.open).toBe(0)
})

test.each([
  ['The endpoint is already online. error_code: ERR_NGROK_334', 'port taken', false],
  ['This domain is reserved for another account. error_code: ERR_NGROK_320', 'not set up', true],
])('%s is told as %s, and the session is closed', async (noDomain, reason, final) => {
  const { at, provider } = await play({ domain: 'galley.ngrok.app' })
  at.noDomain = noDomain
  await expect(provider.open(1, never)).rejects.toMatchObject({ reason, final })
  await vi.waitFor(() => expect(at.closed).toBe(1))
})

test('what it connects to after nobody waits any more is closed', async () => {
  const { at, provider } = await play()
  const { promise, resolve } = Promise.withResolvers<void>()
  at.waits = promise
  const stop = new AbortController()
  const opening = expect(provider.open(1, stop.signal)).rejects.toMatchObject({ reason: 'other side silent' })
  await vi.waitFor(() => expect(at.tokens).toEqual([token]))
  stop.abort()
  await opening
  resolve()
  await vi.waitFor(() => expect(at.closed).toBe(1))
  expect(at.open).toBe(0)
})

test('nothing is opened for somebody who has stopped waiting', async () => {
  const { at, provider } = await play()
  await expect(provider.open(1, AbortSignal.abort())).rejects.toMatchObject({ reason: 'other side silent' })
  expect(at.tokens).toEqual([])
})

test('a lost connection ends the session, without ngrok throwing where nobody can catch', async () => {
  const { at, provider } = await play()
  const session = await provider.open(1, never)
  expect(at.disconnect(`connection reset, token ${token}`)).toBe(true)
  const why = await session.ended
  expect(why).toMatchObject({ reason: 'other side silent', final: false })
  expect(why!.message).not.toContain(token)
  await session.close()
})

test('one that is stopped in ngrok’s dashboard stays stopped', async () => {
  const { at, provider } = await play()
  const session = await provider.open(1, never)
  at.stop()
  expect(await session.ended).toMatchObject({ reason: 'process ended', final: true })
  await session.close()
})

test('a tunnel is online by it, comes back after a loss, and leaves no session open', async () => {
  const { at, provider } = await play()
  const { port, probes } = await startOrigin()
  const states: string[] = []
  const tunnel = createTunnel({
    provider,
    port,
    probe: probes.send,
    onAddress: () => undefined,
    onState: ({ state }) => void states.push(state),
    random: () => 0,
  })
  onTestFinished(() => tunnel.stop())
  tunnel.start()
  await vi.waitFor(() => expect(tunnel.state.state).toBe('online'), { timeout: 20_000 })
  at.disconnect('gone')
  await vi.waitFor(() => expect(states).toContain('reconnecting'), { timeout: 20_000 })
  await vi.waitFor(() => expect(tunnel.state.state).toBe('online'), { timeout: 20_000 })
  expect(at.open).toBe(1)
  await tunnel.stop()
  expect(at.open).toBe(0)
})

test('a machine without the native part is told so', async () => {
  vi.doMock('@ngrok/ngrok', () => {
    throw new Error('Cannot find native binding')
  })
  onTestFinished(() => void vi.doUnmock('@ngrok/ngrok'))
  const { provider } = await play({ load: undefined as never })
  await expect(provider.open(1, never)).rejects.toMatchObject({ reason: 'not installed', final: true })
})

const name: string = '@ngrok/ngrok'
const real = (await import(name).catch(() => undefined)) as { default: NgrokModule } | undefined
if (!real) console.warn('Skipped: @ngrok/ngrok isn’t installed here, so it isn’t compared with its fake.')

test.skipIf(!real)('the real package is what is used of it', async () => {
  const builder = new real!.default.SessionBuilder()
  builder.authtoken(token)
  builder.handleDisconnection(() => true)
  builder.handleStopCommand(() => undefined)
  // Without a way to ngrok, as on a machine that is offline: a port of this one where nobody listens.
  ;(builder as unknown as { serverAddr(address: string): void }).serverAddr('127.0.0.1:1')
  await expect(builder.connect()).rejects.toThrow('failed to establish tcp connection')
})
