// Writing with nothing but the text in view.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { editor, open, saveState, test, tryNow } from './owner.ts'

const text = `First one.\n\nSecond one,\nof two lines.\n\n${'More.\n\n'.repeat(40)}Last one.`
const leave = (page: Page) => page.getByRole('button', { name: 'Leave focus mode' })
const line = (page: Page, words: string) => page.locator('.cm-line', { hasText: words })
const command = async (page: Page, name: string) => {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find a document or a command').fill(name)
  await page.keyboard.press('Enter')
}
const opacity = (page: Page, words: string) =>
  line(page, words).evaluate((one) => Number(getComputedStyle(one).opacity))

test('everything but the text is hidden, and comes back as it is wanted', async ({ page, server }) => {
  await test.step('a shortcut hides everything but the text, and Escape brings it back', async () => {
    await open(page, await server.create(text))
    const before = await line(page, 'First one.').boundingBox()
    await page.keyboard.press('Control+Shift+F')
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
    await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeHidden()
    await expect(editor(page)).toBeFocused()
    await expect(page.getByText('Focus mode: only the text is shown. Escape leaves it.')).toBeAttached()
    // The words stay where they were.
    expect(await line(page, 'First one.').boundingBox()).toEqual(before)
    await page.keyboard.type('Typed. ')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
    await expect(editor(page)).toBeFocused()
    await page.keyboard.type('And on.')
    await expect(editor(page)).toContainText('Typed. And on.First one.')
  })

  await test.step('Escape closes what lies over the text first', async () => {
    await open(page, await server.create(text))
    await command(page, 'Focus mode')
    await expect(leave(page)).toBeAttached()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(leave(page)).toBeAttached()
    await page.keyboard.press('Control+f')
    await expect(page.getByRole('search')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('search')).toBeHidden()
    await expect(leave(page)).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(leave(page)).toHaveCount(0)
  })

  await test.step('its tools come with the mouse and go with writing', async () => {
    await open(page, await server.create(text))
    await page.keyboard.press('Control+Shift+F')
    const tools = page.getByRole('complementary', { name: 'Focus mode' })
    await expect(tools).toHaveCSS('opacity', '0')
    await page.mouse.move(300, 300)
    await page.mouse.move(320, 310)
    await expect(tools).toHaveCSS('opacity', '1')
    await expect(tools).toContainText('words')
    await page.keyboard.type('x')
    await expect(tools).toHaveCSS('opacity', '0')
    await leave(page).focus()
    await expect(tools).toHaveCSS('opacity', '1')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  })
})

test('only the paragraph that is being written is in full colour, if one likes; that is remembered', async ({
  page,
  server,
}) => {
  const document = await server.create(text)
  await open(page, document)
  await command(page, 'Only this paragraph')
  await expect.poll(() => opacity(page, 'First one.')).toBe(1)
  await expect.poll(() => opacity(page, 'Second one,')).toBeLessThan(0.5)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => opacity(page, 'Second one,')).toBe(1)
  await expect.poll(() => opacity(page, 'of two lines.')).toBe(1)
  await expect.poll(() => opacity(page, 'First one.')).toBeLessThan(0.5)
  // Outside focus mode nothing is dimmed.
  await page.keyboard.press('Escape')
  await expect.poll(() => opacity(page, 'First one.')).toBe(1)
  await open(page, document)
  await page.keyboard.press('Control+Shift+F')
  await expect.poll(() => opacity(page, 'Second one,')).toBeLessThan(0.5)
})

test('the line that is being written can stay where it is', async ({ page, server }) => {
  await open(page, await server.create(text))
  await command(page, 'Keep this line')
  const height = async () => {
    const box = await page.locator('.cm-cursor-primary').boundingBox()
    return Math.round(box!.y)
  }
  const middle = 860 / 2 - 14
  await page.keyboard.type('New.')
  await expect.poll(async () => Math.abs((await height()) - middle)).toBeLessThan(20)
  for (let i = 0; i < 12; i++) await page.keyboard.press('Enter')
  await page.keyboard.type('Further down.')
  await expect.poll(async () => Math.abs((await height()) - middle)).toBeLessThan(20)
  await page.keyboard.press('Control+End')
  await expect.poll(async () => Math.abs((await height()) - middle)).toBeLessThan(20)
})

test('what is asked for beside the text ends it; trouble is told in it', async ({ page, server }) => {
  await open(page, await server.create(text))
  await page.keyboard.press('Control+Shift+F')
  await page.keyboard.press('Control+Alt+m')
  await expect(page.getByRole('tab', { name: 'Comments' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  await editor(page).click()
  await page.keyboard.press('Control+Shift+F')
  await expect(page.getByRole('tab', { name: 'Comments' })).toBeHidden()
  await server.goAway()
  await page.keyboard.type('Unsaved.')
  await expect(page.getByText('Not saved: Galley can’t be reached.', { exact: true })).toBeInViewport()
  await expect(leave(page)).toBeAttached()
  await server.comeBack()
  await tryNow(page)
  await expect(saveState(page)).toHaveAttribute('data-save-state', 'saved')
})

test('everyone can use it, in light and dark, on small screens too', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await open(page, await server.create(text))
  await page.keyboard.press('Control+Shift+F')
  await page.mouse.move(100, 300)
  await page.mouse.move(120, 310)
  await leave(page).focus()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(360)
})
