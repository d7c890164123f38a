import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SecretFailure, type SecretName, type Secrets } from '../contract/secrets.ts'
import { testFolder } from '../store/testing/store.ts'
import { createInstallation } from './cloudflared/installation.ts'
import { release } from './cloudflared/release.ts'
import { createTunnelEndpoint } from './tunnel-endpoint.ts'
import { readTunnelChoice, unset, writeTunnelChoice } from './settings.ts'
import { createKey } from './ssh/key.ts'
import { blockWrites } from '../testing/blocked-writes.ts'

/** Secrets in memory, which may be locked. */
function memory() {
  const kept = new Map<SecretName, string>()
  const at = {
    kept,
    locked: false,
    asked: 0,
    /** Answers instead of what is kept, if set. */
    instead: undefined as (() => Promise<string | undefined>) | undefined,
  }
  const open = () => {
    at.asked++
    if (at.locked) throw new SecretFailure('locked', 'The keychain is locked. Unlock it and try again.')
  }
  const secrets: Secrets = {
    find: (name) => Promise.resolve().then(() => (open(), at.instead ? at.instead() : kept.get(name))),
    set: (name, value) => Promise.resolve().then(() => void (open(), kept.set(name, value))),
    remove: (name) => Promise.resolve().then(() => void (open(), kept.delete(name))),
  }
  return { at, secrets }
}

function run(file: string | null = null) {
  const { at, secrets } = memory()
  const way = createTunnelEndpoint({
    file,
    port: () => 1,
    localUrl: () => 'http://127.0.0.1:1',
    secrets,
    // No test asks the network for anything.
    cloudflared: createInstallation(path.join(testFolder(), 'cloudflared'), { ...release, downloads: {} }),
  })
  onTestFinished(() => way.close())
  return { way, at }
}
const ssh = { host: 'server.example.org', user: 'galley', public_address: 'galley.example.org' }

test('settings are kept as they are meant, each kind’s beside the others’', async () => {
  const { way } = run()
  await way.change({ url: { public_address: ' proxy.example.org ' } })
  const { settings, provider } = await way.change({ provider: 'ssh', ssh: { ...ssh, host: ' [fd00::1] ' } })
  expect(provider).toBe('ssh')
  expect(settings.url.public_address).toBe('https://proxy.example.org')
  expect(settings.ssh).toMatchObject({ host: 'fd00::1', public_address: 'https://galley.example.org' })
})

test.each([
  [{ host: 'me@server' }, /no server’s name/],
  [{ host: 'https://server' }, /no server’s name/],
  [{ host: 'server:22' }, /no server’s name/],
  [{ user: 'me myself' }, /no user’s name/],
  [{ bind_address: 'everywhere' }, /no address to listen on/],
  [{ public_address: 'https://galley.example.org/x' }, /host name of its own/],
])('%j is refused, and nothing changes', async (wrong, words) => {
  const { way } = run()
  await expect(way.change({ ssh: { ...ssh, ...wrong } })).rejects.toThrow(words)
  expect(way.status().settings).toEqual(unset.settings)
})

test.each([
  [{ host: '' }, /which SSH server/],
  [{ user: '' }, /as which user/],
  [{ public_address: '' }, /at which address/],
])('without %j it can’t be switched on', async (missing, words) => {
  const { way } = run()
  await expect(way.change({ on: true, provider: 'ssh', ssh: { ...ssh, ...missing } })).rejects.toThrow(words)
  expect(way.status().state).toBe('off')
})

test('without a key it says that there is none', async () => {
  const { way } = run()
  await way.change({ on: true, provider: 'ssh', ssh })
  await vi.waitFor(() => expect(way.status()).toMatchObject({ state: 'failed', reason: 'not set up' }))
  expect(way.status().message).toContain('no key yet')
})

test('a keychain that is locked is told, and not asked again by itself', async () => {
  const { way, at } = run()
  at.locked = true
  await way.change({ on: true, provider: 'ssh', ssh })
  await vi.waitFor(() =>
    expect(way.status()).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('locked') as string,
    }),
  )
  const { asked } = at
  way.status()
  way.wake()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(at.asked).toBe(asked)
  await expect(way.createSshKey()).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
    message: expect.stringContaining('locked') as string,
  })
  expect(way.status().ssh_public_key).toBeNull()
})

test('while a keychain waits for its person, it can be switched off and closed', async () => {
  const { way, at } = run()
  at.instead = () => new Promise(() => undefined)
  await way.change({ on: true, provider: 'ssh', ssh })
  await vi.waitFor(() => expect(at.asked).toBe(1))
  expect(await way.change({ on: false })).toMatchObject({ state: 'off' })
  await way.change({ on: true })
  await way.close()
  expect(way.status().state).toBe('off')
})

test('what is no key is told as that', async () => {
  const { way, at } = run()
  at.kept.set('ssh-key', 'nonsense')
  await way.change({ on: true, provider: 'ssh', ssh })
  await vi.waitFor(() =>
    expect(way.status()).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('is none') as string,
    }),
  )
})

test('secrets are kept apart, known by name only, and forgotten when told', async () => {
  const file = path.join(testFolder(), 'tunnel.json')
  const { way, at } = run(file)
  await way.change({ secrets: { 'ngrok-token': 'told-to-nobody' } })
  expect(way.status().secrets).toEqual(['ngrok-token'])
  expect(JSON.stringify(way.status())).not.toContain('told-to-nobody')
  expect(run(file).way.status().secrets).toEqual(['ngrok-token'])
  await way.change({ secrets: { 'ngrok-token': null } })
  expect(way.status().secrets).toEqual([])
  expect(at.kept.size).toBe(0)
})

test('a file that says “on” for what isn’t set up opens nothing', async () => {
  const file = path.join(testFolder(), 'tunnel.json')
  writeTunnelChoice(file, { ...unset, on: true, provider: 'ssh' })
  const { way, at } = run(file)
  at.kept.set('ssh-key', 'nonsense')
  await way.resume()
  await vi.waitFor(() => expect(way.status()).toMatchObject({ state: 'failed', reason: 'not set up' }))
  expect(way.status().message).toContain('which SSH server')
})

test('Cloudflare’s and ngrok’s settings are kept as they are meant, and what makes no sense is refused', async () => {
  const { way } = run()
  const { settings } = await way.change({
    cloudflared: { named: true, public_address: ' galley.example.org/ ' },
    ngrok: { domain: 'https://Galley.ngrok.app' },
  })
  expect(settings.cloudflared).toEqual({
    named: true,
    public_address: 'https://galley.example.org',
    program: '',
  })
  expect(settings.ngrok).toEqual({ domain: 'galley.ngrok.app' })
  for (const wrong of [
    { cloudflared: { public_address: 'https://galley.example.org/x' } },
    { ngrok: { domain: 'http://galley.ngrok.app' } },
    { on: true, provider: 'cloudflared' as const, cloudflared: { public_address: '' } },
  ])
    await expect(way.change(wrong)).rejects.toThrow()
  expect(way.status().settings).toEqual(settings)
})

/** An address that takes every question and answers none, so that each tunnel that asks has one open. */
async function silence() {
  const open = new Set<http.IncomingMessage>()
  const server = http.createServer((request) => {
    open.add(request)
    request.socket.on('close', () => open.delete(request))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { open, at: (host: string) => ({ url: { public_address: `http://${host}:${port}` } }) }
}

test('of two changes at once the last one counts, and none leaves a tunnel that can’t be switched off', async () => {
  const { way } = run()
  const { open, at } = await silence()
  await way.change({ on: true, ...at('localhost') })
  await vi.waitFor(() => expect(open.size).toBe(1))
  await Promise.all([way.change({ on: false }), way.change({ on: true, ...at('127.0.0.1') })])
  const hosts = () => [...open].map(({ headers }) => headers.host?.split(':')[0])
  await vi.waitFor(() => expect(hosts()).toEqual(['127.0.0.1']))
  await way.change({ on: false })
  await vi.waitFor(() => expect(open.size).toBe(0))
  expect(way.status().state).toBe('off')
})

test('what is changed while it closes begins nothing any more', async () => {
  const { way } = run()
  const { at } = await silence()
  const closed = way.close()
  await way.change({ on: true, ...at('127.0.0.1') })
  await closed
  expect(way.status().state).toBe('off')
})

test('switched off while the key is being read, it stays off', async () => {
  const { secrets } = memory()
  await createKey(secrets)
  const key = (await secrets.find('ssh-key'))!
  const file = path.join(testFolder(), 'tunnel.json')
  // Wherever the reading just is.
  for (let turns = 0; turns < 40; turns++) {
    const asked = Promise.withResolvers<string>()
    const { way, at } = run(file)
    at.instead = () => asked.promise
    await way.change({ on: true, provider: 'ssh', ssh })
    asked.resolve(key)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    await way.change({ on: false })
    await vi.waitFor(() => expect(way.status().ssh_public_key).toMatch(/^ssh-ed25519 /))
    expect(readTunnelChoice(file).on).toBe(false)
  }
})

test('where the choice can’t be written, nothing is switched on, but what is on can be switched off', async () => {
  const file = path.join(testFolder(), 'tunnel.json')
  const { way } = run(file)
  const { open, at } = await silence()
  const unblock = blockWrites(file)
  await expect(way.change({ on: true, ...at('127.0.0.1') })).rejects.toThrow('EISDIR')
  expect(way.status()).toMatchObject({ state: 'off', settings: unset.settings })

  unblock()
  await way.change({ on: true, ...at('127.0.0.1') })
  await vi.waitFor(() => expect(open.size).toBe(1))
  const unblockAgain = blockWrites(file)
  for (const _time of ['first', 'again']) {
    await expect(way.change({ on: false })).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('can’t write that down') as string,
    })
    expect(way.status().state).toBe('off')
  }
  await vi.waitFor(() => expect(open.size).toBe(0))
  unblockAgain()
  await way.change({ on: false })
  expect(readTunnelChoice(file).on).toBe(false)
})
