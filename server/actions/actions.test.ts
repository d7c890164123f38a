import { createCipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GalleyEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import type { Permission } from '../contract/records/share-links.ts'
import type { About } from '../contract/route.ts'
import { openStore, type Store } from '../store/store.ts'
import { createTextThreads, type TextThreads } from '../threads/text-threads.ts'
import type { Action } from './action.ts'
import type { Asker, Target } from './asker.ts'
import { pushChange } from './changes.ts'
import { createComment, listComments, updateComment } from './comments.ts'
import { accountByKey, validLink } from './credentials.ts'
import { acceptSuggestion } from './decisions.ts'
import { createDocument, readDocument, updateDocument } from './documents.ts'
import { explainError } from './explained-errors.ts'
import { createKey } from './keys.ts'
import { HeavyWrites } from './heavy-writes.ts'
import { KeptAlike } from './told-alike.ts'
import { createLimiters } from './rate-limits.ts'
import { perform } from './perform.ts'
import { commandLinePrincipal, guestKey, Refused, type Principal } from './principal.ts'
import { begin, run } from './run.ts'
import { createShareLink, revokeShareLink, type LinkContext } from './share-links.ts'
import { createSuggestion } from './suggestions.ts'
import type { Task } from './task.ts'

let store: Store
let texts: TextThreads
let context: LinkContext
let events: GalleyEvent[]
beforeEach(() => {
  store = openStore({ file: ':memory:' })
  texts = createTextThreads()
  events = []
  context = {
    store,
    texts,
    limiters: createLimiters(),
    heavyWrites: new HeavyWrites(),
    alike: new KeptAlike(),
    publish: (told) => void events.push(...told),
    tunnel: { status: () => ({ state: 'off', share_url: 'http://127.0.0.1:4781', share_port: 4781 }) },
  }
})
afterEach(async () => {
  await texts.close()
  store.close()
})

/** A channel of this process's own: no requests, no server, only what each asker presents and what they ask. */
class InProcess {
  readonly #who: () => Principal
  readonly #size: number

  constructor(who: () => Principal, size = 100) {
    this.#who = who
    this.#size = size
  }

  get asker(): Asker {
    return { principal: this.#who, address: () => 'in process', size: () => this.#size }
  }

  do<T extends Task, Input, Result>(
    action: Action<LinkContext, T, Input, Result, About>,
    target: Target,
    input: Input,
    key?: string,
  ): Promise<Result> {
    const asked = createHash('sha256')
      .update(JSON.stringify([target, input]))
      .digest()
    return perform(context, action, this.asker, target, input, key === undefined ? undefined : { key, asked })
  }

  /** Why it was refused. */
  async refused<T extends Task, Input, Result>(
    action: Action<LinkContext, T, Input, Result, About>,
    target: Target,
    input: Input,
    key?: string,
  ) {
    const error = await this.do(action, target, input, key).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    return explainError(error)?.code
  }
}

const owner = () => new InProcess(() => commandLinePrincipal(store.users.owner(), 'in process'))
const guest = (token: string, size?: number, secret = 'a'.repeat(32)) =>
  new InProcess(
    () => ({ kind: 'link', link: validLink(context, token), account: null, guestKey: guestKey(secret) }),
    size,
  )

const content = 'A galley goes out for review.\n'
async function shared(permission: Permission, text = content) {
  const { id } = await owner().do(createDocument, {}, { title: 'Proof', content: text })
  const { token } = await owner().do(createShareLink, { id }, { permission })
  return { id, token }
}

describe('without a request, what Galley is for', () => {
  it('a document is shared, commented on and suggested for, and the owner accepts; all of it told in order', async () => {
    const { id, token } = await shared('edit')
    const ada = guest(token)
    expect(await ada.do(readDocument, { id }, undefined)).toMatchObject({ content, permission: 'edit' })
    const comment = await ada.do(createComment, { id }, { body: ' Is it? ', author_name: 'Ada' })
    expect(comment).toMatchObject({ body: 'Is it?', author_name: 'Ada', author_id: null, mine: true })
    const suggestion = await ada.do(
      createSuggestion,
      { id },
      { original_text: 'galley', suggested_text: 'proof' },
    )
    await ada.do(updateComment, { id, comment_id: comment.id }, { resolved: true })
    const accepted = await owner().do(acceptSuggestion, { id, suggestion_id: suggestion.id }, {})
    expect(accepted).toMatchObject({ status: 'accepted', revision: 2 })
    expect(await owner().do(readDocument, { id }, undefined)).toMatchObject({
      content: 'A proof goes out for review.\n',
      revision: 2,
    })
    expect(events.map(({ kind }) => kind)).toEqual([
      'document.created',
      'link.created',
      'comment.created',
      'suggestion.created',
      'comment.resolved',
      'document.changed',
      'suggestion.accepted',
    ])
    const link = validLink(context, token)
    expect(events[2]).toEqual({
      seq: 3,
      at: expect.any(Number) as number,
      kind: 'comment.created',
      ownerId: store.users.owner().id,
      documentId: id,
      revision: 1,
      subjectId: comment.id,
      suggestionId: null,
      principal: { kind: 'guest', name: 'Ada', id: link.id },
    })
    expect(store.events.after(0, 100)).toEqual(events)
  })

  it('nobody does by a link what it doesn’t allow, or after it was revoked', async () => {
    const { id, token } = await shared('comment')
    const other = await shared('edit')
    const ada = guest(token)
    expect(await ada.refused(updateDocument, { id }, { content: 'Mine.' })).toBe('FORBIDDEN')
    expect(await ada.refused(createSuggestion, { id }, { original_text: 'A', suggested_text: 'B' })).toBe(
      'FORBIDDEN',
    )
    expect(await ada.refused(createShareLink, { id }, {})).toBe('UNAUTHORIZED')
    expect(await ada.refused(readDocument, { id: other.id }, undefined)).toBe('UNAUTHORIZED')
    // A link to edit may change the text and nothing else.
    const editor = guest(other.token)
    expect(await editor.refused(updateDocument, { id: other.id }, { title: 'Mine' })).toBe('FORBIDDEN')
    const theirs = await owner().do(createComment, { id }, { body: 'No.' })
    expect(await ada.refused(updateComment, { id, comment_id: theirs.id }, { body: 'Yes.' })).toBe(
      'FORBIDDEN',
    )

    const told = events.length
    const [link] = store.shareLinks.list(store.documents.find(id)!.number)
    await owner().do(revokeShareLink, { id, link_id: link!.id }, undefined)
    expect(await ada.refused(createComment, { id }, { body: 'Still here?' })).toBe('UNAUTHORIZED')
    expect((await owner().do(listComments, { id }, {})).map(({ body }) => body)).toEqual(['No.'])
    expect(events.slice(told)).toMatchObject([
      { kind: 'link.revoked', documentId: id, subjectId: link!.id, principal: { kind: 'owner' } },
    ])
  })

  it('a key that may only read changes nothing', async () => {
    const { id } = await shared('view')
    const { key } = await owner().do(createKey, {}, { name: 'Reader', access: 'read' })
    const reader = new InProcess(() => {
      const account = accountByKey(context, key)
      if (!account) throw new Refused(true)
      return { kind: 'owner', ...account }
    })
    expect(await reader.do(readDocument, { id }, undefined)).toMatchObject({ content })
    expect(await reader.refused(updateDocument, { id }, { content: 'Mine.' })).toBe('FORBIDDEN')
  })
})

describe('whatever channel', () => {
  it('no text is larger than it may be, nor any part of it', async () => {
    const { id, token } = await shared('edit')
    const large = 'x'.repeat(limits.contentBytes + 1)
    expect(await owner().refused(updateDocument, { id }, { content: large })).toBe('PAYLOAD_TOO_LARGE')
    expect(await owner().refused(createDocument, {}, { content: large })).toBe('PAYLOAD_TOO_LARGE')
    const tooLong = 'x'.repeat(limits.commentLength + 1)
    expect(await guest(token).refused(createComment, { id }, { body: tooLong })).toBe('VALIDATION_ERROR')
    const title = 'x'.repeat(limits.titleLength + 1)
    expect(await owner().refused(updateDocument, { id }, { title })).toBe('VALIDATION_ERROR')
    expect(await owner().do(readDocument, { id }, undefined)).toMatchObject({ content, title: 'Proof' })
  })

  it('a guest’s changes are counted, the large ones more than once; the owner’s aren’t', async () => {
    const { id, token } = await shared('comment')
    const large = guest(token, 3 * limits.guestWriteBytes)
    for (let spent = 0; spent + 4 <= limits.guestWritesPerMinute; spent += 4)
      await large.do(createComment, { id }, { body: 'Hm.' })
    expect(await large.refused(createComment, { id }, { body: 'Hm.' })).toBe('RATE_LIMITED')
    const count = Math.floor(limits.guestWritesPerMinute / 4)
    expect(await owner().do(listComments, { id }, {})).toHaveLength(count)
    for (let i = 0; i < 3; i++) await owner().do(createComment, { id }, { body: 'Well.' })
    expect(await guest(token).do(listComments, { id }, {})).toHaveLength(count + 3)
  })

  it('what a guest types is counted for each visitor; what isn’t small counts as other writes do', async () => {
    const { id, token } = await shared('edit')
    const link = validLink(context, token).id
    const type = (number: number) => {
      const changes = [[0, 'x'], content.length + number - 1]
      return { base: number, client: 'a-client-of-a-test', number, changes }
    }
    for (let i = 0; i < limits.guestWritesPerMinute; i++) await context.limiters.guestWrite(link, 100)
    expect(await guest(token, limits.guestChangeBytes + 1).refused(pushChange, { id }, type(1))).toBe(
      'RATE_LIMITED',
    )
    expect(await guest(token).do(pushChange, { id }, type(1))).toMatchObject({ revision: 2 })
    for (let i = 1; i < limits.guestChangesPerMinute; i++)
      await context.limiters.guestChange(link, 'in process', 100)
    expect(await guest(token).refused(pushChange, { id }, type(2))).toBe('RATE_LIMITED')
    await context.limiters.guestChange(link, 'elsewhere', 100)
    expect(await owner().do(pushChange, { id }, type(2))).toMatchObject({ revision: 3 })
  })

  it('what is asked again under one key is done once, and told once', async () => {
    const { id, token } = await shared('comment')
    const key = randomUUID()
    const ask = () => guest(token).do(createComment, { id }, { body: 'Once.' }, key)
    const first = await ask()
    const told = events.length
    expect(await ask()).toEqual(first)
    expect(await owner().do(listComments, { id }, {})).toHaveLength(1)
    expect(events).toHaveLength(told)
    expect(await guest(token).refused(createComment, { id }, { body: 'Another.' }, key)).toBe(
      'VALIDATION_ERROR',
    )
    // It is the asker's own: the same key of somebody else is another.
    await guest(token, 100, 'b'.repeat(32)).do(createComment, { id }, { body: 'Mine.' }, key)
    expect(await owner().do(listComments, { id }, {})).toHaveLength(2)
  })

  it('what an older Galley kept of an answer is given again, with the guest’s secret', async () => {
    const { id, token } = await shared('comment')
    const key = randomUUID()
    const secret = 'c'.repeat(32)
    const cookie = `galley_guest=${secret}; HttpOnly; SameSite=Strict; Path=/api; Max-Age=31536000`
    const answered = { data: { id: 'kept' }, headers: { 'set-cookie': cookie, etag: '"1"' } }
    const iv = randomBytes(12)
    const cipher = createCipheriv(
      'aes-256-gcm',
      Buffer.from(hkdfSync('sha256', key, '', 'galley kept answer', 32)),
      iv,
    )
    const text = Buffer.concat([cipher.update(JSON.stringify(answered), 'utf8'), cipher.final()])
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), text])
    const asked = Buffer.alloc(32, 7)
    const link = validLink(context, token)
    const name = createHash('sha256').update(`link ${link.id}\n${key}`).digest()
    store.transaction(() => store.idempotencyRecords.keep(name, { request: asked, sealed }))

    const asker = new InProcess(() => ({ kind: 'link', link, account: null, guestKey: null })).asker
    const task = await begin(context, createComment, asker, { id })
    const told = events.length
    expect(await run(context, createComment, task, { body: 'Once.' }, { key, asked })).toEqual({ id: 'kept' })
    expect([task.replayed, task.newGuest]).toEqual([true, secret])
    expect(await owner().do(listComments, { id }, {})).toEqual([])
    expect(events).toHaveLength(told)
  })

  it('what fails leaves nothing behind, and nothing is told of it', async () => {
    const { id } = await shared('view')
    const told = events.length
    const known = { revisions: [7], any: false }
    expect(await owner().refused(updateDocument, { id }, { content: 'New.', ifRevision: known })).toBe(
      'PRECONDITION_FAILED',
    )
    expect(await owner().refused(createComment, { id }, { body: 'Well.', parent_id: randomUUID() })).toBe(
      'VALIDATION_ERROR',
    )
    expect(await owner().do(readDocument, { id }, undefined)).toMatchObject({ content, revision: 1 })
    expect(events).toHaveLength(told)
  })
})
