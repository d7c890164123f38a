// What the owner's hands do all day: undo, emphasis, lists, pasting.
import { expect } from '@playwright/test'
import {
  editor,
  expectSaved,
  expectStored,
  lookAgain,
  neverLookByItself,
  open,
  test,
  write,
} from './owner.ts'

test('undo takes back what was typed, not a suggestion that was accepted', async ({ page, server }) => {
  const document = await server.create('The cat sat.\n')
  await server.call('POST', `/api/documents/${document.id}/suggestions`, {
    original_text: 'cat',
    suggested_text: 'dog',
  })
  await write(page, document, 'My last words.')
  await page.getByRole('button', { name: 'Comments and suggestions (1)' }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(editor(page)).toContainText('The dog sat.')
  await editor(page).focus()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undo takes back only what you typed')).toBeVisible()
  await expectStored(server, document, 'The dog sat.\nMy last words.')
  await page.keyboard.press('Control+z')
  await expectStored(server, document, 'The dog sat.\n')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+Shift+z')
  await expectStored(server, document, 'The dog sat.\nMy last words.')
})

test('undo of a deleted paragraph that came back doesn’t put it there twice', async ({ page, server }) => {
  await neverLookByItself(page)
  const document = await server.create('First.\n\nSomebody writes in here.\n\nLast.\n')
  await open(page, document)
  await page.locator('.cm-line', { hasText: 'Somebody' }).click({ clickCount: 3 })
  await page.keyboard.press('Delete')
  await expectSaved(page)
  // The other writer’s page had the paragraph still, and kept it with what was typed in it.
  await server.change(document, 'First.\n\nSomebody else writes in here.\n\nLast.\n')
  await lookAgain(page)
  await expect(editor(page)).toContainText('Somebody else writes in here.')
  await editor(page).focus()
  await page.keyboard.press('Control+z')
  await expect(editor(page)).toHaveText(/^First\.\s*Somebody else writes in here\.\s*Last\.\s*$/)
  await expectSaved(page)
  const { content } = await server.get(document)
  expect(content.match(/Somebody/g)).toHaveLength(1)
})
