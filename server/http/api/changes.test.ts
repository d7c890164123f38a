import { ChangeSet } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { pushedBy } from '../../domain/outgoing-change.ts'
import { SharedText } from '../../domain/shared-text.ts'
import type { Updates } from '../../contract/records/changes.ts'
import type { TestCredentials } from '../../testing/galley.ts'
import { editor, first, galley, read, useChanges } from '../../testing/changes.ts'

useChanges()

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

  it('tells what others wrote alike, brought over what came since, also where it changes nothing', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await editor(id), await editor(id)]
    one.type(0, 0, 'Look: ')
    await one.push()
    const push = () =>
      galley.call('POST', `/api/documents/${id}/changes`, {
        as: galley.as.owner,
        json: {
          ...{ base: 1, client: other.client, number: 1, changes: [first.length] },
          alike: [
            { start: 2, end: 8, stands: true },
            { start: 9, end: 9, stands: true },
            { start: 12, end: 400, stands: false },
          ],
        },
      })
    const alike = [
      { start: 8, end: 14, stands: true },
      { start: 18, end: 25, stands: false },
    ]
    const told = { revision: 3, updates: [{ revision: 2 }, { revision: 3, number: 1, changes: null, alike }] }
    for (const { data } of [await push(), await push()]) expect(data).toMatchObject(told)
    const met: unknown[] = []
    const { updates } = (await one.pull()).data as Updates
    new SharedText({ revision: 2, content: one.shown }).receive(updates, (here) => met.push(here))
    expect(met).toEqual([{ taken: [], alike, steps: null }])
    expect((await read(id)).content).toBe(`Look: ${first}`)
  })

  describe('tells which steps of its editor are in it', () => {
    const noSteps = { put: [], taken: [], undone: [], redone: [] }
    const pushes = (id: string, client: string, as: TestCredentials = galley.as.owner) => {
      let number = 0
      return (base: number, changes: unknown[], steps: unknown) =>
        galley.call('POST', `/api/documents/${id}/changes`, {
          as,
          json: { base, client, number: ++number, changes, steps },
        })
    }
    const told = async (id: string, since = 1, as: TestCredentials = galley.as.owner) =>
      ((await galley.call('GET', `/api/documents/${id}/changes?since=${since}`, { as })).data as Updates)
        .updates

    it('as they were pushed, with a number for each editor', async () => {
      const { id } = await galley.newDocument({ content: first })
      const [one, other] = [pushes(id, 'one-client-of-steps'), pushes(id, 'other-client-of-steps')]
      const steps = { put: [[0, 4, 3]], taken: [[0, 1, 3]], undone: [1], redone: [2] }
      await one(1, [[1, 'That'], first.length - 1], steps)
      const [{ steps: now }] = (await told(id)) as [Updates['updates'][0]]
      expect(now).toEqual({ ...steps, writer: now!.writer })
      await other(2, [[0, 'Now '], first.length + 3], { ...noSteps, put: [[0, 4, 1]] })
      await one(3, [[4], first.length + 3], { ...noSteps, taken: [[0, 4, 4]] })
      const [second, third] = await told(id, 2)
      expect(third!.steps!.writer).toBe(now!.writer)
      expect(second!.steps!.writer).not.toBe(now!.writer)
    })

    it('brought over what came since, also where it changes nothing', async () => {
      const { id } = await galley.newDocument({ content: first })
      const [one, other] = [pushes(id, 'one-client-of-steps'), pushes(id, 'other-client-of-steps')]
      await one(1, [2, [6, 'proof'], first.length - 8], { ...noSteps, put: [[2, 7, 1]], taken: [[2, 8, 1]] })
      const late = {
        put: [
          [0, 6, 1],
          [6, 12, 2],
        ],
        taken: [[1, 4, 1]],
        undone: [],
        redone: [],
      }
      await other(1, [[0, 'Look: '], first.length], late)
      await other(3, [first.length + 5], { ...noSteps, undone: [2] })
      const updates = await told(id, 2)
      expect(updates).toMatchObject([
        {
          steps: {
            put: [
              [0, 6, 1],
              [6, 8, 2],
            ],
            taken: [[1, 2, 1]],
          },
        },
        { revision: 4, changes: [first.length + 5], steps: { ...noSteps, undone: [2] } },
      ])
    })

    it('as far as the texts have them, and no more than there may be', async () => {
      const { id } = await galley.newDocument({ content: first })
      const push = pushes(id, 'one-client-of-steps')
      const far = first.length
      await push(1, [[1, 'B'], far - 1], {
        ...noSteps,
        put: [
          [0, 400, 1],
          [400, 500, 1],
          [3, 2, 1],
        ],
        taken: [[0, far + 1, 1]],
      })
      expect(await told(id)).toMatchObject([{ steps: { put: [[0, far, 1]], taken: [[0, far, 1]] } }])
      const many = (count: number) => Array.from({ length: count }, () => [0, 1, 1])
      expect((await push(2, [far], { ...noSteps, put: many(limits.toldSteps) })).status).toBe(200)
      expect((await push(3, [far], { ...noSteps, put: many(limits.toldSteps + 1) })).status).toBe(400)
    })

    it.each<[string, unknown]>([
      ['no parts', { ...noSteps, put: [3] }],
      ['parts without a step', { ...noSteps, put: [[0, 1]] }],
      ['parts with more than a step', { ...noSteps, taken: [[0, 1, 1, 1]] }],
      ['places before the text', { ...noSteps, taken: [[-1, 1, 1]] }],
      ['broken numbers', { ...noSteps, undone: [1.5] }],
      ['steps without end', { ...noSteps, redone: [2 ** 32] }],
      ['numbers in words', { ...noSteps, undone: ['1'] }],
      ['less than all', { put: [] }],
      ['no object', [[0, 1, 1]]],
    ])('and is refused with %s', async (_, steps) => {
      const { id } = await galley.newDocument({ content: first })
      expect((await pushes(id, 'one-client-of-steps')(1, [[1], first.length - 1], steps)).status).toBe(400)
      expect((await read(id)).content).toBe(first)
    })

    it('and keeps nothing of that with the text', async () => {
      const { id } = await galley.newDocument({ content: first })
      const push = pushes(id, 'one-client-of-steps')
      const step = 4_123_456_789
      await push(1, [[1, 'The'], first.length - 1], { ...noSteps, put: [[0, 3, step]] })
      expect(await told(id)).toMatchObject([{ steps: { put: [[0, 3, step]] } }])
      const kept = galley.store.documents.readSince(galley.store.documents.find(id)!, 1, 10_000)!
      expect(kept).toHaveLength(1)
      expect(JSON.stringify(kept)).not.toContain(String(step))
    })

    it('to those alone who are told who has made it', async () => {
      const { id } = await galley.newDocument({ content: first })
      const shown = { token: await galley.newToken(id, 'edit') }
      const hiding = { token: await galley.newToken(id, 'edit') }
      const link = galley.store.shareLinks.findValid(hiding.token)!
      await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, {
        as: galley.as.owner,
        json: { hides_people: true },
      })
      const push = pushes(id, 'one-client-of-steps')
      await push(1, [[1, 'The'], first.length - 1], { ...noSteps, put: [[0, 3, 1]] })
      expect(await told(id, 1, shown)).toMatchObject([
        { author: galley.user.name, steps: { put: [[0, 3, 1]] } },
      ])
      const [hidden] = await told(id, 1, hiding)
      expect(hidden).toMatchObject({ author: null })
      expect(hidden).not.toHaveProperty('steps')
    })
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
