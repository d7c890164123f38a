// What a person sees while an update brings a large library up to date.
import { expect, test } from '@playwright/test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'

test.beforeAll(sayWhichElectron)

let app: DesktopApp | undefined
test.afterEach(() => app?.remove())

const copies = 100

/** A library as release 0.1 kept it, with many documents. */
function oldLibrary(): string {
  const folder = newFolder()
  const data = path.join(folder, 'data')
  mkdirSync(data, { recursive: true })
  const file = path.join(data, 'galley.db')
  const fixture = path.join(import.meta.dirname, '../server/store/testing/library-0.1.db.gz')
  writeFileSync(file, gunzipSync(readFileSync(fixture)))
  const db = new DatabaseSync(file)
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
    INSERT INTO documents (number, id, owner_id, title, revision, indexed, hash, created_at, updated_at, content)
      SELECT 1000 + i, printf('abcdef00-0000-4000-8000-%012d', i), (SELECT id FROM users LIMIT 1), 'Copy ' || i, 1, 1,
        0, 1, 1, replace(printf('%2000d', i), ' ', 'A galley. ')
      FROM n`)
  db.close()
  return folder
}

interface Held {
  hearTheRest(): void
}

/** Runs the server's clock so quickly that no machine is done before a word is told, and has it heard no further. */
function holdAfterFirstWord(folder: string): string {
  const at = (name: string) => path.join(folder, name)
  writeFileSync(
    at('quick-clock.mjs'),
    'const now = performance.now.bind(performance)\nperformance.now = () => now() * 10_000\n',
  )
  writeFileSync(
    at('hold.cjs'),
    `const { utilityProcess } = require('electron')
     const { writeFileSync } = require('node:fs')
     const { pathToFileURL } = require('node:url')
     const fork = utilityProcess.fork
     utilityProcess.fork = (file, ...more) => {
       const server = ${JSON.stringify(at('quick-server.mjs'))}
       const parts = [${JSON.stringify(pathToFileURL(at('quick-clock.mjs')).href)}, pathToFileURL(file).href]
       writeFileSync(server, parts.map((part) => 'import ' + JSON.stringify(part)).join('\\n'))
       const child = fork.call(utilityProcess, server, ...more)
       const on = child.on.bind(child)
       const held = []
       let holds = false
       let done = false
       globalThis.hearTheRest = () => {
         holds = false
         done = true
         held.splice(0).forEach((hear) => hear())
       }
       child.on = (name, hear) =>
         name !== 'message' ? on(name, hear) : on(name, (message) => {
           if (holds) held.push(() => hear(message))
           else hear(message)
           holds ||= !done && message.type === 'migrating'
         })
       return child
     }`,
  )
  return at('hold.cjs')
}

test('the window says how far it is, until the documents are there', async () => {
  test.setTimeout(240_000)
  const folder = oldLibrary()
  app = await DesktopApp.start({ folder, before: holdAfterFirstWord(folder) })
  const find = (scheme: string) => app!.electron.windows().find((page) => page.url().startsWith(scheme))
  await expect.poll(() => find('data:'), { timeout: 60_000 }).toBeDefined()
  const page = find('data:')!
  const bar = page.getByRole('progressbar', { name: 'Bringing your documents up to date' })
  await expect(bar).toBeVisible()
  const told = await page.locator('body').innerText()
  expect(told).toMatch(/\d+ of \d+ documents/)
  expect(await page.locator('progress').getAttribute('max')).toMatch(/^1\d\d$/)

  await app.electron.evaluate(() => (globalThis as unknown as Held).hearTheRest())
  await expect.poll(() => find('http:'), { timeout: 120_000 }).toBeDefined()
  await expect(find('http:')!.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  // The same window, which has lost nothing by it.
  expect(app.electron.windows()).toEqual([page])
})
