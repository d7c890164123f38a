import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DesktopDrafts } from '../../server/contract/desktop.ts'
import { textsOf, type Draft, type DraftStore } from '../editor/drafts.ts'
import { FeedbackDrafts } from '../feedback/feedback-drafts.ts'
import { desktopDrafts, desktopStorage } from './desktop-drafts.ts'

/** What the desktop keeps, and the storage of a browser under some address. */
function desktop() {
  const kept = new Map<string, string>()
  const drafts: DesktopDrafts = {
    keep: (key, text) => Promise.resolve(void kept.set(key, text)),
    forget: (key) => Promise.resolve(void kept.delete(key)),
    list: (prefix) => Promise.resolve([...kept].filter(([key]) => key.startsWith(prefix))),
  }
  return { kept, drafts }
}

/** As browsers have it: what is stored are the object’s own properties. */
const browser = () =>
  Object.create({
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? this[key]! : null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
  }) as Storage

const draft = (documentId: string, writer: string, content: string, base = { content: '' }): Draft => ({
  ...{ documentId, writer, base, since: null, revision: 1, client: 'c', number: 0, sending: null },
  unsent: [base.content.length, [0, content]],
  ...{ savedTitle: 'T', title: 'T', at: 0 },
})
const contents = async (store: DraftStore, documentId: string) =>
  (await store.list(documentId)).map((one) => textsOf(one).content)

it('keeps texts apart by document and window', async () => {
  const store = desktopDrafts(desktop().drafts)
  await store.put(draft('one', 'a', 'first'))
  await store.put(draft('one', 'b', 'second'))
  await store.put(draft('two', 'a', 'other'))
  await store.put(draft('one', 'a', 'first, again'))
  expect(await contents(store, 'one')).toEqual(['first, again', 'second'])
  await store.delete('one', 'a')
  expect(await store.list('one')).toMatchObject([draft('one', 'b', 'second')])
})

it('writes a base once, and forgets all of it', async () => {
  const { drafts, kept } = desktop()
  const written: string[] = []
  const store = desktopDrafts({
    ...drafts,
    keep: (key, text) => {
      written.push(text)
      return drafts.keep(key, text)
    },
  })
  const base = { content: 'A long text. ' }
  for (const typed of ['a', 'ab', 'abc']) await store.put(draft('one', 'a', typed, base))
  expect(written.filter((text) => text.includes(base.content))).toHaveLength(1)
  await store.put(draft('one', 'a', 'x', { content: 'Another. ' }))
  expect(await contents(store, 'one')).toEqual(['Another. x'])
  await store.delete('one', 'a')
  expect(kept.size).toBe(0)
})

it('restores drafts of earlier versions', async () => {
  const { drafts, kept } = desktop()
  const base = { revision: 1, title: 'T', content: 'one' }
  const old = { documentId: 'one', writer: 'gone', base, title: 'T', content: 'one two', at: 0 }
  kept.set('text:one:gone', JSON.stringify(old))
  expect(await contents(desktopDrafts(drafts), 'one')).toEqual(['one two'])
})

it('has at any moment of a crash what was kept last or before that', async () => {
  const base = fc
    .constantFrom('', 'A text. ', 'Another text, and a longer one. ')
    .map((content) => ({ content }))
  const step = fc.record({ base, typed: fc.string({ minLength: 1, maxLength: 4 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(20), async (steps, crashAt) => {
      const { drafts, kept } = desktop()
      let left = crashAt
      const whileAlive =
        <Args extends unknown[]>(act: (...args: Args) => Promise<void>) =>
        (...args: Args) =>
          left-- > 0 ? act(...args) : Promise.reject(new Error('crashed'))
      const store = desktopDrafts({
        ...drafts,
        keep: whileAlive(drafts.keep),
        forget: whileAlive(drafts.forget),
      })
      const texts: string[] = []
      let done = 0
      for (const { base, typed } of steps) {
        texts.push(base.content + typed)
        const isDone = await store.put(draft('one', 'a', typed, base)).then(
          () => true,
          () => false,
        )
        if (!isDone) break
        done++
      }
      const found = await contents(desktopDrafts({ ...desktop().drafts, list: drafts.list }), 'one')
      expect(kept.size).toBeLessThanOrEqual(3)
      if (done > 0) expect(texts.slice(done - 1)).toContain(found[0])
    }),
  )
})

it('finds a comment that was begun when the app was at another address', async () => {
  const { drafts } = desktop()
  new FeedbackDrafts('one', await desktopStorage(drafts, browser())).keep('new', { body: 'Half a thou' })
  const elsewhere = await desktopStorage(drafts, browser())
  expect(new FeedbackDrafts('one', elsewhere).find('new')).toEqual({ body: 'Half a thou' })
})

it('doesn’t bring back a comment that was sent at another address, and leaves other things alone', async () => {
  const { drafts, kept } = desktop()
  const first = browser()
  first.setItem('galley-theme', 'dark')
  new FeedbackDrafts('one', await desktopStorage(drafts, first)).keep('new', { body: 'Half a thou' })
  new FeedbackDrafts('one', await desktopStorage(drafts, browser())).drop('new')
  expect(kept.size).toBe(0)
  const again = await desktopStorage(drafts, first)
  expect(new FeedbackDrafts('one', again).find('new')).toBeNull()
  expect(first.getItem('galley-theme')).toBe('dark')
})

it('goes on in the browser where the desktop can’t keep anything', async () => {
  const { drafts } = desktop()
  const broken = { ...drafts, keep: () => Promise.reject(new Error('The disk is full')) }
  const feedback = new FeedbackDrafts('one', await desktopStorage(broken, browser()))
  feedback.keep('new', { body: 'Half a thou' })
  expect(feedback.find('new')).toEqual({ body: 'Half a thou' })
})
