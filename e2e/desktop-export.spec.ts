// Documents on their way out of the desktop app.
import { expect, test, type Page } from '@playwright/test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DesktopApp, makeDocument, sayWhichElectron } from './desktop-app.ts'
import { editor, expectSaved } from './owner.ts'

let app: DesktopApp
let page: Page
let folder: string
test.beforeAll(async () => {
  sayWhichElectron()
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-exports-'))
  app = await DesktopApp.start()
  page = await app.page()
  const id = await makeDocument(page, 'A *galley* proof.')
  await page.goto(`${app.facts().url}/documents/${id}`)
  await expect(editor(page)).toContainText('proof.')
  await expectSaved(page)
})
test.afterAll(async () => {
  await app.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Answers the next save dialogs with this path, and remembers what they offered. */
const answerWith = (filePath: string | null) =>
  app.electron.evaluate(({ dialog }, file) => {
    Object.assign(globalThis, { asked: undefined })
    dialog.showSaveDialog = (...asked: unknown[]) => {
      Object.assign(globalThis, { asked: asked.at(-1) })
      return Promise.resolve({ canceled: file === null, filePath: file ?? '' })
    }
  }, filePath)
const asked = () =>
  app.electron.evaluate(() => (globalThis as unknown as { asked?: { defaultPath: string } }).asked)

async function exportAs(kind: string) {
  await page.keyboard.press('Control+Shift+S')
  await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: kind }).first().click()
}

test('markdown, a web page and a Word file are saved where the person says', async () => {
  for (const [kind, ending, held] of [
    ['Markdown', 'md', 'A *galley* proof.'],
    ['Web page', 'html', '<em>galley</em>'],
    ['Word with feedback', 'docx', 'word/document.xml'],
  ] as const) {
    const file = path.join(folder, `saved.${ending}`)
    await answerWith(file)
    await exportAs(kind)
    await expect(page.getByText(`Saved saved.${ending}`)).toBeVisible()
    expect(readFileSync(file, 'utf8')).toContain(held)
    expect(path.basename((await asked())!.defaultPath)).toBe(`On proofs.${ending}`)
  }
})

test('a PDF is made of the document’s pages, and shown in its folder', async () => {
  const file = path.join(folder, 'paper.pdf')
  await app.electron.evaluate(({ shell }) => {
    shell.showItemInFolder = (shown) => void Object.assign(globalThis, { shown })
  })
  await answerWith(file)
  await exportAs('PDF')
  await expect(page.getByText('Saved paper.pdf')).toBeVisible({ timeout: 30_000 })
  const pdf = readFileSync(file, 'latin1')
  expect(pdf.slice(0, 5)).toBe('%PDF-')
  expect(pdf).toContain('/Title (On proofs)')
  expect(pdf).toContain('/StructTreeRoot')
  expect(pdf).toMatch(/MediaBox\s*\[0 0 59[45]/)
  await page.getByRole('button', { name: 'Show in folder' }).first().click()
  await expect
    .poll(() => app.electron.evaluate(() => (globalThis as unknown as { shown?: string }).shown))
    .toBe(file)
  // Nothing is left open, and nothing half written.
  await expect.poll(() => app.electron.windows()).toEqual([page])
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a file that can’t be written says why; one that isn’t wanted says nothing', async () => {
  await answerWith(path.join(folder, 'none', 'x.md'))
  await exportAs('Markdown')
  await expect(page.getByText('That folder isn’t there any more. Choose another one.')).toBeVisible()
  const said = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  const before = await said.allInnerTexts()
  await answerWith(null)
  await exportAs('Markdown')
  await expect.poll(async () => (await asked())?.defaultPath).toContain('On proofs.md')
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeHidden()
  expect((await said.allInnerTexts()).filter((words) => !before.includes(words))).toEqual([])
  expect(readdirSync(folder)).not.toContain('x.md')
})

test('printing sets the document in a window of its own, which goes again', async () => {
  await app.electron.evaluate(({ app: desktop }) => {
    desktop.once('web-contents-created', (_event, contents) => {
      contents.print = (_options, done) => {
        Object.assign(globalThis, { printed: contents.getURL() })
        done?.(true, '')
      }
    })
  })
  await page.keyboard.press('Control+p')
  const printed = () => app.electron.evaluate(() => (globalThis as unknown as { printed?: string }).printed)
  await expect.poll(printed).toMatch(/\/print\/[0-9a-f-]{36}$/)
  await expect.poll(() => app.electron.windows()).toEqual([page])
})

test('formatted text goes to the clipboard beside the markdown', async () => {
  await page.keyboard.press('Control+Shift+C')
  const copied = () =>
    app.electron.evaluate(async ({ clipboard }) => {
      const [item] = await clipboard.read()
      if (!item?.types.includes('text/html')) return null
      const read = async (type: string) => ((await item.getType(type)) as Blob).text()
      return { html: await read('text/html'), text: await read('text/plain') }
    })
  await expect.poll(copied).toEqual({
    html: expect.stringContaining('<em>galley</em>'),
    text: 'A *galley* proof.',
  })
})

test('what is printed has its diagrams drawn', async () => {
  const id = await makeDocument(page, '```mermaid\nflowchart LR\n  A --> B\n```\n')
  await page.goto(`${app.facts().url}/documents/${id}`)
  await expect(editor(page).locator('.md-diagram')).toBeVisible({ timeout: 60_000 })
  await app.electron.evaluate(({ app: desktop }) => {
    desktop.once('web-contents-created', (_event, contents) => {
      contents.print = (_options, done) => {
        void contents
          .executeJavaScript('document.querySelector(".diagram img")?.src.slice(0, 18)')
          .then((printed: unknown) => Object.assign(globalThis, { printed }))
          .then(() => done?.(true, ''))
      }
    })
  })
  await page.keyboard.press('Control+p')
  const printed = () => app.electron.evaluate(() => (globalThis as unknown as { printed?: string }).printed)
  await expect.poll(printed).toBe('data:image/svg+xml')
})
