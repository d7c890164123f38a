// One owner in two windows of the same browser: what is done in one is seen in the other, and nothing is lost between.
import { expect, type BrowserContext, type Page } from '@playwright/test'
import {
  editor,
  expectSaved,
  expectStored,
  neverLookByItself,
  open,
  test,
  type OwnerServer,
} from './owner.ts'

/** A further window that never looks by itself after a while: what it knows, it was told. */
async function openUnasking(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await neverLookByItself(page)
  return page
}

async function openTwice(context: BrowserContext, server: OwnerServer, content: string) {
  const document = await server.create(content)
  const [one, two] = [await openUnasking(context), await openUnasking(context)]
  await open(one, document)
  await open(two, document)
  return { document, one, two }
}

test('what is written in one window appears in the other', async ({ context, server }) => {
  const { one, two } = await openTwice(context, server, 'First.')
  await one.keyboard.press('Control+End')
  await one.keyboard.type(' Second.')
  await expect(editor(two)).toHaveText('First. Second.')
  await two.keyboard.press('Control+End')
  await two.keyboard.type(' Third.')
  await expect(editor(one)).toHaveText('First. Second. Third.')
  await one.getByRole('textbox', { name: 'Title' }).fill('A new name')
  await expect(two.getByRole('textbox', { name: 'Title' })).toHaveValue('A new name')
})

test('typing in both by turns loses no word', async ({ context, server }) => {
  const { document, one, two } = await openTwice(context, server, 'middle\n')
  await one.keyboard.press('Control+Home')
  await two.keyboard.press('Control+End')
  const words = { one: [] as string[], two: [] as string[] }
  for (let i = 0; i < 12; i++) {
    words.one.push(`one${i}`)
    words.two.push(`two${i}`)
    await one.keyboard.type(`one${i} `)
    await two.keyboard.type(`two${i} `)
  }
  const expected = `${words.one.join(' ')} middle\n${words.two.join(' ')} `
  await expect.poll(async () => (await server.get(document)).content).toBe(expected)
  for (const page of [one, two]) {
    await expectSaved(page)
    await expect.poll(() => editor(page).innerText()).toContain(words.one.join(' '))
    await expect.poll(() => editor(page).innerText()).toContain(words.two.join(' '))
  }
})

test('typing in both at the same place keeps both', async ({ context, server }) => {
  const { document, one, two } = await openTwice(context, server, 'start')
  for (const page of [one, two]) await page.keyboard.press('Control+End')
  for (let i = 0; i < 6; i++) {
    await one.keyboard.type(` one${i}`)
    await two.keyboard.type(` two${i}`)
  }
  for (const page of [one, two]) await expectSaved(page)
  const all = Array.from({ length: 6 }, (_, i) => [`one${i}`, `two${i}`]).flat()
  const missing = async () => {
    const { content } = await server.get(document)
    return all.filter((word) => !content.includes(word))
  }
  await expect.poll(missing).toEqual([])
  const { content } = await server.get(document)
  const lines = content.split('\n').filter(Boolean)
  for (const page of [one, two]) for (const line of lines) await expect(editor(page)).toContainText(line)
})

test('undo puts a deleted line back where it was, and takes the whole of what was typed behind it', async ({
  context,
  server,
}) => {
  const { document, one, two } = await openTwice(context, server, 'Alpha para.\n\nBeta para to go.\n\nGamma.')
  await one.keyboard.press('Control+Home')
  for (const key of ['ArrowDown', 'ArrowDown', 'End']) await one.keyboard.press(key)
  await one.keyboard.type(' one')
  await expect(editor(two)).toContainText('Beta para to go. one')
  await two.keyboard.press('Control+Home')
  for (const key of ['ArrowDown', 'ArrowDown', 'Home', 'Shift+End', 'Delete']) await two.keyboard.press(key)
  await expect(editor(one)).not.toContainText('Beta')
  await one.keyboard.type(' two')
  await expect(editor(two)).toContainText('two')
  await expectStored(server, document, 'Alpha para.\n\n two\n\nGamma.')

  await two.keyboard.press('Control+z')
  await expectStored(server, document, 'Alpha para.\n\nBeta para to go. one two\n\nGamma.')
  await expect(editor(one)).toContainText('Beta para to go. one two')
  await one.keyboard.press('Control+z')
  await expectStored(server, document, 'Alpha para.\n\nBeta para to go. one\n\nGamma.')
  await expect(editor(two)).not.toContainText('two')
})

test('a document that is deleted in one window says so in the other, which can still save it', async ({
  context,
  server,
}) => {
  const { document, one, two } = await openTwice(context, server, 'Worth keeping.')
  await server.call('DELETE', `/api/documents/${document.id}`)
  // As the window does that has deleted it.
  await one.evaluate((id) => new BroadcastChannel('galley').postMessage({ document: id }), document.id)
  await expect(two.getByText('Not saved: this document has been deleted.', { exact: true })).toBeVisible()
  await two.getByRole('button', { name: 'Save as a new document' }).click()
  await expect(two).not.toHaveURL(new RegExp(document.id))
  await expect(editor(two)).toHaveText('Worth keeping.')
})

test('comments, the list and the theme are in step, too', async ({ context, server }) => {
  const { document, one, two } = await openTwice(context, server, 'Some words.')
  await two.goto('/')
  await expect(two.getByRole('link', { name: 'On proofs' }).first()).toBeVisible()
  await one.getByRole('textbox', { name: 'Title' }).fill('In both lists')
  await expect(two.getByRole('link', { name: 'In both lists' })).toBeVisible()

  await open(two, document)
  await one.keyboard.press('Control+Alt+m')
  await one.getByRole('textbox', { name: /comment/i }).fill('Which ones?')
  await one.keyboard.press('Control+Enter')
  await expect(two.getByRole('button', { name: 'Comments and suggestions (1)' })).toBeVisible()

  await one.goto('/settings')
  await one.getByText('Dark', { exact: true }).click()
  await expect(two.locator('html')).toHaveAttribute('data-theme', 'dark')
  await one.getByText('System', { exact: true }).click()
  await expect(two.locator('html')).not.toHaveAttribute('data-theme', 'dark')
})

test('a document opens in a further window', async ({ page, context, server }) => {
  const document = await server.create('Twice.')
  await open(page, document)
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Open in a new window' }).click()
  const second = await opened
  await expect(second).toHaveURL(new RegExp(document.id))
  await expect(editor(second)).toHaveText('Twice.')
  // It has nothing of the window that it was opened from.
  expect(await second.evaluate(() => window.opener as unknown)).toBeNull()
})
