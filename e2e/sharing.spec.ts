// Ending what is shared all at once, and links as pictures that phones read.
import { expect } from '@playwright/test'
import { createRequire } from 'node:module'
import { expectAccessible } from './accessible.ts'
import { test } from './owner.ts'

const jsQr = createRequire(import.meta.url)('jsqr') as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null

test('a writer stops all sharing, sees everywhere that it is stopped, and starts it again', async ({
  page,
  server,
  browser,
}) => {
  await server.deleteAll()
  const document = await server.create('# Proof\n\nRead me.')
  const made = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'comment',
  })
  const findLink = async () => {
    const { share_url } = await server.call<{ share_url: string }>('GET', '/api/status')
    return `${share_url}/share/${made.token}`
  }
  const open = async () => (await fetch(await findLink())).status
  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(await findLink())
  await expect(reader.getByText('Read me.')).toBeVisible()

  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(page.getByText(/here now/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop sharing everything now' }).click()
  await expect(page.getByText('You have stopped sharing.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy' })).toBeDisabled()
  await expect(page.getByText(/here now/)).toHaveCount(0)
  expect(await open()).toBe(404)
  await expect(reader.getByText(/no longer works|doesn’t work any more|can’t be opened/)).toBeVisible()
  await expectAccessible(page)

  await page.goto('/')
  await expect(page.getByText('Your link opens nothing until you start again.')).toBeVisible()
  await server.goAway()
  await server.comeBack()
  expect(await open(), 'also after a restart').toBe(404)
  await page.reload()
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(page.getByText('You have stopped sharing.')).toHaveCount(0)
  await expect.poll(open).toBe(200)
  await context.close()
})

test('what was stopped is undone from the toast', async ({ page, server }) => {
  const document = await server.create('Read me.')
  await server.call('POST', `/api/documents/${document.id}/share`, {})
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Documents' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('stop shar')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing is shared any more').first()).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('You have stopped sharing.')).toHaveCount(0)
  const sharing = () => server.call<{ stopped_at: string | null }>('GET', '/api/sharing')
  await expect.poll(async () => (await sharing()).stopped_at).toBeNull()
})

test('a link is changed and keeps its address; whoever has it open learns what it allows now', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create('# Proof\n\nRead me.')
  const made = await server.call<{ local_url: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'comment',
  })
  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(made.local_url)
  await expect(reader.getByRole('button', { name: 'Comment' })).toBeVisible()

  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const change = async (radio: string, more?: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Change' }).click()
    const form = page.getByRole('form', { name: 'Change the link' })
    await form.getByRole('radio', { name: new RegExp(`^${radio} `) }).check()
    await more?.()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Change' })).toBeFocused()
  }
  await change('Read', async () => {
    await page.getByRole('textbox', { name: /^Name/ }).fill('For Ada')
    await page.getByRole('combobox', { name: 'Stops working' }).selectOption('In a week')
  })
  const card = page.getByRole('article', { name: 'For Ada' })
  await expect(card.getByText('Works until')).toBeVisible()
  expect(await card.getByRole('textbox').inputValue()).toBe(made.local_url)
  await expect(reader.getByText('This link only lets you read now.')).toBeVisible()
  await expect(reader.getByRole('button', { name: 'Comment' })).toHaveCount(0)
  await expectAccessible(reader)
  await expect(reader.getByText('Read me.')).toBeVisible()

  await change('Edit')
  await expect(reader.getByText('This link lets you edit the text now.')).toBeVisible()
  await reader.getByRole('button', { name: 'Edit' }).click()
  await expect(reader.getByRole('textbox', { name: 'Text' })).toHaveCSS('outline-style', 'none')
  await reader.keyboard.press('Control+End')
  await reader.keyboard.type(' So I do.')
  await expect.poll(async () => (await server.get(document)).content).toContain('So I do.')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('combobox', { name: 'Stops working' }).selectOption('Never')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Never expires')).toBeVisible()
  await context.close()
})

test('links stay in view while the text changes beside them', async ({ page, server }) => {
  const document = await server.create('# Proof\n\nRead me.')
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'view' })
  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const copy = page.getByRole('button', { name: 'Copy', exact: true })
  await expect(copy).toBeVisible()
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Then go on.')
  await expect.poll(async () => (await server.get(document)).content).toContain('Then go on.')
  await server.change(document, '# Proof\n\nRead me. Then go on, please.')
  await expect(page.locator('.cm-content')).toContainText('please')
  await expect(copy).toBeVisible()
})

test('a revoked link opens nothing at once, and works again once that is undone', async ({
  page,
  server,
}) => {
  const document = await server.create('Read me.')
  const { local_url } = await server.call<{ local_url: string }>(
    'POST',
    `/api/documents/${document.id}/share`,
    { label: 'For Ada' },
  )
  const open = async () => (await fetch(local_url)).status
  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  expect(await open()).toBe(200)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('The link “For Ada” is revoked')).toBeVisible()
  expect(await open()).toBe(404)
  await expectAccessible(page)
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click()
  const card = page.getByRole('article', { name: 'For Ada' })
  await expect(card).toBeVisible()
  await expect(card.getByRole('button', { name: 'Copy' })).toBeFocused()
  expect(await open()).toBe(200)

  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(card).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(card, 'undone by its key as by the toast').toBeVisible()
  expect(await open()).toBe(200)
  await expect(page.getByText('The link “For Ada” is revoked')).toHaveCount(0)
})

test('who had the page open goes on where they were once the revoke is undone', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create('Read me.')
  const { local_url } = await server.call<{ local_url: string }>(
    'POST',
    `/api/documents/${document.id}/share`,
    { label: 'For Ada', permission: 'comment' },
  )
  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(local_url)
  await reader.getByRole('button', { name: 'Comment', exact: true }).click()
  await reader.getByRole('textbox', { name: 'Your comment' }).fill('I was about to say')
  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(reader.getByText('This link no longer works.', { exact: true })).toBeVisible()
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('article', { name: 'For Ada' })).toBeVisible()
  await expect(reader.getByText('This link no longer works.', { exact: true })).toHaveCount(0, {
    timeout: 30_000,
  })
  await expect(reader.getByText('This link works again.')).toBeVisible()
  await reader.getByRole('region', { name: 'New comment' }).getByRole('button', { name: 'Comment' }).click()
  await expect(reader.getByRole('article').getByText('I was about to say')).toBeVisible()
  // News come by themselves again, too.
  await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'I hear you' })
  await expect(reader.getByText('I hear you')).toBeVisible()
  await context.close()
})

for (const width of [1280, 360])
  test(`Escape ends changing a link, and nothing around it (${width} px)`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 800 })
    const document = await server.create('Read me.')
    await server.call('POST', `/api/documents/${document.id}/share`, { label: 'For Ada' })
    await page.goto(`/documents/${document.id}`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const change = page.getByRole('article', { name: 'For Ada' }).getByRole('button', { name: 'Change' })
    await change.click()
    await page.getByRole('textbox', { name: 'Name (only you see it)' }).fill('For Grace')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('form', { name: 'Change the link' })).toHaveCount(0)
    await expect(change).toBeFocused()
  })

test('a link is shown as a code that holds its address', async ({ page, server }) => {
  const document = await server.create('Read me.')
  await server.call('POST', `/api/documents/${document.id}/share`, { label: 'For the editor' })
  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const address = await page.getByRole('textbox', { name: /^Address of/ }).inputValue()
  await page.getByRole('button', { name: 'QR code' }).click()
  const code = page.getByRole('img', { name: 'QR code of For the editor' })
  await expect(code).toBeVisible()
  await expectAccessible(page)
  const { dark, side } = await code.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const side = image.naturalWidth / 2
    const canvas = new OffscreenCanvas(side, side)
    const context = canvas.getContext('2d')!
    context.drawImage(image, 0, 0, side, side)
    const { data } = context.getImageData(0, 0, side, side)
    return { side, dark: Array.from({ length: side * side }, (_, i) => data[i * 4]! < 128) }
  })
  const pixels = dark.flatMap((one) => [...Array<number>(3).fill(one ? 0 : 255), 255])
  expect(jsQr(new Uint8ClampedArray(pixels), side, side)?.data).toBe(address)
  await page.keyboard.press('Escape')
  await expect(code).toHaveCount(0)
})
