import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { allRoutes } from './contract/routes.ts'
import type { TunnelStatus } from './contract/tunnel.ts'
import { createLogger } from './logger.ts'
import { testFolder } from './store/testing/store.ts'
import { run, runProcess, startServer } from './testing/cli.ts'
import { proxyMissing, startProxy } from './testing/proxies.ts'
import { ask, exhaust, expectLive, guess, opened, shared, start } from './testing/tunnelled-galley.ts'
import { freePort, sshdMissing, startSshd, type TestSshd } from './tunnel/ssh/testing/sshd.ts'

if (sshdMissing) console.warn(`Skipped: ${sshdMissing} So links aren’t opened through an SSH server.`)

describe.skipIf(sshdMissing)('through an SSH server', () => {
  let sshd: TestSshd
  beforeAll(async () => {
    sshd = await startSshd()
  })
  afterAll(() => sshd.stop())

  /** A Galley that has been let in at the server, and what it is set up with. */
  async function setUp(folder = testFolder(), config: Parameters<typeof start>[1] = {}) {
    const at = await start(folder, config)
    const bind_port = await freePort()
    const { public_key } = await at.call<{ public_key: string }>('POST', '/api/tunnel/ssh-key')
    sshd.authorize(public_key, { bind_address: '127.0.0.1', bind_port })
    const address = `http://localhost:${bind_port}`
    const ssh = {
      host: '127.0.0.1',
      port: sshd.port,
      user: sshd.user,
      bind_port,
      behind_proxy: false,
      public_address: address,
    }
    const change = (body: object) => at.call<TunnelStatus>('PATCH', '/api/tunnel', body)
    const online = async (more: object = {}) => {
      await change({ on: true, provider: 'ssh', ssh: { ...ssh, host_key: sshd.fingerprint, ...more } })
      await at.reaches('online')
    }
    return { ...at, folder, ssh, address, public_key, change, online }
  }

  test('links open once a person has confirmed the server, and not before', async () => {
    const at = await setUp()
    const link = `${at.address}${await shared(at)}`
    await at.change({ on: true, provider: 'ssh', ssh: at.ssh })
    await at.reaches('failed')
    expect(await at.status()).toMatchObject({
      provider: 'ssh',
      reason: 'consent needed',
      to_confirm: sshd.fingerprint,
      share_url: at.galley.shareUrl,
    })
    await expect(opened(link)).rejects.toThrow()

    await at.change({ ssh: { host_key: sshd.fingerprint } })
    await at.reaches('online')
    expect(await at.status()).toMatchObject({ share_url: at.address, reason: null, to_confirm: null })
    expect(await opened(link)).toBe(200)

    await at.change({ on: false })
    expect((await at.status()).share_url).toBe(at.galley.shareUrl)
    await expect(opened(link)).rejects.toThrow()
  })

  test('a yes to one server is none to another', async () => {
    const at = await setUp()
    await at.change({ ssh: { ...at.ssh, host_key: sshd.fingerprint } })
    const moved = await at.change({ ssh: { host: 'elsewhere.example.org' } })
    expect(moved.settings.ssh).toMatchObject({ host: 'elsewhere.example.org', host_key: null })
  })

  test('the server is away and comes back, and with it the links', async () => {
    const at = await setUp()
    const link = `${at.address}${await shared(at)}`
    await at.online()
    await sshd.kill()
    await at.reaches('reconnecting')
    expect(await at.status()).toMatchObject({ share_url: at.galley.shareUrl, settings: { ssh: at.ssh } })
    await sshd.start()
    await at.reaches('online')
    expect(await opened(link)).toBe(200)
  })

  test('a new key lets the old one in no longer', async () => {
    const at = await setUp()
    await at.online()
    const { public_key } = await at.call<{ public_key: string }>('POST', '/api/tunnel/ssh-key')
    expect(public_key).not.toBe(at.public_key)
    await at.reaches('failed')
    expect(await at.status()).toMatchObject({ reason: 'sign-in rejected', ssh_public_key: public_key })
    sshd.authorize(public_key, { bind_address: '127.0.0.1', bind_port: at.ssh.bind_port })
    await at.change({ on: true })
    await at.reaches('online')
  })

  test('the key is in the file of secrets, and nowhere else', async () => {
    const logged: string[] = []
    const log = createLogger(
      'trace',
      new Writable({ write: (chunk: Buffer, _encoding, done) => (logged.push(chunk.toString()), done()) }),
    )
    const at = await setUp(testFolder(), { log })
    await at.online()
    await sshd.kill()
    await at.reaches('reconnecting')
    await sshd.start()
    await at.change({ secrets: { 'ngrok-token': 'a-token-from-elsewhere' } })
    await at.reaches('online')

    const secrets = JSON.parse(readFileSync(path.join(at.folder, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >
    expect(statSync(path.join(at.folder, 'secrets.json')).mode & 0o077).toBe(0)
    expect(secrets['ngrok-token']).toBe('a-token-from-elsewhere')
    const parts = [
      ...secrets['ssh-key']!.split('\n').filter((line) => line.length > 40),
      'a-token-from-elsewhere',
    ]
    const clean = (text: string) => parts.filter((part) => text.includes(part))
    expect(clean(logged.join(''))).toEqual([])
    expect(await at.status()).toMatchObject({ secrets: ['ssh-key', 'ngrok-token'] })
    for (const url of ['/api/tunnel', '/api/status', '/api/me'])
      expect(clean(JSON.stringify(await at.call('GET', url)))).toEqual([])

    const backup = path.join(testFolder(), 'backup.db')
    const cli = path.join(import.meta.dirname, 'cli.ts')
    execFileSync(process.execPath, [cli, 'backup', backup, '--data', at.folder])
    const exported = path.join(testFolder(), 'out')
    execFileSync(process.execPath, [cli, 'export', exported, '--data', at.folder])
    const files = [at.folder, path.dirname(backup), exported].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    )
    expect(files.length).toBeGreaterThan(4)
    expect(files.filter((file) => clean(readFileSync(file, 'latin1')).length > 0)).toEqual([
      path.join(at.folder, 'secrets.json'),
    ])
  })

  test('nothing of the owner’s answers, whatever a request brings and says of itself', async () => {
    const at = await setUp()
    await at.online()
    const { id } = await at.call<{ id: string }>('POST', '/api/documents', {
      title: 'Kept',
      content: 'Private words.',
    })
    const { key } = await at.call<{ key: string }>('POST', '/api/keys', { name: 'Script' })
    const session = at.galley.createSession()
    const cookie = `${session.name}=${session.value}`
    const owner = new URL(at.galley.url).host
    const credentials: Record<string, string>[] = [{}, { cookie }, { authorization: `Bearer ${key}` }]
    // They hold where they are meant for.
    for (const credential of credentials.slice(1))
      expect((await ask(at.galley.url, 'GET', `/api/documents/${id}`, credential)).status).toBe(200)
    const claims: Record<string, string>[] = [
      {},
      { origin: at.galley.url, referer: `${at.galley.url}/`, 'sec-fetch-site': 'same-origin' },
      { 'x-forwarded-host': owner, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
      { forwarded: `for=127.0.0.1;host=${owner};proto=http`, 'x-real-ip': '127.0.0.1' },
    ]
    const pages = ['/', '/settings', '/docs', '/about', '/sign-in', '/licences.json', `/documents/${id}`]
    const urls = new Set([
      ...allRoutes.map(({ url }) => url.replace(/:\w+/g, id)),
      ...pages,
      '/api/owner/live',
    ])
    const isShared = (url: string) =>
      allRoutes.some(
        (route) =>
          (route.share || route.refusesLinks) &&
          new RegExp(`^${route.url.replace(/:\w+/g, '[^/]+')}$`).test(url),
      )
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
    onTestFinished(() => agent.destroy())
    const surprises: string[] = []
    let asked = 0
    for (const url of urls) {
      // 429: so many refused keys from one address that they aren't even looked at.
      const refusals = isShared(url) ? [401, 404, 405, 429] : [404, 405]
      const requests = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].flatMap((method) =>
        credentials.flatMap((credential) => claims.map((claim) => ({ method, ...credential, ...claim }))),
      )
      await Promise.all(
        requests.map(async ({ method, ...headers }) => {
          asked++
          const { status, text, headers: answered } = await ask(at.address, method, url, headers, { agent })
          const tells = /Private words|Kept|gally_/.test(text) || answered['set-cookie'] !== undefined
          if (!refusals.includes(status) || tells)
            surprises.push(`${method} ${url} ${JSON.stringify(headers)}: ${status}`)
        }),
      )
    }
    expect(surprises).toEqual([])
    expect(asked).toBeGreaterThan(1_000)

    // By the owner's name nobody answers here at all.
    for (const host of [owner, 'galley.example.org', `${new URL(at.address).host}.example.org`])
      for (const credential of credentials)
        expect((await ask(at.address, 'GET', `/api/documents/${id}`, { ...credential, host })).status).toBe(
          403,
        )
    expect((await at.call<unknown[]>('GET', '/api/documents')).length).toBe(1)
  })

  test('visitors are counted by their own address, which nobody else can claim', async () => {
    const at = await setUp()
    await at.online({ behind_proxy: true })
    expect(await exhaust(at.address, '203.0.113.1')).toBe(429)
    expect(await guess(at.address, '203.0.113.2')).toBe(404)
    // The proxy's own entry is the last; what came before it a visitor may have sent.
    expect(await guess(at.address, '203.0.113.3, 203.0.113.1')).toBe(429)
    expect(await guess(at.address, '203.0.113.1, 203.0.113.3')).toBe(404)
    // Past the tunnel the header means nothing.
    expect(await guess(at.galley.shareUrl, '203.0.113.1')).toBe(404)

    await at.change({ ssh: { behind_proxy: false } })
    await at.reaches('online')
    expect(await guess(at.address, '203.0.113.1')).toBe(404)
    expect(await exhaust(at.address, '203.0.113.4')).toBe(429)
    expect(await guess(at.address, '203.0.113.5')).toBe(429)
  })

  const caddyMissing = proxyMissing('caddy')
  if (caddyMissing) console.warn(`Skipped: ${caddyMissing} So it isn’t tried in front of an SSH server.`)

  test.skipIf(caddyMissing)('behind Caddy, visitors are counted by the address that Caddy saw', async () => {
    const at = await setUp()
    const public_address = await startProxy('caddy', '**A web server in front**', at.ssh.bind_port)
    await at.online({ behind_proxy: true, public_address })
    expect(await opened(`${public_address}${await shared(at)}`)).toBe(200)
    await expectLive(at, public_address)

    const [one, another] = [{ localAddress: '127.0.0.5' }, { localAddress: '127.0.0.6' }]
    expect(await exhaust(public_address, '203.0.113.1', one)).toBe(429)
    expect(await guess(public_address, '203.0.113.2', one)).toBe(429)
    expect(await guess(public_address, '127.0.0.5', another)).toBe(404)
  })

  test('live updates come through', async () => {
    const at = await setUp()
    await at.online()
    await expectLive(at, at.address)
  })

  test('without a window: the line for the server, its fingerprint, and whether links open', async () => {
    const folder = testFolder()
    const port = await freePort()
    const listen = ['--ssh-listen', String(port)]
    const { out: line } = await runProcess(['tunnel', 'ssh-key', ...listen, '--data', folder])
    expect(line).toMatch(
      new RegExp(`^restrict,.*permitlisten="127\\.0\\.0\\.1:${port}".* ssh-ed25519 \\S+ galley\n$`),
    )
    // The same one, as long as it is kept.
    expect((await runProcess(['tunnel', 'ssh-key', ...listen, '--data', folder])).out).toBe(line)
    sshd.authorizeLine(line.trim())

    const options = ['--tunnel', 'ssh', '--ssh-server', `${sshd.user}@127.0.0.1:${sshd.port}`, ...listen]
    options.push('--public-address', `http://localhost:${port}`)
    const status = () => run('tunnel', 'status', '--data', folder)
    const first = await startServer(folder, options)
    await expect.poll(async () => (await status()).out, { timeout: 20_000 }).toContain(sshd.fingerprint)
    expect((await status()).out).toMatch(/^failed, by ssh: \(consent needed\)/)
    expect((await status()).code).toBe(1)
    first.child.kill('SIGTERM')
    await first.ended

    const second = await startServer(folder, [...options, '--ssh-host-key', sshd.fingerprint])
    await expect
      .poll(async () => (await status()).out, { timeout: 20_000 })
      .toBe(`online by ssh: share links start with http://localhost:${port}/share/\n`)
    expect(await opened(`http://localhost:${port}/api/documents`)).toBe(404)
    second.child.kill('SIGTERM')
    await second.ended
    await expect(opened(`http://localhost:${port}/`)).rejects.toThrow()
  })
})
