// Documents that were just begun: what they are called, and what becomes of them when they are left empty.
import { expect, type Page } from '@playwright/test'
import { editor, expectSaved, newDocument, test, type StoredDocument } from './owner.ts'

const row = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Documents' }).getByRole('link', { name })

test.beforeEach(({ server }) => server.deleteAll())

test('starts a document from an empty desk', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'New document' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.type('A title')
  await page.keyboard.press('Enter')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type('and a text')
  await expectSaved(page)
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(row(page, 'A title')).toBeVisible()
})

test('documents are left by their button, by Back and for a new one, and what is empty of them goes', async ({
  page,
  server,
}) => {
  const left = () => server.call<StoredDocument[]>('GET', '/api/documents')
  await page.goto('/')
  const start = page.getByRole('main').getByRole('button', { name: 'New document' })
  const ways = [() => page.getByRole('button', { name: 'All documents' }).click(), () => page.goBack()]
  for (const leave of ways) {
    await start.click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
    await leave()
    await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
    await expect.poll(left).toEqual([])
  }
  await newDocument(page, 'Words that stay.')
  await expectSaved(page)
  for (const leave of ways) {
    await leave()
    await page.getByRole('link', { name: 'Untitled' }).first().click()
    await expect(editor(page)).toHaveText('Words that stay.')
  }
  expect(await left()).toHaveLength(1)
})

test('a new document whose words are all deleted again goes to the trash, with what it said', async ({
  page,
  server,
}) => {
  await page.goto('/')
  await newDocument(page, 'Words that are not wanted.')
  await expectSaved(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expectSaved(page)
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(page.getByText('is in the trash')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
  expect(await server.call('GET', '/api/documents')).toEqual([])
  await page.keyboard.press('Control+z')
  await expect.poll(() => server.call<unknown[]>('GET', '/api/documents')).toHaveLength(1)

  // What others were given stays.
  await newDocument(page, 'Words that were sent.')
  await expectSaved(page)
  const [{ id }] = (await server.call<StoredDocument[]>('GET', '/api/documents')) as [StoredDocument]
  await server.call('POST', `/api/documents/${id}/share`, {})
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expectSaved(page)
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  expect(await server.get({ id })).toMatchObject({ content: '' })
})

test('a new document takes its title from its heading, and one without a word goes by itself', async ({
  page,
  server,
}) => {
  await page.goto('/')
  await page.getByRole('main').getByRole('button', { name: 'New document' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
  expect(await server.call('GET', '/api/documents')).toEqual([])

  // Left by closing its page, it goes when somebody looks.
  await page.getByRole('main').getByRole('button', { name: 'New document' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Untitled')
  await page.goto('about:blank')
  await page.goto('/')
  await expect.poll(() => server.call('GET', '/api/documents')).toEqual([])
  await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()

  await page.getByRole('main').getByRole('button', { name: 'New document' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await editor(page).click()
  await page.keyboard.type('# The *great* frost')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('The great frost')
  await expectSaved(page)
  await page.getByRole('textbox', { name: 'Title' }).fill('By hand')
  await editor(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' of 1683')
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(row(page, 'By hand')).toBeVisible()
  const [{ id }] = (await server.call<StoredDocument[]>('GET', '/api/documents')) as [StoredDocument]
  expect(await server.get({ id })).toMatchObject({
    title: 'By hand',
    content: '# The *great* frost of 1683',
  })
})

test('a document that was used isn’t asked about when it is left', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'DELETE') asked.push(request.url())
  })
  await page.goto('/')
  const path = await newDocument(page, 'A word.')
  await expectSaved(page)
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(row(page, 'Untitled')).toBeVisible()

  // Neither when it was saved and its page closed, nor when it is as empty again as it was begun.
  await newDocument(page, 'Gone')
  await expectSaved(page)
  await page.goto(path)
  await expect(editor(page)).toContainText('A word.')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expectSaved(page)
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(row(page, 'Untitled')).toHaveCount(2)

  // One that wasn’t is asked about after all of them.
  await page.getByRole('button', { name: 'New document' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  const unused = new URL(page.url()).pathname
  await page.getByRole('button', { name: 'All documents' }).click()
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  await expect.poll(() => asked).toEqual([expect.stringContaining(unused)])
})
