import { expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { LinkOpeningRow } from './link-openings.ts'
import { testStore } from './testing/store.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

function linked() {
  const one = testStore()
  const document = one.create('Read me.')
  const newLink = () =>
    one.store.shareLinks.create(document.number, one.owner.id, {
      permission: 'view',
      label: null,
      expiresAt: null,
    })
  const opening = (link: string, id: string, more: Partial<LinkOpeningRow> = {}): LinkOpeningRow => ({
    id,
    link,
    opened_at: one.clock.at,
    preview: 0,
    device: 'Safari on iPhone',
    name: null,
    ...more,
  })
  const ids = () => one.store.linkOpenings.list(document.number).map(({ id }) => id)
  return { ...one, document, newLink, opening, ids, openings: one.store.linkOpenings }
}

it('lists the openings of all links of a document, the newest first, and of no other document', () => {
  const { store, openings, newLink, opening, ids, clock, owner, create } = linked()
  const [first, second] = [newLink(), newLink()]
  openings.keep([opening(first.id, 'a')])
  clock.at += 1
  openings.keep([opening(second.id, 'b'), opening(first.id, 'c')])
  const other = create('Another.')
  const link = store.shareLinks.create(other.number, owner.id, {
    permission: 'view',
    label: null,
    expiresAt: null,
  })
  expect(openings.keep([opening(link.id, 'd')])).toEqual([other.id])
  expect(ids()).toEqual(['c', 'b', 'a'])
})

it('takes a name that was given later, and keeps the rest as it was', () => {
  const { openings, newLink, opening, document } = linked()
  const link = newLink()
  openings.keep([opening(link.id, 'a')])
  openings.keep([opening(link.id, 'a', { name: 'Ada', opened_at: 1, device: 'Else' })])
  expect(openings.list(document.number)).toEqual([opening(link.id, 'a', { name: 'Ada' })])
})

it('keeps only so many of each link', () => {
  const { openings, newLink, opening, ids, clock } = linked()
  const [busy, quiet] = [newLink(), newLink()]
  openings.keep([opening(quiet.id, 'quiet')])
  for (let at = 0; at <= limits.linkOpenings; at++) {
    clock.at += 1
    openings.keep([opening(busy.id, `busy ${at}`)])
  }
  expect(ids()).toHaveLength(limits.linkOpenings + 1)
  expect(ids()).toContain('quiet')
  // The first and the last of a crowd, and not who was in its middle.
  expect(ids()).toContain('busy 0')
  expect(ids()[0]).toBe(`busy ${limits.linkOpenings}`)
})

it('opening a link ever so often doesn’t push out when others did', () => {
  const { openings, newLink, opening, ids, clock } = linked()
  const link = newLink().id
  clock.at = Math.ceil(clock.at / day) * day
  const open = (id: string, after: number) => {
    clock.at += after
    openings.keep([opening(link, id)])
  }
  const crowd = () => {
    for (let i = 0; i < 1.5 * limits.linkOpenings; i++) open('crowd ' + clock.at, 1000)
  }
  open('first', 0)
  open('before', 3 * hour)
  crowd()
  open('after', 1000)
  open('between', 3 * hour)
  clock.at += 3 * hour
  crowd()
  open('last', 1000)
  expect(ids().filter((id) => !id.startsWith('crowd'))).toEqual([
    'last',
    'between',
    'after',
    'before',
    'first',
  ])
  expect(ids()).toHaveLength(limits.linkOpenings)
})

it('nor does it from hour to hour and day to day', () => {
  const { openings, newLink, opening, ids, clock } = linked()
  const link = newLink().id
  clock.at = Math.ceil(clock.at / day) * day
  openings.keep([opening(link, 'before')])
  for (let hours = 1; hours < 40 * 24; hours++) {
    clock.at += hour
    if (Math.floor(hours / 24) !== 20) openings.keep([opening(link, `crowd ${hours}`)])
    else if (hours % 24 === 12) openings.keep([opening(link, 'between')])
  }
  expect(ids()).toHaveLength(limits.linkOpenings)
  expect(ids().filter((id) => !id.startsWith('crowd'))).toEqual(['between', 'before'])
})

it('forgets after 90 days: at once when asked, and for good when swept', () => {
  const { store, openings, newLink, opening, ids, clock } = linked()
  openings.keep([opening(newLink().id, 'a')])
  clock.at += 90 * day - 1
  expect(ids()).toEqual(['a'])
  clock.at += 1
  expect(ids()).toEqual([])
  openings.sweep()
  expect(store.db.prepare('SELECT count(*) FROM link_openings').pluck().get()).toBe(0)
})

it('goes with the link, goes with the document, and is not kept for one that is gone', () => {
  const { store, clock, openings, newLink, opening, document, ids } = linked()
  const count = () => store.db.prepare('SELECT count(*) FROM link_openings').pluck().get()
  const [one, two] = [newLink(), newLink()]
  openings.keep([opening(one.id, 'a'), opening(two.id, 'b')])
  store.shareLinks.revoke(one.id, document.number)
  expect(ids()).toEqual(['b'])
  clock.at += 10 * 60_000
  store.shareLinks.forgetRevoked()
  expect(count()).toBe(1)
  expect(openings.keep([opening(one.id, 'c')])).toEqual([])
  expect(count()).toBe(1)
  store.documents.delete(document)
  expect(count()).toBe(0)
})
