import Database from 'better-sqlite3'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGalley } from './app.ts'
import type { Document } from './contract/records/documents.ts'
import type { Problem } from './contract/problems.ts'
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
    return { galley, call, problems: async (): Promise<Problem[]> => call('GET', '/api/problems') }
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
