// A phone that is held sideways: its keyboard leaves little of the height, and what is done to the text stands above it.
import { expect, type Page } from '@playwright/test'
import { useKeyboard } from './on-screen-keyboard.ts'
import { test } from './owner.ts'

const sideways = {
  viewport: { width: 740, height: 360 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}
const content = `# On proofs\n\n${'The margins are wide for a reason.\n\n'.repeat(30)}`
const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const box = async (page: Page, selector: string) => {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!
  return { left: x, right: x + width, top: Math.round(y), bottom: Math.round(y + height) }
}

/** The bar ends where the keyboard begins, and all of it is in reach. */
async function expectBarAbove(page: Page, foot: number): Promise<void> {
  await expect.poll(async () => (await box(page, '.strip')).bottom).toBe(foot)
  const bar = page.getByRole('toolbar', { name: 'Formatting' })
  const seen = (await bar.boundingBox())!
  for (const name of ['Heading 1', 'Insert…', 'Undo', 'Redo']) {
    const { x, width } = (await bar.getByRole('button', { name, exact: true }).boundingBox())!
    expect(x).toBeGreaterThanOrEqual(seen.x)
    expect(x + width).toBeLessThanOrEqual(seen.x + seen.width)
  }
}

test('the bar stands above the keyboard, and what is said in passing over the header, not the line that is written', async ({
  browser,
  server,
}) => {
  const document = await server.create(content)
  const context = await browser.newContext({ ...sideways, storageState: server.signedIn })
  const page = await context.newPage()
  const keyboard = await useKeyboard(page)
  await page.goto(`${server.url}/documents/${document.id}`)
  await text(page).tap()
  await expect(text(page)).toBeFocused()
  await expectBarAbove(page, 360)
  await keyboard(160)
  await expectBarAbove(page, 200)
  await page.evaluate(() => {
    const boxOf = (selector: string) => window.document.querySelector(selector)?.getBoundingClientRect()
    const seen = { toasts: 0, isFree: false }
    Object.assign(window, { seen })
    // How it was last while a toast stood there, which goes by itself.
    const look = () => {
      const toast = boxOf('[data-sonner-toast]:not([data-removed="true"])')
      const [line, header] = [boxOf('.cm-cursor-primary'), boxOf('header')]
      if (toast && line && header) {
        seen.toasts++
        seen.isFree = line.top >= Math.max(header.bottom, toast.bottom) - 2
      }
      requestAnimationFrame(look)
    }
    look()
  })
  const toast = page.locator('[data-sonner-toast]')
  const seen = () => page.evaluate(() => (window as never as { seen: { isFree: boolean } }).seen.isFree)
  // The line right above the bar, and those that are written next.
  await page
    .locator('.cm-line', { hasText: 'margins' })
    .nth(1)
    .tap({ position: { x: 40, y: 6 } })
  await page.keyboard.press('Control+s')
  await expect(toast).toBeVisible()
  for (let i = 0; i < 3; i++) {
    await page.keyboard.type('a')
    await page.keyboard.press('Enter')
  }
  await expect(toast).toHaveCount(0)
  expect(await seen()).toBe(true)
  await context.close()
})

test('who edits by a link has the bar there, too', async ({ browser, server }) => {
  const document = await server.create(content)
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'edit',
  })
  const { share_url: address } = await server.call<{ share_url: string }>('GET', '/api/status')
  const context = await browser.newContext({ ...sideways, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const keyboard = await useKeyboard(page)
  await page.goto(`${address}/share/${token}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).tap()
  await expect(text(page)).toBeFocused()
  await expectBarAbove(page, 360)
  await keyboard(160)
  await expectBarAbove(page, 200)
  await context.close()
})
