// A recipient of a link, and a way to the writer's machine that comes and goes.
import { chromium, expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { untilWhole } from './first-view.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'
import { openUnsteadyWay, type UnsteadyWay } from './unsteady-way.ts'

export const text = `# On proofs

A galley proof is the draft that goes out for review before print. The margins are wide for a reason.

A proof that comes back in a week has been read.
`

/** Of the spec that has called `setUpAway`. */
export let galley: GalleyServer
export let way: UnsteadyWay

/**
 * One server for all tests of a spec, or for the part of them that a worker has, where they are split so that none waits
 * for another at the end; and a way of its own for each.
 */
export function setUpAway(mode: 'default' | 'parallel' = 'default') {
  test.describe.configure({ mode })
  test.beforeAll(async () => {
    galley = await startGalleyServer()
  })
  test.afterAll(async () => {
    await galley.stop()
  })
  test.beforeEach(async () => {
    way = await openUnsteadyWay(galley.shareUrl)
  })
  test.afterEach(async () => {
    await way.close()
    expect(warnings.splice(0), 'what the framework warns of').toEqual([])
  })
}

/** What the page’s framework has warned of: values that were read of what is no longer on the page. */
const warnings: string[] = []

export interface Recipient {
  page: Page
  context: BrowserContext
  id: string
  linkId: string
  address: string
}

export async function recipient(
  browser: Browser,
  permission = 'comment',
  origin = way.origin,
  options: Parameters<Browser['newContext']>[0] = { viewport: { width: 1440, height: 900 } },
  content = text,
): Promise<Recipient> {
  const { id } = await galley.createDocument(content)
  const link = await galley.share(id, permission)
  const context = await browser.newContext(options)
  context.on('console', (message) => {
    if (message.type() === 'warning' && message.text().includes('svelte.dev')) warnings.push(message.text())
  })
  const page = await context.newPage()
  const address = `${origin}/share/${link.token}`
  await page.goto(address)
  await untilWhole(page)
  return { page, context, id, linkId: link.id, address }
}

/** A browser in which pages come over plain HTTP from elsewhere, and where they come from. */
export async function plainBrowser() {
  const browser = await chromium.launch({
    ...(process.env.GALLEY_CHROMIUM ? { executablePath: process.env.GALLEY_CHROMIUM } : {}),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--host-resolver-rules=MAP galley.test 127.0.0.1',
    ],
  })
  return { browser, origin: `http://galley.test:${way.port}` }
}

export const waiting = (page: Page, kind = 'comment') =>
  page.getByRole('article', { name: `Your ${kind}, waiting` })
export const away = (page: Page) => page.getByText('The writer’s machine can’t be reached just now.')
/** What is said of saving from now on, and whether a banner is. */
export const listen = (page: Page) =>
  page.evaluateHandle(() => {
    const seen = new Set<string>()
    const look = () => {
      const status = document.querySelector('[data-save-state]')?.textContent.trim()
      if (status !== undefined) seen.add(status)
      if (document.querySelector('.banner, .trouble')) seen.add('banner')
    }
    new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true })
    look()
    return seen
  })
export const said = (heard: Awaited<ReturnType<typeof listen>>) => heard.evaluate((seen) => [...seen])

/** Makes the page look for news now instead of in a while. */
export const lookAgain = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')))
export const comments = (id: string) =>
  galley.call<{ id: string; body: string; author_name: string; range: unknown }[]>(
    'GET',
    `/api/documents/${id}/comments`,
  )
export const bodies = async (id: string) => (await comments(id)).map(({ body }) => body)

export async function comment(page: Page, body: string, words?: string) {
  if (words) {
    await selectWords(page, words)
    await page
      .getByRole('toolbar', { name: 'The selected words' })
      .getByRole('button', { name: 'Comment' })
      .click()
  } else {
    await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  }
  await page.getByRole('textbox', { name: 'Your comment' }).fill(body)
  await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
  await expect(page.locator('form.composer')).toHaveCount(0)
}

/** All that the page loads only when it is wanted: `untilKept` waits for each file of it. */
export const whatEditingTakes = 'what editing takes'

/** Waits until the browser has the page, so that it opens while nobody can be reached. */
export async function untilKept(page: Page, ...what: string[]) {
  // A sign of somebody who stays.
  await page.keyboard.press('Shift')
  const later = await page.evaluate(() =>
    (document.body.dataset.later ?? '').split(' ').map((file) => new URL(file, document.baseURI).href),
  )
  const wanted = what.flatMap((one): unknown[] =>
    one === whatEditingTakes ? later : [expect.stringContaining(one)],
  )
  await expect
    .poll(() =>
      page.evaluate(async () => {
        // Its own only: opening one that the page is just forgetting would make it anew.
        const own = `galley-share ${location.pathname.split('/').at(-1)}`
        if (!(await caches.has(own))) return []
        return (await (await caches.open(own)).keys()).map(({ url }) => url)
      }),
    )
    .toEqual(expect.arrayContaining([page.url(), ...wanted]))
}
/** Waits until the browser has kept what others say. */
export const untilKeptSays = (page: Page, words: string) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const kept = await caches.match(`${location.origin}${location.pathname}?kept=feedback`)
        return kept?.text()
      }),
    )
    .toContain(words)
export const cached = (page: Page) => page.evaluate(() => caches.keys())

/**
 * Until the browser keeps what was typed in a text. That it is kept is said with the first letter; it is a moment later, and
 * a page that is closed like this writes nothing more.
 */
export const untilDrafted = (page: Page, letters: string) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const done = <T>(request: IDBRequest<T>) =>
          new Promise<T>((resolve, reject) => {
            request.onsuccess = () => resolve(request.result)
            request.onerror = () => reject(new Error('It can’t be read.'))
          })
        // Opened before the page has made it, it would be another.
        if (!(await indexedDB.databases()).some(({ name }) => name === 'galley')) return ''
        const database = await done(indexedDB.open('galley'))
        const drafts = (await done(database.transaction('drafts').objectStore('drafts').getAll())) as Record<
          'sending' | 'unsent',
          unknown[] | null
        >[]
        database.close()
        return drafts
          .map(({ sending, unsent }) =>
            [sending, unsent]
              .flat(2)
              .filter((one) => typeof one === 'string')
              .join(''),
          )
          .join('\n')
      }),
    )
    .toContain(letters)

/** What waits in the browser’s database. */
export const stored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('galley-outbox')
        opening.onerror = () => reject(new Error('It can’t be opened.'))
        opening.onsuccess = () => {
          const reading = opening.result.transaction('entries').objectStore('entries').getAll()
          reading.onsuccess = () => resolve(reading.result)
        }
      }),
  )
