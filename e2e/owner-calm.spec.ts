// Nothing moves under the hand, nothing lies over what is used, and the focus never gets lost.
import { expect, type Page } from '@playwright/test'
import { editor, open, test, tryNow } from './owner.ts'

const text = 'A galley proof is the draft that goes out for review before print.\n\n'.repeat(30)
const place = (page: Page) => page.locator('.cm-line').first().boundingBox()
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? 'BODY')
const expectFocus = (page: Page) => expect.poll(() => focused(page)).not.toBe('BODY')

for (const width of [1280, 1440, 1920]) {
  test(`a panel opens beside the text, which stays where it is, ${width} wide`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 860 })
    await open(page, await server.create(text))
    const before = await place(page)
    await page.keyboard.press('Control+\\')
    await expect(page.getByRole('tab', { name: 'Comments' })).toBeVisible()
    expect(await place(page)).toEqual(before)
    const panel = await page.locator('aside.panel').boundingBox()
    expect(before!.x + before!.width).toBeLessThanOrEqual(panel!.x)
    if (width >= 1320) {
      const outline = page.getByRole('complementary', { name: 'Outline' })
      await expect(outline).toBeVisible()
      await page.keyboard.press('Control+Shift+o')
      await expect(outline).toHaveCount(0)
      expect(await place(page)).toEqual(before)
      await page.keyboard.press('Control+Shift+o')
      await expect(outline).toBeVisible()
      expect(await place(page)).toEqual(before)
      expect((await outline.boundingBox())!.width).toBeLessThanOrEqual(before!.x)
    }
    await page.keyboard.press('Control+Shift+E')
    const frame = page.locator('iframe').contentFrame()
    await expect(frame.locator('p').first()).toBeVisible()
    await expect
      .poll(async () => Math.abs((await frame.locator('p').first().boundingBox())!.x - before!.x))
      .toBeLessThan(2)
  })
}

test('the line that is written stays in view when trouble is told below it', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await open(page, await server.create(text))
  const scroller = page.locator('.cm-scroller')
  const below = (await scroller.boundingBox())!
  // The last line that can be seen whole.
  await page.mouse.click(120, below.y + below.height - 28)
  await expect(editor(page)).toBeFocused()
  await server.goAway()
  await page.keyboard.type('Now ')
  await expect(page.locator('.trouble')).toBeVisible()
  await expect
    .poll(async () => {
      const caret = await page.locator('.cm-cursor-primary').boundingBox()
      const room = (await scroller.boundingBox())!
      return caret !== null && caret.y >= room.y && caret.y + caret.height <= room.y + room.height
    })
    .toBe(true)
  expect((await scroller.boundingBox())!.height).toBeLessThan(below.height)
  await server.comeBack()
})

test('panel, outline and search leave the text where it is', async ({ page, server }) => {
  await test.step('the outline says how to come to one in line with its name', async () => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await open(page, await server.create('No headings.'))
    await page.keyboard.press('Control+Shift+o')
    const outline = page.getByRole('complementary', { name: 'Outline' })
    const left = (words: string | RegExp) =>
      outline.getByText(words).evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getBoundingClientRect().left
      })
    await expect(outline).toBeVisible()
    await expect
      .poll(async () => Math.abs((await left('Outline')) - (await left(/^Headings show up here/))))
      .toBeLessThan(1)
  })

  await test.step('finding in a scrolled text leaves its lines where they are', async () => {
    await open(page, await server.create(text))
    const line = page.locator('.cm-line', { hasText: 'A galley proof' }).nth(6)
    const top = () => line.evaluate((one) => Math.round(one.getBoundingClientRect().top))
    const scroller = page.locator('.cm-scroller')
    await scroller.evaluate((one) => (one.scrollTop = 200))
    await expect.poll(() => scroller.evaluate((one) => one.scrollTop)).toBe(200)
    const before = await top()
    const search = page.getByRole('search', { name: 'Find and replace' })
    await page.keyboard.press('Control+f')
    await expect(search).toBeVisible()
    expect(await top()).toBe(before)
    await page.keyboard.press('Escape')
    await expect(search).toHaveCount(0)
    expect(await top()).toBe(before)
  })

  await test.step('where the outline has no side of its own it stands where the panel does, and neither covers the text', async () => {
    const words = await server.create(`# First\n\n${text}\n\n## Last one\n\n${text}`)
    const outline = page.getByRole('complementary', { name: 'Outline' })
    for (const width of [1100, 1280]) {
      await page.setViewportSize({ width, height: 860 })
      await open(page, words)
      const before = (await place(page))!
      await page.keyboard.press('Control+Shift+o')
      await expect(outline).toBeVisible()
      await expect(page.locator('.g-scrim')).toHaveCount(0)
      expect(await place(page)).toEqual(before)
      expect(before.x + before.width).toBeLessThanOrEqual((await outline.boundingBox())!.x)
      await outline.getByRole('button', { name: 'Last one' }).click()
      await expect(page.locator('.cm-line', { hasText: 'Last one' })).toBeInViewport()
      await expect(outline).toBeVisible()

      // The panel takes its place, and gives it back.
      const shown = page.getByRole('button', { name: 'Outline', exact: true })
      await page.keyboard.press('Control+\\')
      await expect(page.getByRole('tab', { name: 'Comments' })).toBeVisible()
      await expect(outline).toHaveCount(0)
      await expect(shown).toHaveAttribute('aria-pressed', 'false')
      await shown.click()
      await expect(outline).toBeVisible()
      await expect(page.getByRole('tab', { name: 'Comments' })).toHaveCount(0)
      await shown.click()
      await expect(outline).toHaveCount(0)
    }
  })

  await test.step('where they cover the text only one of outline and panel is there', async () => {
    await page.setViewportSize({ width: 700, height: 860 })
    await open(page, await server.create(`# First\n\n${text}`))
    const outline = page.getByRole('dialog', { name: 'Outline' })
    await page.keyboard.press('Control+Shift+o')
    await expect(outline).toBeVisible()
    await page.keyboard.press('Control+\\')
    await expect(page.getByRole('tab', { name: 'Comments' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('Control+Shift+o')
    await expect(outline).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  await test.step('a toast covers neither the panel nor the bar of a phone, and can be put away', async () => {
    await open(page, await server.create(text))
    await page.keyboard.press('Control+\\')
    await expect(page.getByRole('tab', { name: 'Comments' })).toBeVisible()
    await page.keyboard.press('Control+s')
    const toast = page.locator('[data-sonner-toast]').first()
    await expect(toast).toBeVisible()
    const panel = await page.locator('aside.panel').boundingBox()
    await expect
      .poll(async () => {
        const { x, width } = (await toast.boundingBox())!
        return x + width
      })
      .toBeLessThanOrEqual(panel!.x)
    await toast.getByRole('button', { name: 'Close toast' }).click()
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)

    await page.keyboard.press('Control+\\')
    await page.setViewportSize({ width: 360, height: 640 })
    await page.keyboard.press('Control+s')
    await expect(toast).toBeVisible()
    const bar = await page.locator('.strip').boundingBox()
    await expect
      .poll(async () => {
        const { y, height } = (await toast.boundingBox())!
        return y + height
      })
      .toBeLessThanOrEqual(bar!.y)
  })
})

test('trouble is told under the text, and can be put away', async ({ page, server }) => {
  await open(page, await server.create(text))
  await page.keyboard.type('x')
  const before = await place(page)
  await server.goAway()
  await page.keyboard.type('y')
  const trouble = page.locator('.trouble')
  await expect(trouble).toBeVisible()
  expect((await place(page))!.y).toBe(before!.y)
  await trouble.getByRole('button', { name: 'Put this away' }).click()
  await expect(trouble).toHaveCount(0)
  await expectFocus(page)
  // Saving is tried again and fails again, which is nothing new.
  await page.keyboard.type('z')
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Not saved/).first()).toBeVisible()
  await expect(trouble).toHaveCount(0)
  await server.comeBack()
  await tryNow(page)
})

test('the focus stays near where it was, and Ctrl+Enter sends from every field', async ({ page, server }) => {
  await test.step('the focus stays near where it was after sending, Escape and Delete', async () => {
    const document = await server.create(text)
    await open(page, document)
    await page.keyboard.press('Control+Alt+m')
    await page.getByRole('textbox', { name: 'Your comment' }).fill('One thought.')
    await page.keyboard.press('Control+Enter')
    const card = page.getByRole('article', { name: /^Comment by/ })
    await expect(card).toContainText('One thought.')
    await expectFocus(page)

    await card.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).fill('Changed.')
    await page.keyboard.press('Control+Enter')
    await expect(card).toContainText('Changed.')
    await expectFocus(page)
    await expect(card.locator(':focus')).toHaveCount(1)

    await card.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).press('Escape')
    await expect(page.getByRole('textbox', { name: 'Your comment' })).toHaveCount(0)
    await expectFocus(page)

    await card.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete thread' }).click()
    await expect(card).toHaveCount(0)
    await expectFocus(page)

    await server.create('Another text.', 'Another')
    await page.goto('/')
    const row = page.getByRole('link', { name: /Another/ })
    await row.focus()
    await page.keyboard.press('Delete')
    await expect(row).toHaveCount(0)
    await expectFocus(page)
  })

  await test.step('Ctrl+Enter sends from every field', async () => {
    await page.goto('/keys')
    await page.getByRole('button', { name: /^(New|Create a) key$/ }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog', { name: 'Copy the key now' })).toBeVisible()
  })
})

test('on a phone a text fills the page, also where something was too wide for it while it was opened', async ({
  browser,
  server,
}) => {
  const { id } = await server.create(text)
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: server.signedIn,
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const wide = document.createElement('div')
      wide.style.cssText = 'position:absolute;top:0;width:900px;height:1px'
      document.body.append(wide)
      const told = Object.getOwnPropertyDescriptor(window, 'innerHeight')!
      Object.defineProperty(window, 'innerHeight', {
        get() {
          // Until the page has asked for the first time.
          setTimeout(() => wide.remove())
          return told.get!.call(window) as number
        },
      })
    }),
  )
  await page.goto(`/documents/${id}`)
  await expect(editor(page)).toContainText('A galley proof')
  await expect
    .poll(async () => (await page.locator('.cm-scroller').boundingBox())!.height)
    .toBeGreaterThan(500)
  await context.close()
})

test('on a phone Back closes the sheet over a document, and only then leaves the document', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  const document = await server.create(text, 'On Back')
  await page.goto('/')
  await page.getByRole('link', { name: /On Back/ }).click()
  await expect(editor(page)).toBeVisible()
  const sheet = page.getByRole('dialog', { name: 'On Back' })
  const comments = page.getByRole('button', { name: 'Comments and suggestions' })
  const library = page.getByRole('heading', { name: 'Documents', exact: true })

  await comments.click()
  await expect(sheet).toBeVisible()
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL(`/documents/${document.id}`)
  await expect(editor(page)).toBeVisible()

  // Closed in another way it leaves nothing behind in the history.
  await comments.click()
  await sheet.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(sheet).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('auto')
  await page.goBack()
  await expect(library).toBeVisible()

  // Of what is gone to from a sheet Back comes to the document, with no sheet over it.
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'view' })
  await page.goForward()
  await expect(editor(page)).toBeVisible()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await sheet.getByRole('link', { name: 'Let people elsewhere open them' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await page.goBack()
  await expect(editor(page)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect(library).toBeVisible()
})

test('a sheet that the address asked for stays closed after Back', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  const { id } = await server.create(text)
  const { id: comment } = await server.call<{ id: string }>('POST', `/api/documents/${id}/comments`, {
    body: 'Which print?',
  })
  await page.goto(`/documents/${id}#comment-${comment}`)
  const sheet = page.getByRole('dialog', { name: 'On proofs' })
  await expect(sheet).toContainText('Which print?')
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(editor(page)).toBeVisible()
})

test('a link to something said that is gone says so', async ({ page, server }) => {
  const { id } = await server.create(text)
  const say = (body: string) => server.call<{ id: string }>('POST', `/api/documents/${id}/comments`, { body })
  const gone = await say('Which print?')
  await server.call('DELETE', `/api/documents/${id}/comments/${gone.id}`)
  await page.goto(`/documents/${id}#comment-${gone.id}`)
  const line = page.getByText('The comment that this link leads to is no longer here.')
  await expect(line).toBeVisible()
  // One that isn’t known here yet is shown, and so is a reply.
  const { id: root } = await say('This print?')
  const reply = await server.call<{ id: string }>('POST', `/api/documents/${id}/comments`, {
    ...{ body: 'The second.', parent_id: root },
  })
  await page.evaluate((one) => (location.hash = `#comment-${one}`), reply.id)
  await expect(page.getByText('This print?')).toBeVisible()
  await page.evaluate(() => (location.hash = '#suggestion-00000000-0000-4000-8000-000000000000'))
  await expect(page.getByText('The suggestion that this link leads to is no longer here.')).toBeVisible()
})
