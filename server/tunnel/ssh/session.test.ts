import { spawn } from 'node:child_process'
import http from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SshSettings } from '../../contract/ssh.ts'
import type { Secrets } from '../../contract/secrets.ts'
import type { TunnelFailure, TunnelSession } from '../provider.ts'
import { createKey } from './key.ts'
import { openSession, type SshTimes } from './session.ts'
import { freePort, mayUnshare, sshdMissing, startSshd, type TestSshd } from './testing/sshd.ts'

if (sshdMissing) console.warn(`Skipped: ${sshdMissing} So the way through an SSH server isn’t tried.`)
const nowhere = { port: 1, onConnection: () => () => undefined }
const soon = () => AbortSignal.timeout(20_000)

/** A pair that is kept nowhere. */
async function newPair() {
  let privateKey = ''
  const set = (_name: string, value: string) => Promise.resolve(void (privateKey = value))
  const publicKey = await createKey({ set } as unknown as Secrets)
  return { privateKey, publicKey }
}

const unset: Omit<SshSettings, 'host' | 'port' | 'user'> = {
  host_key: null,
  bind_address: '127.0.0.1',
  bind_port: 4781,
  behind_proxy: false,
  public_address: 'http://localhost',
}

describe.skipIf(sshdMissing)('an SSH server', () => {
  let sshd: TestSshd
  let pair: Awaited<ReturnType<typeof newPair>>
  beforeAll(async () => {
    sshd = await startSshd()
    pair = await newPair()
  })
  afterAll(() => sshd.stop())

  /** Settings that are right, with a port on the server that is free. */
  async function settingsFor(change: Partial<SshSettings> = {}): Promise<SshSettings> {
    const settings = {
      ...unset,
      host: '127.0.0.1',
      port: sshd.port,
      user: sshd.user,
      host_key: sshd.fingerprint,
      bind_port: await freePort(),
    }
    sshd.authorize(pair.publicKey, settings)
    return { ...settings, ...change }
  }
  async function open(settings: SshSettings, port: number, times: Partial<SshTimes> = {}) {
    const session = await openSession(
      settings,
      pair.privateKey,
      { port, onConnection: () => () => undefined },
      soon(),
      times,
    )
    onTestFinished(() => session.close())
    return session
  }
  /** What answers here; its port. */
  async function serve(listener: http.RequestListener): Promise<number> {
    const server = http.createServer(listener)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void (server.closeAllConnections(), server.close()))
    return (server.address() as AddressInfo).port
  }
  const failure = async (settings: SshSettings, key = pair.privateKey) =>
    await openSession(settings, key, nowhere, soon(), { connect: 2_000 }).then(
      (session) => session.close().then(() => 'opened' as const),
      (error: TunnelFailure) => error,
    )

  test('brings what arrives at its port here, whole and both ways', async () => {
    const large = 'x'.repeat(1_500_000)
    const port = await serve((request, response) => {
      void text(request).then((body) => response.end(`${request.url} ${body.length} ${large}`))
    })
    const settings = await settingsFor()
    await open(settings, port)
    const at = `http://127.0.0.1:${settings.bind_port}`
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) =>
        (await fetch(`${at}/${n}`, { method: 'POST', body: large })).text(),
      ),
    )
    expect(answers.map((answer, n) => answer === `/${n} ${large.length} ${large}`)).toEqual(
      Array.from({ length: 8 }, () => true),
    )
  })

  test('a visitor who leaves leaves nothing behind', async () => {
    const seen = new Set<Socket>()
    const server = createServer((socket) => {
      seen.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => seen.delete(socket))
      socket.write('hello')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const settings = await settingsFor()
    await open(settings, (server.address() as AddressInfo).port)
    for (let i = 0; i < 20; i++) {
      const visitor = connect({ host: '127.0.0.1', port: settings.bind_port })
      await new Promise((resolve) => visitor.once('data', resolve))
      visitor.destroy()
    }
    await expect.poll(() => seen.size).toBe(0)
  })

  test('where nothing listens here, a visitor is turned away', async () => {
    const settings = await settingsFor()
    await open(settings, await freePort())
    await expect(fetch(`http://127.0.0.1:${settings.bind_port}`)).rejects.toThrow()
  })

  test('nobody is signed in before its key is confirmed, and its fingerprint is told', async () => {
    const before = sshd.log().length
    const settings = await settingsFor({ host_key: null })
    expect(await failure(settings)).toMatchObject({
      reason: 'consent needed',
      final: true,
      toConfirm: sshd.fingerprint,
      message: expect.stringContaining(sshd.fingerprint) as string,
    })
    expect(sshd.log().slice(before)).not.toContain('Accepted')
    expect(sshd.log().slice(before)).not.toContain('userauth-request')
  })

  test('another key than the confirmed one is told apart', async () => {
    const settings = await settingsFor({ host_key: `SHA256:${'A'.repeat(43)}` })
    expect(await failure(settings)).toMatchObject({
      reason: 'host key changed',
      final: true,
      toConfirm: sshd.fingerprint,
    })
  })

  test('a key of ours that isn’t let in is final', async () => {
    const settings = await settingsFor()
    const { privateKey } = await newPair()
    expect(await failure(settings, privateKey)).toMatchObject({
      reason: 'sign-in rejected',
      final: true,
      message: expect.stringContaining('authorized_keys') as string,
    })
  })

  test('a port that the line in authorized_keys doesn’t name is forbidden', async () => {
    const settings = await settingsFor()
    expect(await failure({ ...settings, bind_port: await freePort() })).toMatchObject({
      reason: 'port forbidden',
      final: true,
    })
  })

  test('so is every port where the server forwards none', async () => {
    const settings = await settingsFor()
    sshd.authorizeLine(`restrict ${pair.publicKey}`)
    expect(await failure(settings)).toMatchObject({ reason: 'port forbidden', final: true })
  })

  test('a port that is taken there is tried again', async () => {
    const settings = await settingsFor()
    const taken = createServer()
    await new Promise<void>((resolve) => void taken.listen(settings.bind_port, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    expect(await failure(settings)).toMatchObject({ reason: 'port taken', final: false })
  })

  test('the line in authorized_keys lets the key do nothing else', async () => {
    const settings = await settingsFor()
    const { default: ssh2 } = await import('ssh2')
    const client = new ssh2.Client()
    onTestFinished(() => void client.end())
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve).once('error', reject)
      const { host, port, user: username } = settings
      client.connect({ host, port, username, privateKey: pair.privateKey })
    })
    const asked = async (work: (done: (error?: Error) => void) => void) =>
      await new Promise<string>((resolve) => work((error) => resolve(error ? 'refused' : 'granted')))
    expect(await asked((done) => client.shell(done))).toBe('refused')
    expect(await asked((done) => client.sftp(done))).toBe('refused')
    // What is asked for isn't what runs.
    const ran = await new Promise<number>((resolve, reject) => {
      client.exec('exit 0', (error, channel) => {
        if (error) return reject(error)
        channel.on('exit', resolve).resume()
      })
    })
    expect(ran).not.toBe(0)
    expect(await asked((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', sshd.port, done))).toBe(
      'refused',
    )
    expect(await asked((done) => client.forwardIn('127.0.0.1', 0, done))).toBe('refused')
    expect(await asked((done) => client.forwardIn('0.0.0.0', settings.bind_port, done))).toBe('refused')
  })

  const ended = async (session: TunnelSession) => (await session.ended)?.reason ?? null

  test('that is killed ends the session, and takes another when it is back', async () => {
    const settings = await settingsFor()
    const session = await open(settings, 1)
    await sshd.kill()
    expect(await ended(session)).toBe('process ended')
    expect(await failure(settings)).toMatchObject({ reason: 'other side silent', final: false })
    await sshd.start()
    const port = await serve((_request, response) => response.end('back'))
    await open(settings, port)
    expect(await (await fetch(`http://127.0.0.1:${settings.bind_port}`)).text()).toBe('back')
  })

  test('that hangs counts as silent, and closing doesn’t wait for it', async () => {
    const settings = await settingsFor()
    const [watched, closed] = [
      await open(settings, 1, { keepalive: 200, goodbye: 100 }),
      await open({ ...(await settingsFor()) }, 1, { keepalive: 600_000, goodbye: 100 }),
    ]
    sshd.freeze()
    try {
      expect(await ended(watched)).toBe('other side silent')
      await closed.close()
      expect(await ended(closed)).toBeNull()
      expect(await failure(settings)).toMatchObject({ reason: 'other side silent' })
    } finally {
      sshd.thaw()
    }
  })

  test('closing frees the port at once', async () => {
    const settings = await settingsFor()
    for (let i = 0; i < 3; i++) {
      const session = await openSession(settings, pair.privateKey, nowhere, soon())
      await session.close()
      expect(await ended(session)).toBeNull()
      await session.close()
    }
  })

  test('is brought to send small packets at once, where it runs commands', async () => {
    const before = sshd.log().length
    const settings = await settingsFor()
    await open(settings, nowhere.port)
    // Of visitors' connections it says that, too; nobody has come yet.
    await expect.poll(() => sshd.log().slice(before)).toMatch(/setting TCP_NODELAY/)
  })

  test('that allows no command is as good', async () => {
    await sshd.kill()
    sshd.configure('MaxSessions 0')
    await sshd.start()
    onTestFinished(async () => {
      await sshd.kill()
      sshd.configure()
      await sshd.start()
    })
    const before = sshd.log().length
    const settings = await settingsFor()
    await open(settings, await serve((_request, response) => response.end('here')))
    await expect.poll(() => sshd.log().slice(before)).toMatch(/no more sessions/)
    expect(await (await fetch(`http://127.0.0.1:${settings.bind_port}`)).text()).toBe('here')
  })

  test('giving up doesn’t wait either', async () => {
    const settings = await settingsFor()
    await expect(openSession(settings, pair.privateKey, nowhere, AbortSignal.abort())).rejects.toMatchObject({
      final: false,
    })
  })
})

describe('what isn’t an SSH server', () => {
  const settings = { ...unset, host: '127.0.0.1', port: 1, user: 'galley' }
  const open = async (change: Partial<SshSettings>) => {
    const { privateKey } = await newPair()
    return openSession({ ...settings, ...change }, privateKey, nowhere, soon(), { connect: 1_000 })
  }
  async function listener(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      onConnection(socket)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return (server.address() as AddressInfo).port
  }

  test('nothing there', async () => {
    await expect(open({ port: await freePort() })).rejects.toMatchObject({ reason: 'other side silent' })
  })
  test('a name that there isn’t', async () => {
    await expect(open({ host: 'nowhere.invalid' })).rejects.toMatchObject({ reason: 'offline' })
  })
  test('something that says nothing', async () => {
    const port = await listener(() => undefined)
    await expect(open({ port })).rejects.toMatchObject({ reason: 'other side silent' })
  })
  test('something that speaks otherwise', async () => {
    const port = await listener((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await expect(open({ port })).rejects.toMatchObject({ final: false })
  })
  test('something that hangs up', async () => {
    const port = await listener((socket) => socket.destroy())
    await expect(open({ port })).rejects.toMatchObject({ reason: 'network blocked' })
  })
})

const missing = sshdMissing ?? (mayUnshare() ? undefined : 'a network of its own isn’t allowed here.')
if (missing)
  console.warn(`Skipped: ${missing} So packets that get lost, and people on other machines, aren’t tried.`)

/** What a script of these tests says, run in a network of its own. */
async function inOwnNetwork(script: string): Promise<string[]> {
  const file = path.join(import.meta.dirname, 'testing', script)
  const child = spawn('unshare', ['-n', process.execPath, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  return `${out}${error}`.trim().split('\n')
}

test.skipIf(missing)(
  'packets that get lost without a word are noticed, and closing doesn’t hang',
  async () => {
    expect(await inOwnNetwork('lost-packets.ts')).toEqual([
      'opened',
      'lost: other side silent',
      'closed',
      'new: network blocked',
    ])
  },
)

test.skipIf(missing)(
  'people come straight to the port as GatewayPorts says, and can’t claim another address',
  async () => {
    const known = await inOwnNetwork('gateway-ports.ts')
    const ipv6 = known.some((line) => line.includes('2001:db8::7'))
    if (!ipv6) console.warn('There is no IPv6 here, so it isn’t tried.')
    // All of them say that they are 198.51.100.9, which counts from a proxy on the server only.
    const expected = [
      'no, 0.0.0.0: 203.0.113.7 is ECONNREFUSED',
      'no, 0.0.0.0: 2001:db8::7 is ECONNREFUSED',
      'no, 0.0.0.0: 127.0.0.1 is 127.0.0.1',
      'clientspecified, 127.0.0.1: 203.0.113.7 is ECONNREFUSED',
      'clientspecified, 127.0.0.1: 2001:db8::7 is ECONNREFUSED',
      'clientspecified, 127.0.0.1: 127.0.0.1 is 198.51.100.9',
      'clientspecified, 0.0.0.0: 203.0.113.7 is 203.0.113.7',
      'clientspecified, 0.0.0.0: 2001:db8::7 is ECONNREFUSED',
      'clientspecified, 0.0.0.0: 127.0.0.1 is 127.0.0.1',
      'clientspecified, ::: 203.0.113.7 is ECONNREFUSED',
      'clientspecified, ::: 2001:db8::7 is 2001:db8::7',
      'clientspecified, ::: 127.0.0.1 is ECONNREFUSED',
      // Open to everybody, whatever was asked for.
      'yes, 127.0.0.1: 203.0.113.7 is 203.0.113.7',
      'yes, 127.0.0.1: 2001:db8::7 is 2001:db8::7',
      'yes, 127.0.0.1: 127.0.0.1 is 198.51.100.9',
    ]
    expect(known).toEqual(ipv6 ? expected : expected.filter((line) => !line.includes('::')))
  },
)
