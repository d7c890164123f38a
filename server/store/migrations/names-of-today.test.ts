import Database from 'better-sqlite3'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { testFolder, testStore } from '../testing/store.ts'
import namesOfToday from './0013-names-of-today.ts'
import { migrations } from './index.ts'

/** A database from before, with a link that was visited on each of these devices, and a record of a request. */
function oldDatabase(devices: readonly (string | null)[]): string {
  const file = path.join(testFolder(), 'galley.db')
  const db = openDatabase({ file, migrations: migrations.slice(0, migrations.indexOf(namesOfToday)) })
  db.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0);
    INSERT INTO documents (number, id, owner_id, title, revision, hash, created_at, updated_at, length, logged)
      VALUES (1, 'd', 'u', 'Title', 1, 0, 0, 0, 0, 0);
    INSERT INTO share_links (id, document, created_by, token, digest, permission, created_at)
      VALUES ('l', 1, 'u', 'token', x'00', 'view', 0);
    INSERT INTO kept_answers (name, request, at, sealed) VALUES (x'01', x'02', ${Date.UTC(2026, 0, 2)}, x'03');
  `)
  const put = db.prepare(
    "INSERT INTO link_openings (id, link, opened_at, preview, device, name) VALUES (?, 'l', ?, 0, ?, 'Ada')",
  )
  devices.forEach((device, i) => put.run(`v${i}`, Date.UTC(2026, 0, 2) - i, device))
  db.close()
  return file
}

const devices = [
  ['Safari on iPhone', 'safari/iphone'],
  ['Samsung Internet on Android', 'samsung-internet/android'],
  ['A browser on ChromeOS', '/chromeos'],
  ['Firefox', 'firefox'],
  ['a Node.js program', 'node'],
  ['Slack', 'slack'],
  ['A browser', 'A browser'],
  ['Netscape on Amiga', 'Netscape on Amiga'],
  [null, null],
] as const

test('visits keep all they tell, and their devices are codes', () => {
  const { store } = testStore({ file: oldDatabase(devices.map(([words]) => words)) })
  expect(store.linkVisits.list(1).map(({ device, name }) => ({ device, name }))).toEqual(
    devices.map(([, code]) => ({ device: code, name: 'Ada' })),
  )
})

test('what was done before is still known', () => {
  const { store } = testStore({ file: oldDatabase([]) })
  expect(store.idempotencyRecords.find(Buffer.from([1]))).toEqual({
    request: Buffer.from([2]),
    sealed: Buffer.from([3]),
  })
})

test('nothing has an old name any more', () => {
  const file = oldDatabase([])
  testStore({ file }).store.close()
  const db = new Database(file, { readonly: true })
  const names = db.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all()
  db.close()
  expect(names).toContain('link_visits_by_age')
  expect(names.filter((name) => /kept_answers|link_openings/.test(name))).toEqual([])
})
