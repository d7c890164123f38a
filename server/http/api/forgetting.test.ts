import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { restoreFrom } from '../../restore.ts'
import { checkDatabase } from '../../store/check.ts'
import { holdingBackups } from '../../store/holding-backups.ts'
import { holdRestoringCopy } from '../../store/restoring-copies.ts'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'

const secret = 'Hunter"2\\ßécret'
let galley: TestGalley
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  galley = await createTestGalley({ file: path.join(folder, 'galley.db') })
})
afterAll(async () => {
  await galley.close()
  rmSync(folder, { recursive: true, force: true })
})

const as = () => galley.as.owner
async function edit(id: string, content: string, more: object = {}): Promise<number> {
  galley.clock.now += 20 * 60_000
  const answer = await galley.call('PATCH', `/api/documents/${id}`, { as: as(), json: { content, ...more } })
  expect(answer.status).toBe(200)
  return answer.data.revision as number
}
const get = async (url: string) => (await galley.call('GET', `/api/documents/${url}`, { as: as() })).data
const forget = (id: string, json: object) =>
  galley.call('POST', `/api/documents/${id}/forget`, { as: as(), json })
const isClean = (id: string) =>
  vi.waitFor(async () => expect(await get(`${id}/forget`)).toEqual({ clean: true, fails: false }), {
    timeout: 20_000,
  })

/** In which forms the files of the data folder hold any of these words, but for the backups that are named. */
function held(words: readonly string[], butIn: readonly string[] = []): string[] {
  const db = galley.store.db
  const found: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { name } = entry
    if (!entry.isFile() || butIn.includes(name)) continue
    const bytes = readFileSync(path.join(entry.parentPath, name))
    for (const word of words)
      for (const form of new Set([
        word,
        JSON.stringify(word).slice(1, -1),
        word.replaceAll('"', '&quot;'),
        word.toLowerCase(),
      ]))
        for (const encoding of ['utf8', 'utf16le'] as const)
          if (bytes.includes(Buffer.from(form, encoding))) found.push(`${name}: ${form} (${encoding})`)
  }
  for (const content of db.prepare<[], string | Buffer>('SELECT content FROM keyframes').pluck().iterate())
    if (typeof content !== 'string')
      for (const word of words)
        if (inflateRawSync(content).toString('utf8').includes(word)) found.push('a packed keyframe')
  return found
}

test('a passage is out of every file, and all else is as it was', async () => {
  const long = `${'Some lines of a text that is long.\n'.repeat(500)}`
  const { id } = await galley.newDocument({ title: 'Keys', content: `One.\n\nThe key: ${secret}\n\nTwo.\n` })
  const quote = { start: 15, exact: secret, prefix: 'key: ', suffix: '\n\nTwo' }
  const comment = await galley.call('POST', `/api/documents/${id}/comments`, {
    as: as(),
    json: { body: `Is ${secret} right?`, anchor: quote },
  })
  expect(comment.status).toBe(201)
  const suggestion = await galley.call('POST', `/api/documents/${id}/suggestions`, {
    as: as(),
    json: { original_text: `key: ${secret}`, suggested_text: 'key: none', note: `not ${secret}` },
  })
  expect(suggestion.status).toBe(201)
  const round = await galley.call('POST', `/api/documents/${id}/rounds`, {
    as: as(),
    json: { note: `Please look whether ${secret} is right.` },
  })
  expect(round.status).toBe(201)
  await edit(id, `${long}The key: ${secret}\n\nTwo.\n`, { title: `About ${secret}` })
  galley.store.searchIndex.write(100)
  const page = await galley.call('GET', `/api/documents/${id}/rendered`, { as: as() })
  expect(page.status).toBe(200)
  galley.store.deferred.now()
  const last = await edit(id, `${long}The key is gone.\n\nTwo.\n`, { title: 'Keys' })
  galley.store.searchIndex.write(100)
  galley.store.deferred.now()
  const typed = await galley.newDocument({ title: 'Other', content: 'Another text, about Hunting.' })
  expect(held([secret])).not.toEqual([])

  const answer = await forget(id, { passage: secret })
  expect(answer.data).toMatchObject({ revision: last, revisions: 0, found: 1, quoted: 4 })
  await isClean(id)
  expect(held([secret, 'hunter'])).toEqual([])
  expect(checkDatabase(galley.store.db).findings).toEqual([])
  expect((await get(id)).content).toBe(`${long}The key is gone.\n\nTwo.\n`)
  expect((await get(`${id}/revisions/1`)).content).toBe(
    `One.\n\nThe key: ${'█'.repeat(secret.length)}\n\nTwo.\n`,
  )
  expect((await get(`${id}/comments`))[0].body).toBe(`Is ${'█'.repeat(secret.length)} right?`)
  expect((await get(typed.id)).content).toContain('Hunting')
  const found = await galley.call('GET', '/api/documents?q=hunting', { as: as() })
  expect(found.data).toHaveLength(1)
})

test('what stands in today’s text is left unless it is to be removed, which is a change like any other', async () => {
  const { id } = await galley.newDocument({ title: 'Now', content: 'The word is sesame-open, they say.' })
  const refused = await forget(id, { passage: 'sesame-open' })
  expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  expect(refused.message).toMatch(/today’s text/)
  expect((await get(`${id}/revisions/1`)).content).toContain('sesame-open')
  const { data } = await forget(id, { passage: 'sesame-open', remove: true })
  expect(data).toMatchObject({ revision: 2, found: 1 })
  expect((await get(id)).content).toBe('The word is , they say.')
  await isClean(id)
  expect(held(['sesame-open'])).toEqual([])
})

test('what holds only a large part of the passage stays, and is named', async () => {
  const passage = 'Vvtypedsecret88zebra'
  const { id } = await galley.newDocument({ title: 'Now', content: `Password: ${passage}.` })
  const say = async (what: string, json: object) =>
    (await galley.call('POST', `/api/documents/${id}/${what}`, { as: as(), json })).data.id as string
  const thread = await say('comments', { body: 'So?' })
  await say('comments', { body: 'Was it TypedSecret88 then?', parent_id: thread })
  await say('comments', { body: 'I saw a zebra.' })
  const alike = await say('suggestions', { original_text: 'Password', suggested_text: 'secret88zebras' })
  await say('suggestions', { original_text: passage, suggested_text: 'none' })
  const { data } = await forget(id, { passage, remove: true })
  expect(data).toMatchObject({ found: 1, quoted: 1 })
  expect(data.alike).toEqual([
    { kind: 'comment', id: thread },
    { kind: 'suggestion', id: alike },
  ])
})

test('a passage is gone from every name and label, and its line break counts as any white space there', async () => {
  const passage = 'Orchid77\nnight-heron'
  const inOne = passage.replace('\n', ' ')
  const { id } = await galley.newDocument({ title: 'Names', content: `A ${passage} b` })
  const url = `/api/documents/${id}`
  const ask = async (method: 'POST' | 'PATCH', at: string, json: object, by: object = as()) => {
    const answer = await galley.call(method, `${url}/${at}`, { as: by, json })
    expect([at, answer.code ?? answer.status < 300]).toEqual([at, true])
    return answer.data as { id: string; token: string }
  }
  const { token } = await ask('POST', 'share', { permission: 'edit', label: `For ${inOne}` })
  const round = await ask('POST', 'rounds', { name: `Round ${inOne}`, note: `So ${passage}?` })
  const guest = { token, guest: 'c'.repeat(32) }
  const author_name = `Ann ${inOne}`
  const thread = await ask('POST', 'comments', { body: 'Hm.', author_name }, guest)
  await ask('PATCH', `comments/${thread.id}/reactions`, { reaction: 'agree', set: true, author_name }, guest)
  await ask('POST', 'suggestions', { original_text: 'A', suggested_text: 'An', author_name }, guest)
  await ask('PATCH', `rounds/${round.id}/review`, { finished: true, author_name }, guest)
  await ask('PATCH', 'versions/1', { name: `Second ${inOne}` })
  await edit(id, 'A b')
  galley.store.deferred.now()
  expect(held([inOne])).not.toEqual([])
  const { data } = await forget(id, { passage })
  expect(data).toMatchObject({ found: 1, alike: [] })
  await isClean(id)
  expect(held([passage, inOne, 'night-heron'])).toEqual([])
  expect(await get(`${id}/rounds`)).toMatchObject([{ name: `Round ${'█'.repeat(20)}` }])
  expect((await get(`${id}/comments`))[0].author_name).toBe(`Ann ${'█'.repeat(20)}`)
})

test('what was typed before a word was replaced is gone with it, and a version with a large part is named', async () => {
  const passage = '9f8e7d6c5b4a39281706f5e4d3c2b1a0'
  const { id } = await galley.newDocument({ title: 'Key', content: `Key ${passage.slice(4, 24)} first.` })
  await edit(id, 'Key first.')
  await edit(id, `Key ${passage.slice(0, 31)} here.`)
  await edit(id, `Key ${passage} here.`)
  await edit(id, 'Key.')
  const { data } = await forget(id, { passage })
  expect(data).toMatchObject({ found: 1, alike: [{ kind: 'version', id: '1' }] })
  await isClean(id)
  expect(held([passage.slice(0, 12)])).toEqual([])
  expect((await get(`${id}/revisions/3`)).content).toBe(`Key ${'█'.repeat(31)} here.`)
  // As it says, what is left can be forgotten, too.
  expect((await forget(id, { passage: passage.slice(4, 24) })).data).toMatchObject({ found: 1, alike: [] })
  await isClean(id)
  expect(held([passage.slice(4, 12)])).toEqual([])
})

test('all before a revision is gone, the rest keeps its numbers, and an older editor is told how the text stands', async () => {
  const { id } = await galley.newDocument({ title: 'Past', content: 'Quicksilver first.' })
  await galley.call('PATCH', `/api/documents/${id}/versions/1`, {
    as: as(),
    json: { name: 'Quicksilver name' },
  })
  await edit(id, 'Quicksilver second.')
  expect((await galley.call('POST', `/api/documents/${id}/rounds`, { as: as(), json: {} })).status).toBe(201)
  const kept = await edit(id, 'Third.')
  await galley.call('PATCH', `/api/documents/${id}/versions/${kept}`, { as: as(), json: { name: 'Kept' } })
  const last = await edit(id, 'Third and fourth.')
  expect((await forget(id, { before: kept })).data).toMatchObject({ revision: last, revisions: kept - 1 })
  await isClean(id)
  expect(held(['Quicksilver'])).toEqual([])
  expect(checkDatabase(galley.store.db).findings).toEqual([])
  expect(
    (await get(`${id}/versions`)).map((one: { revision: number; name: string }) => [one.revision, one.name]),
  ).toEqual([
    [last, null],
    [kept, 'Kept'],
  ])
  expect((await get(`${id}/revisions/${kept}`)).content).toBe('Third.')
  const gone = await galley.call('GET', `/api/documents/${id}/revisions/1`, { as: as() })
  expect(gone.status).toBe(404)
  expect(await get(`${id}/rounds`)).toMatchObject([{ revision: 2 }])
  const push = await galley.call('POST', `/api/documents/${id}/changes`, {
    as: as(),
    json: { base: 1, client: 'an-editor-of-a-test', number: 1, changes: [18, [0, ' More.']] },
  })
  expect(push).toMatchObject({ status: 412, data: { content: 'Third and fourth.', revision: last } })
  const next = await edit(id, 'Third, fourth and fifth.')
  expect((await get(`${id}/history`)).entries.map((one: { revision: number }) => one.revision)).toEqual([
    kept,
    last,
    next,
  ])
})

test('what is kept of decisions, to take them back in any order, is numbers, and goes with what was before a revision', async () => {
  const { id } = await galley.newDocument({ title: 'Decided', content: `One.\n\n${secret} two.\n\nThree.\n` })
  const post = async (url: string, json: object = {}) => {
    const answer = await galley.call('POST', `/api/documents/${id}/${url}`, { as: as(), json })
    expect(answer.status).toBeLessThan(300)
    return answer.data
  }
  const suggest = (exact: string, suggested_text: string, start: number) =>
    post('suggestions', {
      original_text: exact,
      suggested_text,
      anchor: { exact, prefix: '', suffix: '', start },
    })
  const out = await suggest(`${secret} two.\n\n`, '', 6)
  const other = await suggest('One.', '1.', 0)
  await suggest(secret, 'A secret', 6)
  await post('comments', { body: 'Is it?', anchor: { exact: secret, prefix: '', suffix: '', start: 6 } })
  const decide = (one: { id: string }, action: string) =>
    post('suggestions/resolve', { action, ids: [one.id] })
  for (const action of ['accept', 'reopen', 'accept']) await decide(out, action)
  await decide(other, 'accept')
  const notes = () =>
    galley.store.db
      .prepare<[string], string>(
        `SELECT n.key || n.value FROM (SELECT document, anchor FROM comments UNION ALL SELECT document, anchor FROM suggestions) a
         JOIN documents d ON d.number = a.document, json_each(a.anchor) n
         WHERE d.id = ? AND n.key IN ('taken_out', 'undone') AND json_array_length(n.value) > 0 ORDER BY 1`,
      )
      .pluck()
      .all(id)
  expect(notes()).toEqual([
    'taken_out[{"revision":4,"start":6,"end":21}]',
    'taken_out[{"revision":4,"start":6,"end":21}]',
    'undone[[2,3]]',
  ])
  const last = await edit(id, '1.\n\nThree.\n\nFour.\n')
  await forget(id, { passage: secret })
  await isClean(id)
  expect(held([secret])).toEqual([])
  await forget(id, { before: last })
  expect(notes()).toEqual([])
  await isClean(id)
  expect(checkDatabase(galley.store.db).findings).toEqual([])
})

test('neither a link nor a read key may forget, and the wish has to be one', async () => {
  const { id } = await galley.newDocument({ title: 'Mine', content: 'Text.' })
  const token = await galley.newToken(id, 'edit')
  const json = { before: 1 }
  const byLink = await galley.call('POST', `/api/documents/${id}/forget`, { as: { token }, json })
  expect(byLink.status).toBe(401)
  const readKey = await galley.call('POST', `/api/documents/${id}/forget`, { as: galley.as.reader, json })
  expect(readKey.status).toBe(403)
  for (const wrong of [{}, { before: 1, passage: 'Some' }, { passage: ' a ' }, { passage: 'a█bc' }])
    expect((await forget(id, wrong)).code).toBe('VALIDATION_ERROR')
  expect((await forget(id, { before: 7 })).code).toBe('NOT_FOUND')
})

test('what a restored backup brought back is gone from the files again with the copy that was kept', async () => {
  const passage = 'Saltpetre-59'
  const { id } = await galley.newDocument({ title: 'Back', content: `It is ${passage}.` })
  await edit(id, `It was ${passage}, once.`)
  galley.store.searchIndex.write(100)
  const outside = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  const backup = path.join(outside, 'backup.db')
  galley.store.db.prepare('VACUUM INTO ?').run(backup)
  const last = await edit(id, 'It was something, once.')
  await forget(id, { passage })
  await isClean(id)
  const backups = path.join(folder, 'backups')
  const holding = () => holdingBackups({ folder: backups, id, passage })
  for (const isKnown of [true, false]) {
    const { kept } = await restoreFrom(folder, backup)
    expect((await get(id)).content).toBe(`It was ${passage}, once.`)
    // As where that was a month ago.
    if (!isKnown) galley.store.db.exec("DELETE FROM events WHERE kind = 'version.forgotten'")
    await isClean(id)
    await restoreFrom(folder, kept!)
    expect(await get(`${id}/forget`)).toMatchObject({ clean: false })
    await isClean(id)
    expect((await get(id)).content).toBe('It was something, once.')
    const { holding: named, unread } = holding()
    expect([named.length, unread]).toEqual([isKnown ? 1 : 2, []])
    expect(named).not.toContain(path.basename(kept!))
    expect(held([passage, 'saltpetre'], named)).toEqual([])
  }
  expect((await get(`${id}/revisions/1`)).content).toBe(`It is ${'█'.repeat(passage.length)}.`)
  expect((await get(id)).revision).toBeGreaterThan(last)
  expect(checkDatabase(galley.store.db).findings).toEqual([])

  // A copy of what isn’t clean yet may hold it beside its tables.
  await edit(id, `It is ${passage} again.`)
  await edit(id, 'It is gone.')
  galley.store.transaction(() => galley.store.forgetting.passage(galley.store.documents.find(id)!, passage))
  const { kept } = await restoreFrom(folder, backup)
  expect(holding().holding).toContain(path.basename(kept!))
  rmSync(outside, { recursive: true })
})

test('so it is in a document that was deleted for good long ago; what is new goes without a cleaning', async () => {
  const passage = 'Vitriol-60'
  const { id } = await galley.newDocument({ title: 'Deleted', content: `It is ${passage}.` })
  await edit(id, 'It is something.')
  const outside = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  const [before, after] = ['before.db', 'after.db'].map((name) => path.join(outside, name)) as [
    string,
    string,
  ]
  const { db } = galley.store
  db.prepare('VACUUM INTO ?').run(before)
  await forget(id, { passage })
  expect((await galley.call('DELETE', `/api/documents/${id}`, { as: as() })).status).toBe(200)
  db.exec('DELETE FROM events')
  const other = await galley.newDocument({ title: 'Since', content: 'Since.' })
  await isClean(other.id)
  const { kept } = await restoreFrom(folder, before)
  await isClean(id)
  await restoreFrom(folder, kept!)
  expect(await get(`${other.id}/forget`)).toMatchObject({ clean: false })
  await isClean(other.id)
  const { holding } = holdingBackups({ folder: path.join(folder, 'backups'), id, passage })
  expect(held([passage, 'vitriol'], holding)).toEqual([])

  db.prepare('VACUUM INTO ?').run(after)
  const { id: late } = await galley.newDocument({ title: 'Late', content: 'Late.' })
  await restoreFrom(folder, after)
  expect(await get(`${other.id}/forget`)).toMatchObject({ clean: true })
  expect((await galley.call('GET', `/api/documents/${late}`, { as: as() })).status).toBe(404)
  rmSync(outside, { recursive: true })
})

test.each([
  ['Borax-61', 'is there'],
  ['Natron-62', 'was deleted for good'],
])(
  'a restore that fails has ordered before that %s, of what %s, goes from the files, which waits for it',
  async (passage, how) => {
    const { id } = await galley.newDocument({ title: 'Failed', content: `It is ${passage}.` })
    const { id: other } = await galley.newDocument({ title: 'Other', content: 'Other.' })
    // As where all that was more than a month ago.
    const old = 'DELETE FROM events WHERE seq < (SELECT max(seq) FROM events)'
    if (how !== 'is there') galley.store.db.exec(old)
    const outside = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
    const backup = path.join(outside, 'backup.db')
    galley.store.db.prepare('VACUUM INTO ?').run(backup)
    await edit(id, 'It is something.')
    await forget(id, { passage })
    if (how !== 'is there') {
      expect((await galley.call('DELETE', `/api/documents/${id}`, { as: as() })).status).toBe(200)
      galley.store.db.exec(old)
    }
    await isClean(other)
    galley.store.db.exec(
      `CREATE TRIGGER fails BEFORE INSERT ON events WHEN NEW.kind = 'backup.restored' BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    )
    const { release } = holdRestoringCopy(path.join(folder, 'backups'))
    await expect(restoreFrom(folder, backup)).rejects.toThrow('no room')
    galley.store.db.exec('DROP TRIGGER fails')
    // More than one time that the cleaner looks.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await get(`${other}/forget`)).toEqual({ clean: false, fails: false })
    release()
    await isClean(other)
    if (how === 'is there') expect((await get(id)).content).toBe('It is something.')
    rmSync(outside, { recursive: true })
  },
)
