import Database from 'better-sqlite3'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGalley } from './app.ts'
import type { Document } from './contract/records/documents.ts'
import type { Problem } from './contract/problems.ts'
import { run, testFolder } from './testing/cli.ts'

test('that a document is damaged is said as soon as somebody reads it, until it is whole again', async () => {
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
