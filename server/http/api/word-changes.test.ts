import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WordChanges } from '../../contract/records/changes.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const ask = (id: string, since: number, by: TestCredentials = as) =>
  galley.call('GET', `/api/documents/${id}/word-changes?since=${since}`, { as: by })
async function write(id: string, content: string) {
  galley.clock.now += 1_000
  await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })
}

it('tells what was put in and taken out, and where that shows', async () => {
  const { id } = await galley.newDocument({ content: 'It goes out.\n\nA short end.\n' })
  const token = await galley.newToken(id, 'view')
  await write(id, 'It is sent out.\n\nAn end.\n')
  const { status, data } = await ask(id, 1, { token })
  expect(status).toBe(200)
  expect(data).toMatchObject({
    ...{ since: 1, revision: 2, more: false, limited: null, permission: 'view' },
    changes: [
      {
        ...{ start: 3, end: 10, removed: 'goes', removed_stands: 'before' },
        ...{ from: { block: 0, char: 2 }, to: { block: 0, char: 8 } },
      },
      { start: 17, end: 19, removed: 'A short', from: { block: 17, char: 0 }, to: { block: 17, char: 2 } },
    ],
  })
})

it('shows what was only taken out beside the word before it, or else the one behind', async () => {
  const { id } = await galley.newDocument({ content: 'Look: one two three.\n' })
  await write(id, 'one three.\n')
  const { changes } = (await ask(id, 1)).data as WordChanges
  expect(
    changes.map(({ removed, removed_stands, from }) => [removed.trim(), removed_stands, from?.char]),
  ).toEqual([
    ['Look:', 'before', 0],
    ['two', 'behind', 0],
  ])
})

it('tells of a link that leads elsewhere at its words', async () => {
  const { id } = await galley.newDocument({ content: 'See [the bank](https://bank.example/) `[a](/b)`.\n' })
  await write(id, 'See [the bank](https://other.example/x) `[a](/c)`.\n')
  const { changes } = (await ask(id, 1)).data as WordChanges
  expect(changes).toMatchObject([
    {
      ...{ removed: 'https://bank.example/', is_address: true },
      ...{ from: { block: 0, char: 3 }, to: { block: 0, char: 10 } },
    },
    { removed: '/b', is_address: false, from: { block: 0, char: 14 } },
  ])
})

it('tells a link’s holder of no text that was replaced before there was the link', async () => {
  const { id } = await galley.newDocument({ content: 'A secret.\n' })
  await write(id, 'Nothing.\n')
  galley.clock.now += 1_000
  const token = await galley.newToken(id, 'edit')
  await write(id, 'Nothing new.\n')
  const refused = await ask(id, 1, { token })
  expect(refused.status).toBe(412)
  expect(JSON.stringify(refused)).not.toContain('secret')
  expect((await ask(id, 2, { token })).status).toBe(200)
  expect((await ask(id, 1)).status).toBe(200)
})

it('says so where there are more than are told', async () => {
  const words = Array.from({ length: 1_300 }, (_, i) => `w${i}`)
  const { id } = await galley.newDocument({ content: words.join(' stays as it is.\n\n') })
  await write(id, words.map((word, i) => (i % 2 ? word : `${word}x`)).join(' stays as it is.\n\n'))
  const { changes, more } = (await ask(id, 1)).data as WordChanges
  expect([changes.length, more]).toEqual([500, true])
})
