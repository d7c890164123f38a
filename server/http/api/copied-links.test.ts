import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestGalley, unknownId, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let id: string
let link: string
beforeEach(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument({ title: 'On proofs' })).id
  await galley.newToken(id, 'view')
  link = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)[0]!.id
})
afterEach(() => galley.close())

const address = 'https://old.example.org'
const note = (json: unknown = { address }, as: TestCredentials = galley.as.owner, linkId = link) =>
  galley.call('PATCH', `/api/documents/${id}/share/${linkId}/copied`, { as, json })
const elsewhere = 'https://new.example.org'
const stale = (at = elsewhere) => galley.store.copiedLinks.listOther(galley.user.id, at)

it('keeps the address of the last copy', async () => {
  expect(await note()).toMatchObject({ status: 200, data: { noted: true } })
  expect(stale()).toMatchObject([{ link, document: id, title: 'On proofs', address, label: null }])
  expect(stale(address)).toEqual([])
  await note({ address: elsewhere })
  expect(stale()).toEqual([])
})

it('forgets it with its link, and tells nothing of one that has expired', async () => {
  await note()
  await galley.newToken(id, 'edit', new Date(galley.clock.now + 60_000).toISOString())
  const [soon] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
  await note({ address }, galley.as.owner, soon!.id)
  expect(stale()).toHaveLength(2)
  galley.clock.now += 60_000
  expect(stale()).toHaveLength(1)
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link}`, { as: galley.as.owner })
  expect(stale()).toEqual([])
})

it('tells of nothing while nobody elsewhere reaches it', async () => {
  await note()
  const answer = await galley.call('GET', '/api/sharing/dead-copies', { as: galley.as.owner })
  expect(answer).toMatchObject({ status: 200, data: [] })
})

it('refuses what is no address, and links that aren’t the document’s', async () => {
  for (const wrong of ['ftp://example.org', 'https://example.org/share/1', '', 7])
    expect(await note({ address: wrong })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  expect(await note({ address }, galley.as.owner, unknownId)).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  })
  const other = await galley.newDocument()
  const answer = await galley.call('PATCH', `/api/documents/${other.id}/share/${link}/copied`, {
    as: galley.as.owner,
    json: { address },
  })
  expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  expect(stale()).toEqual([])
})
