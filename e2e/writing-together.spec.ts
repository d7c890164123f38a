// Several people write in one text at the same time, and nobody's words are lost, doubled or torn apart.
import { expect, type Browser, type Page } from '@playwright/test'
import { expectSaved, open, test, type OwnerServer, type StoredDocument } from './owner.ts'
import { startProxy } from './proxy.ts'

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

/** Somebody with a browser of their own, who writes in the document by a link. */
async function writer(browser: Browser, server: OwnerServer, document: StoredDocument, options: object = {}) {
  const link = await server.call<{ id: string; token: string }>(
    'POST',
    `/api/documents/${document.id}/share`,
    { permission: 'edit' },
  )
  const context = await browser.newContext({ ...options, storageState: { cookies: [], origins: [] } })
  const { share_url: address } = await server.call<{ share_url: string }>('GET', '/api/status')
  const page = await context.newPage()
  await page.goto(`${address}/share/${link.token}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  return { page, context, link }
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const lineOf = (page: Page, name: string) => text(page).locator('.cm-line', { hasText: `${name}:` })
const lines = (page: Page) => text(page).locator('.cm-line').allTextContents()
/** Which line the only other one is in. */
const caretLine = (page: Page) =>
  page.evaluate(() => {
    const caret = document.querySelector('.other-caret')?.getBoundingClientRect()
    if (!caret) return null
    const isAt = ({ top, bottom }: DOMRect) => top < caret.bottom && bottom > (caret.top + caret.bottom) / 2
    const line = [...document.querySelectorAll('.cm-line')].find((one) => isAt(one.getBoundingClientRect()))
    return line?.textContent ?? null
  })

async function goToLine(page: Page, name: string) {
  await lineOf(page, name).click()
  await page.keyboard.press('End')
}

test('four people write at once, one goes away and comes back, and one is shut out in the middle', async ({
  page: owner,
  browser,
  server,
}) => {
  test.slow()
  const names = ['Owner', 'Ada', 'Ben', 'Cy']
  const document = await server.create(names.map((name) => `${name}: \n`).join(''))
  await open(owner, document)
  const ada = await writer(browser, server, document)
  const ben = await writer(browser, server, document)
  const cy = await writer(browser, server, document, phone)
  const pages = { Owner: owner, Ada: ada.page, Ben: ben.page, Cy: cy.page }
  const sentence = (name: string) => `${name} writes while all the others do. `

  await Promise.all(Object.entries(pages).map(([name, page]) => goToLine(page, name)))
  await Promise.all(
    Object.entries(pages).map(([name, page]) => page.keyboard.type(sentence(name), { delay: 15 })),
  )
  const first = names.map((name) => `${name}: ${sentence(name)}`)
  for (const page of Object.values(pages)) await expect.poll(() => lines(page)).toEqual([...first, ''])

  // Ada's network is gone; she and the others write on.
  await ada.context.setOffline(true)
  await ada.page.keyboard.type('Then alone. ')
  await cy.page.keyboard.type('Then on. ')
  await expect.poll(() => lines(owner)).toContain(`${first[3]}Then on. `)
  await ada.context.setOffline(false)
  const second = [first[0], `${first[1]}Then alone. `, first[2], `${first[3]}Then on. `, '']
  for (const page of Object.values(pages)) await expect.poll(() => lines(page)).toEqual(second)

  // Ben's link is taken back while he writes: what he hadn't sent is his to copy, and reaches nobody.
  await ben.context.setOffline(true)
  await ben.page.keyboard.type('Too late. ')
  await server.call('DELETE', `/api/documents/${document.id}/share?link_id=${ben.link.id}`)
  await ben.context.setOffline(false)
  await expect(ben.page.getByRole('group', { name: 'Unsaved text' })).toContainText(
    'This link no longer works.',
  )
  await expect(ben.page.getByRole('button', { name: 'Copy my text' })).toBeVisible()
  await expect(lineOf(ben.page, 'Ben')).toContainText('Too late.')
  await owner.keyboard.type('The end.')
  await expectSaved(owner)
  const last = [`${first[0]}The end.`, ...second.slice(1)]
  for (const page of [owner, ada.page, cy.page]) await expect.poll(() => lines(page)).toEqual(last)
  expect((await server.get(document)).content).toBe(last.join('\n'))
  for (const { context } of [ada, ben, cy]) await context.close()
})

test('undo takes back what one typed, and nothing of the others', async ({
  page: owner,
  browser,
  server,
}) => {
  const document = await server.create('One: \n\nTwo: \n')
  await open(owner, document)
  const ada = await writer(browser, server, document)
  await goToLine(owner, 'One')
  await goToLine(ada.page, 'Two')
  await owner.keyboard.type('mine')
  await expect(lineOf(ada.page, 'One')).toHaveText('One: mine')
  await ada.page.keyboard.type('theirs')
  await expect(lineOf(owner, 'Two')).toHaveText('Two: theirs')
  await owner.keyboard.press('Control+z')
  await expect(lineOf(ada.page, 'One')).toHaveText('One: ')
  await expect(lineOf(owner, 'Two')).toHaveText('Two: theirs')
  await owner.keyboard.press('Control+y')
  await expect(lineOf(ada.page, 'One')).toHaveText('One: mine')
  await ada.context.close()
})

test('what a script changes comes in while one types, and the cursor stays where it is', async ({
  page,
  server,
}) => {
  const document = await server.create('# Head\n\nBody: \n')
  await open(page, document)
  await goToLine(page, 'Body')
  await page.keyboard.type('one ')
  await expectSaved(page)
  await server.edit(document, (content) => content.replace('# Head', '# A longer heading'))
  await expect(text(page)).toContainText('A longer heading')
  await page.keyboard.type('two')
  await expect
    .poll(async () => (await server.get(document)).content)
    .toBe('# A longer heading\n\nBody: one two\n')
})

test('everybody sees who else is in the text and where, and can go along with them', async ({
  page: owner,
  browser,
  server,
}) => {
  const paragraphs = Array.from({ length: 80 }, (_, i) => `Line ${i} of a text that is long.`)
  const document = await server.create(`${paragraphs.join('\n\n')}\n`)
  await open(owner, document)
  const ada = await writer(browser, server, document)
  await ada.page.getByRole('textbox', { name: 'Your name' }).fill('Ada Byron')
  const seen = (page: Page) => page.getByRole('list', { name: 'Others who are here' }).getByRole('button')
  await expect(seen(owner)).toHaveAccessibleName('Go along with Ada Byron (guest)')
  await expect(seen(ada.page)).toHaveAccessibleName(/^Go along with (?!Ada)/)

  // What one selects, the other sees in place; what is typed before it moves it.
  const caret = owner.locator('.other-caret')
  await text(ada.page)
    .getByText('Line 2 of')
    .dblclick({ position: { x: 8, y: 8 } })
  await expect(caret).toHaveText('Ada Byron (guest)')
  await expect(caret.locator('bdi')).toHaveText('Ada Byron')
  await expect(owner.locator('.other-selection')).toHaveCount(1)
  const top = async () => (await caret.boundingBox())!.y
  const before = await top()
  await text(owner).getByText('Line 0 of').click()
  await owner.keyboard.press('Home')
  await owner.keyboard.type('First.\n\n')
  await expect.poll(top).toBeGreaterThan(before + 20)

  // Her name goes after a moment and stays away while she writes on there; who points at her caret reads it.
  const flag = caret.locator('span')
  await expect(flag).toHaveCSS('opacity', '0')
  // Her first words have her come in anew, with her name.
  await caret.evaluate((one) => one.setAttribute('data-before', ''))
  await ada.page.keyboard.type('Row')
  await expect(text(owner)).toContainText('Row 2 of a text')
  await expect(caret).toHaveCount(1)
  await expect(caret).not.toHaveAttribute('data-before')
  await expect(flag).toHaveCSS('opacity', '0')
  await ada.page.keyboard.type('s')
  await expect(text(owner)).toContainText('Rows 2 of a text')
  expect(await flag.evaluate((one) => getComputedStyle(one).opacity)).toBe('0')
  const { x, y, height } = (await caret.boundingBox())!
  await owner.mouse.move(x + 3, y + height / 2)
  await expect(flag).toHaveCSS('opacity', '1')
  await owner.mouse.move(x + 200, y + height / 2)
  await expect(flag).toHaveCSS('opacity', '0')
  // Elsewhere she is named again, and not on the line that one writes in oneself.
  await expect(caret).not.toHaveClass(/other-caret-low/)
  await text(owner).getByText('Line 5 of').click()
  await owner.keyboard.press('ArrowDown')
  await text(ada.page).getByText('Line 6 of').click()
  await expect(caret).toHaveClass(/other-caret-low/)
  await expect(flag).not.toHaveCSS('opacity', '0')
  await text(owner).getByText('First.').click()
  await owner.keyboard.press('End')
  await expect(caret).not.toHaveClass(/other-caret-low/)

  // Changes go the short way, with no request for each.
  const requests: string[] = []
  owner.on('request', (request) => requests.push(request.url()))
  await owner.keyboard.type('By the line. ')
  await expectSaved(owner)
  await expect(text(ada.page)).toContainText('By the line.')
  expect(requests.filter((url) => url.includes('/changes'))).toEqual([])

  // Going along: the text follows where Ada goes, until the owner moves themselves.
  await seen(owner).click()
  await expect(seen(owner)).toHaveAttribute('aria-pressed', 'true')
  await ada.page.keyboard.press('Control+End')
  await ada.page.keyboard.type('The end.')
  await expect(text(owner).getByText('The end.')).toBeInViewport()
  await text(owner).press('Control+Home')
  await expect(seen(owner)).toHaveAttribute('aria-pressed', 'false')
  await ada.page.keyboard.type(' Or not.')
  await expect(text(owner).getByText('First.')).toBeInViewport()
  // It is told aloud, and ended wherever the keyboard is.
  const aloud = owner.getByRole('status').filter({ hasText: 'Going along with Ada Byron (guest)' })
  await expect(aloud).toHaveCount(0)
  await seen(owner).click()
  await expect(seen(owner)).toBeFocused()
  await expect(aloud).toHaveCount(1)
  await owner.keyboard.press('Escape')
  await expect(seen(owner)).toHaveAttribute('aria-pressed', 'false')
  await expect(aloud).toHaveCount(0)

  await ada.context.close()
  await expect(seen(owner)).toHaveCount(0)
  await expect(caret).toHaveCount(0)
})

test('others are still seen where they are, and gone along with, once one writes in another way', async ({
  page: owner,
  browser,
  server,
}) => {
  const document = await server.create('One line.\n\nAnother line.\n')
  await open(owner, document)
  const ada = await writer(browser, server, document)
  await text(ada.page).getByText('Another line.').click()
  await expect.poll(() => caretLine(owner)).toBe('Another line.')
  const seen = owner.getByRole('list', { name: 'Others who are here' }).getByRole('button')
  await seen.click()
  for (const way of ['suggesting', 'editing']) {
    await owner.getByRole('combobox', { name: 'What you do in the text' }).selectOption(way)
    await expect.poll(() => caretLine(owner)).toBe('Another line.')
  }
  // Until one goes elsewhere oneself.
  await expect(seen).toHaveAttribute('aria-pressed', 'true')
  await text(owner).getByText('One line.').click()
  await expect(seen).toHaveAttribute('aria-pressed', 'false')
  await ada.context.close()
})

test('names at the edge of a phone and in one place can all be read', async ({ browser, server }) => {
  test.slow()
  const line = 'A line of words that fills a phone’s width, and goes on in the next row.'
  const document = await server.create(`${line}\n\n${line}\n\n${line}\n`)
  const reading = await writer(browser, server, document, phone)
  const names = ['Ada Byron, Countess', 'Benedict Cumberland', 'Cy']
  const others: Awaited<ReturnType<typeof writer>>[] = []
  for (const name of names) {
    const one = await writer(browser, server, document)
    await one.page.getByRole('textbox', { name: 'Your name' }).fill(name)
    others.push(one)
  }
  const flags = reading.page.locator('.other-caret span')
  await expect(flags.filter({ hasText: 'Cy (guest)' })).toHaveCount(1)
  /** Where all stand, told anew so that their names show. */
  const gather = async (lineNumber: number, key: 'Home' | 'End', steps: number) => {
    for (const { page: other } of others) {
      await text(other).locator('.cm-line').nth(lineNumber).click()
      await other.keyboard.press(key)
      for (let i = 0; i < steps; i++) await other.keyboard.press('ArrowRight')
    }
    await expect(flags).toHaveCount(names.length)
    await reading.page.waitForTimeout(500)
    return flags.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect))
  }
  // How many they are has one place in one row of the header, and a menu that names them in their colours.
  const header = reading.page.locator('.edit-bar')
  for (const width of [320, 360]) {
    await reading.page.setViewportSize({ ...phone.viewport, width })
    const parts = header.locator('> *:visible, button:visible')
    const tops = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
    expect(Math.max(...tops)).toBeLessThanOrEqual((await header.boundingBox())!.y + 60)
    expect(await reading.page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width)
    await expect(header.getByRole('button', { name: 'Done' })).toBeInViewport({ ratio: 1 })
  }
  await header.getByRole('button', { name: '3 others who are here' }).tap()
  const named = reading.page.getByRole('menuitemcheckbox')
  await expect(named).toHaveCount(3)
  const colours = await named
    .locator('.person')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
  expect(new Set(colours).size).toBe(3)
  expect(colours).not.toContain('rgba(0, 0, 0, 0)')
  await reading.page.keyboard.press('Escape')
  await expect(named).toHaveCount(0)
  await header.getByRole('button', { name: 'More' }).tap()
  await reading.page.getByRole('textbox', { name: 'Your name' }).fill('Dora')
  await expect(others[0]!.page.getByRole('button', { name: 'Go along with Dora (guest)' })).toHaveCount(1)
  await reading.page.keyboard.press('Escape')

  for (const [lineNumber, steps] of [
    [0, 0],
    [2, 34],
    [4, 36],
  ] as const) {
    const boxes = await gather(lineNumber, 'Home', steps)
    const { left, right, top } = await reading.page
      .locator('.cm-scroller')
      .evaluate((scroller) => scroller.getBoundingClientRect().toJSON() as DOMRect)
    for (const [i, box] of boxes.entries()) {
      expect(box.left).toBeGreaterThanOrEqual(left)
      expect(box.right).toBeLessThanOrEqual(right)
      expect(box.top).toBeGreaterThanOrEqual(top)
      for (const other of boxes.slice(i + 1)) {
        const isClear =
          other.left >= box.right - 1 ||
          box.left >= other.right - 1 ||
          other.top >= box.bottom - 1 ||
          box.top >= other.bottom - 1
        expect(isClear, JSON.stringify([box, other])).toBe(true)
      }
    }
  }
  for (const { context } of [reading, ...others]) await context.close()
})

for (const [passes, sockets] of [
  ['WebSockets', true],
  ['no WebSockets', false],
  ['nothing over WebSockets, though it opens them', 'silent'],
] as const)
  test(`people elsewhere write too, through a way that passes ${passes}`, async ({
    page: owner,
    browser,
    server,
  }) => {
    const proxy = await startProxy({ sockets })
    const { share_port: port } = await server.call<{ share_port: number }>('GET', '/api/tunnel')
    proxy.at.to = port
    const document = await server.create('Owner: \n\nAda: \n')
    await server.call('PATCH', '/api/tunnel', {
      on: true,
      provider: 'url',
      url: { public_address: proxy.address },
    })
    const address = () => server.call<{ share_url: string }>('GET', '/api/status')
    await expect.poll(async () => (await address()).share_url).toBe(proxy.address)
    await open(owner, document)
    const ada = await writer(browser, server, document)
    expect(ada.page.url()).toContain(proxy.address)
    await goToLine(owner, 'Owner')
    await goToLine(ada.page, 'Ada')
    await Promise.all([
      owner.keyboard.type('Near by. ', { delay: 20 }),
      ada.page.keyboard.type('From afar. ', { delay: 20 }),
    ])
    const both = ['Owner: Near by. ', '', 'Ada: From afar. ', '']
    for (const page of [owner, ada.page]) await expect.poll(() => lines(page)).toEqual(both)
    // Where nothing tells of changes and of where others are, each is waited for.
    for (const page of [owner, ada.page]) await expect(page.locator('.other-caret')).toHaveCount(1)
    await goToLine(owner, 'Ada')
    await expect.poll(() => caretLine(ada.page)).toBe('Ada: From afar. ')
    await goToLine(ada.page, 'Owner')
    await expect.poll(() => caretLine(owner)).toBe('Owner: Near by. ')
    await goToLine(owner, 'Owner')
    await owner.keyboard.type('Again.')
    await expect(lineOf(ada.page, 'Owner')).toContainText('Again.')
    await server.call('DELETE', `/api/documents/${document.id}/share?link_id=${ada.link.id}`)
    const isLive = sockets === true
    if (!isLive) await ada.page.keyboard.type('Too late.')
    const unsaved = ada.page.getByRole('group', { name: isLive ? 'What the link allows' : 'Unsaved text' })
    await expect(unsaved).toContainText('This link no longer works.')
    await expect(text(ada.page)).toHaveAttribute('contenteditable', 'false')
    await server.call('PATCH', '/api/tunnel', { on: false })
    await ada.context.close()
    await proxy.stop()
  })
