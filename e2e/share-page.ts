// The share page as recipients meet it: each in a browser context of their own, on the recipients' listener.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

export const text = `# On proofs

A galley proof is the draft that goes out for review before print. The margins are wide for a reason.

## How it travels

1. The compositor pulls a proof.
2. The reader compares it with the copy, *line by line*.

| Mark | Meaning |
| --- | --- |
| stet | let it stand |

### Time

A proof that comes back in a week has been read.
`
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}
export const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

/** Galley, for the tests of one file. */
export let galley: GalleyServer
export function useGalley() {
  test.beforeAll(async () => {
    galley = await startGalleyServer()
  })
  test.afterAll(async () => {
    await galley.stop()
  })
}

/** Opens a link in a browser of its own; anything the page’s policy refuses or its script throws fails the test. */
export async function open(browser: Browser, address: string, options: BrowserContextOptions = desk) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused/.test(message.text()))
      troubles.push(message.text())
  })
  await page.goto(address)
  return { page, context, troubles }
}

export const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'The selected words' })
export const card = (page: Page, name: string) => page.getByRole('article', { name })
/** Makes the page look for news now instead of in a while. */
export const lookAgain = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')))

export async function comment(page: Page, words: string, body: string, name?: string) {
  await selectWords(page, words)
  await toolbar(page).getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill(body)
  if (name) await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
  await expect(page.locator('form.composer')).toHaveCount(0)
}

/** The words that are drawn as marked, in order. */
export const marked = (page: Page, name: string) =>
  page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map(String), name)
