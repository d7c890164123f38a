// What takes a document out of Galley, in a browser: as a file, on paper, over the clipboard.
import { expect, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { editor, open, test, write } from './owner.ts'
import { catchPrinting, printed } from './printing.ts'

const text = 'A *galley* proof, see [the page][page].\n\n- [x] read\n\n[page]: https://example.org/a\n'

async function exported(page: Page, format: string): Promise<{ name: string; text: string }> {
  await page.keyboard.press('Control+Shift+S')
  const download = page.waitForEvent('download')
  await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: format }).first().click()
  const file = await download
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}

const clipboard = (page: Page) =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const read = async (type: string) => (await item!.getType(type)).text()
    return { html: await read('text/html'), text: await read('text/plain') }
  })

test('a document goes out as a file', async ({ page, browser, server }) => {
  await test.step('markdown is exported to the letter, with what isn’t saved yet', async () => {
    const document = await server.create('One\r\nTwo\r\n', 'A/B: c')
    await open(page, document)
    await page.keyboard.press('Control+End')
    await page.route(`**/api/documents/${document.id}`, (route) => route.abort())
    await page.keyboard.type('three')
    expect(await exported(page, 'Markdown')).toEqual({ name: 'A B c.md', text: 'One\r\nTwo\r\nthree' })
  })

  await test.step('a web page is exported whole, with what was typed last, and asks nobody for anything', async () => {
    await write(page, await server.create(text), 'The last words.')
    const file = await exported(page, 'Web page')
    expect(file.name).toBe('On proofs.html')
    const other = await browser.newContext({
      colorScheme: 'dark',
      storageState: { cookies: [], origins: [] },
    })
    const reader = await other.newPage()
    const asked: string[] = []
    reader.on('request', (request) => asked.push(request.url()))
    await reader.setContent(file.text)
    await expect(reader.getByRole('article')).toContainText('The last words.')
    await expect(reader.locator('em')).toHaveText('galley')
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([])
    expect(file.text).not.toContain('<script')
    const paper = () => reader.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await paper()).toBe('rgb(23, 24, 27)')
    await reader.emulateMedia({ colorScheme: 'light' })
    expect(await paper()).toBe('rgb(253, 252, 249)')
    await other.close()
  })

  await test.step('an export that fails says why', async () => {
    const document = await server.create(text)
    await open(page, document)
    await page.route('**/export**', (route) => route.abort())
    await page.keyboard.press('Control+Shift+S')
    await page.getByRole('button', { name: /^Web page(?! with)/ }).click()
    await expect(page.getByText('The document wasn’t exported')).toBeVisible()
    await expect(page.getByText('Galley can’t be reached right now.')).toBeVisible()
  })
})

test('a document is printed, also from the list', async ({ page, server }) => {
  await test.step('printing puts the document on paper, without the app, in its typefaces', async () => {
    await catchPrinting(page)
    const document = await server.create(text)
    await write(page, document, 'The last words.')
    await page.keyboard.press('Control+p')
    await expect.poll(() => printed(page)).toHaveLength(1)
    const [sheet] = await printed(page)
    expect(sheet!.html).toContain('<em>galley</em>')
    expect(sheet!.html).toContain('The last words.')
    expect(sheet!.html).toContain('class="title"')
    expect(sheet!.html).not.toContain('<button')
    expect(sheet!.title).toBe('On proofs')
    expect(sheet!.fonts.join()).toContain('Source Serif')
    // Afterwards the page is called what it was.
    await expect(page).toHaveTitle('On proofs · Galley')
  })

  await test.step('a document is exported from the list too', async () => {
    await server.deleteAll()
    await server.create(text)
    await page.goto('/')
    await page.getByRole('button', { name: 'More about On proofs' }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    await page.getByRole('button', { name: 'PDF' }).click()
    await expect.poll(() => printed(page)).toHaveLength(1)
    expect((await printed(page))[0]!.html).toContain('<em>galley</em>')
  })

  await test.step('while the server is away nothing is printed, and that is said', async () => {
    const document = await server.create(text)
    await open(page, document)
    await page.route('**/print/*', (route) => route.abort())
    await page.keyboard.press('Control+p')
    await expect(page.getByText('The document can’t be printed')).toBeVisible()
    expect(await printed(page)).toEqual([])
  })
})

test('a document is copied, and all that takes it out is found', async ({ page, server }) => {
  await test.step('the whole document is copied with its formatting, and as markdown', async () => {
    const document = await server.create(text)
    await open(page, document)
    await page.keyboard.press('Control+Shift+C')
    await expect(page.getByText('The whole document is copied')).toBeVisible()
    const copied = await clipboard(page)
    expect(copied.text).toBe(text)
    expect(copied.html).toContain('<em>galley</em>')
    expect(copied.html).toContain('<a href="https://example.org/a">the page</a>')
    expect(copied.html).toContain('☑')
    expect(copied.html).not.toMatch(/data-b|class=|<input/)
  })

  await test.step('a selection is copied by itself, with links that are defined elsewhere', async () => {
    const document = await server.create(text)
    await open(page, document)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('rich text')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Copied', { exact: true })).toBeVisible()
    const copied = await clipboard(page)
    expect(copied.text).toBe('A *galley* proof, see [the page][page].')
    expect(copied.html).toContain('<a href="https://example.org/a">the page</a>')
    expect(copied.html).not.toContain('read')
  })

  await test.step('hostile text is copied as what the renderer lets through', async () => {
    const hostile =
      '<img src=x onerror=alert(1)><script>alert(2)</script>\n\n[a](javascript:alert(3)) <b onclick=x>c</b>'
    const document = await server.create(hostile)
    await open(page, document)
    await page.keyboard.press('Control+Shift+C')
    await expect(page.getByText('The whole document is copied')).toBeVisible()
    const copied = await clipboard(page)
    expect(copied.text).toBe(hostile)
    expect(copied.html).not.toMatch(/script|onerror|onclick/)
  })

  await test.step('everything that takes a document out can be found in the palette', async () => {
    await open(page, await server.create(text))
    const names = [
      'Export…',
      'Export as markdown',
      'Export as markdown with feedback',
      'Export as a web page',
      'Export as PDF',
      'Print…',
    ]
    for (const name of [...names, 'Copy as rich text']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(name.replace('…', ''))
      await expect(page.getByRole('option', { name }).first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeHidden()
    }
    await expect(editor(page)).toBeFocused()
  })
})

test('a share page is printed as the document it shows, with the addresses its links hide', async ({
  page,
  server,
}) => {
  const { id } = await server.create(`${text}\nhttps://example.org/bare and [below](#read).\n`)
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'edit',
  })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.goto(`/share/${token}`)
  await expect(page.locator('.prose em')).toBeVisible()
  for (const name of ['.bar', '.outline', '.margin', '.colophon', '.facts'])
    await expect(page.locator(name)).toBeHidden()
  const shown = await page
    .locator('.prose a')
    .evaluateAll((links) =>
      links.map((link) => getComputedStyle(link, '::after').content.replaceAll('"', '')),
    )
  expect(shown).toEqual([expect.stringContaining('('), 'none', 'none'])
  expect(await page.locator('.prose').evaluate((prose) => getComputedStyle(prose).color)).toBe('rgb(0, 0, 0)')
})
