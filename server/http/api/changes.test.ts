import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pushedBy } from '../../domain/outgoing-change.ts'
import { SharedText, textOf } from '../../domain/shared-text.ts'
import { inOneGo } from '../../domain/testing/in-one-go.ts'
import { limits } from '../../contract/limits.ts'
import type { Document } from '../../contract/records/documents.ts'
import type { Updates } from '../../contract/records/changes.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

const first = 'A galley goes out.\n'
const read = async (id: string) =>
  (await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })).data as Document
const change = (length: number, from: number, to: number, insert = '') =>
  ChangeSet.of({ from, to, insert: textOf(insert) }, length)

let clients = 0
/** An editor as far as the server sees it. */
class Editor {
  readonly client = `client-${String(clients++).padStart(16, '0')}`
  readonly id: string
  readonly as: TestCredentials
  readonly text: SharedText
  /** As it is shown. */
  shown: string

  constructor({ id, revision, content }: Document, as: TestCredentials) {
    this.id = id
    this.as = as
    this.text = new SharedText({ revision, content })
    this.shown = content
  }

  type(from: number, to: number, insert = '') {
    const changes = change(this.shown.length, from, to, insert)
    this.text.change(changes)
    this.shown = this.shown.slice(0, from) + insert + this.shown.slice(to)
  }

  /** Sends what waits; without `hears`, the answer gets lost. */
  async push(hears = true, over: Record<string, unknown> = {}) {
    const outgoing = this.text.outgoing()
    if (!outgoing) return undefined
    const answer = await galley.call('POST', `/api/documents/${this.id}/changes`, {
      as: this.as,
      json: { ...pushedBy(this.client, outgoing), ...over },
    })
    if (hears && answer.status === 200) {
      this.hear(answer.data as Updates)
      this.text.answered(outgoing)
    }
    return answer
  }

  async pull() {
    const query = `since=${this.text.revision}&client=${this.client}`
    const answer = await galley.call('GET', `/api/documents/${this.id}/changes?${query}`, { as: this.as })
    if (answer.status === 200) this.hear(answer.data as Updates)
    return answer
  }

  hear({ updates }: Updates) {
    for (const changes of this.text.receive(updates)) {
      let next = ''
      let at = 0
      changes.iterChanges((from, to, _fromB, _toB, inserted) => {
        next += this.shown.slice(at, from) + inserted.toString()
        at = to
      })
      this.shown = next + this.shown.slice(at)
    }
    expect(this.shown).toBe(this.text.current.toString())
    expect(inOneGo(this.text.compared())).toBe(true)
  }
}

const editor = async (id: string, as: TestCredentials = galley.as.owner) => new Editor(await read(id), as)

describe('a change that is pushed', () => {
  it('is made, and told to whoever asks what has changed', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await editor(id), await editor(id)]
    one.type(2, 2, 'proof ')
    await one.push()
    expect(one.text.isDirty).toBe(false)
    expect((await read(id)).content).toBe('A proof galley goes out.\n')
    const answer = await other.pull()
    expect(answer.data).toEqual({
      revision: 2,
      title: 'Untitled',
      updated_at: expect.any(String),
      updates: [
        {
          revision: 2,
          number: null,
          changes: [2, [0, 'proof '], 17],
          length: 25,
          hash: expect.any(Number),
          ...{ author: galley.user.name, author_kind: 'script', key_name: 'Test' },
        },
      ],
    })
    expect(other.shown).toBe('A proof galley goes out.\n')
  })

  it('is brought over what others have changed since', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await editor(id), await editor(id)]
    one.type(0, 0, 'Look: ')
    other.type(18, 18, ' Twice.')
    await one.push()
    await other.push()
    await one.pull()
    expect([one.shown, other.shown]).toEqual(Array(2).fill('Look: A galley goes out. Twice.\n'))
  })

  it('is made once, however often it comes', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await editor(id), await editor(id)]
    one.type(0, 0, 'Once. ')
    await one.push(false)
    other.type(0, 0, 'Other. ')
    await other.push()
    one.type(6, 6, 'Twice. ')
    await one.push()
    expect(one.text.isDirty).toBe(true)
    await one.push()
    expect((await read(id)).content).toBe('Once. Twice. Other. A galley goes out.\n')
    expect(one.shown).toBe('Once. Twice. Other. A galley goes out.\n')
  })

  it('is over where others have left nothing of it before it comes, and is made where it came before', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await editor(id), await editor(id)]
    for (const who of [one, other]) who.type(2, 9)
    const late = pushedBy(one.client, one.text.outgoing()!)
    await other.push()
    await one.pull()
    expect(one.text.outgoing()!.changes.empty).toBe(true)
    const answer = await one.push()
    expect([answer!.status, one.text.isDirty]).toEqual([200, false])
    expect((await read(id)).revision).toBe(2)
    // What was sent before that comes only now.
    const as = galley.as.owner
    await galley.call('POST', `/api/documents/${id}/changes`, { as, json: late })
    await one.pull()
    expect(one.text.revision).toBe(3)
    expect([one.shown, (await read(id)).content]).toEqual(['A goes out.\n', 'A goes out.\n'])
    one.type(2, 2, 'proof ')
    await one.push()
    expect((await read(id)).content).toBe('A proof goes out.\n')
  })

  it('makes no revision where it changes nothing, and comes to the same again under its number', async () => {
    const { id } = await galley.newDocument({ content: first })
    const before = await read(id)
    const push = (changes: unknown[], base = 1) =>
      galley.call('POST', `/api/documents/${id}/changes`, {
        as: galley.as.owner,
        json: { base, client: 'client-of-nothing', number: 1, changes },
      })
    const answers = [await push([first.length]), await push([first.length])]
    expect(answers.map(({ status, data }) => [status, data.revision, data.updates])).toEqual(
      Array(2).fill([200, 1, []]),
    )
    expect((await push([first.length + 1])).status).toBe(400)
    expect(await read(id)).toEqual(before)
    // One that others have left nothing of is made, and is told the same again.
    expect((await push([[2], first.length - 2])).data).toMatchObject({ revision: 2 })
    expect((await push([[2], first.length - 2])).data).toMatchObject({
      revision: 2,
      updates: [{ number: 1 }],
    })
  })

  it('is made though it changes nothing where its client, as one of an earlier Galley, can’t go on before', async () => {
    const { id } = await galley.newDocument({ content: first })
    const one = await editor(id)
    const push = (number: number) =>
      galley.call('POST', `/api/documents/${id}/changes`, {
        as: galley.as.owner,
        json: { base: 1, client: one.client, number, changes: [first.length] },
      })
    for (const number of [1, 2, 1]) expect((await push(number)).data.updates).toEqual([])
    const told = { revision: 2, updates: [{ number: 1, changes: null }] }
    expect((await push(1)).data).toMatchObject(told)
    expect((await push(1)).data).toMatchObject(told)
    expect((await read(id)).content).toBe(first)
  })

  it('comes over a PATCH, a restored revision and a new title', async () => {
    const { id } = await galley.newDocument({ content: first })
    const one = await editor(id)
    one.type(0, 0, '# Proofs\n\n')
    const as = galley.as.owner
    await galley.call('PATCH', `/api/documents/${id}`, {
      as,
      json: { content: 'A galley goes out today.\n' },
    })
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'Proofs' } })
    const pushed = (await one.push())!.data as Updates
    expect([pushed.title, pushed.revision]).toEqual(['Proofs', 4])
    expect(one.shown).toBe('# Proofs\n\nA galley goes out today.\n')
    await galley.call('POST', `/api/documents/${id}/revisions/1/restore`, { as })
    await one.pull()
    expect(one.shown).toBe(first)
  })

  it('moves what is anchored in the text', async () => {
    const { id } = await galley.newDocument({ content: first })
    const comment = await galley.newComment(id, galley.as.owner, { anchor: { exact: 'galley', start: 2 } })
    const one = await editor(id)
    one.type(0, 0, 'Here: ')
    await one.push()
    const [now] = (await galley.call('GET', `/api/documents/${id}/comments`, { as: galley.as.owner }))
      .data as { id: string; range: unknown }[]
    expect(now).toMatchObject({ id: comment.id, range: { start: 8, end: 14 } })
  })

  it('may be a guest’s, whose link lets them edit', async () => {
    const { id } = await galley.newDocument({ content: first })
    const one = await editor(id, { token: await galley.newToken(id, 'edit') })
    one.type(0, 0, 'Ada: ')
    expect((await one.push(true, { author_name: 'Ada' }))!.status).toBe(200)
    const [, version] = (await galley.call('GET', `/api/documents/${id}/versions`, { as: galley.as.owner }))
      .data as { author_name: string }[]
    expect(version).toBeDefined()
    const owner = await editor(id)
    owner.type(0, 0, '')
    for (const permission of ['comment', 'view'] as const) {
      const guest = await editor(id, { token: await galley.newToken(id, permission) })
      guest.type(0, 0, 'No. ')
      expect((await guest.push())!.status).toBe(403)
    }
  })
})

describe('who waits for the next change', () => {
  const waiting = (id: string, as: TestCredentials, since = 1, wait = 30) =>
    galley.call('GET', `/api/documents/${id}/changes?since=${since}&wait=${wait}`, { as })
  const isWaiting = (count = 1) =>
    vi.waitFor(() => expect(galley.context.feed.waiting()).toBe(count), { timeout: 5_000 })

  it('is told as soon as there is one, and at once where there is one already', async () => {
    const { id } = await galley.newDocument({ content: first })
    const other = await galley.newDocument({ content: first })
    const waits = waiting(id, galley.as.owner)
    await isWaiting()
    for (const [which, content] of [
      [other.id, 'Other.'],
      [id, 'Changed.'],
    ] as const)
      await galley.call('PATCH', `/api/documents/${which}`, { as: galley.as.owner, json: { content } })
    expect((await waits).data).toMatchObject({ revision: 2, updates: [{ revision: 2 }] })
    expect((await waiting(id, galley.as.owner)).data).toMatchObject({ revision: 2 })
    expect((await waiting(id, galley.as.owner, 2, 1)).data).toMatchObject({ revision: 2, updates: [] })
  })

  it('is told nothing once their link has ended', async () => {
    const { id } = await galley.newDocument({ content: first })
    const token = await galley.newToken(id, 'edit')
    const waits = waiting(id, { token })
    await isWaiting()
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link!.id}`, { as: galley.as.owner })
    // Though nothing happens that they wait for.
    expect((await waits).status).toBe(401)
    expect(galley.context.feed.waiting()).toBe(0)
  })

  it('is told at once what their link allows now, and waits on where another’s is changed', async () => {
    const { id } = await galley.newDocument({ content: first })
    const token = await galley.newToken(id, 'edit')
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    await galley.newToken(id, 'edit')
    const [other] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    const allow = (which: string, permission: string) =>
      galley.call('PATCH', `/api/documents/${id}/share?link_id=${which}`, {
        as: galley.as.owner,
        json: { permission },
      })
    const waits = waiting(id, { token })
    await isWaiting()
    await allow(other!.id, 'view')
    await isWaiting()
    await allow(link!.id, 'view')
    expect((await waits).data).toMatchObject({ revision: 1, updates: [], permission: 'view' })
    expect(galley.context.feed.waiting()).toBe(0)
  })

  it('shares the room for waiting with others', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await galley.newToken(id, 'edit'), await galley.newToken(id, 'edit')]
    const all = Array.from({ length: limits.linkWaits }, () => waiting(id, { token: one }))
    await isWaiting(limits.linkWaits)
    expect((await waiting(id, { token: one })).status).toBe(429)
    all.push(waiting(id, { token: other }), waiting(id, galley.as.owner))
    await isWaiting(limits.linkWaits + 2)
    await galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content: 'Now.' } })
    for (const answer of await Promise.all(all)) expect(answer.status).toBe(200)
  })
})

describe('a change that can’t be brought over what came since', () => {
  it('is answered with the document as it is now', async () => {
    const { id } = await galley.newDocument({ content: first })
    const one = await editor(id)
    one.type(0, 0, 'No. ')
    for (const over of [{ base: 7 }, { hash: 1 }]) {
      const answer = (await one.push(true, over))!
      expect(answer.status).toBe(412)
      expect(answer.data).toMatchObject({ id, revision: 1, content: first })
    }
    expect((await read(id)).revision).toBe(1)
  })

  it('is none where an older Galley gave the text its hash', async () => {
    const { id } = await galley.newDocument({ content: 'revenge' })
    for (const table of ['documents', 'changes'])
      galley.store.db.prepare(`UPDATE ${table} SET hash = 4051478007546757`).run()
    const one = await editor(id)
    one.type(0, 0, 'No ')
    expect((await one.push())!.status).toBe(200)
    expect(await read(id)).toMatchObject({ revision: 2, content: 'No revenge' })
  })

  it('tells a link’s holder nothing that was replaced before there was the link', async () => {
    const { id } = await galley.newDocument({ content: 'Secret.\n' })
    const as = galley.as.owner
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: first } })
    galley.clock.now += 1_000
    const token = await galley.newToken(id, 'edit')
    const ask = (since: number) =>
      galley.call('GET', `/api/documents/${id}/changes?since=${since}`, { as: { token } })
    const refused = await ask(1)
    expect([refused.status, JSON.stringify(refused.data)]).toEqual([
      412,
      expect.not.stringContaining('Secret'),
    ])
    expect((await ask(2)).data).toMatchObject({ revision: 2, updates: [] })
  })

  it.each([
    ['that are none', ['x']],
    ['of another length', [3, [0, 'x'], 3]],
    ['of too many places', Array.from({ length: 2_002 }, () => 0)],
    ['that leave half a character', [1, [0, 'x'], 1]],
  ])('refuses changes %s', async (_name, changes) => {
    const { id } = await galley.newDocument({ content: '😀' })
    const one = await editor(id)
    one.type(0, 0, 'x')
    const answer = (await one.push(true, { changes }))!
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await read(id)).content).toBe('😀')
  })

  it.each([
    [
      'revoked',
      (id: string, link: string) => [
        ['DELETE', `/api/documents/${id}/share?link_id=${link}`],
        ['POST', `/api/documents/${id}/share/${link}/restore`],
      ],
    ],
    [
      'expired',
      (id: string, link: string) => [
        ['PATCH', `/api/documents/${id}/share?link_id=${link}`, { expires_at: '2026-03-01T09:30:01.000Z' }],
        ['PATCH', `/api/documents/${id}/share?link_id=${link}`, { expires_at: null }],
      ],
    ],
    [
      'stopped with all others',
      () => [
        ['PATCH', '/api/sharing', { stopped: true }],
        ['PATCH', '/api/sharing', { stopped: false }],
      ],
    ],
  ] as [string, (id: string, link: string) => [string, string, object?][]][])(
    'tells a link’s holder nothing that was replaced while the link was %s',
    async (_how, calls) => {
      const as = galley.as.owner
      const { id } = await galley.newDocument({ content: first })
      const token = await galley.newToken(id, 'edit')
      const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
      const [close, open] = calls(id, link!.id).map(
        ([method, url, json]) =>
          () =>
            galley.call(method, url, { as, ...(json ? { json } : {}) }),
      )
      expect((await close!()).status).toBe(200)
      galley.clock.now += 2_000
      const owner = await editor(id)
      owner.type(0, 0, 'Secret. ')
      await owner.push()
      owner.type(0, 8)
      await owner.push()
      galley.clock.now += 1_000
      expect((await open!()).status).toBe(200)
      const asked = await galley.call('GET', `/api/documents/${id}/changes?since=1`, { as: { token } })
      expect([asked.status, JSON.stringify(asked.data)]).toEqual([412, expect.not.stringContaining('Secret')])
    },
  )

  it('is refused where the client has used its number before, and belongs to who sends it', async () => {
    const { id } = await galley.newDocument({ content: first })
    const one = await editor(id)
    one.type(0, 0, 'One. ')
    await one.push()
    const { revision, content } = await read(id)
    const json = { base: revision, client: one.client, number: 1, changes: [[0, 'Two. '], content.length] }
    const push = (as: TestCredentials) => galley.call('POST', `/api/documents/${id}/changes`, { as, json })
    expect((await push(galley.as.owner)).code).toBe('VALIDATION_ERROR')
    const token = await galley.newToken(id, 'edit')
    expect((await push({ token })).data).toMatchObject({ updates: [{ number: 1 }] })
    expect((await read(id)).content).toBe(`Two. One. ${first}`)
  })

  it('is refused where it comes under the number of another, so that nobody takes it for made', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await editor(id), await editor(id)]
    one.type(0, 0, 'One. ')
    other.type(first.length, first.length, 'Other.')
    await other.push()
    await one.push(false)
    const told = (await read(id)).content
    const others = [
      { changes: [[0, 'Two. '], first.length] },
      { changes: [first.length, [0, 'One. ']] },
      { changes: [[0, 'One. '], [0, 'More. '], first.length] },
      { changes: [[0, 'One. '], first.length + 6], base: 2 },
      { changes: [[0, 'One. '], first.length + 7] },
    ]
    const { hash: _, ...pushed } = pushedBy(one.client, one.text.outgoing()!)
    const statuses: unknown[] = []
    for (const over of [{}, ...others, { changes: [[0, 'One'], [0, '. '], first.length] }]) {
      const answer = await galley.call('POST', `/api/documents/${id}/changes`, {
        as: one.as,
        json: { ...pushed, ...over },
      })
      statuses.push(answer.status)
    }
    // The same in other parts, or made on what came between, is the same.
    expect(statuses).toEqual([200, 400, 400, 400, 200, 400, 200])
    expect((await read(id)).content).toBe(told)
  })

  it('is not brought over so much that others would wait', async () => {
    const content = 'a'.repeat(4_000)
    const { id } = await galley.newDocument({ content })
    const one = await editor(id)
    one.type(0, 0, 'x')
    const many = await editor(id)
    for (let i = 0; i < 25; i++) {
      const { length } = many.shown
      const changes = Array.from({ length: 1_000 }, (_, at) => ({ from: at * 4, insert: 'b' }))
      many.text.change(ChangeSet.of(changes, length))
      many.shown = many.text.current.toString()
      await many.push()
    }
    expect((await one.push())!.status).toBe(412)
    expect((await one.pull()).status).toBe(412)
  })

  it('may put in more text than is told change by change', async () => {
    const { id } = await galley.newDocument({ content: 'word '.repeat(300_000) })
    const [one, other] = [await editor(id), await editor(id)]
    one.type(5, 5, 'more '.repeat(100_000))
    expect((await one.push())!.status).toBe(200)
    expect(one.text.isDirty).toBe(false)
    other.type(0, 0, 'x')
    const refused = (await other.push())!
    expect([refused.status, refused.data.content.length]).toEqual([412, 2_000_000])
  })

  it('refuses what makes the text too large', async () => {
    const { id } = await galley.newDocument({ content: first })
    const one = await editor(id)
    one.type(0, 0, 'x'.repeat(10 * 1024 * 1024))
    expect((await one.push())!.status).toBe(413)
  })

  it('takes no client’s number for another’s', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await editor(id), await editor(id)]
    one.type(0, 0, 'One. ')
    other.type(0, 0, 'Other. ')
    await one.push()
    await other.push()
    expect(other.shown).toBe(`One. Other. ${first}`)
    // Two changes at a time from one client: the second can’t be made on what the first has left.
    const answer = await galley.call('POST', `/api/documents/${id}/changes`, {
      as: galley.as.owner,
      json: { base: 1, client: one.client, number: 2, changes: [[0, 'x'], first.length] },
    })
    expect(answer.status).toBe(400)
  })
})

// As many as a night allows: GALLEY_RUNS=20000 npm test -- unit server/http/api/changes.test.ts
const runs = Number(process.env['GALLEY_RUNS'] ?? 100)

describe('several editors of one text', () => {
  it('leave each of two hundred comments on its words, or on none', async () => {
    const words = Array.from({ length: 200 }, (_, i) => `word${i}x`)
    const { id } = await galley.newDocument({ content: `${words.join(' and ')}\n` })
    for (const exact of words)
      await galley.newComment(id, galley.as.owner, {
        anchor: { exact, start: words.join(' and ').indexOf(exact) },
      })
    const editors = await Promise.all([0, 1, 2, 3, 4].map(() => editor(id)))
    let seed = 7
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    const gone = new Set<string>()
    for (let i = 0; i < 400; i++) {
      galley.clock.now += 100
      const one = editors[random(5)]!
      const word = words[random(200)]!
      const at = one.shown.indexOf(word)
      const kind = random(6)
      if (kind === 0) await one.pull()
      else if (kind === 1) await one.push(random(4) > 0)
      else if (at >= 0 && kind === 2 && gone.size < 60) {
        one.type(at, at + word.length)
        gone.add(word)
      } else if (at >= 0) one.type(at, at, `${['and', 'then', 'so'][random(3)]} `)
    }
    for (const one of editors) while (one.text.isDirty) await one.push()
    const { content } = await read(id)
    const comments = (await galley.call('GET', `/api/documents/${id}/comments`, { as: galley.as.owner }))
      .data as { anchor: { exact: string }; range: { start: number; end: number } | null }[]
    expect(comments).toHaveLength(200)
    for (const { anchor, range } of comments) {
      if (range) expect(content.slice(range.start, range.end)).toBe(anchor.exact)
      else expect(gone).toContain(anchor.exact)
    }
    expect(comments.filter(({ range }) => range).length).toBeGreaterThanOrEqual(140)
  })

  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const who = fc.nat(3)
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('type' as const),
        who,
        from: place,
        length: fc.nat(6),
        insert: fc.constantFrom('', 'a', 'word ', '\n', '\r\n', '\r', '\uFEFF', '😀', '\n\n- item', 'é'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('push' as const), who, hears: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pull' as const), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('patch' as const), who, from: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('title' as const), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('accept' as const), who, from: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), who, from: place }) },
  )

  it(
    'come to the same text, whatever gets lost or doubled',
    async () => {
      const as = galley.as.owner
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          const { id } = await galley.newDocument({ content: '\uFEFFOne\r\ntwo\rthree\n😀 four\r\n' })
          const editors = await Promise.all([0, 1, 2, 3].map(() => editor(id)))
          for (const one of steps) {
            galley.clock.now += 1_000
            const at = editors[one.who]!
            if (one.kind === 'type') {
              const whole = (place: number) => {
                const high = at.shown.charCodeAt(place - 1) & 0xfc00
                return high === 0xd800 ? place - 1 : place
              }
              const from = whole(Math.floor(one.from * at.shown.length))
              const to = Math.max(from, whole(Math.min(at.shown.length, from + one.length)))
              at.type(from, to, one.insert)
            } else if (one.kind === 'push') await at.push(one.hears)
            else if (one.kind === 'pull') await at.pull()
            else if (one.kind === 'patch') {
              const { content } = await read(id)
              const from = content.indexOf('o', Math.floor(one.from * content.length))
              const json = {
                content: content.slice(0, Math.max(0, from)) + 'PATCH' + content.slice(from + 1),
              }
              await galley.call('PATCH', `/api/documents/${id}`, { as, json })
            } else if (one.kind === 'accept') {
              const { content } = await read(id)
              const [original_text] = /\S+/.exec(content.slice(Math.floor(one.from * content.length))) ?? []
              if (original_text === undefined || !original_text.isWellFormed()) continue
              const fields = { original_text, suggested_text: 'Accepted.' }
              const { id: suggestion } = await galley.newSuggestion(id, as, fields)
              await galley.call('POST', `/api/documents/${id}/suggestions/${suggestion}/accept`, { as })
            } else if (one.kind === 'title')
              await galley.call('PATCH', `/api/documents/${id}`, {
                as,
                json: { title: `${galley.clock.now}` },
              })
            else {
              const { revision } = await read(id)
              const to = Math.max(1, Math.ceil(one.from * revision))
              await galley.call('POST', `/api/documents/${id}/revisions/${to}/restore`, { as })
            }
          }
          for (const one of editors)
            while (one.text.isDirty) expect((await one.push())?.status ?? 200).toBe(200)
          for (const one of editors) await one.pull()
          const { content } = await read(id)
          for (const one of editors) expect(one.shown).toBe(content)
        }),
        { numRuns: runs },
      )
    },
    60_000 + runs * 200,
  )
})
