import { expect, it } from 'vitest'
import type { DesktopDrafts } from '../../server/contract/desktop.ts'
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

const draft = (documentId: string, writer: string, content: string) => ({
  documentId,
  writer,
  base: { revision: 1, title: 'T', content: '' },
  title: 'T',
  content,
  at: 0,
})

it('keeps texts apart by document and window', async () => {
  const store = desktopDrafts(desktop().drafts)
  await store.put(draft('one', 'a', 'first'))
  await store.put(draft('one', 'b', 'second'))
  await store.put(draft('two', 'a', 'other'))
  await store.put(draft('one', 'a', 'first, again'))
  expect((await store.list('one')).map(({ content }) => content)).toEqual(['first, again', 'second'])
  await store.delete('one', 'a')
  expect(await store.list('one')).toEqual([draft('one', 'b', 'second')])
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
