import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ShareLink, ShareLinkSummary } from '../../contract/records.ts'
import { createTestGalley, type TestGalley } from '../../test-galley.ts'

let galley: TestGalley
let url: string
beforeEach(async () => {
  galley = await createTestGalley()
  url = `/api/documents/${(await galley.newDocument()).id}/share`
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
