import Database from 'better-sqlite3'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGalley } from './app.ts'
import type { Document } from './contract/records/documents.ts'
import type { Problem } from './contract/problems.ts'
import { damagePage } from './store/testing/damaged-page.ts'
import { run, testFolder } from './testing/cli.ts'

/** A data folder, and a Galley on it that is asked over HTTP. */
async function scene() {
  const folder = testFolder()
  const key = (await run('key', 'create', '--name', 'test', '--data', folder)).out.trim()
  const open = async () => {
    const galley = await createGalley({ dataFolder: folder, port: 0, sharePort: 0, logLevel: 'silent' })
    onTestFinished(() => galley.close())
    const call = async (method: string, to: string, json?: unknown) => {
      const response = await fetch(`${galley.url}${to}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(json ? { 'content-type': 'application/json' } : {}) },
        ...(json ? { body: JSON.stringify(json) } : {}),
      })
      return ((await response.json()) as { data: never }).data
    }
    return { galley, key, call, problems: async (): Promise<Problem[]> => call('GET', '/api/problems') }
  }
  return { folder, open }
}

test('that a document is damaged is said as soon as somebody reads it, until it is whole again', async () => {
  const { folder, open } = await scene()
  const first = await open()
  const { id } = (await first.call('POST', '/api/documents', { title: 'Secret', content: 'one' })) as Document
  await first.call('PATCH', `/api/documents/${id}`, { content: 'one two' })
  await first.galley.close()
  const db = new Database(path.join(folder, 'galley.db'))
  db.exec(
    "UPDATE keyframes SET content = 'one tow' WHERE revision = 2; DELETE FROM changes WHERE revision = 2",
  )
  db.close()

  const { call, problems } = await open()
  expect(await problems()).toEqual([])
  expect(await call('GET', `/api/documents/${id}`)).toMatchObject({ title: 'Secret', revision: 2 })
  const [problem, ...more] = await problems()
  expect([problem!.kind, more]).toEqual(['documents damaged', []])
  expect(problem!.message).toMatch(/^A document is damaged.*“galley check”/)
  // Others who have an account here are told, too.
  expect(problem!.message).not.toMatch(new RegExp(`Secret|${id}`))
  await call('PATCH', `/api/documents/${id}`, { content: 'one two three' })
  expect(await problems()).toEqual([])
})

test('a document of which nothing can be read is named to its owner, and isn’t there for others', async () => {
  const { folder, open } = await scene()
  const first = await open()
  const { id } = (await first.call('POST', '/api/documents', { title: 'Secret', content: 'one' })) as Document
  await first.galley.close()
  const db = new Database(path.join(folder, 'galley.db'))
  db.exec('DELETE FROM keyframes')
  db.close()
  await run('user', 'add', 'Anna', '--data', folder)
  const anna = await run('key', 'create', '--name', 'test', '--user', 'Anna', '--data', folder)
  const { galley, key } = await open()
  const ask = async (as: string) => {
    const headers = { authorization: `Bearer ${as}` }
    return (await fetch(`${galley.url}/api/documents/${id}`, { headers })).json()
  }
  expect(await ask(key)).toMatchObject({
    error: { code: 'DB_ERROR', message: expect.stringMatching(/“Secret” is damaged/) },
  })
  expect(await ask(anna.out.trim())).toMatchObject({ error: { code: 'NOT_FOUND' } })
})

test('that a part of the database can’t be read is said once somebody asks for that', async () => {
  const { folder, open } = await scene()
  const first = await open()
  const ids: string[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const { id } = (await first.call('POST', '/api/documents', { title, content: 'words' })) as Document
    for (let i = 0; i < 40; i++)
      await first.call('PATCH', `/api/documents/${id}`, { content: `more ${i} `.repeat(40) })
    ids.push(id)
  }
  await first.galley.close()
  damagePage(path.join(folder, 'galley.db'), 'changes')

  const { call, problems } = await open()
  for (const id of ids) expect(await call('GET', `/api/documents/${id}`)).toMatchObject({ revision: 41 })
  expect(await problems()).toEqual([])
  for (const id of ids)
    for (let revision = 1; revision <= 41; revision++)
      await call('GET', `/api/documents/${id}/revisions/${revision}`)
  const [problem, ...more] = await problems()
  expect([problem!.kind, more]).toEqual(['documents damaged', []])
})

test('a webhook that Galley has switched off is a problem until somebody has seen to it', async () => {
  const { folder, open } = await scene()
  const first = await open()
  const url = 'https://hooks.example.org/'
  const { id } = (await first.call('POST', '/api/webhooks', { url })) as { id: string }
  await first.galley.close()
  const db = new Database(path.join(folder, 'galley.db'))
  db.exec("UPDATE webhooks SET active = 0, off_reason = 'Nothing has arrived for 3 days.'")
  db.close()

  const { call, problems } = await open()
  await expect.poll(async () => (await problems()).map(({ kind }) => kind)).toEqual(['webhook off'])
  expect((await problems())[0]!.message).not.toContain('hooks.example.org')
  await call('PATCH', `/api/webhooks/${id}`, { active: false })
  await expect.poll(problems).toEqual([])
})
