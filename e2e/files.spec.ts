// Pictures and other files in a text, from where they come in to where they are seen.
import { expect, type Locator } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { editor, expectSaved, open, saveState, test, type OwnerServer, type StoredDocument } from './owner.ts'
import { pasteFile, pastePicture } from './paste-picture.ts'
import { realPng } from './real-png.ts'

const isDrawn = (picture: Locator) =>
  expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth]))
    .toEqual([true, 80])
const contentOf = async (server: OwnerServer, { id }: StoredDocument) =>
  (await server.call<StoredDocument>('GET', `/api/documents/${id}`)).content

async function share(server: OwnerServer, { id }: StoredDocument, body: object): Promise<string> {
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${id}/share`, body)
  const { share_url: address } = await server.call<{ share_url: string }>('GET', '/api/status')
  return `${address}/share/${token}`
}

test('a picture that is pasted is stored, stands in the text, and is seen by whoever reads it', async ({
  page,
  browser,
  server,
}) => {
  const document = await server.create('Before. After.')
  await open(page, document)
  await page.keyboard.press('Control+Home')
  for (let i = 0; i < 'Before.'.length; i++) await page.keyboard.press('ArrowRight')
  await pastePicture(page)
  const picture = editor(page).locator('img.md-image')
  await isDrawn(picture)
  await expectSaved(page)
  await expect.poll(() => contentOf(server, document)).toBe('Before. ![](files/image.png) After.')
  await page.keyboard.press('Control+z')
  await expect.poll(() => contentOf(server, document)).toBe('Before. After.')
  await page.keyboard.press('Control+y')
  await expect.poll(() => contentOf(server, document)).toBe('Before. ![](files/image.png) After.')

  // What is said of it, beside it.
  await page.getByRole('button', { name: 'Alt text, caption and width' }).click()
  await page.getByLabel('Alt text', { exact: true }).fill('A [boat]')
  await page.getByText('50%', { exact: true }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect
    .poll(() => contentOf(server, document))
    .toBe('Before. ![A \\[boat\\]](files/image.png#width=50%) After.')
  await expect(editor(page)).toBeFocused()

  // By the bar, two at once, in their order.
  await page.keyboard.press('Control+End')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Picture or file…' }).click()
  await (
    await choosing
  ).setFiles([
    { name: 'Plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 a plan') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
  ])
  await expect
    .poll(() => contentOf(server, document))
    .toBe(
      'Before. ![A \\[boat\\]](files/image.png#width=50%) After. [Plan.pdf (1 KB)](files/Plan.pdf) [notes.txt (1 KB)](files/notes.txt)',
    )

  // Elsewhere nobody can ask for it, so it goes along.
  await page.keyboard.press('Control+Shift+C')
  await expect(page.getByText('The whole document is copied')).toBeVisible()
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    return (await item!.getType('text/html')).text()
  })
  expect(copied).toContain('<img src="data:image/png;base64,')
  expect(copied).toMatch(/<img [^>]*width="50%"/)

  await page.keyboard.press('Control+Shift+E')
  await isDrawn(page.frameLocator('iframe').locator('img'))

  const reader = await browser.newPage({ storageState: { cookies: [], origins: [] } })
  await reader.goto(await share(server, document, { permission: 'view' }))
  const shown = reader.locator('#content img')
  await isDrawn(shown)
  await expect(shown).toHaveAttribute('width', '80')
  const downloading = reader.waitForEvent('download')
  await reader.getByRole('link', { name: 'Plan.pdf' }).click()
  expect((await downloading).suggestedFilename()).toBe('Plan.pdf')
  await expectAccessible(reader)
  await reader.close()
})

test('one writes on behind what one has pasted, while it is on its way and once it is there', async ({
  page,
  server,
}) => {
  const document = await server.create('Words.')
  await open(page, document)
  await page.keyboard.press('Control+End')
  let letStore = () => {}
  const held = new Promise<void>((resolve) => (letStore = resolve))
  await page.route('**/files?*', async (route) => {
    await held
    await route.continue()
  })
  await pastePicture(page, 'bow.png')
  await pastePicture(page, 'stern.png', 50)
  await expect(editor(page).locator('.md-arriving')).toHaveCount(2)
  await page.keyboard.type(' Meanwhile.')
  letStore()
  await expect
    .poll(() => contentOf(server, document))
    .toBe('Words. ![bow](files/bow.png) ![stern](files/stern.png) Meanwhile.')

  await pastePicture(page, 'mast.png', 60)
  const all = 'Words. ![bow](files/bow.png) ![stern](files/stern.png) Meanwhile. ![mast](files/mast.png)'
  await expect.poll(() => contentOf(server, document)).toBe(all)
  await page.keyboard.type(' After.')
  await expect.poll(() => contentOf(server, document)).toBe(`${all} After.`)

  // What is dropped stands where it was let go.
  await editor(page)
    .getByText('Words.')
    .evaluate((line) => {
      const { left, top } = line.getBoundingClientRect()
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['%PDF-1.7 a chart'], 'Chart.pdf', { type: 'application/pdf' }))
      const at = { clientX: left + 1, clientY: top + 10 }
      line.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, ...at }))
    })
  await expect
    .poll(() => contentOf(server, document))
    .toBe(`[Chart.pdf (1 KB)](files/Chart.pdf) ${all} After.`)
})

test('what can’t be stored now says so, and is tried again', async ({ page, server }) => {
  const document = await server.create('Words.')
  await open(page, document)
  await page.keyboard.press('Control+End')
  // It is stored, but nobody hears of it.
  await page.route('**/files?*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await pastePicture(page, 'harbour.png')
  const arriving = editor(page).locator('.md-arriving')
  await expect(arriving).toContainText('harbour.png waits here, and is added once there is a connection.')
  await expect(saveState(page)).toHaveText('Kept here, will be delivered')
  // What is typed meanwhile stands behind it.
  await page.keyboard.type(' More.')
  await page.unroute('**/files?*')
  await arriving.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => contentOf(server, document)).toBe('Words. ![harbour](files/harbour.png) More.')
  await expect(arriving).toHaveCount(0)
  await expectSaved(page)

  // What is no picture stays none, however often it is sent; what to do is to be read whole.
  await pasteFile(page, 'false.png', 'image/png', 'no picture')
  await expect(arriving).toContainText('Save it anew as PNG or JPEG.')
  await expect(arriving.getByRole('button')).toHaveText(['Put away'])
  const words = arriving.getByRole('alert')
  expect(await words.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  await arriving.getByRole('button').click()
  await pasteFile(page, 'IMG_1.HEIC', '', '\0\0\0\x18ftypheic\0\0\0\0mif1heic')
  await expect(arriving).toContainText('Only Safari shows photos in HEIC. Save it as JPEG first')
  await arriving.getByRole('button', { name: 'Put away' }).click()

  // In place of what is selected, which is still there until then, and comes back at one stroke.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  const before = await contentOf(server, document)
  expect(before).toMatch(/^Words\. /)
  await pastePicture(page, 'bow.png', 50)
  await expect.poll(() => contentOf(server, document)).toBe(before.replace(/^Word/, '![bow](files/bow.png) '))
  await page.keyboard.press('Control+z')
  await expect.poll(() => contentOf(server, document)).toBe(before)
})

test('on a phone a recipient who may edit adds a picture; who may only suggest is told why not', async ({
  browser,
  server,
}) => {
  const document = await server.create('Words.')
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
  const context = await browser.newContext({ ...phone, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(await share(server, document, { permission: 'edit' }))
  await page.getByRole('button', { name: 'Edit', exact: true }).tap()
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect(text).toBeFocused()
  await page.keyboard.press('Control+End')
  await pastePicture(page)
  await isDrawn(text.locator('img.md-image'))
  await expect.poll(() => contentOf(server, document)).toBe('Words. ![](files/image.png)')
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Picture or file…' }).tap()
  expect((await chosen).isMultiple()).toBe(true)

  await page.goto(await share(server, document, { permission: 'edit', suggest_only: true }))
  await page.getByRole('button', { name: 'Suggest', exact: true }).tap()
  await expect(text).toBeFocused()
  await pastePicture(page)
  await expect(page.getByText('This link lets you suggest words, but add no files.')).toBeVisible()
  await expect(text.locator('.md-arriving')).toHaveCount(0)
  await context.close()
})

test('a picture that somebody suggests is seen in the text and on its card, marked as what it is', async ({
  page,
  server,
}) => {
  const document = await server.create('Words here.')
  await server.addFile(document, 'bow.png', realPng(80, 40))
  const address = await share(server, document, { permission: 'edit' })
  const { origin, pathname } = new URL(address)
  const { status } = await fetch(
    `${origin}/api/documents/${document.id}/suggestions?share_token=${pathname.split('/').pop()}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ original_text: '', suggested_text: ' ![A bow](files/bow.png)', author_name: 'Ada' },
        anchor: { exact: '', prefix: 'Words here.', suffix: '', start: 11 },
      }),
    },
  )
  expect(status).toBe(201)
  await open(page, document)
  const suggested = editor(page).locator('ins').getByRole('img', { name: 'A bow' })
  await isDrawn(suggested)
  await suggested.click()
  await isDrawn(page.getByRole('group', { name: 'How it will read' }).getByRole('img', { name: 'A bow' }))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reject' }).click()

  await page.getByLabel('What you do in the text').selectOption('Suggesting')
  await page.keyboard.press('Control+End')
  await pastePicture(page, 'stern.png')
  const own = editor(page).locator('ins').getByRole('img', { name: 'stern' })
  await isDrawn(own)
  await expect(own).toHaveCSS('outline-style', 'solid')
  await page.keyboard.type(' Behind.')
  await expect(editor(page).locator('ins')).toContainText(['Behind.'])
})

test('texts that are imported bring the pictures that they show', async ({ page, server }) => {
  await server.deleteAll()
  await page.goto('/')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import files…' }).click()
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await (
    await choosing
  ).setFiles([
    {
      name: 'Boats.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Boats\n\n![A boat](img/my%20boat.png) ![Gone](gone.png)\n'),
    },
    { name: 'my boat.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') },
  ])
  const card = page.getByRole('region', { name: 'Import' })
  await expect(card).toContainText('1 document imported')
  await expect(card).toContainText('1 picture didn’t come along')
  await expect(card).toContainText('gone.png')
  const [document] = await server.call<StoredDocument[]>('GET', '/api/documents?q=Boats')
  expect(await contentOf(server, document!)).toBe(
    '# Boats\n\n![A boat](files/my-boat.png) ![Gone](gone.png)\n',
  )
  await open(page, document!)
  await expect
    .poll(() =>
      editor(page)
        .locator('img.md-image')
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(1)
})

test('a picture has its room in the text before it has loaded, and a missing one says so', async ({
  page,
  browser,
  server,
}) => {
  const pictures = Array.from({ length: 100 }, (_, i) => `${i + 1}. Before.\n\n![Boat](files/boat.png)\n`)
  const content = `# Boats\n\n![The sea](files/gone.png) ![Plan](files/plan.txt)\n\n${pictures.join('\n')}\n\n![A quay](files/damaged.png)\n`
  const document = await server.create(content)
  await server.addFile(document, 'boat.png', realPng(800, 600))
  await server.addFile(document, 'plan.txt', Buffer.from('A plan.'))
  await server.addFile(document, 'damaged.png', realPng(400, 200))
  let letLoad = () => {}
  const held = new Promise<void>((resolve) => (letLoad = resolve))
  await page.route('**/files/boat.png', async (route) => {
    await held
    await route.continue()
  })
  await open(page, document)
  await expect(editor(page)).toContainText('The seagone.png is missing')
  await expect(editor(page)).toContainText('Planplan.txt can’t be shown as a picture')
  const first = editor(page).locator('.md-image').first()
  const sides = () => first.evaluate((image: HTMLElement) => [image.offsetWidth, image.offsetHeight])
  const room = await sides()
  expect(room[0]! / room[1]!).toBeCloseTo(4 / 3, 1)

  // From here on nothing may move but what the writer moves, which is the cursor.
  await page.evaluate(() => {
    type Shift = PerformanceEntry & { sources: { node: HTMLElement | null }[] }
    const moved: string[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      // Words move within their line as its signs come to be seen.
      for (const { node } of list.getEntries().flatMap((entry) => (entry as Shift).sources))
        if (node instanceof Element && !node.matches('.cm-cursor')) moved.push(node.outerHTML)
    }).observe({ type: 'layout-shift' })
  })
  letLoad()
  await expect(first).toHaveJSProperty('naturalWidth', 800)
  expect(await sides()).toEqual(room)
  await editor(page).getByText('Before.').first().click()
  await page.keyboard.type(' More.')
  for (let i = 0; i < 20; i++) {
    await page.mouse.wheel(0, 700)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  for (let i = 0; i < 5; i++) {
    await page.mouse.wheel(0, -900)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  await expect(editor(page).locator('img.md-image').first()).toHaveJSProperty('complete', true)
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])

  // Scrolled out of view and back it is the same: pictures that are made anew each time are collected many at once.
  const quay = editor(page).locator('img[alt="A quay"]')
  await page.keyboard.press('Control+End')
  await quay.evaluate((image) => (image.dataset.seen = 'before'))
  await page.keyboard.press('Control+Home')
  await expect(quay).toHaveCount(0)
  await page.keyboard.press('Control+End')
  await expect(quay).toHaveAttribute('data-seen', 'before')

  // Who reads it isn’t shown a broken sign either, and nothing moves.
  const reader = await browser.newPage({ storageState: { cookies: [], origins: [] } })
  await reader.route('**/files/damaged.png*', (route) => route.fulfill({ body: 'no picture any more' }))
  await reader.goto(await share(server, document, { permission: 'view' }))
  const lost = reader.getByRole('img', { name: 'A quay. damaged.png couldn’t be loaded' })
  await reader.locator('#content img[alt="A quay"]').scrollIntoViewIfNeeded()
  await expect(lost).toBeVisible()
  expect(await lost.evaluate((element: HTMLElement) => [element.offsetWidth, element.offsetHeight])).toEqual([
    400, 200,
  ])
  await expect(reader.locator('#content')).not.toContainText('couldn’t be loaded')
  await reader.screenshot({ path: '/tmp/lost.png' })
  await reader.close()
})

test('of a large photo its original can be had, without where it was taken', async ({ page, server }) => {
  const document = await server.create('Words.')
  await open(page, document)
  await page.keyboard.press('Control+End')
  // As a camera held askew writes it: what is drawn is to be turned by a quarter.
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(3000, 1500)
    const context = canvas.getContext('2d')!
    for (let i = 0; i < 3000; i += 10) {
      context.fillStyle = `hsl(${i} 80% 50%)`
      context.fillRect(i, i / 3, 9, 1500)
    }
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })
    const tiff = 'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0'
    const exif = `Exif\0\0${tiff} taken at home`
    const segment = Uint8Array.from([
      ...[0xff, 0xe1, 0, exif.length + 2],
      ...[...exif].map((sign) => sign.charCodeAt(0)),
    ])
    const photo = new File([jpeg.slice(0, 2), segment, jpeg.slice(2)], 'harbour.jpg', { type: 'image/jpeg' })
    const clipboardData = new DataTransfer()
    clipboardData.items.add(photo)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    window.document.querySelector('.cm-content')!.dispatchEvent(event)
  })
  await expect.poll(() => contentOf(server, document)).toBe('Words. ![harbour](files/harbour.jpg)')
  await page.getByRole('button', { name: 'Alt text, caption and width' }).click()
  const panel = page.getByRole('dialog', { name: 'Picture' })
  await panel.getByText(/^Original, /).click()
  await expect.poll(() => contentOf(server, document)).toBe('Words. ![harbour](files/harbour-2.jpg)')
  await expectAccessible(page)
  const pixels = () =>
    editor(page)
      .locator('img.md-image')
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])
  await expect.poll(pixels).toEqual([1500, 3000])
  const url = `${server.url}/api/documents/${document.id}/files/harbour-2.jpg`
  expect((await (await page.request.get(url)).body()).toString('latin1')).not.toContain('taken at home')
  await panel.getByText('For screens').click()
  await expect.poll(pixels).toEqual([1280, 2560])
  await expect.poll(() => contentOf(server, document)).toBe('Words. ![harbour](files/harbour.jpg)')
})
