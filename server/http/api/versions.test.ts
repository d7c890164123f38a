import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cookieOf, createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

describe('versions', () => {
  it('say who changed what and when, and a restore makes one more', async () => {
    const { id } = await galley.newDocument({ title: 'T', content: 'one' })
    const at = `/api/documents/${id}`
    const token = await galley.newToken(id, 'edit')
    galley.clock.now += 120_000
    await galley.call('PATCH', at, { as: { token }, json: { content: 'one two', author_name: 'Guest Ada' } })
    const list = async () => (await galley.call('GET', `${at}/versions`, { as })).data
    expect(await list()).toEqual([
      {
        revision: 2,
        title: 'T',
        kind: 'edit',
        author_id: null,
        author_name: 'Guest Ada',
        size: 7,
        added: 4,
        removed: 0,
        started_at: '2026-03-01T09:32:00.000Z',
        created_at: '2026-03-01T09:32:00.000Z',
        name: null,
        key_name: null,
        author_kind: 'guest',
        author_colour: expect.any(Number) as number,
        suggested_by: [],
        suggesters: [],
      },
      expect.objectContaining({ revision: 1, kind: 'create', author_id: galley.user.id, size: 3 }),
    ])
    const restore = (revision: string, headers = {}) =>
      galley.call('POST', `${at}/versions/${revision}/restore`, { as, headers })
    expect((await restore('1', { 'if-match': '"1"' })).data.content).toBe('one two')
    const restored = await restore('1', { 'if-match': '"2"' })
    expect([restored.data.content, restored.data.revision, restored.headers['etag']]).toEqual([
      'one',
      3,
      '"3"',
    ])
    expect((await list())[0]).toMatchObject({ revision: 3, kind: 'restore' })
    expect((await galley.call('GET', `${at}/versions/2`, { as })).data.content).toBe('one two')
    for (const revision of ['0', '4', '-1', '1.0', '01', '1e0', 'x', '99999999999999999999', '%31%20'])
      expect([revision, (await restore(revision)).status]).toEqual([revision, revision === '01' ? 200 : 404])
  })

  it('keep what was taken away while its author writes on, by a restore or much of it by somebody else', async () => {
    const { id } = await galley.newDocument({ content: 'Begun.' })
    const at = `/api/documents/${id}`
    const guest: { token: string; guest?: string } = { token: await galley.newToken(id, 'edit') }
    const texts = async () => {
      const { data } = await galley.call('GET', `${at}/versions`, { as })
      const each = (data as { revision: number }[]).map(({ revision }) =>
        galley.call('GET', `${at}/versions/${revision}`, { as }),
      )
      return (await Promise.all(each)).map((one) => one.data.content as string)
    }
    const write = async (content: string, by: TestCredentials) => {
      galley.clock.now += 1_000
      const { revision } = (await galley.call('GET', at, { as })).data
      const headers = { 'if-match': `"${revision}"` }
      const answer = await galley.call('PATCH', at, { as: by, json: { content }, headers })
      expect(answer.status).toBe(200)
      if (by === guest) guest.guest ??= cookieOf(answer, 'galley_guest')!
    }
    const theirs = 'Begun. A sentence of theirs that is precious.'
    await write(theirs, guest)
    await galley.call('POST', `${at}/versions/1/restore`, { as })
    await write('Begun. And on.', guest)
    expect(await texts()).toContain(theirs)

    const paragraph = `${theirs} `.repeat(5)
    await write(`Begun. And on. ${paragraph}`, guest)
    await write('Begun. And on.', as)
    await write('Begun. And on and on.', guest)
    expect(await texts()).toContain(`Begun. And on. ${paragraph}`)
  })

  it('are a few entries for ten minutes of two people who also take out each other’s words', async () => {
    const { id } = await galley.newDocument({ content: 'A text of many words. '.repeat(200) })
    const at = `/api/documents/${id}`
    const guest: { token: string; guest?: string } = { token: await galley.newToken(id, 'edit') }
    for (let i = 0; i < 40; i++) {
      galley.clock.now += 14_000
      const { content, revision } = (await galley.call('GET', at, { as })).data as {
        content: string
        revision: number
      }
      const place = (i * 89) % (content.length - 100)
      const cut =
        content.slice(0, place) + (i % 4 < 2 ? '' : 'abc ') + content.slice(place + (i % 4 < 2 ? 30 : 0))
      const by = i % 2 === 0 ? as : guest
      const headers = { 'if-match': `"${revision}"` }
      const answer = await galley.call('PATCH', at, { as: by, json: { content: cut }, headers })
      expect(answer.status).toBe(200)
      if (by === guest) guest.guest ??= cookieOf(answer, 'galley_guest')!
    }
    const { data } = await galley.call('GET', `${at}/versions`, { as })
    expect((data as { kind: string }[]).map(({ kind }) => kind)).toEqual(['edit', 'edit', 'create'])
  })

  it('fold only a burst of one author who knew what they changed', async () => {
    const { id } = await galley.newDocument({ content: '' })
    const at = `/api/documents/${id}`
    const write = (content: string, revision?: number, by: TestCredentials = as) => {
      galley.clock.now += 10
      return galley.call('PATCH', at, {
        as: by,
        json: { content },
        headers: revision === undefined ? {} : { 'if-match': `"${revision}"` },
      })
    }
    const revisions = async () =>
      ((await galley.call('GET', `${at}/versions`, { as })).data as { revision: number }[]).map(
        (one) => one.revision,
      )
    await write('a', 1)
    await write('ab', 2)
    await write('abc', 3)
    expect(await revisions()).toEqual([4, 1])
    await write('abcd', 4, galley.as.session)
    await write('abcde')
    galley.clock.now += 60_000
    await write('abcdef', 6)
    expect(await revisions()).toEqual([7, 6, 5, 4, 1])
  })

  it('are a few where two write by turns, each saying who wrote how much', async () => {
    const { id } = await galley.newDocument({ content: '' })
    const at = `/api/documents/${id}`
    const token = await galley.newToken(id, 'edit')
    let cookie = ''
    const push = async (by: TestCredentials, number: number, words: string, removed = 0) => {
      galley.clock.now += 20_000
      const { content, revision } = (await galley.call('GET', at, { as })).data
      const kept = content.length - removed
      const changes = [...(kept > 0 ? [kept] : []), [removed, words]]
      const isGuest = 'token' in by
      const answer = await galley.call('POST', `${at}/changes`, {
        as: by,
        headers: isGuest && cookie ? { cookie } : {},
        json: {
          base: revision,
          client: isGuest ? 'client-of-a-guest' : 'client-of-an-owner',
          number,
          changes,
          ...(isGuest ? { author_name: 'Ada' } : {}),
        },
      })
      expect(answer.message).toBeNull()
      if (isGuest) cookie ||= String([answer.headers['set-cookie']].flat()[0]).split(';')[0]!
    }
    for (let n = 1; n <= 12; n++) {
      await push({ token }, n, 'guest ')
      await push(galley.as.session, n, n === 12 ? 'own' : 'owner ', n === 12 ? 2 : 0)
    }
    expect((await galley.call('GET', `${at}/versions`, { as })).data).toMatchObject([
      {
        revision: 25,
        author_name: galley.user.name,
        author_id: galley.user.id,
        added: 11 * 6 + 3,
        removed: 2,
      },
      { revision: 24, author_name: 'Ada', author_id: null, added: 12 * 6, removed: 0 },
      { revision: 1, kind: 'create' },
    ])
  })

  it('count the letters that were typed, not the words that they are in', async () => {
    const { id } = await galley.newDocument({ content: '' })
    const at = `/api/documents/${id}`
    const word = 'counterrevolutionary'
    for (let n = 1; n <= word.length; n++) {
      galley.clock.now += 10
      const { status } = await galley.call('PATCH', at, {
        as,
        json: { content: word.slice(0, n) },
        headers: { 'if-match': `"${n}"` },
      })
      expect(status).toBe(200)
    }
    expect((await galley.call('GET', `${at}/versions`, { as })).data).toMatchObject([
      { revision: 21, size: 20, added: 20, removed: 0 },
      { revision: 1 },
    ])
  })
})
