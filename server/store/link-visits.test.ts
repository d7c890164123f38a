import { expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { LinkVisitRow } from './link-visits.ts'
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
  const visit = (link: string, id: string, more: Partial<LinkVisitRow> = {}): LinkVisitRow => ({
    id,
    link,
    opened_at: one.clock.at,
    preview: 0,
    device: 'Safari on iPhone',
    name: null,
    read_at: null,
    ...more,
  })
  const ids = () => one.store.linkVisits.list(document.number).map(({ id }) => id)
  return { ...one, document, newLink, visit, ids, visits: one.store.linkVisits }
}

it('lists the visits of all links of a document, the newest first, and of no other document', () => {
  const { store, visits, newLink, visit, ids, clock, owner, create } = linked()
  const [first, second] = [newLink(), newLink()]
  visits.keep([visit(first.id, 'a')])
  clock.at += 1
  visits.keep([visit(second.id, 'b'), visit(first.id, 'c')])
  const other = create('Another.')
  const link = store.shareLinks.create(other.number, owner.id, {
    permission: 'view',
    label: null,
    expiresAt: null,
  })
  expect(visits.keep([visit(link.id, 'd')])).toMatchObject([{ link: link.id, document: { id: other.id } }])
  expect(ids()).toEqual(['c', 'b', 'a'])
})

it('takes a name that was given later, and keeps the rest as it was', () => {
  const { visits, newLink, visit, document } = linked()
  const link = newLink()
  visits.keep([visit(link.id, 'a')])
  visits.keep([visit(link.id, 'a', { name: 'Ada', opened_at: 1, device: 'Else' })])
  expect(visits.list(document.number)).toEqual([visit(link.id, 'a', { name: 'Ada' })])
})

it('keeps only so many of each link', () => {
  const { visits, newLink, visit, ids, clock } = linked()
  const [busy, quiet] = [newLink(), newLink()]
  visits.keep([visit(quiet.id, 'quiet')])
  for (let at = 0; at <= limits.linkVisits; at++) {
    clock.at += 1
    visits.keep([visit(busy.id, `busy ${at}`)])
  }
  expect(ids()).toHaveLength(limits.linkVisits + 1)
  expect(ids()).toContain('quiet')
  // The first and the last of a crowd, and not who was in its middle.
  expect(ids()).toContain('busy 0')
  expect(ids()[0]).toBe(`busy ${limits.linkVisits}`)
})

it('opening a link ever so often doesn’t push out when others did', () => {
  const { visits, newLink, visit, ids, clock } = linked()
  const link = newLink().id
  clock.at = Math.ceil(clock.at / day) * day
  const open = (id: string, after: number) => {
    clock.at += after
    visits.keep([visit(link, id)])
  }
  const crowd = () => {
    for (let i = 0; i < 1.5 * limits.linkVisits; i++) open('crowd ' + clock.at, 1000)
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
  expect(ids()).toHaveLength(limits.linkVisits)
})

it('nor does it from hour to hour and day to day', () => {
  const { visits, newLink, visit, ids, clock } = linked()
  const link = newLink().id
  clock.at = Math.ceil(clock.at / day) * day
  visits.keep([visit(link, 'before')])
  for (let hours = 1; hours < 40 * 24; hours++) {
    clock.at += hour
    if (Math.floor(hours / 24) !== 20) visits.keep([visit(link, `crowd ${hours}`)])
    else if (hours % 24 === 12) visits.keep([visit(link, 'between')])
  }
  expect(ids()).toHaveLength(limits.linkVisits)
  expect(ids().filter((id) => !id.startsWith('crowd'))).toEqual(['between', 'before'])
})

it('forgets after 90 days: at once when asked, and for good when swept', () => {
  const { store, visits, newLink, visit, ids, clock } = linked()
  visits.keep([visit(newLink().id, 'a')])
  clock.at += 90 * day - 1
  expect(ids()).toEqual(['a'])
  clock.at += 1
  expect(ids()).toEqual([])
  visits.sweep()
  expect(store.db.prepare('SELECT count(*) FROM link_visits').pluck().get()).toBe(0)
})

it('goes with the link, goes with the document, and is not kept for one that is gone', () => {
  const { store, clock, visits, newLink, visit, document, ids } = linked()
  const count = () => store.db.prepare('SELECT count(*) FROM link_visits').pluck().get()
  const [one, two] = [newLink(), newLink()]
  visits.keep([visit(one.id, 'a'), visit(two.id, 'b')])
  store.shareLinks.revoke(one.id, document.number)
  expect(ids()).toEqual(['b'])
  clock.at += 10 * 60_000
  store.shareLinks.forgetRevoked()
  expect(count()).toBe(1)
  expect(visits.keep([visit(one.id, 'c')])).toEqual([])
  expect(count()).toBe(1)
  store.documents.delete(document)
  expect(count()).toBe(0)
})
