// That everyone can use every page of the owner's app: axe in both themes, screens of 360 and of 2560 pixels.
import { expect, type Page } from '@playwright/test'
import { findBarriers } from './accessible.ts'
import { open, test, type OwnerServer, type StoredDocument } from './owner.ts'

const long =
  'A galley proof is the long sheet that goes out for review before print, with margins for marks. '
const text = `# Heading\n\n**Bold**, \`code\`, [a link](https://a.example) and ~~struck~~.\n\n- [x] done\n- [ ] to do\n\n> Quoted\n\n\`\`\`js\nconst x = 1\n\`\`\`\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n![A cat](https://images.example/cat.png)\n\n${long.repeat(20)}\n`

async function prepare(server: OwnerServer) {
  const document = await server.create(text)
  await server.change(document, `${text}\nMore.\n`)
  await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'Is this the word?' })
  await server.call('POST', `/api/documents/${document.id}/suggestions`, {
    original_text: 'Quoted',
    suggested_text: 'Cited',
  })
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'comment' })
  return document
}

/** Shows each page, panel and dialog in turn. */
async function visit(page: Page, document: StoredDocument, look: (where: string) => Promise<void>) {
  const panel = async (name: string) => {
    await page.getByRole('tab', { name }).click()
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
  }
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Documents' }).getByRole('link').first()).toBeVisible()
  await look('library')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toBeVisible()
  await look('palette')
  await page.keyboard.press('Escape')
  await page.goto(`/documents/${document.id}`)
  await expect(page.locator('.g-mark').or(page.locator('.cm-line')).first()).toBeVisible()
  await look('document')
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  await expect(page.getByText('Is this the word?')).toBeVisible()
  await look('comments')
  await panel('Suggestions')
  await look('suggestions')
  await panel('Share')
  await expect(page.getByRole('tabpanel').getByRole('article')).toBeVisible()
  await look('share')
  await panel('Versions')
  await page.getByRole('tabpanel').getByRole('listitem').first().getByRole('button').click()
  await expect(page.getByText(/^\d+ changes?$/)).toBeVisible()
  await look('version')
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await look('settings')
  await page.goto('/keys')
  await expect(page.getByRole('article').first()).toBeVisible()
  await look('keys')
  await page
    .getByRole('article')
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('dialog')
  await page.keyboard.press('Escape')
}

test('axe finds nothing, in light and in dark', async ({ page, server }) => {
  test.setTimeout(120_000)
  const found: string[] = []
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visit(page, await prepare(server), async (where) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const barrier of await findBarriers(page)) found.push(`${where}, ${colorScheme}: ${barrier}`)
    }
  })
  expect(found).toEqual([])
})

test('nothing scrolls sideways on a screen 360 pixels wide', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const over: string[] = []
  await visit(page, await prepare(server), async (where) => {
    const wide = await page.evaluate(
      () => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth,
    )
    if (wide > 0) over.push(`${where}: ${wide} pixels`)
  })
  expect(over).toEqual([])
})

test('lines stay readable on a screen 2560 pixels wide', async ({ page, server }) => {
  await page.setViewportSize({ width: 2560, height: 1300 })
  const document = await server.create(`${long.repeat(20)}\n`)
  await open(page, document)
  const perLine = (element: Element) => {
    const range = element.ownerDocument.createRange()
    range.selectNodeContents(element)
    const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)))
    return element.textContent.length / lines.size
  }
  const written = page.locator('.cm-line').first()
  await expect.poll(() => written.evaluate(perLine)).toBeLessThan(90)
  expect(await written.evaluate(perLine)).toBeGreaterThan(45)
  await page.getByRole('combobox', { name: 'What you do in the text' }).selectOption('viewing')
  const read = page.getByTitle('On proofs, as it reads').contentFrame().getByRole('paragraph')
  await expect(read).toBeVisible()
  await expect.poll(() => read.evaluate(perLine)).toBeLessThan(90)
  expect(await read.evaluate(perLine)).toBeGreaterThan(45)
})
