// What the text’s page has in it is told by classes of the page: asked by its style sheet, all of a text is styled anew for each card.
import { expect, test, type Browser, type Page } from '@playwright/test'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const paragraphs = 300
const text = Array.from({ length: paragraphs }, (_, i) => `Word${i} stands in a paragraph.`).join('\n\n')

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

interface TraceEvent {
  name: string
  args: { elementCount?: number }
}

/** How many elements the browser styled anew meanwhile. */
async function restyled(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await act()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return traceEvents
    .filter(({ name }) => name === 'UpdateLayoutTree')
    .reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0)
}

async function comment(id: string, i: number): Promise<void> {
  const exact = `Word${i} `
  const anchor = { exact, prefix: '', suffix: '', start: text.indexOf(exact) }
  await galley.call('POST', `/api/documents/${id}/comments`, { body: `Comment ${i}.`, anchor })
}

test('a card that comes has none of the text styled anew', async ({ browser }) => {
  const { id } = await galley.createDocument(text)
  await comment(id, 1)
  const { address } = await galley.share(id, 'comment')
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(address)
  const card = (i: number) => page.locator('.margin .place').filter({ hasText: `Comment ${i}.` })
  await expect(card(1)).toBeVisible()
  // All of the text has been styled once there is a card, too.
  await page.waitForLoadState('networkidle')
  await comment(id, 2)
  await expect(card(2)).toBeVisible()
  const count = await restyled(browser, page, async () => {
    await comment(id, 3)
    await expect(card(3)).toBeVisible()
  })
  expect(count).toBeLessThan(paragraphs / 2)

  // What the page has in it is known by its classes.
  await page.getByRole('button', { name: /show all/ }).click()
  await expect(card(1)).toBeHidden()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(card(1)).toBeVisible()
  await context.close()
})

test('on a phone what is told stands above what can be done with the selected words', async ({ browser }) => {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'comment')
  const context = await browser.newContext({
    ...{ viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true },
  })
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  const bottom = async () => {
    const { y, height } = (await page.locator('.toasts').boundingBox())!
    return y + height
  }
  const before = await bottom()
  await selectWords(page, 'Word3')
  const tools = page.getByRole('region', { name: 'What to do with the selected words' })
  await expect(tools).toBeVisible()
  expect(await bottom()).toBeLessThanOrEqual((await tools.boundingBox())!.y + 12)
  await page.evaluate(() => getSelection()!.removeAllRanges())
  await expect(tools).toBeHidden()
  expect(await bottom()).toBe(before)
  await context.close()
})
