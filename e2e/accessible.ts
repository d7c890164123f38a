import AxeBuilder from '@axe-core/playwright'
import { expect, type FrameLocator, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Half as long as what `AxeBuilder` has a page read, which it does twice each time. */
const source = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)
type Violation = Pick<Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number], 'id' | 'nodes'>

/** What axe finds wrong with a page as it is now, a line each. Colours that are changing are looked at when they have. */
export async function findBarriers(page: Page, frames: 'too' | 'alone' = 'too'): Promise<string[]> {
  await page.evaluate(async () => {
    const ends = (one: Animation) => one.effect?.getComputedTiming().endTime !== Infinity
    const running = () => document.getAnimations().filter((one) => one.playState === 'running' && ends(one))
    while (running().length > 0) await Promise.allSettled(running().map(({ finished }) => finished))
  })
  const violations = await findViolations(page, frames)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  )
}

async function findViolations(page: Page, frames: 'too' | 'alone'): Promise<Violation[]> {
  // What is in frames is put together in a further page; but not where no script runs in them, which
  // `expectFrameAccessible` is for.
  if (frames === 'too' && page.frames().length > 1) {
    const builder = new AxeBuilder({ page, axeSource: source })
    return (await builder.options({ resultTypes: ['violations'] }).analyze()).violations
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // Only what is wrong comes back: to tell all that is right takes longer than to find it.
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(of: Document, options: object): Promise<{ violations: Violation[] }> }
    }
    const { violations } = await axe.run(document, { resultTypes: ['violations'], iframes: false })
    return violations.map(({ id, nodes }) => ({ id, nodes }))
  })
}

export const expectAccessible = async (page: Page) => expect(await findBarriers(page)).toEqual([])

/** In daylight and at night; the page is as dark afterwards as it was before. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  for (const colorScheme of isDark ? (['light', 'dark'] as const) : (['dark', 'light'] as const)) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

/** A page around a frame in which no script runs, and what is in that frame, in a page of its own. */
export async function expectFrameAccessible(page: Page, frame: FrameLocator): Promise<void> {
  expect(await findBarriers(page, 'alone')).toEqual([])
  const root = frame.locator('html')
  const body = await root.evaluate(asMarkup)
  const { width, height } = await root.evaluate(({ ownerDocument: { defaultView: view } }) => ({
    width: view!.innerWidth,
    height: view!.innerHeight,
  }))
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const copy = await page.context().newPage()
  await copy.setViewportSize({ width, height })
  await copy.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  const address = new URL('/copy-of-the-frame', page.url()).href
  await copy.route(address, (route) => route.fulfill({ contentType: 'text/html', body }))
  await copy.goto(address)
  expect(await findBarriers(copy)).toEqual([])
  await copy.close()
}

/** A page as it is now, with the trees and sheets that scripts have given it. */
function asMarkup(root: Element): string {
  const copy = root.cloneNode(true) as Element
  const copies = [...copy.querySelectorAll('*')]
  for (const [i, { shadowRoot }] of [...root.querySelectorAll('*')].entries()) {
    if (!shadowRoot) continue
    const template = root.ownerDocument.createElement('template')
    template.setAttribute('shadowrootmode', 'open')
    template.innerHTML = shadowRoot.innerHTML
    copies[i]!.prepend(template)
  }
  const style = root.ownerDocument.createElement('style')
  style.textContent = root.ownerDocument.adoptedStyleSheets
    .flatMap(({ cssRules }) => [...cssRules])
    .map(({ cssText }) => cssText)
    .join('\n')
  copy.querySelector('head')!.append(style)
  return `<!doctype html>${copy.outerHTML}`
}
