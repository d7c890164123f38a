// Files dragged from the system onto an open document.
import { expect, type Locator, type Page } from '@playwright/test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { editor, expectSaved, expectStored, open, test, type StoredDocument } from './owner.ts'

let folder: string
test.beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'galley-drop-'))))
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Drags a file as the system does: what the page doesn’t take, the browser opens. */
async function dropOn(page: Page, target: Locator, file: string) {
  const { x, y, width, height } = (await target.boundingBox())!
  const cdp = await page.context().newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  const at = { x: x + width / 2, y: y + height / 2 }
  const send = (type: 'dragEnter' | 'dragOver' | 'drop', to: { x: number; y: number }) =>
    cdp.send('Input.dispatchDragEvent', { type, ...to, data })
  await page.evaluate(() => {
    const seen = (event: DragEvent) => Object.assign(window, { draggedTo: event.clientY })
    addEventListener('dragover', seen, { capture: true })
  })
  const draggedTo = () => page.evaluate(() => (window as { draggedTo?: number }).draggedTo)
  // Over an edge of the window and on to the place. A hand lets go once it has seen that the window takes the file;
  // until that is drawn, what is moved over the reading view’s frame goes to the frame.
  await send('dragEnter', { x: at.x, y: 4 })
  await expect(async () => {
    await send('dragOver', { x: at.x, y: 6 })
    await expect(page.getByText('Drop to import')).toBeVisible()
    // The first move over a place enters it only.
    for (let i = 0; i < 2; i++) await send('dragOver', at)
    await expect.poll(draggedTo, { timeout: 500 }).toBeCloseTo(at.y, -1)
  }).toPass()
  await send('drop', at)
}

for (const view of ['text', 'reading view'] as const) {
  test(`a file dropped on the ${view} is imported, and the document stays open`, async ({ page, server }) => {
    const document = await server.create('Open words.')
    await open(page, document)
    await page.evaluate(() => Object.assign(window, { marked: true }))
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Typed.')
    if (view === 'reading view') await page.keyboard.press('Control+Shift+E')
    const target = view === 'text' ? editor(page) : page.locator('iframe')
    await expect(target).toBeVisible()
    const file = path.join(folder, 'dropped.md')
    writeFileSync(file, `# Dropped on the ${view}`)
    await dropOn(page, target, file)
    await expect(page.getByRole('region', { name: 'Import' })).toContainText('1 document imported')
    await expect(page).toHaveURL(new RegExp(`/documents/${document.id}$`))
    expect(await page.evaluate(() => 'marked' in window)).toBe(true)
    expect(page.context().pages()).toHaveLength(1)
    const all = await server.call<StoredDocument[]>('GET', '/api/documents')
    expect(all.map(({ title }) => title)).toContain(`Dropped on the ${view}`)
    await expectSaved(page)
    // Nothing of the file has come into the text.
    await expectStored(server, document, 'Open words. Typed.')
  })
}
