import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createGalley, type Galley } from '../../app.ts'
import { run, runWith } from '../../testing/cli.ts'

// Everything is done both ways: on the data folder, beside the server that runs on it, and over HTTP with a key.
let folder: string
let server: Galley
let keys: { full: string; read: string }
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-doc-'))
  server = await createGalley({ dataFolder: folder, port: 0, sharePort: 0, logLevel: 'silent' })
  const key = async (...more: string[]) =>
    (await run('key', 'create', '--name', 'Test', ...more, '--data', folder)).out.trim()
  keys = { full: await key(), read: await key('--read') }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true })
})

type Typed = Parameters<typeof runWith>[0]
const ways = {
  'on the data folder': (typed: Typed, ...args: string[]) => runWith(typed, ...args, '--data', folder),
  'elsewhere, with a key': (typed: Typed, ...args: string[]) =>
    runWith({ ...typed, env: { GALLEY_URL: server.url, GALLEY_KEY: keys.full, ...typed.env } }, ...args),
}

describe.each(Object.entries(ways))('%s', (way, galley) => {
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await galley({}, ...args, '--json')).out)
  const make = async (title: string, content: string) => {
    const made = await galley({ input: content }, 'doc', 'new', '-', '--title', title)
    expect(made).toMatchObject({ code: 0, error: '' })
    return made.out.trim()
  }

  test('documents are listed, looked for and read as they are', async () => {
    const title = `Listed ${way}`
    const id = await make(title, '# One\r\n\r\nQuokkas, no last line end')
    const listed = await galley({}, 'doc', 'list')
    expect(listed.out.split('\n')[0]).toMatch(
      new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\dZ  ${title}$`),
    )
    expect(await json('doc', 'list', '--limit', '1')).toMatchObject([{ id, title }])
    expect(await json('doc', 'list', '--search', `quokkas ${way.split(' ')[0]}`)).toMatchObject([{ id }])

    for (const named of [id, id.slice(0, 8), title, `http://127.0.0.1:1/documents/${id}`])
      expect((await galley({}, 'doc', 'read', named)).out).toBe('# One\r\n\r\nQuokkas, no last line end')
    expect(await json('doc', 'read', id)).toMatchObject({ id, title, revision: 1 })
  })

  test('a terminal gets no control characters that somebody else wrote', async () => {
    const id = await make(`Escapes\u001b[2J ${way}`, 'a\u001b[31mb\r\nc')
    expect((await galley({ isRead: true }, 'doc', 'read', id)).out).toBe('a␛[31mb\nc\n')
    expect((await galley({}, 'doc', 'read', id)).out).toBe('a\u001b[31mb\r\nc')
    expect((await galley({}, 'doc', 'list', '--limit', '1')).out).not.toContain('\u001b')
  })

  test('what isn’t there is told with its own exit code', async () => {
    const missing = '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'
    for (const named of [missing, 'No such title']) {
      const { code, out, error } = await galley({}, 'doc', 'read', named)
      expect([code, out]).toEqual([3, ''])
      expect(error).toMatch(/^galley: There is no (such )?document.*“galley doc list”.*\n$/)
    }
    await make('Twice', 'a')
    await make('Twice', 'b')
    expect(await galley({}, 'doc', 'read', 'Twice')).toMatchObject({ code: 1 })
    expect(await galley({}, 'doc', 'list', '--limit', 'x')).toMatchObject({ code: 2 })
  })
})

describe('a Galley elsewhere', () => {
  const asked = (env: Record<string, string>, ...args: string[]) =>
    runWith({ env: { GALLEY_DATA: folder, ...env } }, ...args)

  test('is asked only with a key that is good', async () => {
    expect(await asked({ GALLEY_URL: server.url }, 'doc', 'list')).toMatchObject({
      code: 4,
      error: expect.stringContaining('galley key create') as string,
    })
    expect(await asked({ GALLEY_URL: server.url, GALLEY_KEY: 'gally_no' }, 'doc', 'list')).toMatchObject({
      code: 4,
      error: expect.stringContaining('GALLEY_KEY isn’t good') as string,
    })
  })

  test('that doesn’t answer, or isn’t one, is told from one that refuses', async () => {
    const env = { GALLEY_KEY: keys.full }
    expect(await asked({ ...env, GALLEY_URL: 'http://127.0.0.1:9' }, 'doc', 'list')).toMatchObject({
      code: 6,
    })
    const other = createServer((_request, response) => void response.end('<h1>Welcome</h1>'))
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const GALLEY_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await asked({ ...env, GALLEY_URL }, 'doc', 'list')).toMatchObject({ code: 6 })
    other.close()
    for (const GALLEY_URL of ['nonsense', 'ftp://a', 'http://me:secret@127.0.0.1'])
      expect(await asked({ ...env, GALLEY_URL }, 'doc', 'list')).toMatchObject({ code: 2 })
  })

  test('is the one that runs here where only a key is given, which may do no more than it may', async () => {
    const env = { GALLEY_KEY: keys.read }
    expect(await asked(env, 'doc', 'list', '--limit', '1')).toMatchObject({ code: 0 })
    expect(
      await runWith({ env: { ...env, GALLEY_DATA: folder }, input: 'a' }, 'doc', 'new', '-'),
    ).toMatchObject({
      code: 4,
    })
    expect(await asked(env, 'doc', 'list', '--user', 'Owner')).toMatchObject({ code: 2 })
  })
})
