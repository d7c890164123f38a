import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createApiClient, type ApiClient } from '../../api/client.ts'
import type { FileOrigin, FileProblem } from '../../../server/contract/desktop.ts'
import { Importer } from './importer.svelte.ts'
import { OpenedFiles } from './opened-files.ts'

/** Files that were opened, one after the other, against the product’s own server. */

const cli = path.resolve(import.meta.dirname, '../../../server/cli.ts')
let folder: string
let server: ChildProcess
let api: ApiClient

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'galley-opened-'))
  server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--share-port', '0', '--data', folder])
  let said = ''
  server.stdout!.on('data', (chunk) => (said += String(chunk)))
  const [, url, ticket] = await vi.waitFor(
    () => /(http:\S+)\/sign-in#(\w+)/.exec(said) ?? Promise.reject(new Error('Not ready')),
    { timeout: 15_000 },
  )
  const signedIn = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  api = createApiClient({
    base: url!,
    fetch: (to, init) => fetch(to, { ...init, headers: { ...init?.headers, cookie } }),
  })
})
afterAll(async () => {
  server.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

let origins: Map<string, FileOrigin>
let finished: (FileOrigin | null)[]
beforeEach(() => {
  origins = new Map()
  finished = []
})

type Files = Record<string, string | Uint8Array<ArrayBuffer>>

/** Opens files of these names and contents, as the desktop hands them over; `problem:` stands for one it can’t read. */
async function open(files: Files) {
  const names = Object.keys(files)
  const importer = new Importer(api)
  const opened = await new OpenedFiles(
    {
      take: () => Promise.resolve(names.map((name, id) => ({ id, name }))),
      read: (id) => {
        const name = names[id]!
        const content = files[name]!
        if (typeof content === 'string' && content.startsWith('problem:'))
          return Promise.resolve({ problem: content.slice(8) as FileProblem })
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
        return Promise.resolve({ bytes, origin: origins.get(name) ?? null })
      },
      finish: (id, origin) => {
        finished.push(origin)
        if (origin) origins.set(names[id]!, origin)
      },
    },
    api,
    importer,
  ).take()
  return { opened, problems: importer.problems }
}
const openOne = async (name: string, content: string) => (await open({ [name]: content })).opened[0]!
const count = async () => (await api.call('listDocuments', { query: { limit: 100 } })).length
const edit = (id: string, content: string) =>
  api.call('updateDocument', { params: { id }, body: { content } })

test('a file becomes a document', async () => {
  const { became, document } = await openOne('notes.md', '# Notes\r\n\r\none\r\n')
  expect(became).toBe('new')
  expect(document).toMatchObject({ title: 'Notes', content: '# Notes\r\n\r\none\r\n' })
})

test('opened again unchanged it is the document made of it, whatever has become of that', async () => {
  const { document } = await openOne('notes.md', 'one')
  await edit(document.id, 'one and more')
  const before = await count()
  const again = await openOne('notes.md', 'one')
  expect(again).toMatchObject({ became: 'known', document: { id: document.id, content: 'one and more' } })
  expect(await count()).toBe(before)
})

test('a changed file brings its document up to date, if that was left as it was', async () => {
  const { document } = await openOne('notes.md', 'one')
  const again = await openOne('notes.md', 'two')
  expect(again).toMatchObject({
    became: 'updated',
    before: document.revision,
    document: { id: document.id, content: 'two' },
  })
  const { content } = await api.call('getVersion', {
    params: { id: document.id, revision: document.revision },
  })
  expect(content).toBe('one')
  // It is known as it is now.
  expect((await openOne('notes.md', 'two')).became).toBe('known')
})

test('a title that was given to the document stays when its file changes', async () => {
  const { document } = await openOne('notes.md', '# One')
  await api.call('updateDocument', { params: { id: document.id }, body: { title: 'Mine' } })
  expect(await openOne('notes.md', '# Two')).toMatchObject({
    became: 'updated',
    document: { title: 'Mine', content: '# Two' },
  })
})

test('where both have changed the file becomes a second document, and nothing is lost', async () => {
  const { document } = await openOne('notes.md', 'one')
  await edit(document.id, 'mine')
  const again = await openOne('notes.md', 'theirs')
  expect(again).toMatchObject({ became: 'second', document: { content: 'theirs' } })
  expect(again.document.id).not.toBe(document.id)
  expect((await api.call('getDocument', { params: { id: document.id } })).content).toBe('mine')
  // From now on the file belongs to the second one.
  expect((await openOne('notes.md', 'theirs')).document.id).toBe(again.document.id)
})

test('a file that was changed to what its document says is known', async () => {
  const { document } = await openOne('notes.md', 'one')
  await edit(document.id, 'two')
  expect(await openOne('notes.md', 'two')).toMatchObject({ became: 'known', document: { id: document.id } })
})

test('when its document is gone a file is imported anew', async () => {
  const { document } = await openOne('notes.md', 'one')
  await api.call('deleteDocument', { params: { id: document.id } })
  const again = await openOne('notes.md', 'one')
  expect(again.became).toBe('new')
  expect(again.document.id).not.toBe(document.id)
})

test('each file that can’t be a document says why, and the others become theirs', async () => {
  const { opened, problems } = await open({
    'gone.md': 'problem:gone',
    'folder.md': 'problem:folder',
    'huge.md': 'problem:too-large',
    'secret.md': 'problem:forbidden',
    'pipe.md': 'problem:unreadable',
    'latin.md': new Uint8Array([0x23, 0xe4]),
    'utf16.md': new Uint8Array([0xff, 0xfe, 0x23, 0x00]),
    'binary.md': new Uint8Array([0x23, 0x00]),
    'bom.md': new Uint8Array([0xef, 0xbb, 0xbf, 0x23, 0x20, 0x41]),
    'Read me': 'anything',
  })
  expect(opened.map(({ name, document }) => [name, document.title, document.content])).toEqual([
    ['bom.md', 'A', '# A'],
    ['Read me', 'Read me', 'anything'],
  ])
  expect(Object.fromEntries(problems.map(({ path, reason }) => [path, reason]))).toEqual({
    'gone.md': 'It isn’t there any more.',
    'folder.md': 'It is a folder. Import it as one, or drop it on the window.',
    'huge.md': 'It is larger than a document may be (10 MiB).',
    'secret.md': 'Reading it isn’t allowed.',
    'pipe.md': 'It can’t be read.',
    'latin.md': 'It isn’t text in UTF-8.',
    'utf16.md': 'It is text in UTF-16. Save it as UTF-8, and try again.',
    'binary.md': 'It isn’t text.',
  })
  // Those are done with, too.
  expect(finished.filter((one) => one === null)).toHaveLength(8)
})
