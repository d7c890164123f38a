// The owner's app without a mouse: the palette, single letters, the list of shortcuts.
import { expect } from '@playwright/test'
import { editor, open, test } from './owner.ts'

test.beforeEach(({ server }) => server.deleteAll())

test('the palette opens a document and runs a command', async ({ page, server }) => {
  await server.create('Its text.', 'An unusual name')
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('unusual')
  await expect(page.getByRole('option', { name: /An unusual name/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('An unusual name')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Versions' })).toHaveAttribute('aria-selected', 'true')
  await expect(editor(page), 'writing goes on where it was').toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('nothing is called so')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('what is typed right after Ctrl+K goes into the palette, however busy the page is', async ({
  page,
  server,
}) => {
  const document = await server.create('Its text.')
  await open(page, document)
  const browser = await page.context().newCDPSession(page)
  const press = (key: string, modifiers = 0) =>
    browser.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key,
      modifiers,
      windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
      ...(modifiers === 0 ? { text: key } : {}),
    })
  const busy = page.evaluate(() => {
    for (const end = performance.now() + 300; performance.now() < end;);
  })
  await Promise.all([busy, press('k', 2), ...[...'new'].map((letter) => press(letter))])
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('new')
  await expect(editor(page)).toHaveText('Its text.')
})

test('a letter starts nothing beside a text, in a menu or in a dialog', async ({ page, server }) => {
  const document = await server.create('Its text.')
  await page.goto('/keys')
  await page.getByRole('button', { name: /^(New|Create a) key$/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly')
  await page.getByRole('button', { name: 'Create the key' }).click()
  const made = page.getByRole('dialog', { name: 'Copy the key now' })
  await made.getByRole('button', { name: 'I have copied it' }).focus()
  await page.keyboard.press('n')
  await expect(made).toBeVisible()
  await page.goto('/')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('menu')).toBeVisible()
  await open(page, document)
  await page.getByRole('button', { name: 'Share' }).focus()
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page).toHaveURL(/documents/)
  expect(await server.call<unknown[]>('GET', '/api/documents')).toHaveLength(1)
})

test('“?” lists the shortcuts', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByText('Viewing', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
})

test('the list is walked by keys from where nothing is focused, and from the search', async ({
  page,
  server,
}) => {
  for (let i = 1; i <= 60; i++) await server.create('Words.', `Document ${i}`)
  await page.goto('/')
  const row = (n: number) =>
    page.getByRole('list', { name: 'Documents' }).getByRole('link', { name: new RegExp(`^Document ${n}\\b`) })
  await expect(row(60)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(row(60)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row(59)).toBeFocused()
  await page.keyboard.press('End')
  await expect(row(1)).toBeFocused()
  await expect(row(1)).toBeInViewport()
  await page.keyboard.press('Home')
  await expect(row(60)).toBeFocused()
  await page.keyboard.press('/')
  const field = page.getByRole('textbox', { name: 'Search documents' })
  await page.keyboard.type('Document')
  await page.keyboard.press('Home')
  await expect(field).toBeFocused()
  await field.fill('')
  await expect(row(60)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(row(60)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Document 60')
})
