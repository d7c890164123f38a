import AxeBuilder from '@axe-core/playwright'
import { expect, type FrameLocator, type Page } from '@playwright/test'

/** What axe finds wrong with a page as it is now, a line each. Colours that are changing are looked at when they have. */
export async function findBarriers(page: Page, frames: 'too' | 'alone' = 'too'): Promise<string[]> {
  await page.evaluate(async () => {
    const ends = (one: Animation) => one.effect?.getComputedTiming().endTime !== Infinity
    const running = () => document.getAnimations().filter((one) => one.playState === 'running' && ends(one))
    while (running().length > 0) await Promise.allSettled(running().map(({ finished }) => finished))
  })
  const { violations } = await new AxeBuilder({ page })
    // A page without frames is looked at where it is, not put together in a further page; so is one with a frame in which
    // no script runs, which `expectFrameAccessible` is for.
    .setLegacyMode(frames === 'alone' || page.frames().length === 1)
    .options({ resultTypes: ['violations'], iframes: frames !== 'alone' })
    .analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  )
}

export const expectAccessible = async (page: Page) => expect(await findBarriers(page)).toEqual([])

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
