import { expect, test } from 'vitest'
import { testStore } from './testing/store.ts'

const fields = { permission: 'view' as const, label: null, expiresAt: null }

test('a link is found by its whole token only', () => {
  const at = testStore()
  const { number } = at.create('text')
  const link = at.store.shareLinks.create(number, at.owner.id, { ...fields, label: 'For Ann' })
  expect(link.token).toMatch(/^[0-9a-f]{32}$/)
  expect(at.store.shareLinks.findValid(link.token)).toMatchObject({
    id: link.id,
    document: number,
    label: 'For Ann',
  })
  for (const other of ['', link.token.slice(1), link.token.toUpperCase() + ' ', '0'.repeat(32)]) {
    expect(at.store.shareLinks.findValid(other)).toBeUndefined()
  }
})

test('a link ends at the moment it expires', () => {
  const at = testStore()
  const { number } = at.create('text')
  const { token } = at.store.shareLinks.create(number, at.owner.id, {
    ...fields,
    expiresAt: at.clock.at + 1_000,
  })
  at.clock.at += 999
  expect(at.store.shareLinks.findValid(token)).toBeDefined()
  at.clock.at += 1
  expect(at.store.shareLinks.findValid(token)).toBeUndefined()
})

test('a revoked link is gone, and only by the document that it is of', () => {
  const at = testStore()
  const [one, other] = [at.create('one'), at.create('other')]
  const link = at.store.shareLinks.create(one.number, at.owner.id, fields)
  expect(at.store.shareLinks.revoke(link.id, other.number)).toBe(false)
  expect(at.store.shareLinks.findValid(link.token)).toBeDefined()
  expect(at.store.shareLinks.revoke(link.id, one.number)).toBe(true)
  expect(at.store.shareLinks.findValid(link.token)).toBeUndefined()
})

test('a revoked link can be brought back for ten minutes, as it was, and then is forgotten', () => {
  const at = testStore()
  const [one, other] = [at.create('one'), at.create('other')]
  const { shareLinks } = at.store
  const link = shareLinks.create(one.number, at.owner.id, fields)
  const count = () => at.store.db.prepare('SELECT count(*) FROM share_links').pluck().get()
  expect(shareLinks.restore(link.id, one.number)).toBeUndefined()
  shareLinks.revoke(link.id, one.number)
  expect(shareLinks.revoke(link.id, one.number)).toBe(false)
  expect([shareLinks.list(one.number), shareLinks.countValid()]).toEqual([[], 0])
  expect(at.store.sharing.countLinks(at.owner.id)).toBe(0)
  at.clock.at += 10 * 60_000 - 1
  shareLinks.forgetRevoked()
  expect(shareLinks.restore(link.id, other.number)).toBeUndefined()
  expect(shareLinks.restore(link.id, one.number)).toEqual({ ...link, open_since: at.clock.at })
  expect(shareLinks.findValid(link.token)).toMatchObject({ id: link.id })
  shareLinks.revoke(link.id, one.number)
  at.clock.at += 10 * 60_000
  expect(shareLinks.restore(link.id, one.number)).toBeUndefined()
  expect(count()).toBe(1)
  shareLinks.forgetRevoked()
  expect(count()).toBe(0)
})

test('links are listed the newest first, with their last use to the minute', () => {
  const at = testStore()
  const { number } = at.create('text')
  const links = [1, 2, 3].map(() => at.store.shareLinks.create(number, at.owner.id, fields))
  const first = at.clock.at
  at.store.shareLinks.findValid(links[0]!.token)
  at.clock.at += 59_999
  at.store.shareLinks.findValid(links[0]!.token)
  const list = at.store.shareLinks.list(number)
  expect(list.map(({ id }) => id)).toEqual(links.map(({ id }) => id).reverse())
  expect(list.map(({ last_used_at }) => last_used_at)).toEqual([null, null, first])
})
