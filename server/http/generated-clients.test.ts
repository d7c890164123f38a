// What generators make of the OpenAPI document: types and clients that compile strictly, and do the main job.
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { problemsOf } from '../testing/compiled.ts'
import { createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'

const root = path.resolve(import.meta.dirname, '../..')
let galley: TestGalley
/** Within the project, so that what is made finds its packages. */
let folder: string
let document: OpenAPI3
beforeAll(async () => {
  galley = await createTestGalley()
  const answer = await galley.apps.owner.inject({ url: '/api/openapi.json', headers: { host: hosts.owner } })
  document = answer.json()
  mkdirSync(path.join(root, 'out'), { recursive: true })
  folder = mkdtempSync(path.join(root, 'out', 'generated-'))
})
afterAll(async () => {
  await galley.close()
  rmSync(folder, { recursive: true, force: true })
})

const byOpenApiFetch = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

export async function mainJob(baseUrl: string, key: string, ask: typeof fetch): Promise<string> {
  const owner = createClient<paths>({ baseUrl, fetch: ask, headers: { authorization: \`Bearer \${key}\` } })
  const guest = createClient<paths>({ baseUrl, fetch: ask })
  const made = await owner.POST('/api/documents', { body: { title: 'Proof', content: 'A galley goes out.' } })
  if (!made.data) throw new Error(made.error.error.message)
  const path = { id: made.data.data.id }
  const link = await owner.POST('/api/documents/{id}/share', { params: { path }, body: { permission: 'edit' } })
  if (!link.data) throw new Error(link.error.error.message)
  const query = { share_token: link.data.data.token }
  const body = { original_text: 'goes out', suggested_text: 'is read', author_name: 'Ada' }
  const suggested = await guest.POST('/api/documents/{id}/suggestions', { params: { path, query }, body })
  if (!suggested.data) throw new Error(suggested.error.error.message)
  const empty = await guest.POST('/api/documents/{id}/comments', { params: { path, query }, body: { body: ' ' } })
  if (empty.error?.error.code !== 'VALIDATION_ERROR') throw new Error('an empty comment was taken')
  const pending = { path, query: { status: 'pending' as const } }
  const listed = await owner.GET('/api/documents/{id}/suggestions', { params: pending })
  const [one] = listed.data?.data ?? []
  if (one?.author_name !== 'Ada' || one.range === null) throw new Error('the suggestion isn’t listed')
  await owner.POST('/api/documents/{id}/suggestions/{suggestion_id}/accept', {
    params: { path: { ...path, suggestion_id: one.id } },
  })
  const read = await owner.GET('/api/documents/{id}', { params: { path } })
  return read.data?.data.content ?? ''
}
`
const byHeyApi = `
import { createClient } from './hey/client'
import * as api from './hey'

export async function mainJob(baseUrl: string, key: string, ask: typeof fetch): Promise<string> {
  const owner = createClient({ baseUrl, fetch: ask, headers: { authorization: \`Bearer \${key}\` } })
  const guest = createClient({ baseUrl, fetch: ask })
  const made = await api.createDocument({ client: owner, body: { title: 'Proof', content: 'A galley goes out.' } })
  if (!made.data) throw new Error(made.error.error.message)
  const path = { id: made.data.data.id }
  const link = await api.createShareLink({ client: owner, path, body: { permission: 'edit' }, throwOnError: true })
  const query = { share_token: link.data.data.token }
  const body = { original_text: 'goes out', suggested_text: 'is read', author_name: 'Ada' }
  await api.createSuggestion({ client: guest, path, query, body, throwOnError: true })
  const empty = await api.createComment({ client: guest, path, query, body: { body: ' ' } })
  if (empty.error?.error.code !== 'VALIDATION_ERROR') throw new Error('an empty comment was taken')
  const listed = await api.listSuggestions({ client: owner, path, query: { status: 'pending' }, throwOnError: true })
  const [one] = listed.data.data
  if (one?.author_name !== 'Ada' || one.range === null) throw new Error('the suggestion isn’t listed')
  await api.acceptSuggestion({ client: owner, path: { ...path, suggestion_id: one.id }, throwOnError: true })
  const read = await api.getDocument({ client: owner, path, throwOnError: true })
  return read.data.data.content
}
`

/** Asks the test's Galley, without a network. */
const ask: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const { pathname, search } = new URL(request.url)
  const payload = await request.text()
  const { statusCode, body, headers } = await galley.apps.owner.inject({
    method: request.method as 'GET',
    url: pathname + search,
    headers: { ...Object.fromEntries(request.headers), host: hosts.owner },
    ...(payload === '' ? {} : { payload }),
  })
  const type = headers['content-type']
  return new Response(body, { status: statusCode, headers: { 'content-type': String(type) } })
}

it.each([
  [
    'openapi-typescript',
    byOpenApiFetch,
    async () => {
      const nodes = await openapiTS(document)
      writeFileSync(path.join(folder, 'schema.ts'), astToString(nodes))
    },
  ],
  [
    'hey-api',
    byHeyApi,
    async () => {
      const input = path.join(folder, 'openapi.json')
      writeFileSync(input, JSON.stringify(document))
      await createClient({ input, output: path.join(folder, 'hey'), logs: { level: 'silent', file: false } })
    },
  ],
] as const)('a client made by %s compiles strictly, and does the main job', async (name, job, generate) => {
  await generate()
  const file = path.join(folder, `${name}.ts`)
  writeFileSync(file, job)
  expect(problemsOf(file)).toEqual([])
  const { mainJob } = (await import(file)) as {
    mainJob: (baseUrl: string, key: string, ask: typeof fetch) => Promise<string>
  }
  expect(await mainJob(`http://${hosts.owner}`, galley.as.owner.key, ask)).toBe('A galley is read.')
})
