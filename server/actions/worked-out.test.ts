import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Comment } from '../contract/records/comments.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'
import type { VersionSummary } from '../contract/records/versions.ts'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { prose } from '../domain/testing/large-text.ts'
import type { TextWorkKind } from '../threads/text-work.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const begin = 'Alpha beta gamma.\n\n'
const content = begin + prose(400_000)

const text = async (id: string) =>
  (await galley.call('GET', `/api/documents/${id}`, { as })).data.content as string
const acceptAll = (id: string, headers: Record<string, string> = {}) =>
  galley.call('POST', `/api/documents/${id}/suggestions/resolve`, { as, headers, json: { action: 'accept' } })

/** Stops heavy work before it begins, until it is let go. */
function hold(isHeld: (kind: TextWorkKind) => boolean = () => true) {
  const { texts } = galley.context
  const asked: TextWorkKind[] = []
  const held: (() => void)[] = []
  let stopped = false
  galley.context.texts = {
    ...texts,
    async workOut(kind, ...others) {
      asked.push(kind)
      if (!stopped && isHeld(kind)) await new Promise<void>((resolve) => void held.push(resolve))
      return texts.workOut(kind, ...others)
    },
  }
  return {
    asked,
    /** Waits until something is held. */
    holds: () => expect.poll(() => held.length, { timeout: 30_000 }).toBeGreaterThan(0),
    letGo: () => held.splice(0).forEach((go) => go()),
    stop: () => {
      stopped = true
      held.splice(0).forEach((go) => go())
    },
  }
}

describe('accepting very many suggestions in a large text', () => {
  const document = async () => {
    const { id } = await galley.newDocument({ content })
    const words = [...new Set(content.slice(begin.length).match(/\w{7,}/g))].slice(0, 300)
    const { number } = galley.store.documents.find(id)!
    const author = { id: galley.user.id, name: galley.user.name, key: 'session' }
    galley.store.transaction(() => {
      for (const word of words) {
        const fields = { original_text: ` ${word} `, suggested_text: ` ${word.toUpperCase()} ` }
        galley.store.suggestions.create(number, author, { ...fields, note: null, anchor: null, range: null })
      }
    })
    const expected = words.reduce((now, word) => now.replace(` ${word} `, ` ${word.toUpperCase()} `), content)
    return { id, words, expected }
  }

  it('is done elsewhere while others are answered, as one change', async () => {
    const { id, words, expected } = await document()
    const work = hold()
    const accepting = acceptAll(id)
    await work.holds()
    expect((await galley.call('GET', '/api/me', { as })).status).toBe(200)
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data).toMatchObject({
      revision: 1,
      content,
    })
    work.stop()
    const { status, data } = await accepting
    expect(status).toBe(200)
    expect(new Set((data as { status: string }[]).map((one) => one.status))).toEqual(new Set(['accepted']))
    expect(data).toHaveLength(words.length)
    expect(await text(id)).toBe(expected)
    const versions = (await galley.call('GET', `/api/documents/${id}/versions`, { as }))
      .data as VersionSummary[]
    expect(versions.map(({ kind, revision }) => [kind, revision])).toEqual([
      ['suggestion', 2],
      ['create', 1],
    ])
    const first = await galley.call('GET', `/api/documents/${id}/versions/1`, { as })
    expect(first.data.content).toBe(content)
  })

  it('is one piece of work however many changes it takes, since words meet', async () => {
    const { id } = await galley.newDocument({ content })
    const { number } = galley.store.documents.find(id)!
    const author = { id: galley.user.id, name: galley.user.name, key: 'session' }
    const words = [...content.matchAll(/\w{7,}/g)].filter((_, i) => i % 500 === 0).slice(0, 12)
    galley.store.transaction(() => {
      for (const { 0: original_text, index: start } of words)
        for (const suggested_text of ['one', 'other']) {
          const range = { start, end: start + original_text.length }
          const anchor = anchorAt(content, range.start, range.end)
          galley.store.suggestions.create(number, author, {
            ...{ original_text, suggested_text, note: null, anchor, range },
          })
        }
    })
    const work = hold((kind) => kind === 'accept')
    const accepting = acceptAll(id)
    await work.holds()
    work.stop()
    const { status, data } = await accepting
    expect(status).toBe(200)
    expect((data as { error: string | null }[]).map(({ error }) => error)).toEqual(
      words.flatMap(() => [null, 'TEXT_NOT_FOUND']),
    )
    expect(work.asked.filter((kind) => kind === 'accept')).toHaveLength(1)
    const expected = words.reduceRight(
      (now, { 0: word, index }) => `${now.slice(0, index)}one${now.slice(index + word.length)}`,
      content,
    )
    expect(await text(id)).toBe(expected)
  })

  it('is worked out again where the text, or what stands in it, has changed meanwhile', async () => {
    const { id, words, expected } = await document()
    const work = hold((kind) => kind === 'accept')
    const accepting = acceptAll(id)
    await work.holds()
    const changed = `New. ${content}`
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: changed } })
    work.letGo()
    await work.holds()
    const { data: comment } = await galley.call('POST', `/api/documents/${id}/comments`, {
      as,
      json: { body: 'Why?', anchor: { exact: 'gamma', start: changed.indexOf('gamma') } },
    })
    const { data: listed } = await galley.call('GET', `/api/documents/${id}/suggestions`, { as })
    const [first] = listed as Suggestion[]
    await galley.call('POST', `/api/documents/${id}/suggestions/${first!.id}/reject`, { as })
    work.letGo()
    await work.holds()
    work.stop()
    expect((await accepting).data).toHaveLength(words.length - 1)
    expect(work.asked.filter((kind) => kind === 'accept')).toHaveLength(3)
    const word = words[0]!
    expect(await text(id)).toBe(`New. ${expected.replace(` ${word.toUpperCase()} `, ` ${word} `)}`)
    const comments = (await galley.call('GET', `/api/documents/${id}/comments`, { as })).data as Comment[]
    expect(comments[0]).toMatchObject({ id: comment.id, range: { start: 16, end: 21 } })
  })

  it('is BUSY where the document is changed at each try, and changes nothing then', async () => {
    const { id } = await document()
    const work = hold((kind) => kind === 'accept')
    const accepting = acceptAll(id)
    let ended = false
    void accepting.finally(() => (ended = true))
    for (let i = 1; !ended; i++) {
      await galley.call('PATCH', `/api/documents/${id}`, {
        as,
        json: { title: `Title ${i}`, content: `${i}${content}` },
      })
      work.letGo()
      await expect
        .poll(() => ended || work.asked.filter((kind) => kind === 'accept').length > i, { timeout: 30_000 })
        .toBe(true)
    }
    expect((await accepting).code).toBe('BUSY')
    expect((await accepting).headers['retry-after']).toBe('1')
    expect(await text(id)).toContain(content)
    work.stop()
    expect((await acceptAll(id)).status).toBe(200)
  })

  it('is done once for one Idempotency-Key', async () => {
    const { id } = await document()
    const headers = { 'idempotency-key': 'a-key-of-this-test-1' }
    const first = await acceptAll(id, headers)
    const second = await acceptAll(id, headers)
    expect(second.data).toEqual(first.data)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data.revision).toBe(2)
  })
})

it('accepts nothing that takes longer than it may', async () => {
  const slow = await createTestGalley({ texts: { timeoutMs: 1 } })
  try {
    const author = { id: slow.user.id, name: slow.user.name, key: 'session' }
    const { id } = slow.store.documents.create(slow.user.id, { title: '', content: prose(2_000_000) }, author)
    const by = { as: slow.as.owner }
    for (let i = 0; i < 20; i++)
      await slow.newSuggestion(id, slow.as.owner, { original_text: ' ', suggested_text: `${i}` })
    const answer = await slow.call('POST', `/api/documents/${id}/suggestions/resolve`, {
      ...by,
      json: { action: 'accept' },
    })
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.message).toContain('smaller steps')
    expect((await slow.call('GET', `/api/documents/${id}`, by)).data.revision).toBe(1)
  } finally {
    await slow.close()
  }
})

describe('a large text that is sent whole', () => {
  it('is compared elsewhere, and comments are mapped', async () => {
    const { id } = await galley.newDocument({ content })
    const anchor = { exact: 'gamma', start: content.indexOf('gamma') }
    await galley.newComment(id, as, { anchor })
    const work = hold()
    const changing = galley.call('PATCH', `/api/documents/${id}`, {
      as,
      json: { content: `New. ${content}` },
    })
    await work.holds()
    expect((await galley.call('GET', '/api/me', { as })).status).toBe(200)
    work.stop()
    expect((await changing).data).toMatchObject({ revision: 2, content: `New. ${content}` })
    expect(work.asked[0]).toBe('edit')
    const comments = (await galley.call('GET', `/api/documents/${id}/comments`, { as })).data as Comment[]
    expect(comments[0]!.range).toEqual({ start: anchor.start + 5, end: anchor.start + 10 })
  })

  it('changes nothing by a link that is revoked while it is compared', async () => {
    const { id } = await galley.newDocument({ content })
    const token = await galley.newToken(id, 'edit')
    const work = hold()
    const changing = galley.call('PATCH', `/api/documents/${id}`, {
      as: { token },
      json: { content: `New. ${content}` },
    })
    await work.holds()
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link!.id}`, { as })
    work.stop()
    expect((await changing).code).toBe('UNAUTHORIZED')
    expect(await text(id)).toBe(content)
  })

  it('is 412 where it came too late', async () => {
    const { id } = await galley.newDocument({ content })
    const work = hold()
    const late = galley.call('PATCH', `/api/documents/${id}`, {
      as,
      headers: { 'if-match': '"1"' },
      json: { content: `A ${content}` },
    })
    await work.holds()
    const first = galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'Other' } })
    await expect.poll(() => work.asked.length).toBe(2)
    galley.store.transaction(() => {
      const row = galley.store.documents.find(id)!
      galley.store.documents.change(row, {
        content: `B ${content}`,
        kind: 'edit',
        author: { id: galley.user.id, name: 'x', key: 'k' },
        informed: true,
      })
    })
    work.stop()
    expect((await late).code).toBe('PRECONDITION_FAILED')
    expect((await first).status).toBe(200)
    expect(await text(id)).toBe(`B ${content}`)
  })
})

describe('with a large text', () => {
  it('an anchor is looked for elsewhere', async () => {
    const { id } = await galley.newDocument({ content })
    const work = hold()
    const anchor = { exact: 'gamma', start: 300_000 }
    const commenting = galley.call('POST', `/api/documents/${id}/comments`, {
      as,
      json: { body: 'Why?', anchor },
    })
    await work.holds()
    expect((await galley.call('GET', '/api/me', { as })).status).toBe(200)
    const later = { as, json: { content: `New. ${content}` } }
    const changing = galley.call('PATCH', `/api/documents/${id}`, later)
    work.letGo()
    work.stop()
    const [comment] = await Promise.all([commenting, changing])
    expect(work.asked[0]).toBe('place')
    const now = (await galley.call('GET', `/api/documents/${id}/comments`, { as })).data as Comment[]
    expect(now).toHaveLength(1)
    const start = (await text(id)).indexOf('gamma')
    expect(now[0]).toMatchObject({ id: comment.data.id, range: { start, end: start + 5 } })
  })

  it('a body is read elsewhere, and refused as a short one is', async () => {
    const { id } = await galley.newDocument({ content: 'Short.' })
    const bodies = [
      [`{"content":"${'x'.repeat(400_000)}`, 'not valid JSON'],
      [`{"content":"${'x'.repeat(400_000)}\\ud800"}`, 'lone surrogate'],
      [
        Buffer.concat([Buffer.from(`{"content":"${'x'.repeat(400_000)}`), Buffer.of(0xff, 0x22, 0x7d)]),
        'UTF-8',
      ],
      [`[${'[],'.repeat(150_000)}[]]`, 'too many values'],
    ] as const
    for (const [body, why] of bodies) {
      const answer = await galley.call('PATCH', `/api/documents/${id}`, { as, body })
      expect(answer.code).toBe('VALIDATION_ERROR')
      expect(answer.message).toContain(why)
    }
    expect(await text(id)).toBe('Short.')
  })

  it.each([
    ['read', ''],
    ['rendered', '/rendered'],
    ['exported as markdown', '/export?format=md'],
    ['exported as a page', '/export?format=html'],
  ])('others are answered while it is %s', async (_what, url) => {
    const { id } = await galley.newDocument({ content: prose(3_000_000) })
    // What takes long elsewhere is done before.
    await galley.call('GET', `/api/documents/${id}/rendered`, { as })
    const order: string[] = []
    const long = galley.call('GET', `/api/documents/${id}${url}`, { as }).then((answer) => {
      order.push('long')
      return answer
    })
    await galley.call('GET', '/api/me', { as }).then(() => order.push('short'))
    expect((await long).status).toBe(200)
    expect(order).toEqual(['short', 'long'])
  })

  it('others are answered while its share page is put together', async () => {
    const { id } = await galley.newDocument({ content: prose(3_000_000) })
    await galley.call('GET', `/api/documents/${id}/rendered`, { as })
    const token = await galley.newToken(id, 'view')
    const order: string[] = []
    const page = galley.call('GET', `/share/${token}`, { on: 'share' }).then((answer) => {
      order.push('page')
      return answer
    })
    await galley.call('GET', '/api/me', { as }).then(() => order.push('short'))
    expect((await page).text).toContain('</html>')
    expect(order).toEqual(['short', 'page'])
  })
})

describe('many heavy changes at once', () => {
  it('are all made, one after another, where nobody asks for a revision', async () => {
    const { id } = await galley.newDocument({ content: 'ab c\n'.repeat(60_000) })
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        galley.call('PATCH', `/api/documents/${id}`, {
          as,
          json: { content: `${'ab c\n'.repeat(60_000)}${i}` },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data.revision).toBe(17)
  })
})
