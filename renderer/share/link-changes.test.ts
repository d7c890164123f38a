import { expect, test } from 'vitest'
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
