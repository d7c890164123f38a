import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../contract/records/documents.ts'
import type { PastText, RevisionChanges, VersionSummary } from '../../contract/records/versions.ts'
import { anyText } from '../../domain/testing/arbitrary-text.ts'
import { prose } from '../../domain/testing/large-text.ts'
import { mergeTexts } from '../../domain/merge.ts'
import type { TextWorkKind } from '../../threads/text-work.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const first = 'A galley goes out for review.\n'
const at = (id: string, rest: string) => `/api/documents/${id}/revisions${rest}`
const get = (id: string, rest: string, by = as) => galley.call('GET', at(id, rest), { as: by })
const write = (id: string, content: string, by: TestCredentials = as, author_name?: string) =>
  galley.call('PATCH', `/api/documents/${id}`, { as: by, json: { content, author_name } })
/** As an editor writes, which says what it changes. */
function goOn(id: string, content: string, revision: number) {
  galley.clock.now += 1_000
  const headers = { 'if-match': `"${revision}"` }
  return galley.call('PATCH', `/api/documents/${id}`, { as, json: { content }, headers })
}
const restore = (id: string, revision: number | string, headers: Record<string, string> = {}) =>
  galley.call('POST', at(id, `/${revision}/restore`), { as, headers })
const text = async (id: string) =>
  ((await galley.call('GET', `/api/documents/${id}`, { as })).data as Document).content

/** A document with three revisions: the owner's, a guest's, and one by another of the owner's keys. */
async function written() {
  const { id } = await galley.newDocument({ content: first })
  galley.clock.now += 1_000
  const token = await galley.newToken(id, 'edit')
  await write(id, 'A galley is sent out for review.\n', { token }, 'Ada')
  galley.clock.now += 1_000
  await write(id, 'A galley is sent out.\n')
  return id
}

/** Loses what the log has of one revision, as a damaged database would. */
function damage(id: string, revision: number) {
  const { db, documents, flush } = galley.store
  flush()
  const { number } = documents.find(id)!
  db.prepare("UPDATE changes SET changes = '[1]' WHERE document = ? AND revision = ?").run(number, revision)
  db.prepare('DELETE FROM keyframes WHERE document = ? AND revision = ?').run(number, revision)
}

describe('the text at a revision', () => {
  it('is what it was then, with who changed it when', async () => {
    const id = await written()
    const read = async (revision: number) => (await get(id, `/${revision}`)).data as PastText
    expect(await read(1)).toEqual({
      revision: 1,
      author_id: galley.user.id,
      author_colour: expect.any(Number),
      author_name: galley.user.name,
      key_name: 'Test',
      author_kind: 'script',
      size: first.length,
      created_at: '2026-03-01T09:30:00.000Z',
      content: first,
    })
    expect(await read(2)).toMatchObject({
      author_id: null,
      author_name: 'Ada',
      key_name: null,
      created_at: '2026-03-01T09:30:01.000Z',
      content: 'A galley is sent out for review.\n',
    })
    expect(await read(3)).toMatchObject({ author_id: galley.user.id, content: 'A galley is sent out.\n' })
  })

  it('can be read in the middle of a session, which is one version', async () => {
    const { id } = await galley.newDocument({ content: 'one' })
    for (const [i, content] of ['one two', 'one two three', 'one two three four'].entries())
      await goOn(id, content, i + 1)
    const versions = await galley.call('GET', `/api/documents/${id}/versions`, { as })
    expect((versions.data as VersionSummary[]).map(({ revision }) => revision)).toEqual([4, 1])
    expect((await get(id, '/2')).data).toMatchObject({ content: 'one two', author_id: galley.user.id })
  })

  it.each(['0', '-1', '4', '999999999999999', '1e0', '0x1', '1.0', 'one', '%20'])(
    'is not found at revision %s',
    async (revision) => {
      const id = await written()
      for (const answer of [await get(id, `/${revision}`), await restore(id, revision)])
        expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    },
  )

  it('is for the owner, read keys included, and for no link', async () => {
    const id = await written()
    expect((await get(id, '/1', galley.as.reader)).status).toBe(200)
    expect((await get(id, '/1', galley.as.session)).status).toBe(200)
    expect((await get(id, '/1', galley.as.stranger)).code).toBe('NOT_FOUND')
    const token = await galley.newToken(id, 'edit')
    for (const rest of ['/1', '?from=1']) {
      expect((await get(id, rest, { token })).code).toBe('UNAUTHORIZED')
      expect((await get(id, rest, { ...as, token })).code).toBe('UNAUTHORIZED')
    }
  })

  it('goes into the trash with its document, and comes back with it', async () => {
    const id = await written()
    await galley.call('POST', `/api/documents/${id}/trash`, { as })
    for (const answer of [await get(id, '/1'), await get(id, '?from=1'), await restore(id, 1)])
      expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    await galley.call('POST', `/api/trash/${id}/restore`, { as })
    expect((await get(id, '/1')).data).toMatchObject({ content: first })
  })

  it('says so where the log is damaged, while other revisions can be read', async () => {
    const id = await written()
    damage(id, 2)
    for (const answer of [await get(id, '/2'), await get(id, '?from=1&to=2'), await restore(id, 2)]) {
      expect(answer).toMatchObject({ status: 500, code: 'DB_ERROR' })
      expect(answer.message).toContain('revision 2')
    }
    expect((await get(id, '/1')).data).toMatchObject({ content: first })
  })
})

describe('the changes between two revisions', () => {
  it('are stretches of the older text with what stands there instead', async () => {
    const id = await written()
    expect((await get(id, '?from=1&to=2')).data).toEqual({
      from: 1,
      to: 2,
      changes: [{ start: 9, end: 13, text: 'is sent' }],
    })
    expect((await get(id, '?from=1')).data).toMatchObject({ from: 1, to: 3 })
    expect((await get(id, '?from=2&to=2')).data).toEqual({ from: 2, to: 2, changes: [] })
  })

  it.each([
    ['', '“from”'],
    ['from=0', '“from”'],
    ['from=x', '“from” must be a whole number'],
    ['from=1e0', '“from” must be a whole number'],
    ['from=1.5', '“from” must be a whole number'],
    ['from=1&to=', '“to” must be a whole number'],
    ['from=1&to=0', '“to”'],
    ['from=2&to=1', '“from” must not be a later revision'],
    ['from=1&to=4', 'the document has no revision 4; the newest is 3'],
    ['from=99999999999999999999', 'the document has no revision'],
  ])('are refused for %j', async (query, message) => {
    const id = await written()
    const answer = await get(id, `?${query}`)
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(answer.message).toContain(message.replace('“from”', ''))
  })

  it('lead from any text to any later one, byte for byte, whatever was written', async () => {
    const ending = fc.constantFrom('\n', '\r\n', '\r', '\uFEFF', '👩‍👩‍👧', '\u{10FFFF}', 'é', ' ')
    const piece = fc.oneof(
      anyText,
      fc.array(ending, { maxLength: 4 }).map((parts) => parts.join('')),
    )
    const step = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      of: fc.double({ min: 0, max: 1, noNaN: true }),
      insert: piece,
      merged: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(anyText, fc.array(step, { minLength: 1, maxLength: 8 }), async (start, steps) => {
        const { id } = await galley.newDocument({ content: start })
        const texts = [start]
        for (const { at: place, of, insert, merged } of steps) {
          const now = texts.at(-1)!
          const from = Math.floor(place * now.length)
          const to = from + Math.floor(of * (now.length - from))
          const edited = (now.slice(0, from) + insert + now.slice(to)).toWellFormed()
          const before = texts.at(-2)
          // As an editor does that had an older text: both sides' changes.
          const content = merged && before !== undefined ? mergeTexts(before, edited, now).text : edited
          await write(id, content.toWellFormed())
          texts.push(content.toWellFormed())
        }
        for (const [i, older] of texts.entries())
          for (const [j, younger] of texts.entries()) {
            if (j < i) continue
            const { changes } = (await get(id, `?from=${i + 1}&to=${j + 1}`)).data as RevisionChanges
            let made = ''
            let done = 0
            for (const change of changes) {
              expect(change.start).toBeGreaterThanOrEqual(done)
              expect(change.start < change.end || change.text !== '').toBe(true)
              made += older.slice(done, change.start) + change.text
              done = change.end
            }
            expect(made + older.slice(done)).toBe(younger)
            expect(((await get(id, `/${i + 1}`)).data as PastText).content).toBe(older)
          }
      }),
      { numRuns: 40 },
    )
  })
})

describe('restoring a revision', () => {
  it('is one change, a version of its own, and takes comments along', async () => {
    const id = await written()
    const anchor = { exact: 'galley', start: 2 }
    const comment = await galley.newComment(id, as, { anchor })
    await write(id, 'Oh. A galley is sent out.\n')
    const answer = await restore(id, 2)
    expect(answer.data).toMatchObject({ revision: 5, content: 'A galley is sent out for review.\n' })
    expect(answer.headers.etag).toBe('"5"')
    const [version] = (await galley.call('GET', `/api/documents/${id}/versions`, { as }))
      .data as VersionSummary[]
    expect(version).toMatchObject({ revision: 5, kind: 'restore' })
    const comments = await galley.call('GET', `/api/documents/${id}/comments`, { as })
    expect(comments.data).toMatchObject([{ id: comment.id, range: { start: 2, end: 8 } }])
  })

  it('is refused where the document has moved on, with how it stands', async () => {
    const id = await written()
    const answer = await restore(id, 1, { 'if-match': '"2"' })
    expect(answer).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED', data: { revision: 3 } })
    expect((await restore(id, 1, { 'if-match': '"3"' })).status).toBe(200)
  })

  it('is done once where it is asked again', async () => {
    const id = await written()
    const headers = { 'idempotency-key': 'restore-it-this-once' }
    const [one, two] = [await restore(id, 1, headers), await restore(id, 1, headers)]
    expect(two.data).toEqual(one.data)
    expect((await get(id, '/5')).code).toBe('NOT_FOUND')
  })
})

it('what is large is replayed and compared on another thread', async () => {
  const asked: TextWorkKind[] = []
  const { texts } = galley.context
  galley.context.texts = {
    ...texts,
    workOut: (kind, ...others) => {
      asked.push(kind)
      return texts.workOut(kind, ...others)
    },
  }
  const large = prose(600_000)
  const { id } = await galley.newDocument({ content: large })
  for (const word of ['One', 'Two', 'Three']) await write(id, `${word}. ${large}`)
  asked.length = 0
  const { data } = await get(id, '?from=2&to=3')
  expect((data as RevisionChanges).changes).toEqual([{ start: 0, end: 3, text: 'Two' }])
  expect(asked).toEqual(['replay', 'replay', 'compare'])
  expect(((await get(id, '/2')).data as PastText).content === `One. ${large}`).toBe(true)
  await restore(id, 1)
  expect((await text(id)) === large).toBe(true)
})

describe('the name of a version', () => {
  const name = (id: string, revision: number | string, json: unknown, by = as) =>
    galley.call('PATCH', `/api/documents/${id}/versions/${revision}`, { as: by, json })
  const list = async (id: string) =>
    (await galley.call('GET', `/api/documents/${id}/versions`, { as })).data as VersionSummary[]

  it('is given, changed and taken away', async () => {
    const id = await written()
    expect((await list(id)).map((version) => version.name)).toEqual([null, null, null])
    const named = await name(id, 2, { name: '  As sent  ' })
    expect(named.data).toMatchObject({ revision: 2, name: 'As sent' })
    expect((await list(id)).map((version) => version.name)).toEqual([null, 'As sent', null])
    const onlyNamed = await galley.call('GET', `/api/documents/${id}/versions?named=true`, { as })
    expect(onlyNamed.data).toMatchObject([{ revision: 2, name: 'As sent' }])
    expect(onlyNamed.data).toHaveLength(1)
    const version = await galley.call('GET', `/api/documents/${id}/versions/2`, { as })
    expect(version.data).toMatchObject({ name: 'As sent' })
    expect((await name(id, 2, { name: null })).data).toMatchObject({ name: null })
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data).toMatchObject({ revision: 3 })
  })

  it('stays with the text that it was given to, though its author goes on writing', async () => {
    const { id } = await galley.newDocument({ content: 'one' })
    await goOn(id, 'one two', 1)
    await name(id, 2, { name: 'Two' })
    await goOn(id, 'one two three', 2)
    await goOn(id, 'one two three four', 3)
    expect((await list(id)).map(({ revision, name }) => [revision, name])).toEqual([
      [4, null],
      [2, 'Two'],
      [1, null],
    ])
  })

  it('stands on one line, and turns no other words around', async () => {
    const { id } = await galley.newDocument()
    const named = await name(id, 1, { name: 'As\r\n\u0000sent\u2028\u001b[31m to\u202e Ada' })
    expect(named.data.name).toBe('As sent [31m to Ada')
  })

  it.each([
    {},
    { name: '' },
    { name: ' \n ' },
    { name: '\u0000\u202e\u200b' },
    { name: 7 },
    { name: 'x'.repeat(101) },
  ])('is refused as %j', async (json) => {
    const id = await written()
    expect(await name(id, 1, json)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  })

  it('may be 100 characters long, whatever they are', async () => {
    const id = await written()
    expect((await name(id, 1, { name: '👩'.repeat(100) })).status).toBe(200)
  })

  it('is the owner’s to give, to a version that there is', async () => {
    const id = await written()
    const given = { name: 'Mine' }
    for (const revision of ['0', '4', 'one', '1e0'])
      expect((await name(id, revision, given)).code).toBe('NOT_FOUND')
    expect((await name(id, 1, given, galley.as.reader)).code).toBe('FORBIDDEN')
    expect((await name(id, 1, given, galley.as.stranger)).code).toBe('NOT_FOUND')
    const token = await galley.newToken(id, 'edit')
    expect((await name(id, 1, given, { token })).code).toBe('UNAUTHORIZED')
    expect((await list(id)).every((version) => version.name === null)).toBe(true)
  })
})

it('differences are told as a unified diff, too', async () => {
  const { id } = await galley.newDocument({ content: 'One.\nTwo.\n' })
  await galley.call('PATCH', `/api/documents/${id}`, {
    as: galley.as.owner,
    json: { content: 'One.\nThree.\n' },
  })
  const compare = async (query: string) =>
    (await galley.call('GET', `/api/documents/${id}/revisions?${query}`, { as: galley.as.reader })).data as {
      changes: object[]
      unified?: string
    }
  expect((await compare('from=1')).unified).toBeUndefined()
  const { changes, unified } = await compare('from=1&unified=true')
  expect(changes.length).toBeGreaterThan(0)
  expect(unified).toBe('--- revision 1\n+++ revision 2\n@@ -1,2 +1,2 @@\n One.\n-Two.\n+Three.\n')
  expect((await compare('from=2&unified=true')).unified).toBe('')
})
