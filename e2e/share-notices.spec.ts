// What the page says when its link allows less, and when marks can't be shown: wide and on a phone, light and dark.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 640 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
  colorScheme: 'light',
}
const text = `# One\n\n${'A proof that comes back in a week has been read.\n\n'.repeat(20)}## Two\n\n## Three\n`

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

async function open(browser: Browser, options: BrowserContextOptions) {
  const { id } = await galley.createDocument(text)
  const link = await galley.share(id, 'edit')
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const allow = async (permission: string) => {
    await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, { permission })
    await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
  }
  return { page, context, id, allow, address: link.address }
}
const heightOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!.height

for (const [name, options] of Object.entries({ wide: desk, phone })) {
  test(`a link that allows less leaves what is being written to be copied, and no more (${name})`, async ({
    browser,
  }) => {
    const { page, context, allow, address } = await open(browser, options)
    await page.goto(address)
    await selectWords(page, 'in a week')
    const tools = page.getByRole('toolbar', { name: 'The selected words' })
    await tools.getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).fill('Half a thought')
    await allow('view')
    await expect(page.getByText('This link only lets you read now.')).toBeVisible()
    const form = page.locator('form.composer')
    await expect(form.getByRole('button', { name: 'Comment' })).toBeDisabled()
    await expect(form.getByRole('button', { name: 'Copy my words' })).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
    // Its words and button stand as lines of one text.
    if (name === 'phone') expect(await heightOf(page, '.banner')).toBeLessThanOrEqual(96)
    await form.getByRole('button', { name: 'Discard' }).click()

    await allow('edit')
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    await selectWords(page, 'in a week')
    await tools.getByRole('button', { name: 'Suggest a change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
    await dialog.getByRole('textbox', { name: 'The words, as they should be' }).fill('soon')
    await allow('comment')
    await expect(page.getByText('This link lets you read and comment now.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Send suggestion' })).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'Copy my words' })).toBeInViewport({ ratio: 1 })
    await context.close()
  })
}

test('where marks can’t be shown the page says so, and shows the list (phone)', async ({ browser }) => {
  const { page, context, id, address } = await open(browser, phone)
  const anchor = { exact: 'in a week', prefix: '', suffix: '', start: text.indexOf('in a week') }
  await galley.call('POST', `/api/documents/${id}/comments`, { body: 'Or two?', anchor })
  // A text that really is too much takes its time to find out.
  await page.route('**/api/**/marks*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object }
    await route.fulfill({
      response,
      json: { ...answer, data: { ...answer.data, marks: [], limited: 'time' } },
    })
  })
  await page.goto(address)
  await expect(page.getByText('They are all in the list.')).toBeVisible()
  await expectAccessibleInBoth(page)
  // The page says what it is beside all that can be done in it.
  await expect(page.locator('.bar').getByRole('button')).toHaveText([/Contents/, '1', /Comment/, 'Edit'])
  const title = page.locator('.bar-title span')
  await expect(title).toHaveCSS('visibility', 'visible')
  expect((await title.boundingBox())!.width).toBeGreaterThan(72)
  await page.locator('.toast').getByRole('button', { name: 'Show the list' }).click()
  const list = page.getByRole('dialog', { name: 'Comments' })
  await expect(list.getByText('This text is too long or intricate')).toBeVisible()
  await expect(list.getByText('Or two?')).toBeVisible()
  await expect(list.locator('.quote')).toHaveCSS('opacity', '1')
  await expectAccessibleInBoth(page)
  // One that is asked for by now isn’t waited for.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})
