import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createGalley, type Galley, type GalleyConfig } from './app.ts'
import { run, runProcess, startServer, testFolder } from './testing/cli.ts'

const portOf = (url: string) => Number(new URL(url).port)

/** Another program on a port. */
async function holdPort(port = 0): Promise<Server> {
  const holder = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nothers'))
  await new Promise<void>((resolve, reject) => {
    holder.once('error', reject)
    holder.listen(port, '127.0.0.1', resolve)
  })
  onTestFinished(() => void holder.close())
  return holder
}
const release = (holder: Server) => new Promise((resolve) => holder.close(resolve))
/** Below those that systems give out by themselves, which other tests might get meanwhile. */
const freePort = async (): Promise<number> => {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  const holder = await holdPort(port).catch(() => null)
  if (!holder) return freePort()
  await release(holder)
  return port
}

async function start(dataFolder: string, config: Partial<GalleyConfig> = {}): Promise<Galley> {
  const galley = await createGalley({
    dataFolder,
    port: 0,
    lookForPortEvery: 50,
    log: pino({ level: 'silent' }),
    ...config,
  })
  onTestFinished(() => galley.close())
  return galley
}

/** As the owner, by a key of the command line's. */
async function asOwner(folder: string, galley: Galley) {
  const key = (await run('key', 'create', '--name', 'test', '--data', folder)).out.trim()
  return async (method: string, to: string, json?: unknown) => {
    const response = await fetch(`${galley.url}${to}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(json ? { 'content-type': 'application/json' } : {}) },
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
    return (await response.json()) as { data: never; error: { code: string; message: string } | null }
  }
}

/** A folder in which a link was made while the share port was `port`. */
async function linkedFolder(port: number) {
  const folder = testFolder()
  const galley = await start(folder, { sharePort: port })
  const call = await asOwner(folder, galley)
  const { id } = (await call('POST', '/api/documents', { content: 'shared' })).data as { id: string }
  const { token } = (await call('POST', `/api/documents/${id}/share`, {})).data as { token: string }
  await galley.close()
  return { folder, token }
}

test('once there is a link, its port is kept over restarts', async () => {
  const port = await freePort()
  const { folder, token } = await linkedFolder(port)
  const galley = await start(folder)
  expect(portOf(galley.shareUrl)).toBe(port)
  expect((await fetch(`${galley.shareUrl}/share/${token}`)).status).toBe(200)
  expect(galley.problems()).toEqual([])
})

test('without a link, a port that is taken is no matter', async () => {
  const port = await freePort()
  const folder = testFolder()
  await (await start(folder, { sharePort: port })).close()
  await holdPort(port)
  const galley = await start(folder)
  expect(portOf(galley.shareUrl)).not.toBe(port)
  expect(galley.problems()).toEqual([])
})

test('a port of links that another program has is waited for, and nothing else is taken by itself', async () => {
  const port = await freePort()
  const { folder, token } = await linkedFolder(port)
  const holder = await holdPort(port)
  const galley = await start(folder)
  const call = await asOwner(folder, galley)
  expect(portOf(galley.shareUrl)).toBe(port)
  expect((await call('GET', '/api/problems')).data).toMatchObject([
    { kind: 'share port taken', message: expect.stringContaining(String(port)) as string },
  ])
  // What has the port must not be shown to people elsewhere.
  const tunnel = { on: true, provider: 'url', url: { public_address: 'https://galley.example.org' } }
  expect((await call('PATCH', '/api/tunnel', tunnel)).data).toMatchObject({ state: 'off' })
  expect((await call('GET', '/api/documents')).data).toHaveLength(1)

  await release(holder)
  while (galley.problems().length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await fetch(`${galley.shareUrl}/share/${token}`)).status).toBe(200)
  expect((await call('GET', '/api/tunnel')).data).not.toMatchObject({ state: 'off' })
})

test('another port is taken on a person’s word, and kept from then on', async () => {
  const port = await freePort()
  const { folder, token } = await linkedFolder(port)
  await holdPort(port)
  const galley = await start(folder, { lookForPortEvery: 60_000 })
  const call = await asOwner(folder, galley)
  const refused = await call('POST', '/api/share-port', { port })
  expect([refused.error?.code, refused.error?.message]).toEqual([
    'VALIDATION_ERROR',
    expect.stringContaining('taken'),
  ])
  expect(galley.problems()).toHaveLength(1)
  const moved = (await call('POST', '/api/share-port', { port: 0 })).data as { port: number }
  expect(moved.port).not.toBe(port)
  expect(galley.problems()).toEqual([])
  expect(portOf(galley.shareUrl)).toBe(moved.port)
  expect((await fetch(`${galley.shareUrl}/share/${token}`)).status).toBe(200)
  expect((await call('POST', '/api/share-port', { port: 0 })).error?.code).toBe('VALIDATION_ERROR')
  const facts = JSON.parse(readFileSync(path.join(folder, 'server.json'), 'utf8')) as { shareUrl: string }
  expect(portOf(facts.shareUrl)).toBe(moved.port)
  await galley.close()
  expect(existsSync(path.join(folder, 'server.json'))).toBe(false)
  expect(portOf((await start(folder)).shareUrl)).toBe(moved.port)
})

test('the terminal says it too, and whether or not the port was asked for', async () => {
  const port = await freePort()
  const { folder, token } = await linkedFolder(port)
  const holder = await holdPort(port)
  for (const sharePort of [null, `${port}`]) {
    const { child, complained, ended } = await startServer(folder, [], { sharePort })
    await expect.poll(complained, { timeout: 60_000 }).toContain(`Another program has port ${port}`)
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    await ended
  }
  await startServer(folder, [], { sharePort: `${port}` })
  await release(holder)
  const status = () => fetch(`http://127.0.0.1:${port}/share/${token}`).then((it) => it.status, String)
  await expect.poll(status, { timeout: 60_000 }).toBe(200)
}, 120_000)

test('another port than that of the links is an error if it can’t be had', async () => {
  const { folder } = await linkedFolder(await freePort())
  const taken = await freePort()
  await holdPort(taken)
  const asked = await runProcess(['serve', '--port', '0', '--share-port', `${taken}`, '--data', folder])
  expect([asked.code, asked.error]).toEqual([1, expect.stringContaining(`Port ${taken} is taken`)])
}, 120_000)

test('another port than that of the links is taken where it is asked for, and what that means is said', async () => {
  const port = await freePort()
  const { folder } = await linkedFolder(port)
  const moved = await startServer(folder, [], { sharePort: '0' })
  await expect.poll(moved.complained, { timeout: 60_000 }).toContain(`share links were at port ${port}`)
  moved.child.kill('SIGTERM')
  await moved.ended
  expect((await start(folder)).sharePortBefore).toBeUndefined()
  const unlinked = testFolder()
  await (await start(unlinked, { sharePort: port })).close()
  expect((await start(unlinked, { sharePort: 0 })).sharePortBefore).toBeUndefined()
}, 120_000)
