import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'
import { letOthers } from './slices.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

it('answers others between the many requests of one link, and these in their order', async () => {
  const { id } = await galley.newDocument({ content: 'words' })
  const [greedy, other] = [await galley.newToken(id, 'view'), await galley.newToken(id, 'view')]
  const answered: string[] = []
  const ask = async (name: string, token: string) => {
    const { status } = await galley.call('GET', `/api/documents/${id}/comments`, {
      as: { token },
      on: 'share',
    })
    answered.push(`${name} ${status}`)
  }
  const many = Array.from({ length: 50 }, (_, i) => ask(`greedy${i}`, greedy))
  await letOthers()
  await Promise.all([...many, ask('other', other)])
  expect(answered.indexOf('other 200')).toBeLessThan(25)
  expect(answered.filter((one) => one.startsWith('greedy'))).toEqual(many.map((_, i) => `greedy${i} 200`))
})

it('asks again when the turn of what waited has come whether it still may', async () => {
  const { id } = await galley.newDocument({ content: 'words' })
  const token = await galley.newToken(id, 'view')
  const ask = () => galley.call('GET', `/api/documents/${id}`, { as: { token }, on: 'share' })
  const asked = Array.from({ length: 50 }, ask)
  await asked[0]
  const link = galley.store.shareLinks.findValid(token)!
  galley.store.shareLinks.revoke(link.id, link.document)
  expect((await asked.at(-1)!).status).toBe(401)
})
