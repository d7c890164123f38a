// Somebody writes by a link whose owner then has it allow less: the text can be read on, what they wrote is theirs to
// keep, and they go on once they may.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts'
import { galley, useGalley } from './share-page.ts'
import { begin, storedOf, suggestionsOf, text } from './suggester.ts'

const sizes: Record<string, BrowserContextOptions> = {
  wide: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    colorScheme: 'light',
  },
}

useGalley()

const end = (page: Page) => page.getByRole('group', { name: 'What the link allows' })
const unsaved = (page: Page) => page.getByRole('group', { name: 'Unsaved text' })
const backToReading = (page: Page) => page.getByRole('button', { name: 'Back to reading' })

/** Somebody who has begun to write by a link, perhaps where no WebSocket comes through. */
async function writer(
  browser: Browser,
  options: BrowserContextOptions,
  { sockets = true, at = 'edit' } = {},
) {
  const { id } = await galley.createDocument('One.\n')
  const link = await galley.share(id, 'edit')
  const allow = (access: string) =>
    galley.call(
      'PATCH',
      `/api/documents/${id}/share?link_id=${link.id}`,
      access === 'suggest'
        ? { permission: 'edit', suggest_only: true }
        : { permission: access, suggest_only: false },
    )
  if (at !== 'edit') await allow(at)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  if (!sockets) await page.routeWebSocket(/\/live/, (socket) => socket.close())
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  await page.goto(link.address)
  if (at !== 'edit') {
    await expect(page.getByRole('button', { name: 'Suggest', exact: true })).toBeVisible()
    await allow('edit')
  }
  await begin(page, 'Edit')
  await page.keyboard.press('Control+End')
  const content = () => storedOf(id)
  const write = async (words: string) => {
    await page.keyboard.type(words)
    await expect.poll(content).toContain(words)
  }
  return { page, context, id, link, content, write, allow, refused }
}

test('a link that only lets one read ends writing at once, with one message (phone)', async ({ browser }) => {
  const { page, context, id, content, write, allow, refused } = await writer(browser, sizes.phone!)
  await write('Two. ')
  await allow('view')
  await expect(text(page)).toHaveAttribute('contenteditable', 'false')
  await expect(end(page)).toHaveText(
    /^This link only lets you read now\. All that you wrote is saved\.\s+Back to reading$/,
  )
  await expect(page.getByText('This link only lets you read now.')).toHaveCount(2)
  await expect(page.locator('.banner')).toHaveCount(0)
  await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeHidden()
  await expect(page.getByLabel('What you do in the text').getByRole('option')).toHaveText(['Viewing'])
  for (const key of ['x', 'Enter', 'Backspace', 'Control+b', 'Control+z']) await page.keyboard.press(key)
  await expect(text(page)).toHaveText('One.Two.')
  // A look at the suggestions may have been under way.
  const refusedElse = () => refused.filter((url) => !url.includes('/suggestions?'))
  expect(refusedElse()).toEqual([])
  await expectAccessibleInBoth(page)

  // What others write still comes; and once it is allowed again, what one writes goes.
  await galley.call('PATCH', `/api/documents/${id}`, { content: `Zero. ${await content()}` })
  await expect(text(page)).toContainText('Zero. One.')
  await allow('edit')
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  await expect(end(page)).toHaveCount(0)
  await text(page).press('Control+End')
  await write('Three. ')
  await galley.call('PATCH', `/api/documents/${id}`, { content: `Less than ${await content()}` })
  await expect(text(page)).toContainText('Less than Zero.')

  await allow('comment')
  await expect(end(page)).toContainText('This link lets you read and comment now.')
  await backToReading(page).click()
  await expect(page.getByRole('article')).toContainText('Three.')
  await expect(page.getByRole('contentinfo')).toContainText(
    'You can read and comment with the link you have.',
  )
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
  expect(refusedElse()).toEqual([])
  await context.close()
})

test('what a link no longer lets one save is kept, can be copied, and is gone on with (wide)', async ({
  browser,
}) => {
  const { page, context, content, write, allow, refused } = await writer(browser, sizes.wide!)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await write('Two. ')
  await context.setOffline(true)
  await page.keyboard.type('Three. ')
  await allow('view')
  await context.setOffline(false)
  await expect(unsaved(page)).toContainText(
    'This link only lets you read now. What you wrote last couldn’t be saved. It is kept in this browser.',
  )
  await expect(text(page)).toHaveAttribute('contenteditable', 'false')
  await expect(page.locator('.banner')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await unsaved(page).getByRole('button', { name: 'Copy my text' }).click()
  await expect(unsaved(page).getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Two. Three. ')
  await backToReading(page).click()
  await expect(page.getByRole('status').getByText('Your changes to the text are kept')).toBeVisible()
  expect(await content()).not.toContain('Three.')
  // It is refused once, and not again with each look.
  expect(refused.length).toBeLessThanOrEqual(4)

  await page.reload()
  const left = page.getByRole('region', { name: 'What you wrote is still here' })
  await expect(left.getByText('Two. Three.')).toBeVisible()
  await expect(left.getByRole('button', { name: 'Copy' })).toBeVisible()
  await allow('edit')
  await expect.poll(content).toContain('Two. Three. ')
  await expect(left).toHaveCount(0)
  await expect(page.getByRole('article')).toContainText('Two. Three.')
  await context.close()
})

test('what was typed into the text is set aside where one goes on suggesting, and goes into it once it may (wide)', async ({
  browser,
}) => {
  const { page, context, id, content, write, allow } = await writer(browser, sizes.wide!, { at: 'suggest' })
  const suggested = async () => (await suggestionsOf(id)).map((one) => one.suggested_text)
  await write('Two. ')
  await context.setOffline(true)
  await page.keyboard.type('Three. ')
  await allow('suggest')
  await context.setOffline(false)
  await expect(unsaved(page)).toContainText('It is kept in this browser.')
  await page.getByLabel('What you do in the text').selectOption('suggesting')
  const aside = page.getByRole('group', { name: 'Text that is set aside' })
  await expect(aside).toContainText(
    'It is kept in this browser, and goes into the text once this link lets you',
  )
  await expect(aside.getByRole('button', { name: 'Copy my text' })).toBeVisible()
  await expect(text(page)).toHaveText('One.Two.')
  await expectAccessibleInBoth(page)
  await text(page).press('Control+End')
  await page.keyboard.type('four')
  await expect.poll(suggested).toEqual(['four'])
  // A change of the link while one suggests parts nothing, and makes nothing twice.
  await page.keyboard.type(' five')
  await allow('view')
  await expect(text(page)).toHaveAttribute('contenteditable', 'false')
  await allow('suggest')
  await expect.poll(suggested).toEqual(['four five'])
  expect(await content()).not.toContain('Three.')
  // An editor that is opened anew says so, too.
  await page.reload()
  await page.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(aside).toContainText('It is kept in this browser, and goes into the text once')
  await allow('edit')
  await expect.poll(content).toContain('Two. Three. ')
  await expect(aside).toHaveCount(0)
  await expect(text(page)).toContainText('four five')
  expect(await suggested()).toEqual(['four five'])

  await page.getByLabel('What you do in the text').selectOption('editing')
  await text(page).press('Control+Home')
  await write('Zero. ')
  await context.setOffline(true)
  await page.keyboard.type('Half. ')
  await allow('suggest')
  await context.setOffline(false)
  await expect(unsaved(page)).toContainText('It is kept in this browser.')
  await backToReading(page).click()
  await expect(page.getByRole('status').getByText('Your changes to the text are kept')).toBeVisible()
  await allow('edit')
  await expect.poll(content).toContain('Zero. Half. ')
  await context.close()
})

test('an editor that opens names all that closed windows wrote into the text (phone)', async ({
  browser,
}) => {
  const { page, context, link, allow } = await writer(browser, sizes.phone!)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const other = await context.newPage()
  await other.goto(link.address)
  await other.getByRole('button', { name: 'Edit', exact: true }).tap()
  await text(other).press('Control+End')
  await context.setOffline(true)
  await other.keyboard.type('Two. ')
  await page.bringToFront()
  await page.keyboard.type('Three. ')
  await allow('suggest')
  await context.setOffline(false)
  for (const one of [page, other]) await expect(unsaved(one)).toContainText('It is kept in this browser.')
  await other.close()
  await page.reload()
  await page.getByRole('button', { name: 'Suggest', exact: true }).tap()
  const aside = page.getByRole('group', { name: 'Text that is set aside' })
  await expect(aside).toContainText('What you wrote into the text in 2 windows couldn’t be saved.')
  const copy = aside.getByRole('button', { name: /^Copy what you wrote / })
  await expect(copy).toHaveCount(2)
  await expectAccessibleInBoth(page)
  const copied: string[] = []
  for (const i of [0, 1]) {
    await copy.nth(0).tap()
    await expect(aside.getByRole('button', { name: 'Copied' })).toHaveCount(1)
    copied.push(await page.evaluate(() => navigator.clipboard.readText()))
    if (i === 0) await expect(copy).toHaveCount(1)
  }
  expect(copied.sort()).toEqual(['One.\nThree. ', 'One.\nTwo. '])
  await context.close()
})

test('who is done while what they suggested waits reads at once that it is kept (phone)', async ({
  browser,
}) => {
  const { page, context, id, allow } = await writer(browser, sizes.phone!)
  await page.getByLabel('What you do in the text').selectOption('suggesting')
  await context.setOffline(true)
  await text(page).press('Control+End')
  await page.keyboard.type('Two.')
  await allow('comment')
  await context.setOffline(false)
  await expect(page.getByText('What you suggested last couldn’t be sent.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).tap()
  const left = page.getByRole('region', { name: 'What you wrote is still here' })
  await expect(left).toContainText('Two.')
  await expect(left.getByRole('button', { name: 'Copy' })).toBeVisible()
  await expect(page.getByRole('status').getByText('Your changes to the text are kept')).toBeVisible()
  await allow('suggest')
  await expect(left).toHaveCount(0)
  // It goes from there as soon as it may be sent.
  await expect.poll(async () => (await suggestionsOf(id)).map((one) => one.suggested_text)).toEqual(['Two.'])
  await context.close()
})

for (const [what, fate] of [
  ['allows less', 'This link only lets you read now.'],
  ['is taken back', 'This link no longer works.'],
] as const)
  test(`where no WebSocket comes through a link that ${what} ends writing at once, too`, async ({
    browser,
  }) => {
    const { page, context, id, link, allow } = await writer(browser, sizes.wide!, { sockets: false })
    await page.waitForRequest(/[?&]wait=/)
    if (what === 'allows less') await allow('view')
    else await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
    await expect(text(page)).toHaveAttribute('contenteditable', 'false')
    await expect(end(page)).toContainText(`${fate} All that you wrote is saved.`)
    await context.close()
  })

test('where only an answer says that a link allows less, the first key is the last', async ({ browser }) => {
  const { page, context, content, write, allow, refused } = await writer(browser, sizes.wide!, {
    sockets: false,
  })
  // Whoever waits for changes would be told before the key.
  await page.route(/[?&]wait=/, () => {})
  const held = page.waitForRequest(/[?&]wait=/)
  await write('Two. ')
  await held
  await allow('view')
  await page.keyboard.type('x')
  await expect(text(page)).toHaveAttribute('contenteditable', 'false')
  await expect(unsaved(page)).toContainText('This link only lets you read now.')
  const before = refused.length
  await page.keyboard.type('yz')
  await allow('edit')
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  await expect.poll(content).toContain('Two. x')
  expect(refused.length).toBe(before)
  await page.keyboard.type('Three.')
  await expect.poll(content).toContain('Two. xThree.')
  await context.close()
})

test('a link that is taken back ends writing at once, too', async ({ browser }) => {
  const { page, context, id, link, content, write } = await writer(browser, sizes.wide!)
  await write('Two. ')
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
  await expect(text(page)).toHaveAttribute('contenteditable', 'false')
  await expect(end(page)).toContainText('This link no longer works. All that you wrote is saved.')
  await expect(page.locator('.banner')).toHaveCount(0)

  // Once that is undone one goes on in the same editor, with what was on its way.
  await galley.call('POST', `/api/documents/${id}/share/${link.id}/restore`)
  await expect(page.getByText('This link works again.')).toBeVisible()
  await write('Three. ')
  await context.setOffline(true)
  await page.keyboard.type('Four. ')
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
  await context.setOffline(false)
  await expect(unsaved(page)).toContainText('This link no longer works.')
  await galley.call('POST', `/api/documents/${id}/share/${link.id}/restore`)
  await expect(unsaved(page)).toHaveCount(0)
  await expect.poll(content).toContain('Three. Four. ')
  await write('Five.')
  await context.close()
})

test('what was begun is gone on with once the link permits it again, and what is discarded is gone (phone)', async ({
  browser,
}) => {
  const { id } = await galley.createDocument('One.\n')
  const link = await galley.share(id, 'comment')
  const allow = (permission: string) =>
    galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, { permission })
  const context = await browser.newContext(sizes.phone)
  const page = await context.newPage()
  await page.goto(link.address)
  await page.getByRole('button', { name: 'Comment', exact: true }).tap()
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Begun')
  await allow('view')
  await page.reload()
  const left = page.getByRole('region', { name: 'What you wrote is still here' })
  await expect(left).toContainText('this link no longer permits it')
  await allow('comment')
  await expect(left).toContainText('This link permits it again.')
  await expectAccessible(page)
  const loads: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()))
  await left.getByRole('button', { name: 'Go on' }).tap()
  const comment = page.getByRole('textbox', { name: 'Your comment' })
  await expect(comment).toHaveValue('Begun')
  await expect(left).toHaveCount(0)
  expect(loads).toEqual([])

  // So it is where one goes on without being told, and what is sent is no longer among what was begun.
  await allow('view')
  await page.reload()
  await expect(left).toContainText('this link no longer permits it')
  await allow('comment')
  await page.getByRole('button', { name: 'Comment', exact: true }).tap()
  await expect(comment).toHaveValue('Begun')
  await page.getByRole('button', { name: 'Comment', exact: true }).last().tap()
  await expect(comment).toHaveCount(0)
  await expect(left).toHaveCount(0)
  await page.getByRole('button', { name: 'Comment', exact: true }).tap()
  await comment.fill('Begun anew')

  await allow('view')
  await page.reload()
  await left.getByRole('button', { name: 'Discard' }).tap()
  await expect(left).toContainText('Discarded.')
  await allow('comment')
  await expect(left).toHaveCount(0)
  await context.close()
})
