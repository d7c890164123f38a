// Where the keyboard is after each thing recipients do, and that what the page says is in nobody's way.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const text = `# On proofs

A galley proof is the draft that goes out for review before print. The margins are wide for a reason.

A proof that comes back in a week has been read.
`
const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}
let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

async function open(browser: Browser, options: BrowserContextOptions) {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  return { page, context, id }
}
const tools = (page: Page) => page.getByRole('toolbar', { name: 'The selected words' })
const comment = async (page: Page, words: string) => {
  await selectWords(page, words)
  await tools(page).getByRole('button', { name: 'Comment' }).click()
}
const card = (page: Page, name: string) => page.getByRole('article', { name })

test('the keyboard goes on from what was sent, put away or deleted, and every field sends', async ({
  browser,
}) => {
  const { page, context, id } = await open(browser, desk)
  const reading = page.getByRole('main')
  await comment(page, 'galley proof')
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Half a thought')
  await page.keyboard.press('Escape')
  await expect(reading).toBeFocused()

  await comment(page, 'galley proof')
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Which?')
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada')
  await page.keyboard.press('Control+Enter')
  const first = card(page, 'Comment by Ada on “galley proof”')
  await expect(first).toBeFocused()

  await first.getByRole('button', { name: 'Reply' }).press('Enter')
  await page.keyboard.type('This one.')
  await page.keyboard.press('Control+Enter')
  await expect(first.getByText('This one.')).toBeVisible()
  await expect(first).toBeFocused()
  await first.getByRole('button', { name: 'Edit' }).first().press('Enter')
  await page.keyboard.press('Escape')
  await expect(first).toBeFocused()

  await selectWords(page, 'in a week')
  await tools(page).getByRole('button', { name: 'Suggest a change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
  await dialog.getByRole('textbox', { name: 'The words, as they should be' }).fill('soon')
  await dialog.getByRole('textbox', { name: 'Why (optional)' }).fill('Shorter.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  const second = card(page, 'Suggestion by Ada: “in a week” becomes “soon”')
  await expect(second).toBeFocused()
  expect(await galley.call<object[]>('GET', `/api/documents/${id}/suggestions`)).toHaveLength(1)

  await first.press('Enter')
  await first.getByRole('button', { name: 'Delete' }).first().press('Enter')
  await expect(first.getByText('Delete this and its replies?')).toBeVisible()
  await first.getByRole('button', { name: 'Delete' }).first().press('Enter')
  await expect(first).toHaveCount(0)
  await expect(second).toBeFocused()

  const count = page.getByRole('button', { name: /: show all$/ })
  await count.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Comments' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(count).toBeFocused()
  await context.close()
})

test('asking, keeping, resolving and undoing leave the keyboard where it was', async ({ browser }) => {
  const { page, context } = await open(browser, desk)
  await comment(page, 'galley proof')
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Which?')
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada')
  await page.keyboard.press('Control+Enter')
  const thread = card(page, 'Comment by Ada on “galley proof”')
  await expect(thread).toBeFocused()
  await thread.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(thread.getByRole('button', { name: 'Keep' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(thread.getByRole('button', { name: 'Delete' })).toBeFocused()

  await thread.getByRole('button', { name: 'Resolve thread' }).click()
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await expect(thread.getByRole('button', { name: 'Resolve thread' })).toBeVisible()
  await expect(thread).toBeFocused()

  await selectWords(page, 'in a week')
  await tools(page).getByRole('button', { name: 'Suggest a change' }).click()
  await page.getByRole('textbox', { name: 'The words, as they should be' }).fill('soon')
  await page.keyboard.press('Control+Enter')
  const suggestion = card(page, 'Suggestion by Ada: “in a week” becomes “soon”')
  await expect(suggestion).toBeFocused()
  await suggestion.getByRole('button', { name: 'Withdraw' }).click()
  await expect(suggestion.getByRole('button', { name: 'Keep' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(suggestion.getByRole('button', { name: 'Withdraw' })).toBeFocused()
  await page.keyboard.press('Enter')
  await suggestion.getByRole('button', { name: 'Withdraw it' }).click()
  await expect(suggestion).toHaveCount(0)
  await expect(thread).toBeFocused()
  await context.close()
})

test('on a phone, away or with changed text, what the page says covers no bar and can be put away', async ({
  browser,
}) => {
  // Else its worker asks for it.
  const { page, context, id } = await open(browser, { ...phone, serviceWorkers: 'block' })
  const said = page.getByRole('status').locator('.banner')
  const clear = async () => {
    await selectWords(page, 'goes out for review')
    const bar = (await tools(page).boundingBox())!
    for (const box of [(await said.boundingBox())!, (await page.getByRole('banner').boundingBox())!])
      expect(box.y + box.height).toBeLessThanOrEqual(bar.y)
    const banner = (await page.getByRole('banner').boundingBox())!
    expect((await said.boundingBox())!.y).toBeGreaterThanOrEqual(banner.y + banner.height - 1)
  }
  await galley.call('PATCH', `/api/documents/${id}`, { content: `${text}\nMore of it.\n` })
  await expect(said).toContainText('The text has changed.')
  await clear()
  await tools(page).getByRole('button', { name: 'Comment' }).tap()
  const sheet = page.getByRole('dialog', { name: 'New comment' })
  await sheet.getByRole('textbox', { name: 'Your comment' }).fill('To whom?')
  await sheet.getByRole('button', { name: 'Comment' }).tap()
  await expect(sheet).toHaveCount(0)

  await page.route('**/api/**', (route) => route.abort())
  // A look that was under way may still have been answered.
  await expect(async () => {
    await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
    await expect(said).toContainText('The writer’s machine can’t be reached just now.', { timeout: 2_000 })
  }).toPass()
  await clear()
  await tools(page).getByRole('button', { name: 'Comment' }).tap()
  await sheet.getByRole('textbox', { name: 'Your comment' }).fill('While away.')
  await sheet.getByRole('button', { name: 'Comment' }).tap()
  await expect(sheet).toHaveCount(0)
  await said.getByRole('button', { name: 'Put this away' }).tap()
  await expect(said).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await context.close()
})
