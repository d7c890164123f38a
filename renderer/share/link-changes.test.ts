import { expect, test, vi } from 'vitest'
import type { Draft } from '../editor/drafts.ts'
import { SharingGalley } from './testing/recipient.ts'

test('what was suggested is gone on with, once, as soon as the link permits it again', async () => {
  const galley = await SharingGalley.start()
  for (const less of ['comment', 'view'] as const) {
    const shared = await galley.share('A quick fox.\n', 'suggest')
    const connection = shared.open('suggest')
    const reviewer = await shared.suggest(connection)
    const { suggester } = reviewer
    reviewer.type(7, ' first')
    await suggester.flush()
    reviewer.type(13, ' two')
    await shared.allow(less)
    await expect(suggester.flush()).rejects.toThrow()
    await reviewer.look()
    expect(connection.link.access).toBe(less)
    await reviewer.look()
    const seen = [reviewer.shown, reviewer.feedback.pending.length]
    expect(seen).toEqual(['A quick first two fox.\n', less === 'view' ? 0 : 1])
    await shared.allow('suggest')
    await reviewer.look()
    suggester.isThere()
    await expect.poll(() => suggester.state.kind).toBe('saved')
    expect(await shared.suggested()).toEqual([' first two'])
    reviewer.type(17, ' three')
    await suggester.flush()
    expect(await shared.suggested()).toEqual([' first two three'])
    expect(reviewer.shown).toBe('A quick first two three fox.\n')
  }

  // What is typed after that is sent, too, also where nothing is heard of the time between.
  const shared = await galley.share('A quick fox.\n', 'comment')
  const reviewer = await shared.suggest(shared.open('suggest'))
  reviewer.type(7, ' brown')
  await expect(reviewer.suggester.flush()).rejects.toThrow()
  await shared.allow('suggest')
  reviewer.type(13, ' red')
  await expect.poll(() => shared.suggested(), { timeout: 20_000 }).toEqual([' brown red'])
}, 120_000)

test('what was typed into a text stays a change of it, made once, when the link allows only suggestions', async () => {
  const galley = await SharingGalley.start()
  for (const isLost of [false, true]) {
    const shared = await galley.share('One.\n', 'edit')
    const { api } = shared.open('edit')
    const drafts = new Map<string, Draft>()
    const losing: typeof api = {
      ...api,
      call: async (name, options) => {
        const answer = await api.call(name, options)
        if (name === 'pushChange') throw new TypeError('the answer got lost')
        return answer
      },
    }
    const session = await shared.write(isLost ? losing : api, drafts)
    if (!isLost) await shared.allow('suggest')
    session.write([{ start: 4, end: 4, text: ' Two.' }])
    await expect(session.saveNow()).rejects.toThrow()
    await shared.allow('suggest')
    await session.close()
    expect([session.unsaved, drafts.size]).toEqual([true, 1])

    // By a page that was opened when it allowed no more.
    const { api: later, link } = shared.open('suggest')
    const next = await shared.write(later, drafts)
    expect([next.content, next.unsaved]).toEqual([isLost ? 'One. Two.\n' : 'One.\n', false])
    expect(link.canEdit).toBe(false)
    await shared.allow('edit')
    await next.abandoned.mayBeWritten()
    await next.saveNow()
    expect(link.canEdit).toBe(true)
    const now = [next.content, await shared.content(), drafts.size]
    expect(now).toEqual(['One. Two.\n', 'One. Two.\n', 0])
    await next.close()
  }
}, 120_000)

test('a link that is revoked is asked no more than whether it works again, and then what was kept goes', async () => {
  const galley = await SharingGalley.start()
  const shared = await galley.share('One.\n', 'edit')
  const connection = shared.open('edit')
  const drafts = new Map<string, Draft>()
  const session = await shared.write(connection.api, drafts)
  const reviewer = await shared.suggest(connection)
  await shared.revoke()
  session.write([{ start: 4, end: 4, text: ' Two.' }])
  reviewer.type(0, 'Zero. ')
  // Of each by itself the page learns what has become of the link.
  await expect(session.saveNow()).rejects.toThrow()
  await expect(reviewer.suggester.flush()).rejects.toThrow()
  await expect.poll(() => connection.link.isDead).toBe(true)
  const asked = vi.spyOn(globalThis, 'fetch')
  session.retry()
  await session.refresh().catch(() => undefined)
  await reviewer.look()
  expect(asked).not.toHaveBeenCalled()
  await expect(connection.revive()).rejects.toThrow()
  expect([asked.mock.calls.length, connection.link.isDead]).toEqual([1, true])

  await shared.restore()
  await connection.revive()
  expect([connection.link.isDead, connection.link.access]).toEqual([false, 'edit'])
  session.retry()
  await session.saveNow()
  await reviewer.suggester.flush()
  expect([await shared.content(), await shared.suggested()]).toEqual(['One. Two.\n', ['Zero. ']])
  await session.close()
  expect([drafts.size, connection.link.state]).toEqual([0, 'works'])
}, 60_000)
