// The trash: what the app deletes can be found, read and restored there, with all that belongs to it.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { editor, expectSaved, open, test, type OwnerServer } from './owner.ts'

test.beforeEach(({ server }) => server.deleteAll())

const rows = (page: Page) => page.getByRole('list', { name: 'Trash' }).getByRole('listitem')
const put = (server: OwnerServer, { id }: { id: string }) => server.call('POST', `/api/documents/${id}/trash`)

test('a document that is deleted while it is open can be read in the trash, and comes back whole', async ({
  page,
  server,
}) => {
  const document = await server.create('# The harbour\n\nIt froze over.', 'The harbour')
  await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'When was that?' })
  const link = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {})
  await open(page, document)
  await page.keyboard.press('Control+End')
  // Deleted before it has been saved by itself.
  await page.keyboard.type(' In March.')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
  await expect(page.getByText('“The harbour” is in the trash')).toBeVisible()

  await page.goto(`/share/${link.token}`)
  await expect(page.getByRole('heading', { name: 'This document is not available' })).toBeVisible()

  await page.goto(`/documents/${document.id}`)
  await expect(page.getByRole('heading', { name: 'This document is in the trash' })).toBeVisible()
  await page.getByRole('link', { name: 'Read it in the trash' }).click()
  const text = page.frameLocator('iframe')
  await expect(text.getByText('It froze over. In March.')).toBeVisible()
  const faces = () => text.locator('body').evaluate((body) => body.ownerDocument.fonts.size)
  await expect.poll(faces, 'in the face of all texts').toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(editor(page)).toContainText('It froze over. In March.')
  expect(await server.call('GET', `/api/documents/${document.id}/comments`)).toHaveLength(1)
  await page.goto(`/share/${link.token}`)
  await expect(page.getByText('It froze over. In March.')).toBeVisible()
})

test('lists what was deleted, searches it, restores one, deletes one for good and empties the rest', async ({
  page,
  server,
}) => {
  const [one, two, three] = [
    await server.create('About zeppelins.', 'One'),
    await server.create('About balloons.', 'Two'),
    await server.create('About kites.', 'Three'),
  ]
  for (const document of [one, two, three]) await put(server, document)
  await page.goto('/')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).first()).toContainText('30 days left')
  await expectAccessible(page)

  await page.getByRole('textbox', { name: 'Search the trash' }).fill('zepp')
  await expect(rows(page)).toHaveText([/About zeppelins/])
  await page.getByRole('button', { name: 'Restore One' }).click()
  await expect(page.getByText('Nothing in the trash has these words')).toBeVisible()
  expect(await server.has(one)).toBe(true)
  await page.getByRole('textbox', { name: 'Search the trash' }).fill('')
  await expect(rows(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Delete Two for good' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Three' })).toBeFocused()
  await page.getByRole('button', { name: 'Empty the trash…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Empty the trash…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty the trash' }).click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  expect(await server.call('GET', '/api/trash')).toEqual([])
})

test('how long documents stay there is a setting', async ({ page, server }) => {
  await page.goto('/settings')
  await page.getByRole('combobox', { name: 'Keep for' }).selectOption('Until I empty it')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await server.call('GET', '/api/settings')).toMatchObject({ trash_days: null })
  await page.goto('/trash')
  await expect(page.getByText('until you restore them or delete them for good')).toBeVisible()
  await page.goto('/settings')
  await page.getByRole('combobox', { name: 'Keep for' }).selectOption('30 days')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('a window whose document is deleted in another can restore it, and saves what was typed', async ({
  page,
  server,
}) => {
  const document = await server.create('First.', 'Both')
  await open(page, document)
  await put(server, document)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Second.')
  await expect(page.getByText('Not saved: this document has been deleted.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Restore it' }).click()
  await expectSaved(page)
  expect((await server.get(document)).content).toBe('First. Second.')

  // What is brought back elsewhere is gone on with by itself.
  await put(server, document)
  const gone = page.getByText('Not saved: this document has been deleted.', { exact: true })
  await expect(gone).toBeVisible()
  await server.call('POST', `/api/trash/${document.id}/restore`)
  await expect(gone).toHaveCount(0)
  await page.keyboard.type('x')
  await expectSaved(page)
})

test('on a narrow screen what is in the trash is named in full, above its text', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  const title = 'The harbour, and what became of it in winter'
  const document = await server.create('It froze over.', title)
  await page.goto('/trash')
  // By its owner in person: whoever else does it is named.
  await page.evaluate((url) => fetch(url, { method: 'POST' }), `/api/documents/${document.id}/trash`)
  await page.goto(`/trash/${document.id}`)
  const heading = page.getByRole('heading', { name: title })
  await expect(heading).toBeVisible()
  expect(await heading.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  // In one line, and as wide as the screen lets it be.
  const facts = (await page.getByText('In the trash, deleted just now').boundingBox())!
  expect(facts.x).toBeLessThanOrEqual(16)
  expect(facts.height).toBeLessThanOrEqual(24)
  const buttons = ['Restore', 'Delete for good…'].map((name) => page.getByRole('button', { name }))
  for (const button of buttons) await expect(button).toBeInViewport({ ratio: 1 })
  const [restore, remove] = await Promise.all(buttons.map((button) => button.boundingBox()))
  expect(restore!.y).toBe(remove!.y)
})
