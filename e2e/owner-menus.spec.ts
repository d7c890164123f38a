// A menu belongs to the part of the page that its button is in, and stands above all else.
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { open, test } from './owner.ts'

const box = async (one: Locator) => (await one.boundingBox())!

/** Opens the menu of a button, looks at it, and closes it by Escape and by a press elsewhere. */
async function expectMenu(page: Page, button: Locator) {
  const menu = page.getByRole('menu').first()
  await button.click()
  await expect(menu).toBeVisible()
  const [own, its] = [await box(button), await box(menu)]
  const { width, height } = page.viewportSize()!
  expect(its.x).toBeGreaterThanOrEqual(7)
  expect(its.x + its.width).toBeLessThanOrEqual(width - 7)
  expect(its.y).toBeGreaterThanOrEqual(0)
  expect(its.y + its.height).toBeLessThanOrEqual(height)
  // Right below its button, or above it.
  const apart = Math.min(Math.abs(its.y - own.y - own.height), Math.abs(own.y - its.y - its.height))
  expect(apart).toBeLessThan(10)
  expect(its.x).toBeLessThan(own.x + own.width)
  expect(its.x + its.width).toBeGreaterThan(own.x)
  // Nothing is above it.
  const items = page.getByRole('menuitem').or(page.getByRole('menuitemcheckbox'))
  await items.first().click({ trial: true })
  await items.last().click({ trial: true })
  if (width > 1_000) await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(button).toBeFocused()
  await button.press('Enter')
  await expect(menu).toBeVisible()
  await page.mouse.click(its.x > 60 ? 4 : width - 4, Math.min(height - 4, its.y + 4))
  await expect(menu).toHaveCount(0)
}

test('menus are within a landmark, at their button and within the window, and go again', async ({
  page,
  server,
}) => {
  test.slow()
  await server.create('One.', 'First')
  const document = await server.create(`Two words.\n\n${'More of them.\n\n'.repeat(30)}`, 'Second')
  await server.call('POST', `/api/documents/${document.id}/comments`, {
    body: 'Which words?',
    anchor: { exact: 'Two words', prefix: '', suffix: '.', start: 0 },
  })
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/')
    await expectMenu(page, page.getByRole('button', { name: 'More', exact: true }))
    await expectMenu(page, page.getByRole('button', { name: 'More about Second' }))
    await expectMenu(page, page.locator('main .heading').getByRole('button'))
    await open(page, document)
    await expectMenu(page, page.getByRole('button', { name: 'More', exact: true }))
    await page.getByRole('button', { name: /^Comments/ }).click()
    const card = page.getByRole('article').filter({ hasText: 'Which words?' }).last()
    await expectMenu(page, card.getByRole('button', { name: 'More actions' }))
  }
  // In the sheet below the text, too.
  await page.keyboard.press('Escape')
  await page.locator('.g-mark-comment').first().click()
  const sheet = page.locator('.passage-sheet')
  await expectMenu(page, sheet.getByRole('button', { name: 'More actions' }))
})
