// Others’ programs against a Galley that runs: the MCP inspector’s command line, the protocol’s conformance suite, and
// the client that orval makes of the OpenAPI document. They are installed beside the tests (build/interop.mjs).
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGalley, type Galley } from './app.ts'
import { problemsOf } from './testing/compiled.ts'
import { run } from './testing/cli.ts'

const root = path.resolve(import.meta.dirname, '..')
const interop = path.join(root, 'e2e', 'interop', 'node_modules')
const isInstalled = existsSync(path.join(interop, '.package-lock.json'))
if (!isInstalled)
  console.warn(
    'Skipped: the MCP inspector, its conformance suite and orval aren’t installed (“npm test” does).',
  )

const programs = {
  inspector: '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  conformance: '@modelcontextprotocol/conformance/dist/index.js',
  orval: 'orval/dist/bin/orval.mjs',
}

describe.skipIf(!isInstalled)('with others’ programs', () => {
  let folder: string
  let data: string
  let galley: Galley
  let key: string
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'galley-interop-'))
    data = path.join(folder, 'data')
    galley = await createGalley({ dataFolder: data, port: 0, sharePort: 0, logLevel: 'silent' })
    key = (await run('key', 'create', '--name', 'Interop', '--data', data)).out.trim()
  })
  afterAll(async () => {
    await galley.close()
    rmSync(folder, { recursive: true })
  })

  /** What they keep for themselves goes with the test. */
  const start = async (program: keyof typeof programs, args: string[], cwd = folder) => {
    const env = { ...process.env, HOME: folder, USERPROFILE: folder, NO_COLOR: '1' }
    const all = [path.join(interop, programs[program]), ...args]
    // How it ends is told by what it says.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, all, { cwd, env }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    )
    return { out: stdout, error: stderr }
  }

  describe.each([
    [
      'on standard input and output',
      () => [process.execPath, path.join(root, 'server/cli.ts'), 'mcp', '--data', data],
    ],
    [
      'by HTTP with a key',
      () => [`${galley.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
    ],
  ])('the inspector %s', (way, target) => {
    const ask = async (...args: string[]): Promise<unknown> => {
      const { out, error } = await start('inspector', ['--cli', ...target(), ...args])
      try {
        return JSON.parse(out)
      } catch {
        throw new Error(`${out}${error}`)
      }
    }

    test('lists the tools, and calls them', async () => {
      const { tools } = (await ask('--method', 'tools/list')) as { tools: { name: string }[] }
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['find', 'read', 'create', 'edit', 'suggest', 'request_review']),
      )
      const call = async (name: string, ...args: string[]) => {
        const pairs = args.flatMap((one) => ['--tool-arg', one])
        const said = await ask('--method', 'tools/call', '--tool-name', name, ...pairs)
        return (said as { content: { text: string }[] }).content.map(({ text }) => text).join('')
      }
      const [, id] = /\[([0-9a-f-]{36})\]/.exec(
        await call('create', `title=${way}`, 'content=A galley goes out.'),
      )!
      expect(await call('read', `document=${id!}`)).toContain('A galley goes out.')
    })
  })

  test('the conformance suite finds nothing wrong but that its own fixtures aren’t there', async () => {
    const proxy = await keyProxy(new URL(galley.url), key)
    const { port } = proxy.address() as AddressInfo
    try {
      const { out } = await start('conformance', ['server', '--url', `http://127.0.0.1:${port}/mcp`])
      const told = [...out.matchAll(/^([✓✗]) ([\w-]+): \d+ passed, (\d+) failed/gm)]
      const failed = told
        .filter(([, sign, , count]) => sign === '✗' || count !== '0')
        .map(([, , name]) => name!)
      expect(failed.sort()).toEqual(Object.keys(expectedToFail).sort())
      const passed = told.map(([, , name]) => name!).filter((name) => !failed.includes(name))
      expect(passed.sort()).toEqual([
        ...['dns-rebinding-protection', 'ping', 'prompts-list', 'resources-list', 'server-initialize'],
        ...['server-sse-multiple-streams', 'tools-list'],
      ])
    } finally {
      proxy.close()
      proxy.closeAllConnections()
    }
  })

  test('a client made by orval compiles strictly, and does the main job', async () => {
    mkdirSync(path.join(root, 'out'), { recursive: true })
    // Within the project, so that what is made finds its types.
    const made = mkdtempSync(path.join(root, 'out', 'orval-'))
    try {
      const answer = await fetch(`${galley.url}/api/openapi.json`)
      writeFileSync(path.join(made, 'openapi.json'), await answer.text())
      const config = path.join(made, 'orval.config.mjs')
      const output = { target: './galley.ts', client: 'fetch', mode: 'single', baseUrl: galley.url }
      writeFileSync(
        config,
        `export default ${JSON.stringify({ galley: { input: './openapi.json', output } })}`,
      )
      const { error } = await start('orval', ['--config', config], made)
      const job = path.join(made, 'job.ts')
      writeFileSync(job, byOrval)
      expect([problemsOf(job), error]).toEqual([[], ''])
      const { mainJob } = (await import(job)) as { mainJob: (key: string) => Promise<string> }
      expect(await mainJob(key)).toBe('A galley is read.')
    } finally {
      rmSync(made, { recursive: true })
    }
  })
})

/** The suite can send no key, so that something in between does. */
async function keyProxy({ hostname, port, host, origin }: URL, key: string): Promise<Server> {
  const server = createServer((asked, reply) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const headers = { ...asked.headers, authorization: `Bearer ${key}` }
    // A host or an origin that isn’t meant is to be refused by Galley.
    if (headers.host === own) headers.host = host
    if (headers.origin === `http://${own}`) headers.origin = origin
    const { method, url: at } = asked
    const onward = request({ hostname, port, method, path: at, headers }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const fixture = 'asks for a tool, a prompt or a resource of the suite’s own, by its name'
const unclaimed = 'Galley doesn’t say that it can do this, and needn’t'
/** Which scenarios fail, and why that is right. */
const expectedToFail = {
  'logging-set-level': unclaimed,
  'completion-complete': unclaimed,
  'tools-call-simple-text': fixture,
  'tools-call-image': fixture,
  'tools-call-audio': fixture,
  'tools-call-embedded-resource': fixture,
  'tools-call-mixed-content': fixture,
  'tools-call-with-logging': fixture,
  'tools-call-error': fixture,
  'tools-call-with-progress': fixture,
  'tools-call-sampling': fixture,
  'tools-call-elicitation': fixture,
  'elicitation-sep1034-defaults': fixture,
  'elicitation-sep1330-enums': fixture,
  'resources-read-text': fixture,
  'resources-read-binary': fixture,
  'resources-templates-read': fixture,
  'resources-subscribe': unclaimed,
  'resources-unsubscribe': unclaimed,
  'prompts-get-simple': fixture,
  'prompts-get-with-args': fixture,
  'prompts-get-embedded-resource': fixture,
  'prompts-get-with-image': fixture,
} satisfies Record<string, string>

const byOrval = `
import * as api from './galley.ts'

export async function mainJob(key: string): Promise<string> {
  const owner = { headers: { authorization: \`Bearer \${key}\` } }
  const made = await api.createDocument({ title: 'Proof', content: 'A galley goes out.' }, owner)
  if (made.status !== 201) throw new Error(made.data.error.message)
  const { id } = made.data.data
  const link = await api.createShareLink(id, { permission: 'edit' }, owner)
  if (link.status !== 201) throw new Error(link.data.error.message)
  const by = { share_token: link.data.data.token }
  const words = { original_text: 'goes out', suggested_text: 'is read', author_name: 'Ada' }
  const suggested = await api.createSuggestion(id, words, by)
  if (suggested.status !== 201) throw new Error(suggested.data.error.message)
  const empty = await api.createComment(id, { body: ' ' }, by)
  if (empty.status !== 400 || empty.data.error.code !== 'VALIDATION_ERROR') throw new Error('an empty comment was taken')
  const listed = await api.listSuggestions(id, { status: 'pending' }, owner)
  if (listed.status !== 200) throw new Error(listed.data.error.message)
  const [one] = listed.data.data
  if (one?.author_name !== 'Ada' || one.range === null) throw new Error('the suggestion isn’t listed')
  await api.acceptSuggestion(id, one.id, { edited_at: one.edited_at }, owner)
  const read = await api.getDocument(id, {}, owner)
  if (read.status !== 200) throw new Error('it can’t be read')
  return read.data.data.content
}
`
