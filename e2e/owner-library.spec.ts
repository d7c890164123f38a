// The library: finding, sorting, naming, deleting and importing documents.
import { expect, type Page } from '@playwright/test'
import { lookAgain, neverLookByItself, test, tryAgain, type StoredDocument } from './owner.ts'

const rows = (page: Page) => page.getByRole('list', { name: 'Documents' }).getByRole('link')
const row = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Documents' }).getByRole('link', { name })

test.beforeEach(({ server }) => server.deleteAll())

test('documents are found, renamed and sorted', async ({ page, server }) => {
  await test.step('finds words in texts and shows where they are', async () => {
    await server.deleteAll()
    await server.create('The harbour froze in the winter of the great frost.', 'Chapter one')
    await server.create('Nothing to see.', 'Chapter two')
    await page.goto('/')
    await expect(rows(page)).toHaveCount(2)
    await page.keyboard.press('/')
    await page.keyboard.type('great fro')
    await expect(page.getByRole('heading', { name: 'Found' })).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    await expect(row(page, /Chapter one/)).toContainText('winter of the great frost')
    await expect(page.locator('mark')).toHaveText(['froze', 'great', 'frost'])
    await page.keyboard.press('ArrowDown')
    await expect(rows(page)).toBeFocused()
    await page.getByRole('textbox', { name: 'Search documents' }).fill('nowhere')
    await expect(page.getByRole('heading', { name: 'No document has these words' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all documents' }).click()
    await expect(rows(page)).toHaveCount(2)
  })

  await test.step('finds inside of words, after texts that have the word, and marks what it found', async () => {
    await server.deleteAll()
    await server.create('All the Harbours froze that winter, and no boat went out.', 'Chapter one')
    await server.create('An arbour of roses.', 'Garden')
    await server.create('Nothing to see.', 'Chapter two')
    await page.goto('/')
    await expect(rows(page)).toHaveCount(3)
    await page.keyboard.press('/')
    await page.keyboard.type('arbour')
    await expect(rows(page)).toHaveText([/Garden/, /Chapter one/])
    await expect(page.locator('mark')).toHaveText(['arbour', 'arbour'])
    await expect(row(page, /Chapter one/)).toContainText('All the Harbours froze')
    await page.getByRole('textbox', { name: 'Search documents' }).fill('"arbours"')
    await expect(page.getByRole('heading', { name: 'No document has these words' })).toBeVisible()
  })

  await test.step('renames in place', async () => {
    await server.deleteAll()
    const document = await server.create('text', 'Old name')
    await page.goto('/')
    await row(page, 'Old name').focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('New name')
    await page.keyboard.press('Enter')
    await expect(row(page, 'New name')).toBeFocused()
    await expect.poll(async () => (await server.get(document)).title).toBe('New name')
    await page.keyboard.press('F2')
    await page.keyboard.type('Never mind')
    await page.keyboard.press('Escape')
    await expect(row(page, 'New name')).toBeVisible()
  })

  await test.step('sorts by title, by age and by what was changed last', async () => {
    await server.deleteAll()
    const first = await server.create('', 'Beta')
    await server.create('', 'Alpha')
    await server.create('', 'Gamma')
    await server.change(first, 'changed')
    const titles = () => rows(page).locator('.title').allInnerTexts()
    await page.goto('/')
    await expect.poll(titles).toEqual(['Beta', 'Gamma', 'Alpha'])
    for (const [from, to, order] of [
      ['Last changed', 'Title', ['Alpha', 'Beta', 'Gamma']],
      ['Title', 'Newest', ['Gamma', 'Alpha', 'Beta']],
    ] as const) {
      await page.getByRole('button', { name: from }).click()
      await page.getByRole('menuitemcheckbox', { name: to }).click()
      await expect.poll(titles).toEqual(order)
    }
  })

  await test.step('says how each text begins, as it is now', async () => {
    await server.deleteAll()
    const { id } = await server.create('# Frost\n\nThe **harbour** <i>froze</i>.', 'Frost')
    await page.goto('/')
    await expect(rows(page)).toHaveText(/^\s*Frost\s+The harbour froze\.\s*$/)
    await server.change({ id }, 'It thawed.')
    await lookAgain(page)
    await expect(rows(page)).toContainText('It thawed.')
    await page.setViewportSize({ width: 360, height: 740 })
    await server.change({ id }, 'It thawed. '.repeat(30))
    await lookAgain(page)
    await expect(rows(page)).toContainText('It thawed. It thawed.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
})

test('says which documents have feedback that wasn’t seen, until it was', async ({ page, server }) => {
  const { id } = await server.create('The harbour froze.', 'Chapter one')
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'edit',
  })
  const say = (path: string, said: object) =>
    fetch(`${server.url}/api/documents/${id}/${path}?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(said),
    })
  // Nothing but what the server says of itself brings the news.
  await neverLookByItself(page)
  await page.goto('/')
  await expect(rows(page)).toHaveCount(1)
  await say('comments', { body: 'Did it?' })
  await expect(row(page, '1 new comment or suggestion')).toBeVisible()
  await say('suggestions', { original_text: 'harbour', suggested_text: 'port' })
  await expect(row(page, '2 new comments or suggestions')).toBeVisible()

  const unseen = async () => {
    const all = await server.call<{ unseen_feedback: number }[]>('GET', '/api/documents?details=true')
    return all.map(({ unseen_feedback }) => unseen_feedback)
  }
  await row(page, /Chapter one/).click()
  await page.getByRole('button', { name: 'Comments and suggestions (2)' }).click()
  await expect(page.getByText('Did it?')).toBeVisible()
  await expect.poll(unseen).toEqual([1])
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  await expect.poll(unseen).toEqual([0])
  await page.goBack()
  await expect(row(page, /Chapter one/)).toBeVisible()
  await expect(row(page, /new comment/)).toHaveCount(0)
})

test('a search is still there after Back, at the document that was opened, and gone after Escape', async ({
  page,
  server,
}) => {
  for (let n = 1; n <= 30; n++) await server.create('About harbours.', `Chapter ${n}`)
  await server.create('Nothing.', 'Beside it')
  await page.goto('/')
  await expect(row(page, 'Beside it')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('har')
  await expect(page.getByRole('heading', { name: 'Found' })).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Search documents' })
  const found = await row(page, /^Chapter 4 /).elementHandle()
  // Right after a key, before anything more is searched.
  await field.evaluate((field: HTMLInputElement, found) => {
    field.value = 'harb'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    ;(found as HTMLElement).click()
  }, found)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Chapter 4')
  await page.goBack()
  await expect(field).toHaveValue('harb')
  await expect(row(page, /^Chapter 4 /)).toBeFocused()
  await expect(row(page, 'Beside it')).toHaveCount(0)
  await page.reload()
  await expect(field).toHaveValue('harb')
  await expect(page.getByRole('heading', { name: 'Found' })).toBeVisible()
  await field.press('Escape')
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await expect(field).toHaveValue('')
})

test('deletes into the trash at once, and undoes it by the message or by Ctrl+Z', async ({
  page,
  server,
}) => {
  const [one, two] = [await server.create('', 'One'), await server.create('', 'Two')]
  await page.goto('/')
  await row(page, 'Two').focus()
  await page.keyboard.press('Delete')
  await expect(row(page, 'Two')).toHaveCount(0)
  await expect(row(page, 'One')).toBeFocused()
  await expect.poll(() => server.has(two)).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Two')).toBeVisible()
  expect(await server.has(two)).toBe(true)

  for (const name of ['Two', 'One']) {
    await row(page, name).focus()
    await page.keyboard.press('Delete')
    await expect(page.getByText(`“${name}” is in the trash`)).toBeVisible()
  }
  await expect(rows(page)).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(row(page, 'One')).toBeVisible()
  await expect(row(page, 'Two')).toHaveCount(0)
  // In a field it is the field's own.
  await page.getByRole('textbox', { name: 'Search documents' }).fill('x')
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('textbox', { name: 'Search documents' })).toHaveValue('')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Search documents' }).blur()
  await page.keyboard.press('Control+z')
  await expect(row(page, 'Two')).toBeVisible()
  expect([await server.has(one), await server.has(two)]).toEqual([true, true])
})

test('imports what is dropped, shows how far it is, and says what it can’t read', async ({
  page,
  server,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
  const files = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['# Dropped one\r\n'], 'one.md'))
    data.items.add(new File(['Dropped two\n'], 'two.markdown'))
    data.items.add(new File([new Uint8Array([0x23, 0x20, 0xff, 0xfe])], 'latin.md'))
    data.items.add(new File(['x'], 'picture.png'))
    return data
  })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/documents', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await page.dispatchEvent('body', 'dragover', { dataTransfer: files })
  await expect(page.getByText('Drop to import')).toBeVisible()
  await page.dispatchEvent('body', 'drop', { dataTransfer: files })
  const card = page.getByRole('region', { name: 'Import' })
  await expect(card.getByRole('progressbar', { name: 'Import' })).toBeVisible()
  await expect(card.getByText(/Importing 1 of 3 files/)).toBeVisible()
  letGo()
  await expect(card.getByText('2 documents imported')).toBeVisible()
  await expect(card.getByRole('listitem')).toHaveText([
    /latin\.md It isn’t text in UTF-8\./,
    /picture\.png It isn’t a .md, .markdown or .txt file\./,
  ])
  await expect(rows(page)).toHaveCount(2)
  const all = await server.call<StoredDocument[]>('GET', '/api/documents')
  const one = await server.get(all.find(({ title }) => title === 'Dropped one')!)
  expect(one.content).toBe('# Dropped one\r\n')
})

test('says when the server can’t be reached, and recovers', async ({ page, server }) => {
  await server.create('', 'Still here')
  await neverLookByItself(page)
  await page.goto('/')
  await expect(rows(page)).toHaveCount(1)
  await server.goAway()
  await lookAgain(page)
  await expect(page.getByText('Galley can’t be reached; this list may be out of date.')).toBeVisible()
  await expect(row(page, 'Still here')).toBeVisible()
  await server.comeBack()
  await server.create('', 'New here')
  await tryAgain(page)
  await expect(row(page, 'New here')).toBeVisible()
  await expect(page.getByText('this list may be out of date')).toHaveCount(0)

  await page.route('**/api/documents?*', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'The documents can’t be shown' })).toBeVisible()
  await page.unroute('**/api/documents?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page)).toHaveCount(2)
})
