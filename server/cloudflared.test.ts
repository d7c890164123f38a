import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGalley, type GalleyConfig } from './app.ts'
import type { CloudflaredProgram } from './contract/cloudflared.ts'
import { limits } from './contract/limits.ts'
import { chosenProgram } from './chosen-program.ts'
import type { TunnelStatus } from './contract/tunnel.ts'
import { testFolder } from './store/testing/store.ts'
import { unknownId } from './testing/galley.ts'
import { expectNothingOfTheOwners } from './testing/outside.ts'
import { release, type Release } from './tunnel/cloudflared/release.ts'
import { createTestCloudflared, isAlive } from './tunnel/cloudflared/testing/cloudflared.ts'
import { unset, writeTunnelChoice } from './tunnel/settings.ts'

const token = Buffer.from('{"a":"account","t":"tunnel","s":"a secret"}').toString('base64')
const until = { timeout: 30_000, interval: 50 }

async function start(more: Partial<GalleyConfig> = {}) {
  const dataFolder = testFolder()
  const galley = await createGalley({
    dataFolder,
    port: 0,
    sharePort: 0,
    logLevel: 'silent',
    cloudflared: { ...release, downloads: {} },
    ...more,
  })
  onTestFinished(() => galley.close())
  const session = galley.createSession()
  const headers = { cookie: `${session.name}=${session.value}`, 'content-type': 'application/json' }
  const send = (method: string, url: string, json?: unknown) =>
    fetch(galley.url + url, {
      method,
      headers,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
  const call = async <T>(method: string, url: string, json?: unknown): Promise<T> => {
    const { data, error } = (await (await send(method, url, json)).json()) as { data: T; error: unknown }
    if (error) throw new Error(JSON.stringify(error))
    return data
  }
  const status = () => call<TunnelStatus>('GET', '/api/tunnel')
  const reaches = (state: TunnelStatus['state']) =>
    vi.waitFor(async () => expect((await status()).state).toBe(state), until)
  return { galley, dataFolder, headers, send, call, status, reaches }
}

/** As the owner does on this machine. */
const choose = ({ dataFolder }: { dataFolder: string }, file: string) =>
  chosenProgram(path.join(dataFolder, 'cloudflared-program')).choose(file)

/** What people elsewhere would use, set up for a named tunnel at the fake's public side. */
const named = (fake: { address: string }) => ({
  on: true,
  provider: 'cloudflared',
  cloudflared: { named: true, public_address: fake.address },
  secrets: { 'cloudflared-token': token },
})

/** A temporary link, with the fake's public side where Cloudflare's DNS would lead this process. */
function temporary(fake: { address: string }) {
  const asked = fetch
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    asked(url.replace(/^https:\/\/[a-z0-9-]+\.trycloudflare\.com(?=\/)/, fake.address), init),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  return { on: true, provider: 'cloudflared', cloudflared: { named: false } }
}

test.each([
  { kind: 'a tunnel of the owner’s', setup: named, everyPair: true },
  // What stands behind it is the same listener, so here each credential and each lie is tried once.
  { kind: 'a temporary link', setup: temporary, everyPair: false },
])(
  'share links open through $kind and nothing of the owner’s, whatever a request says of itself',
  { timeout: 240_000 },
  async ({ setup, everyPair }) => {
    const fake = await createTestCloudflared(testFolder())
    const at = await start()
    choose(at, fake.file)
    await at.call('PATCH', '/api/tunnel', setup(fake))
    await at.reaches('online')
    const { share_url: address } = await at.status()
    expect(address).toBe(setup === named ? fake.address : 'https://made-up-words-1.trycloudflare.com')

    const newDocument = (title: string, content: string) =>
      at.call<{ id: string }>('POST', '/api/documents', { title, content })
    const shared = await newDocument('Proof', 'Read me.')
    const hidden = await newDocument('Diary of nobody', 'Words for nobody else.')
    const link = await at.call<{ token: string }>('POST', `/api/documents/${shared.id}/share`, {
      permission: 'edit',
    })
    const own = await at.call<{ token: string }>('POST', `/api/documents/${hidden.id}/share`, {})
    const { key } = await at.call<{ key: string }>('POST', '/api/keys', { name: 'Everything' })
    const opened = await fetch(`${fake.address}/api/documents/${shared.id}?share_token=${link.token}`)
    expect(await opened.text()).toContain('Read me.')

    const { cookie } = at.headers
    const credentials = {
      nothing: {},
      'the session': { cookie },
      'an API key': { authorization: `Bearer ${key}` },
      'another document’s link': { 'x-share-token': link.token, authorization: `Bearer ${link.token}` },
      'all of them': { cookie, authorization: `Bearer ${key}`, 'x-share-token': link.token },
    }
    // They are worth something where they belong.
    for (const headers of [credentials['the session'], credentials['an API key']])
      expect((await fetch(`${at.galley.url}/api/documents`, { headers })).status).toBe(200)
    await expectNothingOfTheOwners(fake.address, at.galley, {
      credentials,
      words: ['Diary of nobody', 'Words for nobody else', own.token, key, token],
      documentId: hidden.id,
      everyPair,
    })
  },
)

test('the token is kept apart and told nowhere', async () => {
  const lines: string[] = []
  const fake = await createTestCloudflared(testFolder(), { mode: 'unauthorized' })
  const at = await start({
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  })
  choose(at, fake.file)
  await at.call('PATCH', '/api/tunnel', named(fake))
  await at.reaches('failed')
  const status = await at.status()
  expect(status).toMatchObject({ reason: 'sign-in rejected', secrets: ['cloudflared-token'] })
  expect(fake.runs()[0]!.token).toBe(token)
  expect(lines.length).toBeGreaterThan(0)
  expect(JSON.stringify(status) + JSON.stringify(fake.runs()[0]!.argv) + lines.join('')).not.toContain(token)
  for (const name of readdirSync(at.dataFolder).filter((file) => file.endsWith('.json')))
    if (name !== 'secrets.json')
      expect(readFileSync(path.join(at.dataFolder, name), 'utf8')).not.toContain(token)
  expect(statSync(path.join(at.dataFolder, 'secrets.json')).mode & 0o077).toBe(0)
})

test('what a temporary link takes is asked for, and nothing is started without it', async () => {
  vi.stubEnv('PATH', '/nonexistent')
  onTestFinished(() => void vi.unstubAllEnvs())
  const at = await start()
  await at.call('PATCH', '/api/tunnel', { on: true, provider: 'cloudflared' })
  await at.reaches('failed')
  expect(await at.status()).toMatchObject({ reason: 'not installed', public_address: null })
  expect((await at.send('PATCH', '/api/tunnel', { cloudflared: { named: true } })).status).toBe(400)
})

/** A release of the vendor's, on this machine. */
async function publish(content: Buffer): Promise<Release> {
  const server = http.createServer((_request, response) => response.end(content))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const download = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cloudflared`,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    programSha256: null,
  }
  return { ...release, downloads: { [`${process.platform}-${process.arch}`]: download } }
}

test('it is downloaded only once agreed to, runs from then on, and isn’t started once it was changed', async () => {
  vi.stubEnv('PATH', '/nonexistent')
  onTestFinished(() => void vi.unstubAllEnvs())
  const fake = await createTestCloudflared(testFolder())
  const at = await start({ cloudflared: await publish(readFileSync(fake.file)) })
  const look = () => at.call<CloudflaredProgram>('GET', '/api/tunnel/cloudflared')
  expect(await look()).toMatchObject({
    program: null,
    problem: expect.stringContaining('may download it') as unknown,
    download: { vendor: 'Cloudflare, Inc.', version: release.version },
    progress: null,
  })
  await at.call('PATCH', '/api/tunnel', named(fake))
  await at.reaches('failed')
  expect((await at.status()).reason).toBe('consent needed')

  for (const json of [{}, { agreed: false }])
    expect((await at.send('POST', '/api/tunnel/cloudflared', json)).status).toBe(400)
  expect((await look()).program).toBe(null)
  await at.call('POST', '/api/tunnel/cloudflared', { agreed: true })
  await vi.waitFor(async () => expect((await look()).program?.origin).toBe('downloaded'), until)
  const { file } = (await look()).program!
  expect(file.startsWith(at.dataFolder)).toBe(true)

  await at.call('PATCH', '/api/tunnel', { on: true })
  await at.reaches('online')
  const { pid } = fake.runs()[0]!
  await at.call('PATCH', '/api/tunnel', { on: false })
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), until)

  appendFileSync(file, '\n# A line more.\n')
  await at.call('PATCH', '/api/tunnel', { on: true })
  await at.reaches('failed')
  expect((await at.status()).reason).toBe('checksum mismatch')
  expect((await look()).problem).toContain('has changed')
  expect(fake.runs()).toHaveLength(1)
})

test('a download that fails is told', async () => {
  vi.stubEnv('PATH', '/nonexistent')
  onTestFinished(() => void vi.unstubAllEnvs())
  const published = await publish(Buffer.from('Something.'))
  const [name, download] = Object.entries(published.downloads)[0]!
  const at = await start({
    cloudflared: { ...published, downloads: { [name]: { ...download, sha256: '0'.repeat(64) } } },
  })
  await at.call('POST', '/api/tunnel/cloudflared', { agreed: true })
  await vi.waitFor(
    async () =>
      expect((await at.call<CloudflaredProgram>('GET', '/api/tunnel/cloudflared')).problem).toContain(
        'isn’t the cloudflared that Cloudflare published',
      ),
    until,
  )
})

test('visitors are counted by the address that Cloudflare saw, and can’t claim another', async () => {
  const fake = await createTestCloudflared(testFolder())
  const at = await start()
  choose(at, fake.file)
  await at.call('PATCH', '/api/tunnel', named(fake))
  await at.reaches('online')
  const guess = async (client: string, headers = {}, address = fake.address) => {
    fake.change({ client })
    return (await fetch(`${address}/api/documents/${unknownId}?share_token=${'0'.repeat(32)}`, { headers }))
      .status
  }
  let status = 0
  for (let i = 0; i <= limits.failedCredentialsPerMinute && status !== 429; i++)
    status = await guess('203.0.113.1')
  expect(status).toBe(429)
  expect(await guess('203.0.113.2')).toBe(401)
  for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { 'cf-connecting-ip': '203.0.113.9' }])
    expect(await guess('203.0.113.1', headers)).toBe(429)
  // Once it is off, the header means nothing.
  await at.call('PATCH', '/api/tunnel', { on: false })
  expect(await guess('', { 'x-forwarded-for': '203.0.113.1' }, at.galley.shareUrl)).toBe(401)
})

test('closing Galley ends it', async () => {
  const fake = await createTestCloudflared(testFolder())
  const at = await start()
  choose(at, fake.file)
  await at.call('PATCH', '/api/tunnel', named(fake))
  await at.reaches('online')
  await at.galley.close()
  expect(isAlive(fake.runs()[0]!.pid)).toBe(false)
})

test('no request says which program is started; what was chosen on this machine is', async () => {
  const [first, second] = [
    await createTestCloudflared(testFolder()),
    await createTestCloudflared(testFolder()),
  ]
  const at = await start()
  choose(at, first.file)
  const program = async () => (await at.status()).settings.cloudflared.program
  for (const cloudflared of [
    { program: second.file },
    { program: '' },
    { named: false, program: second.file },
  ])
    expect((await at.send('PATCH', '/api/tunnel', { cloudflared })).status).toBe(403)
  expect(await program()).toBe(first.file)
  await at.call('PATCH', '/api/tunnel', named(first))
  await at.reaches('online')
  expect(first.runs()).toHaveLength(1)
  // Another one takes its place as soon as the owner says so.
  choose(at, second.file)
  expect(await program()).toBe(second.file)
  await at.call('PATCH', '/api/tunnel', named(second))
  await vi.waitFor(() => expect(second.runs()).toHaveLength(1), until)
})

test('a program that an earlier Galley kept is still the one that is started', async () => {
  const fake = await createTestCloudflared(testFolder())
  const dataFolder = testFolder()
  const kept = { ...unset, settings: { ...unset.settings, cloudflared: { ...none, program: fake.file } } }
  writeTunnelChoice(path.join(dataFolder, 'tunnel.json'), kept)
  const at = await start({ dataFolder })
  await at.call('PATCH', '/api/tunnel', named(fake))
  await at.reaches('online')
  expect(fake.runs()).toHaveLength(1)
})

const none = unset.settings.cloudflared
