// A recipient who edits has the owner's editor with the owner's tools: formatting, title, outline, find, word count.
import { expect, type Browser, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { useKeyboard } from './on-screen-keyboard.ts'
import { open as openOwn, test, type OwnerServer, type StoredDocument } from './owner.ts'

const sizes = {
  wide: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
}
const content = [
  '# On proofs\n\nThe margins are wide for a reason.\n',
  ...Array.from(
    { length: 12 },
    (_, i) => `## Part ${i + 1}\n\n${`Words of part ${i + 1}, and then some. `.repeat(20)}\n`,
  ),
].join('\n')

/** Somebody who edits the document by a link, in a browser of their own. */
async function open(browser: Browser, server: OwnerServer, document: StoredDocument, options: object) {
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'edit',
  })
  const { share_url: address } = await server.call<{ share_url: string }>('GET', '/api/status')
  const context = await browser.newContext({ ...options, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) refused.push(message.text())
  })
  await page.goto(`${address}/share/${token}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  return { page, context, refused }
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Formatting' })
/** What the bar's buttons are called, do by which keys, and look like. */
const buttons = (page: Page) =>
  bar(page)
    .getByRole('button')
    .evaluateAll((all) =>
      all.map((button) => [
        button.getAttribute('aria-label'),
        button.getAttribute('aria-keyshortcuts'),
        button.querySelector('svg')?.innerHTML,
      ]),
    )
const words = (page: Page) => page.getByText(/^[\d,]+ words · \d+ min$/)

test('the bar is the owner’s, and works by keyboard', async ({ page: owner, browser, server }) => {
  const document = await server.create('Some words\n')
  await openOwn(owner, document)
  await expect(bar(owner).getByRole('button')).not.toHaveCount(0)
  const { page, context, refused } = await open(browser, server, document, sizes.wide)
  await expect(bar(page).getByRole('button')).not.toHaveCount(0)
  expect(await buttons(page)).toEqual(await buttons(owner))

  const button = (name: string) => bar(page).getByRole('button', { name, exact: true })
  await button('Heading 1').focus()
  await page.keyboard.press('ArrowRight')
  await expect(button('Heading 2')).toBeFocused()
  await page.keyboard.press('End')
  await expect(button('Redo')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(button('Undo')).toBeFocused()
  // One stop of the Tab key.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(button('Undo')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Escape')
  await expect(text(page)).toBeFocused()
  await page.keyboard.press('Control+Home')
  await expect(button('Heading 1')).toHaveAttribute('aria-pressed', 'false')
  await button('Heading 1').click()
  await expect(button('Heading 1')).toHaveAttribute('aria-pressed', 'true')
  await expect(text(page)).toBeFocused()
  await expect.poll(async () => (await server.get(document)).content).toBe('# Some words\n')
  await expectAccessible(page)
  expect(refused).toEqual([])
  await context.close()
})

for (const [name, options] of Object.entries(sizes)) {
  test(`title, outline, find and word count are at hand (${name})`, async ({ browser, server }) => {
    const document = await server.create(content, 'On proofs, and how they travel')
    const { page, context, refused } = await open(browser, server, document, {
      ...options,
      colorScheme: name === 'phone' ? 'dark' : 'light',
    })
    const header = page.locator('header.edit-bar')
    await expect(header.getByText('On proofs, and how they travel')).toBeVisible()
    // Its owner gives it another name.
    await server.call('PATCH', `/api/documents/${document.id}`, { title: 'On galley proofs' })
    await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
    await expect(header.getByText('On galley proofs')).toBeVisible()

    const outline = page.getByRole('navigation', { name: 'Outline' })
    const toggle = page.getByRole('button', { name: name === 'phone' ? 'More' : 'Outline', exact: true })
    if (name === 'phone') await toggle.click()
    await expect(outline.getByRole('button')).toHaveCount(13)
    await expect(words(page).filter({ visible: true })).toHaveText('1,713 words · 7 min')
    await expectAccessible(page)
    await outline.getByRole('button', { name: 'Part 9' }).click()
    await expect(text(page)).toBeFocused()
    await expect(text(page).locator('.cm-line', { hasText: /^(## )?Part 9$/ })).toBeInViewport()
    if (name === 'phone') await expect(outline).toHaveCount(0)
    else {
      await expect(outline.locator('[aria-current]')).toHaveText('Part 9')
      await toggle.click()
      await expect(outline).toHaveCount(0)
      // Beside the text, and with the keyboard.
      await page.keyboard.press('Control+Shift+O')
      await expect(outline).toBeVisible()
    }

    const search = page.getByRole('search', { name: 'Find and replace' })
    if (name === 'phone') await toggle.click()
    await page.getByRole('button', { name: 'Find and replace' }).click()
    await expect(search.getByRole('textbox', { name: 'Find' })).toBeFocused()
    await page.keyboard.type('for a reason')
    await expect(search.getByRole('status')).toHaveText('1')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(text(page).getByText('for a reason')).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(search).toHaveCount(0)
    // Wherever the keyboard is.
    await toggle.focus()
    await page.keyboard.press('Control+f')
    await expect(search.getByRole('textbox', { name: 'Find' })).toBeFocused()
    await page.keyboard.press('Escape')
    if (name === 'wide') await outlineWherePanelStands(page)
    expect(refused).toEqual([])
    await context.close()
  })
}

/** As for the owner, where the outline has no side of its own: neither it nor the panel covers the text. */
async function outlineWherePanelStands(page: Page) {
  const beside = page.getByRole('complementary', { name: 'Outline' })
  const panel = page.getByRole('complementary', { name: 'Comments and suggestions' })
  const toggle = page.getByRole('button', { name: 'Outline', exact: true })
  const line = () => text(page).locator('.cm-line').first().boundingBox()
  for (const width of [1100, 1280]) {
    await page.setViewportSize({ width, height: 860 })
    await expect(beside).toBeVisible()
    const before = (await line())!
    expect(before.x + before.width).toBeLessThanOrEqual((await beside.boundingBox())!.x)
    await beside.getByRole('button', { name: 'Part 9' }).click()
    await expect(text(page)).toBeFocused()
    await expect(text(page).locator('.cm-line', { hasText: /^(## )?Part 9$/ })).toBeInViewport()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expectAccessible(page)
    await page.keyboard.press('Control+\\')
    await expect(panel).toBeVisible()
    await expect(beside).toHaveCount(0)
    await expect(toggle).toHaveAttribute('aria-pressed', 'false')
    await page.keyboard.press('Control+Shift+O')
    await expect(beside).toBeVisible()
    await expect(panel).toHaveCount(0)
    await expect(toggle).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Control+Home')
    expect((await line())!.x).toBe(before.x)
  }
  // What is said of selected words is written where it stands.
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Control+Alt+m')
  await expect(page.getByRole('textbox', { name: 'Your comment' })).toBeFocused()
  await expect(beside).toHaveCount(0)
}

for (const [name, options] of Object.entries(sizes)) {
  test(`find has its place where the owner has it (${name})`, async ({ browser, server }) => {
    const document = await server.create(content)
    const own = await browser.newContext({ ...options, baseURL: server.url, storageState: server.signedIn })
    const owner = await own.newPage()
    await owner.goto(`/documents/${document.id}`)
    await expect(text(owner)).toBeVisible()
    const { page, context } = await open(browser, server, document, options)
    for (const where of [owner, page]) {
      const button = (label: string) =>
        where.locator('.edit-bar, .document > header').getByRole('button', { name: label, exact: true })
      const search = where.getByRole('search', { name: 'Find and replace' })
      if (name === 'phone') {
        await expect(button('Find and replace')).toHaveCount(0)
        await button('More').click()
        await where
          .getByRole('menuitem', { name: 'Find and replace' })
          .or(where.getByRole('dialog').getByRole('button', { name: 'Find and replace' }))
          .click()
      } else {
        const [outline, find] = [
          await button('Outline').boundingBox(),
          await button('Find and replace').boundingBox(),
        ]
        expect(find!.x - outline!.x).toBe(40)
        await button('Find and replace').click()
      }
      await expect(search.getByRole('textbox', { name: 'Find' })).toBeFocused()
    }
    await context.close()
    await own.close()
  })
}

test('the count of words is the owner’s, and follows what is selected', async ({
  page: owner,
  browser,
  server,
}) => {
  const document = await server.create(content)
  await openOwn(owner, document)
  const { page, context } = await open(browser, server, document, sizes.wide)
  const counted = await words(owner).textContent()
  await expect(words(page)).toHaveText(counted!)
  await text(page).focus()
  for (const key of ['Control+Home', 'End', 'Control+Shift+ArrowLeft']) await page.keyboard.press(key)
  await expect(page.getByText(/^1 of [\d,]+ words$/)).toBeVisible()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Two more.')
  expect(counted).toMatch(/^1,713 words/)
  await expect(words(page)).toHaveText(/^1,715 words/)
  await context.close()
})

test('on a phone the bar is scrolled sideways, with buttons for fingers', async ({ browser, server }) => {
  const document = await server.create('Some words\n')
  const { page, context } = await open(browser, server, document, sizes.phone)
  const all = bar(page).getByRole('button')
  await expect(all).not.toHaveCount(0)
  for (const button of await all.all()) {
    const box = (await button.boundingBox())!
    expect(Math.round(box.width)).toBeGreaterThanOrEqual(44)
    expect(Math.round(box.height)).toBeGreaterThanOrEqual(44)
  }
  const quote = bar(page).getByRole('button', { name: 'Quote' })
  await expect(quote).not.toBeInViewport()
  await quote.scrollIntoViewIfNeeded()
  await quote.tap()
  await expect(quote).toHaveAttribute('aria-pressed', 'true')
  await expect(text(page)).toBeFocused()
  // What the page has besides stays where it is.
  expect(await page.locator('html').evaluate((html) => [scrollX, html.scrollWidth])).toEqual([0, 360])
  await expect.poll(async () => (await server.get(document)).content).toBe('> Some words\n')
  await context.close()
})

const boxOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!

test('on a phone the bar stands above the keyboard, and covers nothing that is written', async ({
  browser,
  server,
}) => {
  const document = await server.create(content)
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'edit',
  })
  const { share_url: address } = await server.call<{ share_url: string }>('GET', '/api/status')
  const context = await browser.newContext({ ...sizes.phone, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const keyboard = await useKeyboard(page)
  await page.goto(`${address}/share/${token}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).tap()
  await expect(text(page)).toBeFocused()
  await expect(bar(page)).toBeInViewport()
  const foot = async (selector: string) => {
    const { y, height } = await boxOf(page, selector)
    return Math.round(y + height)
  }
  await expect.poll(() => foot('.strip')).toBe(740)

  // Where it will be covered.
  await page.locator('.cm-line', { hasText: 'Words of part 2' }).tap()
  const header = await boxOf(page, '.edit-bar')
  await keyboard(320)
  await expect.poll(() => foot('.strip')).toBe(420)
  expect(await boxOf(page, '.edit-bar')).toEqual(header)
  const cursorIsSeen = async () => {
    const cursor = await boxOf(page, '.cm-cursor-primary')
    return cursor.y >= header.y + header.height && cursor.y + cursor.height <= (await boxOf(page, '.strip')).y
  }
  await expect.poll(cursorIsSeen).toBe(true)
  for (let i = 0; i < 12; i++) await page.keyboard.press('Enter')
  await page.keyboard.type('As far down as it gets.')
  await expect.poll(cursorIsSeen).toBe(true)
  // A tap on the bar leaves the line where it is, and the keyboard up.
  await page.locator('html').evaluate(() => {
    const count = { blurs: 0 }
    Object.assign(window, { count })
    window.document.querySelector('.cm-content')!.addEventListener('blur', () => count.blurs++)
  })
  const before = await boxOf(page, '.cm-cursor-primary')
  await bar(page).getByRole('button', { name: 'Bold' }).tap()
  await expect(bar(page).getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true')
  expect((await boxOf(page, '.cm-cursor-primary')).y).toBe(before.y)
  expect(await page.evaluate(() => (window as never as { count: { blurs: number } }).count.blurs)).toBe(0)

  // Some browsers move the page up beside that.
  await keyboard(260, 60)
  await expect.poll(() => foot('.strip')).toBe(480)
  expect(Math.round((await boxOf(page, '.edit-bar')).y)).toBe(60)
  await keyboard(0)
  await expect.poll(() => foot('.strip')).toBe(740)
  expect(await boxOf(page, '.edit-bar')).toEqual(header)
  await context.close()
})

test('on a phone the owner’s bar, too, stands above the keyboard', async ({ browser, server }) => {
  await server.create(content)
  const context = await browser.newContext({ ...sizes.phone, storageState: server.signedIn })
  const page = await context.newPage()
  const keyboard = await useKeyboard(page)
  await page.goto(server.url)
  await page.getByRole('link', { name: 'On proofs' }).first().tap()
  await expect(bar(page)).toBeInViewport()
  await text(page).tap()
  await expect(text(page)).toBeFocused()
  await keyboard(320)
  await expect
    .poll(async () => {
      const { y, height } = await boxOf(page, '.strip')
      return Math.round(y + height)
    })
    .toBe(420)
  await context.close()
})
