// What a person sees while an update brings a large library up to date.
import { expect, test } from '@playwright/test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'

test.beforeAll(sayWhichElectron)

let app: DesktopApp | undefined
test.afterEach(() => app?.remove())

const copies = 3_000

/** A library as release 0.1 kept it, with very many documents. */
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

test('the window says how far it is, until the documents are there', async () => {
  test.setTimeout(240_000)
  app = await DesktopApp.start({ folder: oldLibrary() })
  const find = (scheme: string) => app!.electron.windows().find((page) => page.url().startsWith(scheme))
  await expect.poll(() => find('data:'), { timeout: 60_000, intervals: [50] }).toBeDefined()
  const page = find('data:')!
  const bar = page.getByRole('progressbar', { name: 'Bringing your documents up to date' })
  await expect(bar).toBeVisible()
  const told = await page.locator('body').innerText()
  expect(told).toMatch(/[\d,]+ of 3,\d{3} documents/)
  expect(await page.locator('progress').getAttribute('max')).toMatch(/^3\d{3}$/)

  await expect.poll(() => find('http:'), { timeout: 120_000 }).toBeDefined()
  await expect(find('http:')!.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  // The same window, which has lost nothing by it.
  expect(app.electron.windows()).toEqual([page])
})
