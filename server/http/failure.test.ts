import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'

let folder: string
let galley: TestGalley
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-failure-'))
  galley = await createTestGalley({ file: path.join(folder, 'galley.db') })
})
afterEach(async () => {
  await galley.close()
  rmSync(folder, { recursive: true })
})

describe('when the disk is full', () => {
  it('a write is STORAGE_FULL and changes nothing, reading goes on, and it works again once there is room', async () => {
    const as = galley.as.owner
    const { id } = await galley.newDocument({ title: 'T', content: 'small' })
    const token = await galley.newToken(id, 'view')
    const url = `/api/documents/${id}`
    const { db } = galley.store
    const pages = db.pragma('page_count', { simple: true }) as number
    db.pragma(`max_page_count = ${pages}`)
    const big = 'x'.repeat(1024 * 1024)

    for (const [method, path, json] of [
      ['PATCH', url, { content: big }],
      ['POST', '/api/documents', { content: big }],
      ['POST', `${url}/suggestions`, { original_text: 'small', suggested_text: big.slice(0, 190_000) }],
    ] as const) {
      const answer = await galley.call(method, path, { as, json })
      expect([path, answer.status, answer.code]).toEqual([path, 507, 'STORAGE_FULL'])
      expect(answer.message).toMatch(/full/)
    }
    expect((await galley.call('GET', url, { as })).data).toMatchObject({ content: 'small', revision: 1 })
    expect((await galley.call('GET', url, { as: { token } })).status).toBe(200)
    expect((await galley.call('GET', '/api/documents', { as })).data).toHaveLength(1)
    expect(galley.log.filter((line) => line.includes('SQLITE_FULL'))).toHaveLength(1)
    expect(galley.log.join('')).not.toMatch(/xxx|small/)

    db.pragma('max_page_count = 1000000')
    expect((await galley.call('PATCH', url, { as, json: { content: big } })).data.revision).toBe(2)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  })
})

describe('when another program holds the database', () => {
  it('nobody waits to read, a write waits or is BUSY, and nothing acknowledged is lost', async () => {
    const as = galley.as.owner
    const { id } = await galley.newDocument({ content: 'kept' })
    const token = await galley.newToken(id, 'view')
    const holder = new Database(path.join(folder, 'galley.db'))
    holder.exec('BEGIN IMMEDIATE')
    const patching = galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: 'lost?' } })
    // That their use can't be noted keeps nobody from reading.
    galley.clock.now += 2 * 60 * 60_000
    for (const by of [as, galley.as.session, { token }])
      expect((await galley.call('GET', `/api/documents/${id}`, { as: by })).data.content).toBe('kept')
    expect((await galley.call('GET', `/api/documents?q=kept`, { as })).data).toHaveLength(1)
    expect((await galley.call('GET', `/api/documents/${id}/rendered`, { as })).status).toBe(200)
    expect((await galley.call('GET', `/share/${token}`, { on: 'share' })).status).toBe(200)
    const refused = await patching
    expect(galley.log.filter((line) => line.includes('"code":"BUSY"'))).toHaveLength(1)
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([503, 'BUSY', '1'])

    const waiting = galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: 'waits' } })
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data.content).toBe('kept')
    holder.exec('ROLLBACK')
    holder.close()
    expect((await waiting).data).toMatchObject({ content: 'waits', revision: 2 })
    expect(
      (await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: 'new' } })).status,
    ).toBe(200)
  })
})

describe('a database that can’t be written', () => {
  it('answers 503 to all whose commit failed, with nothing half done', async () => {
    const as = galley.as.owner
    const { id } = await galley.newDocument({ content: 'kept' })
    // Refused at the commit, as what the disk refuses then would be.
    galley.store.db.exec(
      `CREATE TABLE refused (id INTEGER PRIMARY KEY, of INTEGER REFERENCES refused (id) DEFERRABLE INITIALLY DEFERRED);
       CREATE TRIGGER refuse AFTER UPDATE OF revision ON documents BEGIN INSERT INTO refused (of) VALUES (7); END`,
    )
    const answers = await Promise.all(
      ['one', 'two'].map((content) =>
        galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } }),
      ),
    )
    for (const one of answers) expect([one.status, one.code]).toEqual([503, 'BUSY'])
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data).toMatchObject({
      content: 'kept',
      revision: 1,
    })
    expect(galley.log.join('')).toContain('request failed')
    galley.store.db.exec('DROP TRIGGER refuse')
    expect(
      (await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: 'new' } })).data,
    ).toMatchObject({ content: 'new', revision: 2 })
  })

  it('is said once for each stretch of it, however many changes are refused, and so is its end', async () => {
    const as = galley.as.owner
    const { id } = await galley.newDocument({ content: 'kept' })
    const { change } = galley.store.documents
    const lines = () =>
      galley.log.map((line) => JSON.parse(line) as { code: string; msg: string; refused?: number })
    const refuse = async (code: 'SQLITE_FULL' | 'SQLITE_IOERR', times: number) => {
      galley.store.documents.change = () => {
        throw new Database.SqliteError('for the test', code)
      }
      for (let i = 0; i < times; i++)
        await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: 'x' } })
      galley.store.documents.change = change
    }
    const write = () => galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: 'written' } })

    await refuse('SQLITE_FULL', 3)
    // What is small and can wait may find room where changes find none.
    let noted = false
    const note = () => {
      galley.store.db.exec('CREATE TABLE noted (at)')
      noted = true
      return false
    }
    galley.store.deferred.add('note', note, { delay: 0 }).soon()
    await expect.poll(() => noted).toBe(true)
    await refuse('SQLITE_FULL', 2)
    expect(lines()).toMatchObject([{ code: 'STORAGE_FULL', route: '/api/documents/:id' }])
    expect(galley.log.join('')).not.toContain('stack')
    expect((await write()).status).toBe(200)
    expect(lines().slice(1)).toMatchObject([{ code: 'STORAGE_FULL', refused: 5 }])
    await write()
    expect(lines()).toHaveLength(2)
    await refuse('SQLITE_FULL', 2)
    expect(lines()).toHaveLength(3)
    // Any other trouble is one of its own each time.
    await refuse('SQLITE_IOERR', 2)
    expect(lines().slice(3)).toMatchObject([{ code: 'DB_ERROR' }, { code: 'DB_ERROR' }])
  })
})

describe('a fault of our own', () => {
  it('is INTERNAL_ERROR, says nothing of where or why, and is logged without text', async () => {
    const as = galley.as.owner
    const { id } = await galley.newDocument({ content: 'Text' })
    galley.store.documents.find = () => {
      throw new TypeError(`secret path /srv/x.ts and text ${'Text'}`)
    }
    const answer = await galley.call('GET', `/api/documents/${id}`, { as })
    expect([answer.status, answer.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(answer.text).not.toMatch(/secret|TypeError|at |\.ts|Text"/)
    const line = JSON.parse(galley.log.at(-1)!) as { err: { type: string; stack: string }; route: string }
    expect(line.err.type).toBe('TypeError')
    expect(line.err.stack).toContain('at ')
    expect(line.route).toBe('/api/documents/:id')
    expect(galley.log.join('')).not.toMatch(/secret|gally_[0-9a-f]/)
  })

  it('inside a transaction undoes the whole change', async () => {
    const as = galley.as.owner
    const { id } = await galley.newDocument({ content: 'one two' })
    const suggestion = await galley.newSuggestion(id, as, { original_text: 'one', suggested_text: '1' })
    const { change } = galley.store.documents
    galley.store.documents.change = (...args) => {
      change(...args)
      throw new Error('after the writes')
    }
    const url = `/api/documents/${id}`
    const accept = () => galley.call('POST', `${url}/suggestions/${suggestion.id}/accept`, { as })
    expect((await accept()).code).toBe('INTERNAL_ERROR')
    expect((await galley.call('PATCH', url, { as, json: { content: 'x' } })).code).toBe('INTERNAL_ERROR')
    galley.store.documents.change = change
    expect((await galley.call('GET', url, { as })).data).toMatchObject({ content: 'one two', revision: 1 })
    expect((await galley.call('GET', `${url}/suggestions`, { as })).data[0].status).toBe('pending')
    expect((await galley.call('GET', `${url}/versions`, { as })).data).toHaveLength(1)
    expect((await accept()).status).toBe(200)
  })

  it('is not a client’s: none of their mistakes is logged', async () => {
    await galley.call('POST', '/api/documents', { as: galley.as.owner, body: '{' })
    await galley.call('GET', '/api/me', { as: { key: 'x' } })
    await galley.call('GET', '/api/nothing')
    expect(galley.log).toEqual([])
  })
})
