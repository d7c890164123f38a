// What a person waits for while Galley neither answers nor refuses anything.
import { expect } from '@playwright/test'
import { editor, open, test } from './owner.ts'

test('pages, new documents, comments and exports say what they wait for, and go on by themselves', async ({
  context,
  server,
}) => {
  const document = await server.create('First words.\n')
  const [settings, library, writing] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ]
  for (const page of [settings, library]) {
    await page.goto('/')
    await expect(page.getByRole('listitem')).not.toHaveCount(0)
  }
  await open(writing, document)
  await editor(writing).press('ControlOrMeta+a')
  await writing.keyboard.press('Control+Alt+m')
  await writing.getByRole('textbox', { name: 'Your comment' }).fill('Why first?')

  server.sleep()
  await settings.getByRole('button', { name: 'More', exact: true }).first().click()
  await settings.getByRole('menuitem', { name: 'Settings' }).click()
  await library.getByRole('button', { name: 'New document' }).click()
  await writing.keyboard.press('Control+Enter')
  const silence = (page: typeof settings) => page.getByText('Galley isn’t answering.', { exact: true })
  await expect(silence(settings)).toBeVisible()
  await expect(silence(library)).toBeVisible()
  await expect(silence(writing)).toBeVisible()
  server.wake()
  await expect(settings.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await expect(editor(library)).toBeVisible()
  await expect(writing.getByRole('article').getByText('Why first?')).toBeVisible()
  for (const page of [settings, library, writing]) await expect(silence(page)).toHaveCount(0)

  server.sleep()
  await writing.keyboard.press('Control+k')
  await writing.keyboard.type('export as word')
  await writing.keyboard.press('Enter')
  await expect(writing.getByText('The export goes on by itself as soon as it does.')).toBeVisible()
  const download = writing.waitForEvent('download')
  server.wake()
  await download
  await expect(writing.getByText('The export goes on by itself')).toHaveCount(0)
})
