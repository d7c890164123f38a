// The title, and the cursor in it and in the text, while others write too.
import { expect } from '@playwright/test'
import { editor, expectStored, open, test } from './owner.ts'

test('two windows that type in the title at one time keep each other’s letters', async ({ page, server }) => {
  const document = await server.create('Words.\n', 'Base')
  await open(page, document)
  const other = await page.context().newPage()
  await open(other, document)
  const titles = [page, other].map((one) => one.getByRole('textbox', { name: 'Title' }))
  for (const title of titles) {
    await title.click()
    await title.press('End')
  }
  await Promise.all([
    titles[0]!.pressSequentially(' hello', { delay: 90 }),
    titles[1]!.pressSequentially(' WORLD', { delay: 110 }),
  ])
  // Of the spaces that both have typed it isn’t told which is before which word.
  for (const title of titles) await expect(title).toHaveValue(/^Base *(hello *WORLD|WORLD *hello) *$/)
  await expect.poll(async () => (await server.get(document)).title).toBe(await titles[0]!.inputValue())
})

test('the cursor stays beside its letters as a script changes the title, or a word of the text', async ({
  page,
  server,
}) => {
  const document = await server.create('Alpha something omega.\n', 'Base')
  const change = (body: object) => server.call('PATCH', `/api/documents/${document.id}`, body)
  await open(page, document)
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.click()
  await title.press('Home')
  await change({ title: 'Based' })
  await expect(title).toHaveValue('Based')
  await page.keyboard.type('>')
  await expect(title).toHaveValue('>Based')

  await editor(page).click()
  await page.keyboard.press('Control+Home')
  for (const _ of 'Alpha some') await page.keyboard.press('ArrowRight')
  await change({ content: 'Alpha somethings omega.\n' })
  await expect(editor(page)).toContainText('somethings')
  await page.keyboard.type('X')
  await expectStored(server, document, 'Alpha someXthings omega.\n')
  for (const _ of 'Xsome') await page.keyboard.press('Shift+ArrowLeft')
  await change({ content: 'Alpha ownersomeXthings omega.\n' })
  await expect(editor(page)).toContainText('ownersome')
  await page.keyboard.type('any')
  await expectStored(server, document, 'Alpha owneranythings omega.\n')
})
