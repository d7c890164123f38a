import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createReachabilityProbes } from '../reachability-probe.ts'
import { TunnelFailure, type TunnelProvider } from '../provider.ts'
import { createTunnel, type TunnelState, type TunnelTimes } from '../tunnel.ts'
import { cloudflared, type CloudflaredOptions } from './cloudflared.ts'
import { createCopy } from './copy.ts'
import { findProgram } from './program.ts'
import { createTestCloudflared, isAlive, type TestSettings } from './testing/cloudflared.ts'

const token = Buffer.from('{"a":"account","t":"tunnel","s":"secret"}').toString('base64')
const never = new AbortController().signal
const until = { timeout: 30_000, interval: 20 }

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Setup {
  kind?: 'quick' | 'named'
  settings?: Partial<TestSettings>
  options?: Partial<CloudflaredOptions>
}

async function setUp({ kind = 'quick', settings, options }: Setup = {}) {
  const folder = newFolder()
  const fake = await createTestCloudflared(folder, settings)
  const lines: string[] = []
  const copy = createCopy({ folder: path.join(folder, 'fetched'), version: '2026.10.0', download: undefined })
  const provider = cloudflared({
    program: () => findProgram({ chosen: fake.file, copy, env: {} }),
    ...(kind === 'named' ? { named: { address: fake.address, token: () => Promise.resolve(token) } } : {}),
    onLog: (line) => void lines.push(line),
    ...options,
  })
  onTestFinished(async () => {
    await vi.waitFor(() => expect(fake.runs().filter(({ pid }) => isAlive(pid))).toEqual([]), until)
  })
  return { fake, provider, lines }
}

/** What stands behind the share listener's port. */
async function startOrigin() {
  const seen: http.IncomingMessage[] = []
  const probes = createReachabilityProbes()
  const server = http.createServer((request, response) => {
    seen.push(request)
    const answer = probes.answerTo(request.url!.slice('/probe/'.length))
    if (request.method === 'POST') return void request.pipe(response)
    response.end(answer ?? `path ${request.url}`)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) =>
    socket.on('message', (message) => socket.send(`back: ${(message as Buffer).toString()}`)),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen, probes }
}

async function open(provider: TunnelProvider, port: number, signal = never) {
  await provider.preflight()
  const session = await provider.open(port, signal)
  onTestFinished(() => session.close())
  return session
}

/** What opening it fails with. */
async function failing(provider: TunnelProvider, signal = never): Promise<TunnelFailure> {
  const failure = await (async () => {
    await provider.preflight()
    const session = await provider.open(1, signal)
    await session.close()
    return undefined
  })().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TunnelFailure)
  return failure as TunnelFailure
}

test('a temporary link leads to the port, for requests and live connections', async () => {
  const { fake, provider } = await setUp()
  const origin = await startOrigin()
  const session = await open(provider, origin.port)
  expect(session.address).toBe('https://made-up-words-1.trycloudflare.com')
  expect(session.stable).toBe(false)
  await session.check(never)

  const text = '\u0001'.repeat(300_000)
  const echo = await fetch(`${fake.address}/echo`, { method: 'POST', body: text })
  expect(await echo.text()).toBe(text)
  expect(await (await fetch(`${fake.address}/a/path?q=1`)).text()).toBe('path /a/path?q=1')
  expect(origin.seen.at(-1)!.headers).toMatchObject({
    host: new URL(session.address).host,
    'cf-connecting-ip': '203.0.113.7',
  })

  const socket = new WebSocket(fake.address.replace('http', 'ws'))
  const message = new Promise((resolve) => socket.on('message', (data: Buffer) => resolve(data.toString())))
  socket.on('open', () => socket.send('hello'))
  expect(await message).toBe('back: hello')
  socket.close()
})

test('a named tunnel leads from the address that the owner said, and gets its token by a file', async () => {
  const { fake, provider, lines } = await setUp({ kind: 'named' })
  const origin = await startOrigin()
  const session = await open(provider, origin.port)
  expect(session).toMatchObject({ address: fake.address, stable: true })
  expect(await (await fetch(`${fake.address}/x`)).text()).toBe('path /x')
  const [run] = fake.runs()
  expect(run!.token).toBe(token)
  expect(run!.argv.join(' ')).not.toContain(token)
  expect(JSON.stringify(run!.env)).not.toContain(token)
  expect(lines.join('\n')).not.toContain(token)
  // Read once, and then gone.
  expect(existsSync(run!.argv[run!.argv.indexOf('--token-file') + 1]!)).toBe(false)
})

test('it starts with settings of its own, doesn’t update itself, and knows nothing of our environment', async () => {
  vi.stubEnv('TUNNEL_URL', 'http://127.0.0.1:1')
  vi.stubEnv('TUNNEL_TOKEN', 'somebody else’s')
  vi.stubEnv('GALLEY_CLOUDFLARED_TOKEN', token)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { fake, provider } = await setUp()
  const origin = await startOrigin()
  await open(provider, origin.port)
  const [run] = fake.runs()
  expect(run!.argv).toEqual([
    'tunnel',
    '--config',
    expect.stringMatching(/galley-cloudflared-.*config\.yml$/),
    '--no-autoupdate',
    '--output',
    'json',
    '--metrics',
    '127.0.0.1:0',
    '--grace-period',
    '3s',
    '--protocol',
    'auto',
    '--url',
    `http://127.0.0.1:${origin.port}`,
  ])
  expect(
    Object.keys(run!.env).filter(
      (name) =>
        !['HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'PWD'].includes(name),
    ),
  ).toEqual([])
  expect(run!.home).toContain('galley-cloudflared-')
})

test('closing it ends the process and leaves nothing behind', async () => {
  const { fake, provider } = await setUp({ kind: 'named' })
  const session = await open(provider, 1)
  const { pid, home } = fake.runs()[0]!
  await session.close()
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(home!)).toBe(false)
  expect(await session.ended).toBe(null)
})

test('one that doesn’t end when asked is ended', async () => {
  const { fake, provider } = await setUp({ settings: { ignoresTerm: true }, options: { grace: 50 } })
  const session = await open(provider, 1)
  await session.close()
  expect(isAlive(fake.runs()[0]!.pid)).toBe(false)
})

test('one that is killed says so', async () => {
  const { fake, provider } = await setUp()
  const session = await open(provider, 1)
  process.kill(fake.runs()[0]!.pid, 'SIGKILL')
  expect(await session.ended).toMatchObject({ reason: 'process ended', final: false })
  await expect(session.check(never)).rejects.toThrow(TunnelFailure)
})

test.each(['SIGKILL', 'SIGTERM'] as const)('none outlives a server that ends by %s', async (signal) => {
  const fake = await createTestCloudflared(newFolder(), { ignoresTerm: true })
  const script = path.join(path.dirname(fake.file), 'server.ts')
  const module = new URL('./cloudflared.ts', import.meta.url)
  writeFileSync(
    script,
    `import { cloudflared } from ${JSON.stringify(module.href)}
process.on('SIGTERM', () => process.exit(0))
const program = { file: ${JSON.stringify(fake.file)}, version: '2026.10.0', origin: 'chosen' }
await cloudflared({ program: () => Promise.resolve(program) }).open(1, new AbortController().signal)
process.stdout.write('open')
setInterval(() => undefined, 1000)`,
  )
  const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => server.stdout.once('data', resolve))
  const { pid, home } = fake.runs()[0]!
  onTestFinished(() => rmSync(home!, { recursive: true, force: true }))
  expect(isAlive(pid)).toBe(true)
  server.kill(signal)
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), until)
})

test.each([
  ['quick', 'rate limited', 'rate limited', false, /no more temporary links.*says: .*error code: 1015/],
  ['quick', 'offline', 'offline', false, /Is this machine online/],
  ['quick', 'blocked', 'network blocked', false, /port 7844/],
  ['named', 'blocked', 'network blocked', false, /port 7844/],
  ['quick', 'panic', 'process ended', false, /has ended.*panic/],
  ['named', 'bad token', 'sign-in rejected', true, /refuses the token.*says: .*token is not valid/],
  ['named', 'unauthorized', 'sign-in rejected', true, /refuses the token/],
] as const)('%s: %s is told as %s', async (kind, mode, reason, final, message) => {
  const { provider, fake } = await setUp({ kind, settings: { mode } })
  const failure = await failing(provider)
  expect(failure).toMatchObject({ reason, final })
  expect(failure.message).toMatch(message)
  expect(failure.message).not.toContain(token)
  const { pid, home } = fake.runs()[0]!
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(home!)).toBe(false)
})

test('silence lasts as long as its caller waits, and then nothing runs any more', async () => {
  const { provider, fake } = await setUp({ settings: { mode: 'silent' } })
  const stop = new AbortController()
  const failure = failing(provider, stop.signal)
  await vi.waitFor(() => expect(fake.runs()).toHaveLength(1), until)
  stop.abort()
  expect(await failure).toMatchObject({ reason: 'other side silent', final: false })
  expect(isAlive(fake.runs()[0]!.pid)).toBe(false)
})

test('without a token, or with an address that is none, nothing is started', async () => {
  const { provider, fake } = await setUp({
    options: { named: { address: 'https://docs.example.org', token: () => Promise.resolve(undefined) } },
  })
  expect(await failing(provider)).toMatchObject({ reason: 'not set up', final: true })
  const other = await setUp({
    options: { named: { address: 'ftp://docs.example.org', token: () => Promise.resolve(token) } },
  })
  expect(await failing(other.provider)).toMatchObject({ reason: 'not set up', final: true })
  expect([...fake.runs(), ...other.fake.runs()]).toEqual([])
})

test('one that can’t be started leaves no folder behind', async () => {
  const folder = newFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const provider = cloudflared({
    program: () => Promise.resolve({ file: '/nowhere/cloudflared', version: '2026.10.0', origin: 'chosen' }),
  })
  expect(await failing(provider)).toMatchObject({ reason: 'not installed', final: true })
  expect(readdirSync(folder)).toEqual([])
})

/** The state machine on it, with probes that go in by the public side. */
function keepUp(
  { fake, provider }: Awaited<ReturnType<typeof setUp>>,
  origin: Awaited<ReturnType<typeof startOrigin>>,
  times: Partial<TunnelTimes> = {},
) {
  const seen: TunnelState[] = []
  const tunnel = createTunnel({
    provider,
    port: origin.port,
    // Names of trycloudflare.com lead nowhere here; what they stand for is the public side.
    probe: (_address, signal) => origin.probes.send(fake.address, signal),
    onAddress: () => undefined,
    onState: (state) => void seen.push(state),
    times: { watch: 50, again: 20, probe: 300, ...times },
    random: () => 0,
  })
  onTestFinished(() => tunnel.stop())
  tunnel.start()
  const reaches = (state: TunnelState['state']) =>
    vi.waitFor(() => expect(tunnel.state.state).toBe(state), until)
  return { tunnel, seen, reaches }
}

test.each([
  ['keeps its address', 'if it comes back', {}, 1],
  ['is made anew', 'if it doesn’t', { keep: 0 }, 2],
])('a connection that only looks well is noticed, and %s %s', async (_what, _when, times, addresses) => {
  const at = await setUp()
  const { seen, reaches, tunnel } = keepUp(at, await startOrigin(), times)
  await reaches('online')
  at.fake.change({ halfOpen: true })
  await vi.waitFor(
    () =>
      expect(seen).toContainEqual(
        expect.objectContaining({ state: 'reconnecting', reason: 'other side silent' }),
      ),
    until,
  )
  at.fake.change({ halfOpen: false })
  await reaches('online')
  const links = seen.flatMap((state) => (state.state === 'online' ? [state.address] : []))
  expect(new Set(links).size).toBe(addresses)
  await tunnel.stop()
})

test('after a crash a named tunnel comes back at the same address', async () => {
  const at = await setUp({ kind: 'named' })
  const { seen, reaches } = keepUp(at, await startOrigin())
  await reaches('online')
  process.kill(at.fake.runs()[0]!.pid, 'SIGKILL')
  await vi.waitFor(() => expect(at.fake.runs()).toHaveLength(2), until)
  await reaches('online')
  expect(seen).toContainEqual(expect.objectContaining({ state: 'reconnecting', reason: 'process ended' }))
  expect(seen.at(-1)).toMatchObject({ address: at.fake.address, stable: true })
})

test('one that is stopped while it opens leaves no process', async () => {
  const at = await setUp({ settings: { mode: 'silent' } })
  const { tunnel } = keepUp(at, await startOrigin())
  await vi.waitFor(() => expect(at.fake.runs()).toHaveLength(1), until)
  await tunnel.stop()
  expect(isAlive(at.fake.runs()[0]!.pid)).toBe(false)
})
