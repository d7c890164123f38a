import { chromium, type Browser, type Page } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import { OwnerServer } from '../../owner.ts'
import { realPng } from '../../real-png.ts'
import { traced, typeLetters, watchKeys } from '../key/typing.ts'

interface Shift {
  value: number
  /** It is what somebody has just typed that moved it: a line more, and what is below it goes down. */
  hadRecentInput: boolean
  sources: { node: HTMLElement | null }[]
}

/** What moved on the page by itself, from now on, in the unit of the Layout Instability API; the cursor may. */
const watchShifts = (page: Page) =>
  page.evaluate(() => {
    const found = { shift: 0 }
    Object.assign(window, { found })
    new PerformanceObserver((list) => {
      for (const { value, sources, hadRecentInput } of list.getEntries() as unknown as Shift[])
        if (!hadRecentInput && !sources.every(({ node }) => node?.matches('.cm-cursor'))) found.shift += value
    }).observe({ type: 'layout-shift' })
  })

const shiftOn = (page: Page) =>
  page.evaluate(() => (window as unknown as { found: { shift: number } }).found.shift)

async function scroll(page: Page, by: number): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, by)
    await page.waitForTimeout(40)
  }
}

export interface PageFigures {
  name: string
  longest: number
  over50: number
  shift: number
}

/** The same words and pictures as plain HTML, whose pictures the browser loads as they come near. */
function bareHtml(address: (n: number) => string): string {
  const part = (n: number) =>
    `<p>Words before ${n}.<p><img src="${address(n)}" loading="lazy" decoding="async" width="680" height="510">`
  return `<!doctype html><title>A hundred pictures</title>${Array.from({ length: 100 }, (_, n) => part(n)).join('')}`
}

async function watched(
  browser: Browser,
  page: Page,
  name: string,
  act: () => Promise<unknown>,
): Promise<PageFigures> {
  await watchShifts(page)
  const { tasks } = await traced(browser, page, async () => {
    await act()
    await page.waitForTimeout(1_000)
  })
  const over50 = tasks.filter((time) => time > 50).length
  return { name, longest: Math.max(...tasks), over50, shift: await shiftOn(page) }
}

/** A text with a hundred pictures in the owner's editor, scrolled through and written in, beside a bare page of the same. */
export async function measurePage(): Promise<{ browser: string; figures: PageFigures[] }> {
  const server = await OwnerServer.start()
  const browser = await chromium.launch({
    ...(process.env.GALLEY_CHROMIUM ? { executablePath: process.env.GALLEY_CHROMIUM } : {}),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
  })
  try {
    const parts = Array.from(
      { length: 100 },
      (_, n) => `Words before ${n}.\n\n![Picture ${n}](files/p-${n}.png)\n`,
    )
    const document = await server.create(parts.join('\n'), 'A hundred pictures')
    for (let n = 0; n < 100; n++)
      await server.addFile(document, `p-${n}.png`, realPng(800, 600, { pixels: randomBytes(60_000) }))
    const viewport = { width: 1280, height: 860 }
    const context = await browser.newContext({ storageState: server.signedIn, viewport })
    const page = await context.newPage()
    const figures: PageFigures[] = []
    const look = async (name: string, act: () => Promise<unknown>) =>
      void figures.push(await watched(browser, page, name, act))
    await page.goto(`${server.url}/documents/${document.id}`)
    await page.locator('img.md-image').first().waitFor()
    await page.waitForTimeout(1_000)
    await watchKeys(page)
    await page.mouse.move(640, 400)
    await look('scrolling down', () => scroll(page, 900))
    await look('scrolling up', () => scroll(page, -500))
    await page.locator('.cm-line', { hasText: 'Words before' }).nth(1).click()
    await page.keyboard.press('End')
    await page.waitForTimeout(500)
    await look('typing 100 letters', () => typeLetters(page, 100))

    const bare = bareHtml((n) => `/api/documents/${document.id}/files/p-${n}.png`)
    await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: bare }))
    await page.goto(`${server.url}/bare`)
    await page.waitForTimeout(1_000)
    await look('bare page, down', () => scroll(page, 900))
    await look('bare page, up', () => scroll(page, -500))
    return { browser: browser.version(), figures }
  } finally {
    await browser.close()
    await server.stop()
  }
}
