// The share page until its text stands there, and after.
import { expect, type Browser, type Page } from '@playwright/test'

/** The file by which everything beside the text is loaded: what is asked for before it is the first view. */
export const restOfPage = /\/assets\/whole-page-[^/]*\.js$/

/** Waits until the page has everything beside its text; what it has is not seen where there is nothing to say. */
export async function untilWhole(page: Page): Promise<void> {
  // A sign of somebody who stays.
  await page.keyboard.press('Shift')
  await expect.poll(() => page.locator('#layer').evaluate((layer) => layer.childNodes.length)).not.toBe(0)
}

/** Opens a share page that nobody touches, and tells what crossed the wire, by address: for its first view, and after. */
export async function measure(browser: Browser, address: string) {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  await wire.send('Network.enable')
  const asked = new Map<string, string>()
  const bytes = new Map<string, number>()
  wire.on('Network.requestWillBeSent', ({ requestId, request }) => asked.set(requestId, request.url))
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, encodedDataLength),
  )
  wire.on('Network.loadingFailed', ({ requestId }) => bytes.set(requestId, 0))
  const response = await page.goto(address)
  await expect.poll(() => page.locator('#layer').evaluate((layer) => layer.childNodes.length)).not.toBe(0)
  // Map keeps the order in which they were asked for.
  await expect.poll(() => [...asked.keys()].every((id) => bytes.has(id))).toBe(true)
  const inOrder = [...asked].map(([id, url]) => ({ url, bytes: bytes.get(id)! }))
  const after = inOrder.findIndex(({ url }) => restOfPage.test(url))
  return {
    page,
    context,
    headers: response!.headers(),
    first: inOrder.slice(0, after),
    rest: inOrder.slice(after),
  }
}

export const sum = (all: readonly { bytes: number }[]) => all.reduce((whole, { bytes }) => whole + bytes, 0)
export const isFace = ({ url }: { url: string }) => url.endsWith('.woff2')
