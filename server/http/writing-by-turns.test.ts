import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { LiveMessage, LiveSaying } from '../contract/live.ts'
import type { Document } from '../contract/records/documents.ts'
import type { VersionSummary } from '../contract/records/versions.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'
import { dials, liveUrl, type Dialling } from '../testing/live.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley({ live: { check: 30, ping: 60_000 } })
})
afterEach(() => galley.close())

const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 10_000, interval: 1 })

it('ten minutes of two who write by turns are a version of each, which says how much is theirs', async () => {
  const { connect } = await dials(galley)
  const { id } = await galley.newDocument({ content: '\n\n' })
  const start = galley.clock.now
  const revision = () => galley.store.documents.find(id)!.revision
  /** Somebody who writes in a paragraph of their own, letter by letter, and takes some of it back. */
  async function writer(dialling: Dialling, author_name?: string) {
    const { socket, heard } = await connect(liveUrl(id), dialling)
    const say = (saying: LiveSaying) => socket.send(JSON.stringify(saying))
    say({ type: 'follow', since: revision(), client: randomUUID() })
    await soon(() => expect(heard.some(({ type }) => type === 'following')).toBe(true))
    let number = 0
    const push = async (changes: (number | [number, ...string[]])[]) => {
      const base = revision()
      say({ type: 'push', base, number: ++number, changes, ...(author_name && { author_name }) })
      const isTold = (one: LiveMessage) =>
        one.type === 'updates' && one.updates.some((each) => each.revision > base)
      await soon(() => expect(heard.some(isTold)).toBe(true))
    }
    return push
  }
  const owner = await writer({ as: galley.as.session })
  const guest = await writer(
    {
      ...{ as: { token: await galley.newToken(id, 'edit') }, on: 'share' },
      headers: { cookie: `galley_guest=${'a'.repeat(32)}` },
    },
    'Ada',
  )
  let typed = 0
  while (galley.clock.now < start + 600_000) {
    galley.clock.now += 4_000
    const { length } = galley.store.documents.find(id)!.text
    await owner([[0, 'a'], length])
    galley.clock.now += 4_000
    await guest([length + 1, [0, 'bc']])
    if (++typed % 10 === 0) await guest([length + 2, [1]])
  }
  const as = galley.as.owner
  const versions = (await galley.call('GET', `/api/documents/${id}/versions`, { as }))
    .data as VersionSummary[]
  expect(typed).toBeGreaterThan(70)
  expect(
    versions.map(({ kind, author_name, added, removed }) => [kind, author_name, added, removed]),
  ).toEqual([
    ['edit', 'Ada', 2 * typed, Math.floor(typed / 10)],
    ['edit', galley.user.name, typed, 0],
    ['create', galley.user.name, 2, 0],
  ])
  const { content } = (await galley.call('GET', `/api/documents/${id}`, { as })).data as Document
  expect(content).toHaveLength(2 + 3 * typed - Math.floor(typed / 10))
})
