// One face for every text, wherever it is written or read, and what it costs recipients.
import { expect, type CDPSession, type Page } from '@playwright/test'
import { isFace, measure, sum } from './first-view.ts'
import { open, test } from './owner.ts'

const words = 'A galley proof travels, line by line.'
const text = `# On proofs\n\n${words}\n`

/** The faces that an element’s words are really drawn in. */
async function facesOf(page: Page, selector: string): Promise<string[]> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('DOM.enable')
  await browser.send('CSS.enable')
  const { root } = await browser.send('DOM.getDocument', { depth: -1, pierce: true })
  const nodeId = await find(browser, root, selector)
  const { fonts } = await browser.send('CSS.getPlatformFontsForNode', { nodeId })
  return fonts.map(({ familyName }) => familyName)
}

interface Node {
  nodeId: number
  nodeName: string
  contentDocument?: Node
  children?: Node[]
}

/** Looked for in the page, or in the frame that it has. */
async function find(browser: CDPSession, root: Node, selector: string): Promise<number> {
  const frames: Node[] = []
  const visit = (node: Node) => {
    if (node.contentDocument) frames.push(node.contentDocument)
    node.children?.forEach(visit)
  }
  visit(root)
  for (const { nodeId } of [root, ...frames]) {
    const found = await browser.send('DOM.querySelector', { nodeId, selector })
    if (found.nodeId !== 0) return found.nodeId
  }
  throw new Error(`there is no ${selector}`)
}

const inFace = (page: Page, selector: string) =>
  expect.poll(() => facesOf(page, selector)).toEqual(['Source Serif 4'])

test('it is the same while writing and reading, for recipients, in an export and on paper', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create(text)
  await open(page, document)
  await inFace(page, '.cm-line:nth-child(3)')
  const size = (where: Page) =>
    where
      .locator('.cm-line, .prose p')
      .filter({ hasText: words })
      .evaluate((one) => one.getBoundingClientRect().width)
  const written = await size(page)
  await page.keyboard.press('Control+Shift+E')
  const frame = page.locator('iframe').contentFrame()
  await expect(frame.getByText(words)).toBeVisible()
  await inFace(page, '.prose p')
  // Lines break where they broke while they were written.
  expect(await frame.getByText(words).evaluate((one) => one.getBoundingClientRect().width)).toBe(written)

  await page.goto(`/print/${document.id}`)
  await inFace(page, '.prose p')

  const file = await (await page.request.get(`/api/documents/${document.id}/export?format=html`)).text()
  const context = await browser.newContext()
  const exported = await context.newPage()
  await exported.setContent(file)
  await inFace(exported, '.prose p')
  const link = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'view',
  })
  await exported.goto(`${server.url}/share/${link.token}`)
  await inFace(exported, '#content p')
  await context.close()
})

test('around a text that is edited all is set in one face, for its owner and by a link', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create(text)
  const link = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'edit',
  })
  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(`${server.url}/share/${link.token}`)
  await guest.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(guest.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await open(page, document)
  const inInterfaceFace = (where: Page, selector: string) =>
    expect.poll(() => facesOf(where, selector)).toEqual(['Inter'])
  for (const where of [page, guest]) {
    await inInterfaceFace(where, '.strip .length')
    await inInterfaceFace(where, '.status .word')
    await inFace(where, '.cm-line:nth-child(3)')
  }
  await inInterfaceFace(page, '.share-button .button span')
  await inInterfaceFace(guest, '.edit-bar .main')
  await context.close()
})

test('a text in other scripts has it too, as far as it goes', async ({ page, server }) => {
  const document = await server.create('Гранки ходят по кругу.\n\nΤα δοκίμια ταξιδεύουν.\n')
  await open(page, document)
  await inFace(page, '.cm-line:nth-child(1)')
  await inFace(page, '.cm-line:nth-child(3)')
})

test('recipients get their first view within 60 KB, with the face and without a jump', async ({
  browser,
  server,
}) => {
  const prose = 'A galley proof is the draft that goes out for review before print. '.repeat(12)
  const document = await server.create(`# On proofs\n\n${prose}\n\n## How it travels\n\n${prose}\n`)
  const link = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'comment',
  })
  const { page, context, first, rest } = await measure(browser, `${server.url}/share/${link.token}`)
  expect(sum(first)).toBeLessThan(36_000)
  // One file of it, for a text without slanted words and foreign letters.
  expect(first.filter(isFace)).toHaveLength(1)
  expect(rest.filter(isFace)).toEqual([])
  // All that reading and commenting need beside it.
  const parts = [...first, ...rest].filter((one) => !isFace(one) && !one.url.includes('/api/'))
  expect(sum(parts)).toBeLessThan(99_000)
  // Nothing waits for the face.
  const html = await (await fetch(`${server.url}/share/${link.token}`)).text()
  expect(html).not.toContain('woff2')
  const moved = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const seen = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        })
        seen.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 300)
      }),
  )
  expect(moved).toBeLessThan(0.1)
  await context.close()
})

test('words move little when the face comes', async ({ browser, server }) => {
  const prose = 'A galley proof is the draft that goes out for review, and its margins are wide. '.repeat(9)
  const document = await server.create(`# On proofs\n\n${`${prose}\n\n`.repeat(4)}`)
  const link = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'view',
  })
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  let give = () => {}
  const given = new Promise<void>((resolve) => (give = resolve))
  await page.route('**/*.woff2', async (route) => {
    await given
    await route.continue()
  })
  await page.goto(`${server.url}/share/${link.token}`, { waitUntil: 'domcontentloaded' })
  const heights = () =>
    page.locator('#content p').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  await expect(page.locator('#content p')).toHaveCount(4)
  expect(await facesOf(page, '#content p')).not.toContain('Source Serif 4')
  const before = await heights()
  give()
  await inFace(page, '#content p')
  // The same lines, give or take one that breaks elsewhere.
  const after = await heights()
  const line = await page
    .locator('#content p')
    .first()
    .evaluate((one) => parseFloat(getComputedStyle(one).lineHeight))
  before.forEach((height, i) => expect(Math.abs(height - after[i]!)).toBeLessThanOrEqual(line + 1))
  await context.close()
})
