import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import { cookieOf, createTestGalley, type TestCredentials, type TestGalley } from '../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

const bad = { key: `gally_${'0'.repeat(32)}` }

/** What answers came to the same call made so many times. */
async function tally(times: number, call: () => Promise<{ code: string | null }>) {
  const codes: Record<string, number> = {}
  for (let i = 0; i < times; i++) {
    const { code } = await call()
    codes[code ?? 'done'] = (codes[code ?? 'done'] ?? 0) + 1
  }
  return codes
}

it('what is left of a limit is told where it counts, and nowhere else', async () => {
  const { id } = await galley.newDocument()
  const token = await galley.newToken(id, 'comment')
  const write = (as: TestCredentials) =>
    galley.call('POST', `/api/documents/${id}/comments`, { as, json: { body: 'Said.' } })
  const told = async (as: TestCredentials) => {
    const { headers } = await write(as)
    return [headers['ratelimit-policy'], headers['ratelimit']]
  }
  const policy = `"changes";q=${limits.guestWritesPerMinute};w=60`
  expect(await told({ token })).toEqual([policy, expect.stringMatching(/^"changes";r=59;t=\d+$/)])
  expect(await told({ token })).toEqual([policy, expect.stringMatching(/^"changes";r=58;t=\d+$/)])
  expect(await told(galley.as.owner)).toEqual([undefined, undefined])
  for (let more = 2; more < limits.guestWritesPerMinute; more++) await write({ token })
  const refused = await write({ token })
  expect([refused.code, refused.headers['ratelimit-policy']]).toEqual(['RATE_LIMITED', policy])
  expect(refused.headers['ratelimit']).toBe(`"changes";r=0;t=${String(refused.headers['retry-after'])}`)
})

describe('refused credentials', () => {
  it('are 401 a hundred times a minute and 429 from then on; good ones are never slowed', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'view')
    const url = `/api/documents/${id}`
    const tries: TestCredentials[] = [
      bad,
      { token: '0'.repeat(32) },
      { session: 'x' },
      { ...galley.as.session, ...bad },
    ]
    let turn = 0
    const codes = await tally(130, () => galley.call('GET', url, { as: tries[turn++ % tries.length]! }))
    expect(codes).toEqual({ UNAUTHORIZED: 100, RATE_LIMITED: 30 })
    for (const as of [galley.as.owner, galley.as.session, { token }])
      expect((await galley.call('GET', url, { as })).status).toBe(200)
    expect((await galley.call('GET', url, { as: { token: '0'.repeat(32) }, on: 'share' })).code).toBe(
      'RATE_LIMITED',
    )
    const limited = await galley.call('GET', url, { as: bad })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    // Nobody guessed anything: these were not counted and are what they always are.
    expect((await galley.call('GET', url)).code).toBe('UNAUTHORIZED')
    expect((await galley.call('POST', '/api/session', { json: { ticket: 'guess' } })).code).toBe(
      'RATE_LIMITED',
    )
    const ticket = galley.store.signInLinks.createTicket(galley.user.id)
    expect((await galley.call('POST', '/api/session', { json: { ticket } })).status).toBe(201)
  })

  it('are counted whether they are tickets, links of other documents or dead share pages', async () => {
    const one = await galley.newDocument()
    const other = await galley.newToken((await galley.newDocument()).id, 'view')
    expect(await tally(50, () => galley.call('POST', '/api/session', { json: { ticket: 'guess' } }))).toEqual(
      {
        UNAUTHORIZED: 50,
      },
    )
    const wrong = () => galley.call('GET', `/api/documents/${one.id}`, { as: { token: other } })
    expect(await tally(30, wrong)).toEqual({ UNAUTHORIZED: 30 })
    for (let i = 0; i < 20; i++)
      expect((await galley.call('GET', `/share/${'0'.repeat(32)}`, { on: 'share' })).status).toBe(404)
    const page = await galley.call('GET', `/share/${'0'.repeat(32)}`, { on: 'share' })
    expect([page.status, page.headers['retry-after'] !== undefined]).toEqual([429, true])
    expect((await wrong()).code).toBe('RATE_LIMITED')
  })

  it('don’t count where the header only says who asks from where', async () => {
    const headers = (i: number) => ({
      'x-forwarded-for': `10.0.0.${i}`,
      forwarded: `for=10.0.0.${i}`,
      'x-real-ip': '1.1.1.1',
    })
    let i = 0
    const codes = await tally(110, () => galley.call('GET', '/api/me', { as: bad, headers: headers(i++) }))
    expect(codes).toEqual({ UNAUTHORIZED: 100, RATE_LIMITED: 10 })
  })
})

describe('guests’ writes', () => {
  it('are 60 a minute per link; reading, other links, owners and keys have no limit', async () => {
    const { id } = await galley.newDocument({ content: 'Text' })
    const url = `/api/documents/${id}`
    const one = { token: await galley.newToken(id, 'edit') }
    const two = { token: await galley.newToken(id, 'edit') }
    let turn = 0
    const write = (as: TestCredentials) => () =>
      turn++ % 2
        ? galley.call('POST', `${url}/comments`, { as, json: { body: 'x' } })
        : galley.call('PATCH', url, { as, json: { content: `text ${turn}` } })
    expect(await tally(70, write(one))).toEqual({ done: 60, RATE_LIMITED: 10 })
    const before = (await galley.call('GET', url, { as: one })).data
    expect(before.revision).toBe(31)
    expect((await galley.call('POST', `${url}/suggestions`, { as: one, json: {} })).code).toBe('RATE_LIMITED')
    expect(await tally(80, () => galley.call('GET', url, { as: one }))).toEqual({ done: 80 })
    expect(await tally(2, write(two))).toEqual({ done: 2 })
    expect(await tally(70, write({ ...galley.as.owner, ...one }))).toEqual({ done: 70 })
    expect(await tally(70, write(galley.as.owner))).toEqual({ done: 70 })
    const body = { body: '{', headers: { 'content-type': 'text/plain' } }
    expect((await galley.call('PATCH', url, { as: one, ...body })).code).toBe('FORBIDDEN')
  })

  it('count more often where they are large, or don’t say how large they are', async () => {
    const { id } = await galley.newDocument({ content: 'Text' })
    const write = (token: string, json: object, headers = {}) =>
      galley.call('PATCH', `/api/documents/${id}`, { as: { token }, json, headers })
    const large = await galley.newToken(id, 'edit')
    const content = `${'x'.repeat(49_999)}\n`.repeat(110)
    expect(await tally(11, () => write(large, { content }))).toEqual({ done: 10, RATE_LIMITED: 1 })
    const unknown = await galley.newToken(id, 'edit')
    const chunked = { 'transfer-encoding': 'chunked' }
    expect(await tally(7, () => write(unknown, { content: 'x' }, chunked))).toEqual({
      done: 6,
      RATE_LIMITED: 1,
    })
  })

  it('leave no more open with a document than its owner can look through', async () => {
    const { id } = await galley.newDocument({ content: 'Text' })
    const url = `/api/documents/${id}`
    const guest = { token: await galley.newToken(id, 'edit') }
    const long = 'x'.repeat(190_000)
    const suggest = (as: TestCredentials) =>
      galley.call('POST', `${url}/suggestions`, {
        as,
        json: {
          original_text: 'Text',
          suggested_text: long,
          anchor: { exact: 'Text', prefix: '', suffix: '', start: 0 },
        },
      })
    const comment = (as: TestCredentials) =>
      galley.call('POST', `${url}/comments`, { as, json: { body: 'x' } })
    const { document } = galley.store.shareLinks.findValid(guest.token)!
    const author = { id: null, name: 'Guest', key: 'guest:1' }
    const fields = { original_text: 'Text', suggested_text: long, note: null, anchor: null, range: null }
    galley.store.transaction(() => {
      for (let i = 0; i < 89; i++) galley.store.suggestions.create(document, author, fields)
    })
    expect(await suggest(guest)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    expect((await comment(guest)).code).toBe('PAYLOAD_TOO_LARGE')
    expect((await suggest(galley.as.owner)).status).toBe(201)
    expect((await galley.call('GET', url, { as: guest })).status).toBe(200)
    const json = { action: 'reject' }
    await galley.call('POST', `${url}/suggestions/resolve`, { as: galley.as.owner, json })
    expect((await comment(guest)).status).toBe(201)
  })

  it.each([
    ['many', limits.guestComments - 1, 'x'],
    ['long', 32, 'x'.repeat(limits.guestCommentBytes / 32 - 1)],
  ])('leave no more comments than a list can hold, resolved or not: too %s', async (_, count, body) => {
    const { id } = await galley.newDocument({ content: 'Text' })
    const url = `/api/documents/${id}/comments`
    const token = await galley.newToken(id, 'comment')
    const { document } = galley.store.shareLinks.findValid(token)!
    galley.store.transaction(() => {
      for (let i = 0; i < count; i++) {
        const author = { id: null, name: 'Guest', key: 'guest:1' }
        const fields = { body, parentId: null, anchor: null, range: null }
        const one = galley.store.comments.create(document, author, fields)
        galley.store.comments.update(one, { resolved: true }, author)
      }
    })
    const comment = (as: TestCredentials, text = 'x') =>
      galley.call('POST', url, { as, json: { body: text } })
    const last = await comment({ token }, 'x'.repeat(100))
    expect(last.status).toBe(201)
    const guest = cookieOf(last, 'galley_guest')!
    const change = (json: object) =>
      galley.call('PATCH', `${url}/${last.data.id}`, { as: { token, guest }, json })
    expect((await change({ resolved: true })).status).toBe(200)
    const refused = await comment({ token, guest })
    expect([refused.status, refused.message]).toEqual([413, expect.stringMatching(/owner has to delete/)])
    // Neither grows what is there, nor comes back what was resolved; what gets smaller may.
    expect((await change({ body: 'y'.repeat(101) })).status).toBe(413)
    expect((await change({ resolved: false })).status).toBe(413)
    expect((await change({ body: 'y' })).status).toBe(200)
    const own = await comment(galley.as.owner)
    expect(own.status).toBe(201)
    const first = galley.store.comments.list(document)[0]!.id
    const gone = await galley.call('DELETE', `${url}/${first}`, { as: galley.as.owner })
    expect(gone.status).toBe(200)
    expect((await comment({ token, guest })).status).toBe(201)
  })
})

describe('versions by guests', () => {
  /** A document that a guest has changed; `pretend` says how long the guest’s text was. */
  async function changed() {
    const { id } = await galley.newDocument({ content: 'The owner’s words.' })
    const url = `/api/documents/${id}`
    const token = await galley.newToken(id, 'edit')
    const write = (content: string, guest?: string, as: TestCredentials = { token }) =>
      galley.call('PATCH', url, { as: { ...as, ...(guest ? { guest } : {}) }, json: { content } })
    const first = await write('One')
    const guest = cookieOf(first, 'galley_guest')!
    const { number } = galley.store.documents.find(id)!
    return {
      ...{ id, guest, write, first },
      pretend: (added: number) =>
        void galley.store.db
          .prepare('UPDATE versions SET added = ? WHERE document = ? AND revision = 2')
          .run(added, number),
    }
  }
  const least = 16 * 1024

  it('hold no more than 256 MiB a day while nobody else changes the text', async () => {
    const { guest, pretend, write } = await changed()
    pretend(limits.guestVersions - least - 1)
    await write('Two')
    galley.clock.now += 120_000
    const last = await write('Three')
    expect(last.status).toBe(200)
    const refused = await write('Four', guest)
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '60' } })
    expect(refused.message).toContain('as soon as its owner has changed it')
    // An account is not limited, and what it changes makes room; so does time.
    expect((await write('The owner again', undefined, galley.as.owner)).status).toBe(200)
    expect((await write('Four', guest)).status).toBe(200)
  })

  it('count for a day', async () => {
    const { guest, pretend, write } = await changed()
    pretend(limits.guestVersions)
    expect((await write('Two', guest)).code).toBe('RATE_LIMITED')
    galley.clock.now += 24 * 60 * 60 * 1000 - 1
    expect((await write('Two', guest)).code).toBe('RATE_LIMITED')
    // Its version is a millisecond younger than the document.
    galley.clock.now += 2
    expect((await write('Two', guest)).status).toBe(200)
  })

  it('are not limited by what others leave with another document', async () => {
    const one = await changed()
    const other = await changed()
    one.pretend(limits.guestVersions)
    expect((await other.write('Two', other.guest)).status).toBe(200)
  })
})

describe('lines by guests', () => {
  const long = 'x'.repeat(limits.guestLineLength)
  const guest = 'a'.repeat(32)

  async function scene(content: string) {
    const { id } = await galley.newDocument({ content })
    const link = { token: await galley.newToken(id, 'edit'), guest }
    let number = 0
    return {
      write: (next: string, as: TestCredentials = link) =>
        galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: next } }),
      push: (base: number, changes: unknown[], as: TestCredentials = link) =>
        galley.call('POST', `/api/documents/${id}/changes`, {
          ...{ as, json: { base, client: 'c'.repeat(22), number: ++number, changes } },
        }),
      text: async () =>
        (await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })).data.content as string,
    }
  }

  it('become no longer than a browser draws at once, whichever way they come', async () => {
    const { write, push, text } = await scene('One.\n')
    const tooLong = [await write(`One.\n${long}x\n`), await push(1, [5, [0, `${long}x`, '']])]
    for (const refused of tooLong) {
      expect(refused).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
      expect(refused.message).toBe(
        'By a link no line may become longer than 50,000 characters. Break it into shorter ones; nothing was changed.',
      )
    }
    expect(await text()).toBe('One.\n')
    expect((await push(1, [5, [0, long, '']])).status).toBe(200)
    // Grown little by little it is refused, too; broken it isn’t.
    expect((await push(2, [5, [0, 'y'], limits.guestLineLength + 1])).code).toBe('PAYLOAD_TOO_LARGE')
    expect((await push(2, [5, [0, 'y', ''], limits.guestLineLength + 1])).status).toBe(200)
    expect(await text()).toBe(`One.\ny\n${long}\n`)
  })

  it('are measured with what others have put into them meanwhile', async () => {
    const { push } = await scene('One.\n')
    const half = long.slice(0, long.length / 2 + 10)
    expect((await push(1, [[0, half], 5], galley.as.owner)).status).toBe(200)
    expect((await push(1, [4, [0, half], 1])).code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('may be as long as the owner makes them, who has no limit', async () => {
    const { write, push } = await scene('One.\n')
    expect((await write(`${long}xx\nTwo.\n`, galley.as.owner)).status).toBe(200)
    expect((await push(2, [[0, 'x'], limits.guestLineLength + 8], galley.as.owner)).status).toBe(200)
    expect((await write(`${long}xxx\nThree.\n`)).status).toBe(200)
    expect((await push(4, [limits.guestLineLength + 10, [0, ' More.'], 1])).status).toBe(200)
  })

  it('aren’t suggested longer either, in any way', async () => {
    const { suggest, change, batch } = await suggesting(`One.\n${long.slice(10)}\n`)
    const isRefused = { status: 413, code: 'PAYLOAD_TOO_LARGE' }
    const refused = await suggest({ original_text: 'One', suggested_text: long })
    expect(refused).toMatchObject(isRefused)
    expect(refused.message).toBe(
      'By a link no line may become longer than 50,000 characters. Break it into shorter ones; nothing was changed.',
    )
    // Little, but in a line that is long; and words that aren’t in the text.
    const anchor = { exact: '', start: 8, prefix: 'xxx', suffix: 'xxx' }
    const putIn = { original_text: '', anchor }
    expect(await suggest({ ...putIn, suggested_text: 'y'.repeat(11) })).toMatchObject(isRefused)
    expect(await suggest({ original_text: 'Two', suggested_text: `${long}x` })).toMatchObject(isRefused)
    expect(await suggest({ ...putIn, suggested_text: 'y'.repeat(11) }, galley.as.owner)).toMatchObject({
      status: 201,
    })

    const { data: made } = await suggest({ ...putIn, suggested_text: 'y'.repeat(10) })
    expect(await change(made.id, { suggested_text: 'y'.repeat(11) })).toMatchObject(isRefused)
    expect((await change(made.id, { suggested_text: 'y'.repeat(9), note: 'Hm.' })).status).toBe(200)
    const { data: many } = await batch([
      { original_text: 'One', suggested_text: long },
      { original_text: 'One', suggested_text: long.slice(1) },
    ])
    expect(many).toMatchObject([
      { suggestion: null, error: { code: isRefused.code } },
      { suggestion: { original_text: 'One' }, error: null },
    ])
  })

  it('may be suggested on as long as the owner has made them', async () => {
    const { suggest } = await suggesting(`One.\n${long}xx\n`)
    const anchor = { exact: 'xxx', start: 8 }
    const words = { original_text: 'xxx', anchor }
    expect((await suggest({ ...words, suggested_text: 'yyy' })).status).toBe(201)
    expect((await suggest({ ...words, suggested_text: 'yyyy' })).code).toBe('PAYLOAD_TOO_LARGE')
  })

  async function suggesting(content: string) {
    const { id } = await galley.newDocument({ content })
    const link = { token: await galley.newToken(id, 'suggest'), guest }
    const path = `/api/documents/${id}/suggestions`
    return {
      suggest: (json: object, as: TestCredentials = link) => galley.call('POST', path, { as, json }),
      change: (suggestion: string, json: object) =>
        galley.call('PATCH', `${path}/${suggestion}`, { as: link, json }),
      batch: (suggestions: object[]) =>
        galley.call('POST', `${path}/batch`, { as: link, json: { suggestions, mode: 'each' } }),
    }
  }
})
