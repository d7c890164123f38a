import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Permission } from '../contract/records/share-links.ts'
import { createTestGalley, unknownId, type TestCredentials, type TestGalley } from '../testing/galley.ts'

/** What the specification says there is, in plain values. */
interface ModelDocument {
  id: string
  title: string
  content: string
  revision: number
  updatedAt: string
  links: { id: string; token: string; permission: Permission; endsAt: number | null }[]
  comments: { id: string; body: string; parent: string | null; resolved: boolean; by: 'owner' | 'link' }[]
  suggestions: { id: string; original: string; suggested: string; status: string; by: 'owner' | 'link' }[]
  texts: string[]
}
interface Model {
  documents: ModelDocument[]
}
interface Real {
  galley: TestGalley
}

/** By whom a command is carried out: the owner, another user, nobody, or one of the document's links. */
type By = { who: 'owner' } | { who: 'stranger' } | { who: 'nobody' } | { who: 'link'; pick: number }
const by = fc.oneof(
  { weight: 4, arbitrary: fc.constant<By>({ who: 'owner' }) },
  { weight: 4, arbitrary: fc.nat(20).map((pick): By => ({ who: 'link', pick })) },
  { weight: 1, arbitrary: fc.constantFrom<By>({ who: 'stranger' }, { who: 'nobody' }) },
)
const words = fc.constantFrom('one', 'two', 'one two', '', '$&', 'é😀', 'two one\r\n', 'three')

const pickFrom = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)]

/** Whether the principal is let in, and as what; else the status that refuses them. */
function standing(real: Real, document: ModelDocument, one: By, needs: 'owner' | Permission) {
  const credentials: TestCredentials = {}
  if (one.who === 'nobody') return { credentials, refusal: 401, level: null }
  if (one.who === 'owner')
    return { credentials: real.galley.as.owner, refusal: null, level: 'owner' as const }
  if (one.who === 'stranger') return { credentials: real.galley.as.stranger, refusal: 404, level: null }
  const link = pickFrom(document.links, one.pick)
  if (!link) return { credentials: { token: '0'.repeat(32) }, refusal: 401, level: null }
  credentials.token = link.token
  const ended = link.endsAt !== null && link.endsAt <= real.galley.clock.now
  if (ended || needs === 'owner') return { credentials, refusal: 401, level: null }
  const levels: Permission[] = ['view', 'comment', 'edit']
  const enough = levels.indexOf(link.permission) >= levels.indexOf(needs)
  return { credentials, refusal: enough ? null : 403, level: link.permission }
}

type Command = fc.AsyncCommand<Model, Real>
/** A command on one of the documents, if there are any. */
const onDocument = (
  name: string,
  pick: number,
  run: (document: ModelDocument, real: Real, model: Model) => Promise<void>,
): Command => ({
  check: (model) => model.documents.length > 0,
  run: (model, real) => run(pickFrom(model.documents, pick)!, real, model),
  toString: () => name,
})

const create = fc.record({ title: words, content: words }).map((fields): Command => ({
  check: (model) => model.documents.length < 6,
  async run(model, { galley }) {
    galley.clock.now += 1
    const made = await galley.newDocument(fields)
    expect(made).toMatchObject({ ...fields, revision: 1 })
    model.documents.push({
      id: made.id,
      ...fields,
      revision: 1,
      updatedAt: made.updated_at,
      links: [],
      comments: [],
      suggestions: [],
      texts: [fields.content],
    })
  },
  toString: () => `create ${JSON.stringify(fields)}`,
}))

const remove = fc.tuple(fc.nat(20), by).map(([pick, one]) =>
  onDocument(`delete ${pick} by ${JSON.stringify(one)}`, pick, async (document, real, model) => {
    const { credentials, refusal } = standing(real, document, one, 'owner')
    const answer = await real.galley.call('DELETE', `/api/documents/${document.id}`, { as: credentials })
    expect(answer.status).toBe(refusal ?? 200)
    if (refusal === null) model.documents = model.documents.filter((other) => other !== document)
  }),
)

const change = fc
  .tuple(
    fc.nat(20),
    by,
    fc.record({ title: words, content: words }, { requiredKeys: [] }),
    fc.option(fc.nat(3)),
  )
  .map(([pick, one, json, back]) =>
    onDocument(
      `patch ${pick} ${JSON.stringify(json)} by ${JSON.stringify(one)} back ${back}`,
      pick,
      async (document, real) => {
        const { credentials, refusal, level } = standing(real, document, one, 'edit')
        const revision = document.revision - (back ?? 0)
        const expected =
          refusal ??
          (level !== 'owner' && 'title' in json
            ? 403
            : Object.keys(json).length === 0
              ? 400
              : back !== null && back > 0
                ? 412
                : 200)
        const answer = await real.galley.call('PATCH', `/api/documents/${document.id}`, {
          as: credentials,
          json,
          headers: back === null ? {} : { 'if-match': `"${revision}"` },
        })
        expect(answer.status).toBe(expected)
        if (expected === 412)
          expect(answer.data).toMatchObject({ content: document.content, revision: document.revision })
        if (expected !== 200) return
        expect(answer.data.updated_at > document.updatedAt).toBe(true)
        Object.assign(document, json, { revision: document.revision + 1, updatedAt: answer.data.updated_at })
        // What a burst of one author folds away was known to them; only what was overwritten blindly must stay.
        if (back === null) document.texts.push(document.content)
        else document.texts[document.texts.length - 1] = document.content
      },
    ),
  )

const share = fc
  .tuple(
    fc.nat(20),
    by,
    fc.constantFrom<Permission>('view', 'comment', 'edit'),
    fc.option(fc.integer({ min: 1, max: 5 })),
  )
  .map(([pick, one, permission, minutes]) =>
    onDocument(`share ${pick} to ${permission} by ${JSON.stringify(one)}`, pick, async (document, real) => {
      const { credentials, refusal } = standing(real, document, one, 'owner')
      const endsAt = minutes === null ? null : real.galley.clock.now + minutes * 60_000
      const expires_at = endsAt === null ? null : new Date(endsAt).toISOString()
      const answer = await real.galley.call('POST', `/api/documents/${document.id}/share`, {
        as: credentials,
        json: { permission, expires_at },
      })
      expect(answer.status).toBe(refusal ?? 201)
      if (refusal === null)
        document.links.push({ id: answer.data.id, token: answer.data.token, permission, endsAt })
    }),
  )

const revoke = fc.tuple(fc.nat(20), fc.nat(20)).map(([pick, which]) =>
  onDocument(`revoke ${which} of ${pick}`, pick, async (document, real) => {
    const link = pickFrom(document.links, which)
    const url = `/api/documents/${document.id}/share?link_id=${link?.id ?? unknownId}`
    const answer = await real.galley.call('DELETE', url, { as: real.galley.as.owner })
    expect(answer.status).toBe(link ? 200 : 404)
    if (!link) return
    document.links = document.links.filter((other) => other !== link)
    const late = await real.galley.call('GET', `/api/documents/${document.id}`, { as: { token: link.token } })
    expect(late.status).toBe(401)
  }),
)

const comment = fc.tuple(fc.nat(20), by, words, fc.option(fc.nat(20))).map(([pick, one, body, reply]) =>
  onDocument(`comment ${JSON.stringify(body)} by ${JSON.stringify(one)}`, pick, async (document, real) => {
    const { credentials, refusal, level } = standing(real, document, one, 'comment')
    const parent = reply === null ? undefined : pickFrom(document.comments, reply)
    const expected = refusal ?? (body.trim() === '' ? 400 : 201)
    const answer = await real.galley.call('POST', `/api/documents/${document.id}/comments`, {
      as: credentials,
      json: { body, parent_id: parent?.id ?? null },
    })
    expect(answer.status).toBe(expected)
    if (expected !== 201) return
    const thread = parent ? (parent.parent ?? parent.id) : null
    expect(answer.data.parent_id).toBe(thread)
    document.comments.push({
      id: answer.data.id,
      body: body.trim(),
      parent: thread,
      resolved: false,
      by: level === 'owner' ? 'owner' : 'link',
    })
  }),
)

const touchComment = fc
  .tuple(fc.nat(20), by, fc.nat(20), fc.constantFrom('edit', 'resolve', 'open', 'delete'))
  .map(([pick, one, which, how]) =>
    onDocument(`${how} comment ${which} by ${JSON.stringify(one)}`, pick, async (document, real) => {
      const { credentials, refusal, level } = standing(real, document, one, 'comment')
      const target = pickFrom(document.comments, which)
      const mayTouch = how === 'edit' ? target?.by === 'owner' && level === 'owner' : level === 'owner'
      // Guests come back without their cookie here, so that only the owner may touch anything.
      const expected =
        refusal !== null && refusal !== 403 ? refusal : !target ? 404 : (refusal ?? (mayTouch ? 200 : 403))
      const answer = await real.galley.call(
        how === 'delete' ? 'DELETE' : 'PATCH',
        `/api/documents/${document.id}/comments/${target?.id ?? unknownId}`,
        {
          as: credentials,
          ...(how === 'delete'
            ? {}
            : { json: how === 'edit' ? { body: 'edited' } : { resolved: how === 'resolve' } }),
        },
      )
      expect(answer.status).toBe(expected)
      if (expected !== 200 || !target) return
      if (how === 'edit') target.body = 'edited'
      else if (how === 'delete')
        document.comments = document.comments.filter(
          (other) => other !== target && other.parent !== target.id,
        )
      else target.resolved = how === 'resolve'
    }),
  )

const suggest = fc.tuple(fc.nat(20), by, words, words).map(([pick, one, original, suggested]) =>
  onDocument(
    `suggest ${JSON.stringify([original, suggested])} by ${JSON.stringify(one)}`,
    pick,
    async (document, real) => {
      const { credentials, refusal, level } = standing(real, document, one, 'edit')
      const expected = refusal ?? (original === '' ? 400 : 201)
      const answer = await real.galley.call('POST', `/api/documents/${document.id}/suggestions`, {
        as: credentials,
        json: { original_text: original, suggested_text: suggested },
      })
      expect(answer.status).toBe(expected)
      if (expected === 201)
        document.suggestions.push({
          id: answer.data.id,
          original,
          suggested,
          status: 'pending',
          by: level === 'owner' ? 'owner' : 'link',
        })
    },
  ),
)

const resolve = fc
  .tuple(fc.nat(20), by, fc.nat(20), fc.constantFrom('accept' as const, 'reject' as const))
  .map(([pick, one, which, how]) =>
    onDocument(`${how} ${which} by ${JSON.stringify(one)}`, pick, async (document, real) => {
      const target = pickFrom(document.suggestions, which)
      const { credentials, refusal, level } = standing(real, document, one, 'view')
      const let_in = refusal === null || one.who === 'stranger'
      const expected = !let_in
        ? refusal
        : !target
          ? 404
          : level !== 'owner'
            ? 403
            : target.status !== 'pending'
              ? 400
              : how === 'accept' && !document.content.includes(target.original)
                ? 409
                : 200
      const url = `/api/documents/${document.id}/suggestions/${target?.id ?? unknownId}/${how}`
      const answer = await real.galley.call('POST', url, { as: credentials })
      expect(answer.status).toBe(expected)
      if (expected !== 200 || !target) return
      target.status = `${how}ed`
      if (how === 'reject') return
      document.content = document.content.replace(target.original, () => target.suggested)
      document.revision += 1
      document.texts.push(document.content)
      const now = await real.galley.call('GET', `/api/documents/${document.id}`, { as: real.galley.as.owner })
      expect(now.data.updated_at > document.updatedAt).toBe(true)
      document.updatedAt = now.data.updated_at
    }),
  )

const wait = fc.integer({ min: 1, max: 180_000 }).map((ms): Command => ({
  check: () => true,
  run: async (_model, { galley }) => void (galley.clock.now += ms),
  toString: () => `wait ${ms} ms`,
}))

/** Everything the model knows, read back through the API. */
const compare = fc.nat(20).map((pick) =>
  onDocument(`compare ${pick}`, pick, async (document, real, model) => {
    const as = real.galley.as.owner
    const url = `/api/documents/${document.id}`
    const read = async (path: string) => (await real.galley.call('GET', path, { as })).data
    expect(await read(url)).toMatchObject({
      title: document.title,
      content: document.content,
      revision: document.revision,
      updated_at: document.updatedAt,
    })
    const comments = (await read(`${url}/comments`)) as {
      id: string
      body: string
      resolved_at: string | null
    }[]
    expect(comments.map((one) => [one.id, one.body, one.resolved_at !== null])).toEqual(
      document.comments.map((one) => [one.id, one.body, one.resolved]),
    )
    const suggestions = (await read(`${url}/suggestions`)) as { id: string; status: string; range: unknown }[]
    expect(suggestions.map((one) => [one.id, one.status, one.range !== null])).toEqual(
      document.suggestions.map((one) => [
        one.id,
        one.status,
        one.status === 'pending' && document.content.includes(one.original),
      ]),
    )
    const kept = new Set<string>()
    for (const { revision } of (await read(`${url}/versions`)) as { revision: number }[])
      kept.add((await read(`${url}/versions/${revision}`)).content as string)
    for (const text of document.texts) expect(kept).toContain(text)
    const listed = (await read('/api/documents')) as { id: string }[]
    const order = model.documents.toSorted(
      (a, b) => b.updatedAt.localeCompare(a.updatedAt) || (a.id < b.id ? -1 : 1),
    )
    expect(listed.map((one) => one.id)).toEqual(order.map((one) => one.id))
  }),
)

it(
  'whatever is done in whatever order, the API does what the model of the specification does',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(
          [
            create,
            create,
            change,
            change,
            share,
            share,
            comment,
            touchComment,
            suggest,
            resolve,
            resolve,
            revoke,
            remove,
            wait,
            compare,
            compare,
          ],
          {
            maxCommands: 60,
            size: 'max',
          },
        ),
        async (commands) => {
          const galley = await createTestGalley()
          galley.context.limiters.failedCredential = async () => undefined
          try {
            await fc.asyncModelRun(() => ({ model: { documents: [] }, real: { galley } }), commands)
          } finally {
            await galley.close()
          }
        },
      ),
      { numRuns: 60 },
    )
  },
)
