import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShareLink, ShareLinkSummary } from '../../contract/records/share-links.ts'
import { createTestGalley, unknownId, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let id: string
let url: string
beforeEach(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument({ content: 'A galley goes out.\n' })).id
  url = `/api/documents/${id}/share`
})
afterEach(() => galley.close())

const make = async (json: object = {}) =>
  (await galley.call('POST', url, { as: galley.as.owner, json })).data as ShareLink
const list = async () => (await galley.call('GET', url, { as: galley.as.owner })).data as ShareLinkSummary[]

it('a link says its address on this machine, and none while nobody elsewhere can open it', async () => {
  const link = await make()
  const addresses = { url: null, local_url: `http://127.0.0.1:4781/share/${link.token}` }
  expect(link).toMatchObject(addresses)
  expect(await list()).toMatchObject([addresses])
})

it('a link says its whole address for people elsewhere while the tunnel is online', async () => {
  const { tunnel } = galley.context
  const { status } = tunnel
  const online = { ...status(), state: 'online', share_url: 'https://galley.example.org' } as const
  tunnel.status = () => online
  const link = await make()
  const addresses = {
    url: `https://galley.example.org/share/${link.token}`,
    local_url: `http://127.0.0.1:4781/share/${link.token}`,
  }
  expect(link).toMatchObject(addresses)
  expect(await list()).toMatchObject([addresses])
  tunnel.status = () => ({ ...online, state: 'reconnecting' })
  expect((await list())[0]!.url).toBeNull()
})

const future = '2026-04-01T00:00:00.000Z'
const change = (linkId: string | null, json: unknown, as = galley.as.owner) =>
  galley.call('PATCH', linkId === null ? url : `${url}?link_id=${linkId}`, { as, json })
const revoke = (linkId: string) => galley.call('DELETE', `${url}?link_id=${linkId}`, { as: galley.as.owner })
const restore = (linkId: string) => galley.call('POST', `${url}/${linkId}/restore`, { as: galley.as.owner })
const read = (token: string) => galley.call('GET', `/api/documents/${id}`, { as: { token }, on: 'share' })
const page = async (token: string) => {
  const { status, text } = await galley.call('GET', `/share/${token}`, { on: 'share' })
  return { status, permission: /data-permission="(\w+)"/.exec(text)?.[1] }
}

describe('a link that is changed', () => {
  it.each([
    [{ label: ' For Ada ' }, { label: 'For Ada' }],
    [{ label: null }, { label: null }],
    [{ label: '   ' }, { label: null }],
    [{ permission: 'edit' }, { permission: 'edit' }],
    [{ expires_at: future }, { expires_at: future }],
    [{ expires_at: null }, { expires_at: null }],
    [
      { label: 'All', permission: 'view', expires_at: null, token: 'x' },
      { label: 'All', permission: 'view' },
    ],
  ])('by %j keeps the rest, and its token', async (json, changed) => {
    const link = await make({ label: 'One', permission: 'comment', expires_at: '2026-03-02T00:00:00.000Z' })
    const after = { ...link, ...changed, ...('expires_at' in json ? { expires_at: json.expires_at } : {}) }
    expect(await change(link.id, json)).toMatchObject({ status: 200, data: after })
    expect((await list())[0]).toMatchObject({ id: link.id, token: link.token, ...changed })
  })

  it.each([
    {},
    { token: 'x' },
    { permission: 'admin' },
    { label: 'x'.repeat(101) },
    { expires_at: '2026-03-01T09:30:00.000Z' },
    { expires_at: 'soon' },
  ])('by %j is refused and stays', async (json) => {
    const link = await make()
    expect((await change(link.id, json)).code).toBe('VALIDATION_ERROR')
    const { document_id: _document, created_by: _by, ...summary } = link
    expect(await list()).toEqual([summary])
  })

  it('is one of this document’s, and named', async () => {
    const link = await make()
    const other = await galley.newDocument()
    const json = { label: 'x' }
    expect((await change(null, json)).code).toBe('VALIDATION_ERROR')
    expect((await change(unknownId, json)).code).toBe('NOT_FOUND')
    expect((await change(unknownId, { permission: 'admin' })).code).toBe('NOT_FOUND')
    expect((await change(link.id, json, galley.as.reader)).code).toBe('FORBIDDEN')
    expect((await change(link.id, json, galley.as.stranger)).code).toBe('NOT_FOUND')
    const elsewhere = `/api/documents/${other.id}/share?link_id=${link.id}`
    expect((await galley.call('PATCH', elsewhere, { as: galley.as.owner, json })).code).toBe('NOT_FOUND')
  })

  it('allows what it says from then on, on its page too', async () => {
    const { id: linkId, token } = await make({ permission: 'comment' })
    const comment = () =>
      galley.call('POST', `/api/documents/${id}/comments`, {
        as: { token },
        on: 'share',
        json: { body: 'x' },
      })
    const marks = () => galley.call('GET', `/api/documents/${id}/marks`, { as: { token }, on: 'share' })
    expect([(await comment()).status, (await page(token)).permission]).toEqual([201, 'comment'])
    await change(linkId, { permission: 'view' })
    expect([(await comment()).code, (await page(token)).permission]).toEqual(['FORBIDDEN', 'view'])
    expect((await marks()).data.permission).toBe('view')
    await change(linkId, { permission: 'edit' })
    expect([(await comment()).status, (await page(token)).permission]).toEqual([201, 'edit'])
    expect((await marks()).data.permission).toBe('edit')
  })

  it('that had expired works again with another expiry', async () => {
    const { id: linkId, token } = await make({ expires_at: '2026-03-01T10:00:00.000Z' })
    galley.clock.now += 3_600_000
    expect((await read(token)).code).toBe('UNAUTHORIZED')
    await change(linkId, { label: 'Still expired' })
    expect((await read(token)).code).toBe('UNAUTHORIZED')
    await change(linkId, { expires_at: future })
    expect((await read(token)).status).toBe(200)
  })
})

describe('a revoked link', () => {
  it('opens nothing at once, and is what it was when it is brought back', async () => {
    const link = await make({ label: 'For Ada', permission: 'edit', expires_at: future })
    const before = (await list())[0]
    expect((await revoke(link.id)).data).toEqual({ deleted: true })
    expect([(await read(link.token)).code, (await page(link.token)).status]).toEqual(['UNAUTHORIZED', 404])
    expect(await list()).toEqual([])
    for (const again of [await revoke(link.id), await change(link.id, { label: 'x' })])
      expect(again.code).toBe('NOT_FOUND')
    expect(await restore(link.id)).toMatchObject({ status: 200, data: link })
    expect(await list()).toEqual([before])
    expect([(await read(link.token)).status, (await page(link.token)).status]).toEqual([200, 200])
  })

  it('is gone for good after a while, and with its document', async () => {
    const link = await make()
    await revoke(link.id)
    galley.clock.now += 10 * 60_000
    expect((await restore(link.id)).code).toBe('NOT_FOUND')
    const other = await make()
    await revoke(other.id)
    await galley.call('DELETE', `/api/documents/${id}`, { as: galley.as.owner })
    expect((await restore(other.id)).code).toBe('NOT_FOUND')
    expect(galley.store.db.prepare('SELECT count(*) FROM share_links').pluck().get()).toBe(0)
  })
})

describe('a link that may suggest but not edit', () => {
  it('says so to its owner and to whoever comes by it', async () => {
    const link = await make({ permission: 'edit', suggest_only: true })
    expect(link).toMatchObject({ permission: 'edit', suggest_only: true })
    const read = (path = '') =>
      galley.call('GET', `/api/documents/${id}${path}`, { as: { token: link.token } })
    for (const path of ['', '/marks', '/changes?since=1'])
      expect((await read(path)).data).toMatchObject({ permission: 'edit', suggest_only: true })
    const patched = await galley.call('PATCH', `/api/documents/${id}`, {
      as: { token: link.token },
      json: { content: 'Mine' },
    })
    expect([patched.status, patched.message]).toEqual([403, expect.stringContaining('suggest the change')])
  })

  it('is told on both listeners that the owner decides on suggestions', async () => {
    const { token } = await make({ permission: 'edit', suggest_only: true })
    const json = { original_text: 'Text', suggested_text: 'Words' }
    const made = await galley.call('POST', `/api/documents/${id}/suggestions`, { as: { token }, json })
    const url = `/api/documents/${id}/suggestions`
    for (const on of ['owner', 'share'] as const) {
      for (const what of ['accept', 'reject', 'reopen']) {
        const refused = await galley.call('POST', `${url}/${made.data.id}/${what}`, { as: { token }, on })
        expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('owner may accept')])
      }
      const all = await galley.call('POST', `${url}/resolve`, {
        as: { token },
        on,
        json: { action: 'accept' },
      })
      expect([all.status, all.code]).toEqual([403, 'FORBIDDEN'])
    }
  })

  it('has no permission of its own name, and the refusal says how it is made', async () => {
    const { status, message } = await galley.call('POST', `/api/documents/${id}/share`, {
      as: galley.as.owner,
      json: { permission: 'suggest' },
    })
    expect(status).toBe(400)
    expect(message).toMatch(/^“permission” must be one of .*: .*“edit”, with “suggest_only”: true\.$/)
  })

  it('stays one while it has another permission, until it is said that it isn’t', async () => {
    const link = await make({ permission: 'comment', suggest_only: true })
    const allows = async (fields: object) => {
      const { data } = await change(link.id, fields)
      const { permission, suggest_only } = data as { permission: string; suggest_only: boolean }
      const edit = await galley.call('PATCH', `/api/documents/${id}`, {
        as: { token: link.token },
        json: { content: 'Changed' },
      })
      return [permission, suggest_only, edit.status]
    }
    expect(await allows({ permission: 'edit' })).toEqual(['edit', true, 403])
    expect(await allows({ permission: 'view' })).toEqual(['view', true, 403])
    expect(await allows({ permission: 'edit', suggest_only: false })).toEqual(['edit', false, 200])
    expect(await allows({ suggest_only: true })).toEqual(['edit', true, 403])
    expect((await change(link.id, { suggest_only: 'yes' })).code).toBe('VALIDATION_ERROR')
  })
})
