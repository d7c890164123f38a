import Database from 'better-sqlite3'
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGalley } from './app.ts'
import type { Problem } from './contract/problems.ts'
import { run, runProcess, startServer, testFolder } from './testing/cli.ts'
import { canHaveSmallDisk, smallDisk } from './testing/small-disk.ts'
import { blockWrites } from './testing/blocked-writes.ts'

interface Answer {
  status: number
  code: string | null
  message: string
  retryAfter: string | null
  data: never
}

/** Calls the API of a server that runs in a process of its own. */
async function clientOf(url: string, folder: string, by: readonly string[] = []) {
  const key = (await runProcess(['key', 'create', '--name', 'test', '--data', folder], {}, by)).out.trim()
  const call = async (method: string, to: string, json?: unknown, token?: string): Promise<Answer> => {
    const response = await fetch(`${url}${to}${token ? `?share_token=${token}` : ''}`, {
      method,
      headers: {
        ...(token ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const { data, error } = (await response.json()) as { data: never; error: Record<string, string> | null }
    return {
      status: response.status,
      code: error?.['code'] ?? null,
      message: error?.['message'] ?? '',
      retryAfter: response.headers.get('retry-after'),
      data,
    }
  }
  const kinds = async () => ((await call('GET', '/api/problems')).data as Problem[]).map(({ kind }) => kind)
  return { call, kinds }
}

async function until(condition: () => Promise<boolean>) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 100))
}

test('a database that another program holds for long ends no server, and keeps nobody from reading', async () => {
  const folder = testFolder()
  const { child, url, ended } = await startServer(folder)
  const { call } = await clientOf(url, folder)
  const { id } = (await call('POST', '/api/documents', { title: 'T', content: 'needle' })).data as {
    id: string
  }
  const { token } = (await call('POST', `/api/documents/${id}/share`, {})).data as { token: string }
  const holder = new Database(path.join(folder, 'galley.db'))
  holder.exec('BEGIN IMMEDIATE')
  // Longer than SQLite would have waited, and than anything in the background waits before it tries.
  const refused = await call('PATCH', `/api/documents/${id}`, { content: 'lost?' })
  expect([refused.status, refused.code, refused.retryAfter]).toEqual([503, 'BUSY', '1'])
  expect((await call('GET', `/api/documents/${id}`, undefined, token)).data).toMatchObject({
    content: 'needle',
  })
  expect((await call('GET', `/api/documents/${id}/rendered`)).status).toBe(200)
  expect((await call('GET', '/api/documents?q=needle')).data).toHaveLength(1)
  expect((await fetch(`${url}/share/${token}`)).status).toBe(200)
  const waiting = call('PATCH', `/api/documents/${id}`, { content: 'kept' })
  expect((await call('GET', `/api/documents/${id}`)).data).toMatchObject({ content: 'needle' })
  holder.exec('ROLLBACK')
  holder.close()
  expect((await waiting).data).toMatchObject({ content: 'kept', revision: 2 })
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  await ended
  expect(child.exitCode).toBe(0)
})

test.skipIf(!canHaveSmallDisk)(
  'a full disk answers writes with 507, reading and sharing go on, and all resumes by itself',
  async () => {
    const disk = await smallDisk(12)
    const first = await startServer(disk.folder, [], { by: disk.command })
    const { call, kinds } = await clientOf(first.url, disk.folder, disk.command)
    const { id } = (await call('POST', '/api/documents', { content: 'needle' })).data as { id: string }
    const { token } = (await call('POST', `/api/documents/${id}/share`, { permission: 'edit' })).data as {
      token: string
    }
    // An index that isn't up to date gives the background something to write.
    await call('PATCH', `/api/documents/${id}`, { content: `needle ${'some more words '.repeat(3_000)}` })
    const ballast = path.join(disk.at, 'ballast')
    const { bavail, bsize } = statfsSync(disk.at)
    try {
      writeFileSync(ballast, Buffer.alloc(bavail * bsize + 1))
    } catch {
      // As much as there is room for is there.
    }
    const big = 'x'.repeat(1_000_000)
    const refused = await call('PATCH', `/api/documents/${id}`, { content: big })
    expect([refused.status, refused.code]).toEqual([507, 'STORAGE_FULL'])
    expect(refused.message).toMatch(/full/)
    const upload = await fetch(`${first.url}/api/documents/${id}/files?name=a.png&share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: big,
    })
    const { error } = (await upload.json()) as { error: { code: string } }
    expect([upload.status, error.code]).toEqual([507, 'STORAGE_FULL'])
    const stored = path.join(disk.at, 'files')
    expect(existsSync(stored) ? readdirSync(stored) : []).toEqual([])
    const stillReads = async () => {
      const read = await call('GET', `/api/documents/${id}`, undefined, token)
      expect(read.data).toMatchObject({ revision: 2 })
      expect((await call('GET', '/api/documents?q=needle')).data).toHaveLength(1)
      expect((await fetch(`${first.url}/share/${token}`)).status).toBe(200)
    }
    await stillReads()
    await until(async () => (await kinds()).includes('storage full'))
    await stillReads()
    expect(first.child.exitCode).toBeNull()

    rmSync(ballast)
    expect((await call('PATCH', `/api/documents/${id}`, { content: big })).status).toBe(200)
    await until(async () => (await kinds()).length === 0)
  },
  240_000,
)

test.skipIf(!canHaveSmallDisk)(
  'a start on a full disk after a crash says where Galley is, and how to sign in, once there is room',
  async () => {
    const disk = await smallDisk(12)
    const killed = await startServer(disk.folder, [], { by: disk.command })
    killed.child.kill('SIGKILL')
    await killed.ended
    const facts = path.join(disk.at, 'server.json')
    // It would leave just the room that the next one needs.
    rmSync(facts)
    const ballast = path.join(disk.at, 'ballast')
    const { bavail, bsize } = statfsSync(disk.at)
    try {
      writeFileSync(ballast, Buffer.alloc(bavail * bsize + 1))
    } catch {
      // As much as there is room for is there.
    }
    const { url, child, told, complained } = await startServer(disk.folder, [], { by: disk.command })
    expect(told()).not.toContain('Sign in')
    // What it says to its two outputs need not arrive in order.
    await expect.poll(complained).toContain('there is no sign-in link now')
    const signIn = () => runProcess(['sign-in', '--data', disk.folder], {}, disk.command)
    expect(await signIn()).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringMatching(/is in use.*full/) as string,
    })
    const second = await runProcess(['serve', '--port', '0', '--data', disk.folder], {}, disk.command)
    expect([second.code, second.error]).toEqual([1, expect.stringContaining('in use by another Galley')])

    rmSync(ballast)
    await expect
      .poll(told, { timeout: 60_000 })
      .toContain(`Sign in (once, within 15 minutes): ${url}/sign-in#`)
    const [, ticket] = /sign-in#(\w+)/.exec(told())!
    const signedIn = await fetch(`${url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
    })
    expect(signedIn.status).toBe(201)
    await expect.poll(() => existsSync(facts), { timeout: 60_000 }).toBe(true)
    expect(JSON.parse(readFileSync(facts, 'utf8'))).toMatchObject({ url })
    expect((await signIn()).out).toContain(`${url}/sign-in#`)
    child.kill('SIGTERM')
  },
  240_000,
)

test('a kill while a file comes in leaves nothing of it', async () => {
  const folder = testFolder()
  const killed = await startServer(folder)
  const { call } = await clientOf(killed.url, folder)
  const { id } = (await call('POST', '/api/documents', { content: 'A proof.' })).data as { id: string }
  const { token } = (await call('POST', `/api/documents/${id}/share`, { permission: 'edit' })).data as {
    token: string
  }
  const { port, host } = new URL(killed.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  const address = `/api/documents/${id}/files?name=a.png&share_token=${token}`
  socket.write(`POST ${address} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100000\r\n\r\nhalf of it`)
  const files = () => {
    const at = path.join(folder, 'files')
    return existsSync(at) ? readdirSync(at) : []
  }
  await expect.poll(() => files().length, { timeout: 20_000 }).toBe(1)
  killed.child.kill('SIGKILL')
  await killed.ended
  const { url, child, ended } = await startServer(folder)
  expect(files()).toEqual([])
  const after = await clientOf(url, folder)
  expect((await after.call('GET', `/api/documents/${id}/files`)).data).toEqual([])
  child.kill('SIGTERM')
  await ended
}, 240_000)

test('what a Galley that was killed wrote of itself is gone, also where nothing new can be written yet', async () => {
  const folder = testFolder()
  const facts = path.join(folder, 'server.json')
  const { ended, child } = await startServer(folder)
  child.kill('SIGKILL')
  await ended
  // Its process's number has been given to another one: this one, which is no Galley.
  const stale = { ...(JSON.parse(readFileSync(facts, 'utf8')) as object), pid: process.pid }
  writeFileSync(facts, JSON.stringify(stale))
  for (const command of [['sign-in'], ['tunnel', 'status']])
    expect(await run(...command, '--data', folder)).toEqual({
      code: 1,
      out: '',
      error: `galley: No Galley is running on ${folder}.\n`,
    })
  const unblock = blockWrites(facts)
  const galley = await createGalley({ dataFolder: folder, port: 0, sharePort: 0, logLevel: 'silent' })
  onTestFinished(() => galley.close())
  expect(existsSync(facts)).toBe(false)
  unblock()
  await expect.poll(() => existsSync(facts), { timeout: 60_000 }).toBe(true)
  expect(JSON.parse(readFileSync(facts, 'utf8'))).toMatchObject({ url: galley.url })
}, 120_000)

test('an error that nobody expected is logged and shown, and the server goes on', async () => {
  const folder = testFolder()
  const thrower = `data:text/javascript,process.on('SIGUSR2', () => { throw new TypeError('wo' + 'rds') })`
  const { child, url, complained } = await startServer(folder, [], {
    env: { NODE_OPTIONS: `--import "${thrower}"` },
  })
  const { call, kinds } = await clientOf(url, folder)
  expect(await kinds()).toEqual([])
  child.kill('SIGUSR2')
  await until(async () => (await kinds()).includes('unexpected error'))
  expect((await call('POST', '/api/documents', { content: 'goes on' })).status).toBe(201)
  expect(complained()).toMatch(/TypeError/)
  expect(complained()).not.toContain('words')
})
