// The menu of the documents that were open last.
import { expect, test, type Page } from '@playwright/test'
import { useOwnFolder } from './desktop-app.ts'
import { editor } from './owner.ts'

const own = useOwnFolder()
test.beforeEach(() => own.start())

const create = (page: Page, title: string) =>
  page.evaluate(async (wanted) => {
    const response = await fetch('/api/documents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: wanted, content: wanted }),
    })
    return ((await response.json()) as { data: { id: string } }).data.id
  }, title)
async function open(page: Page, id: string) {
  await page.goto(`${own.app().facts().url}/documents/${id}`)
  await expect(editor(page)).toBeVisible()
}

const recent = () =>
  own.app().electron.evaluate(({ Menu }) => {
    const file = Menu.getApplicationMenu()!.items.find(({ label }) => label === '&File')!
    const { submenu } = file.submenu!.items.find(({ label }) => label === 'Open Recent')!
    return submenu!.items.flatMap(({ type, label }) => (type === 'separator' ? [] : label))
  })
const note = (page: Page, document: unknown) =>
  page.evaluate((one) => (window as unknown as Bridged).galley.recent.note(one), document)
interface Bridged {
  galley: { recent: { note(document: unknown): void } }
}

test('documents are listed by title, the last one first, come back after a start, and can be cleared', async () => {
  const page = await own.app().page()
  expect(await recent()).toEqual(['Clear Menu'])
  const ids = [await create(page, 'One & two'), await create(page, 'Three')]
  await open(page, ids[0]!)
  await expect.poll(recent).toEqual(['One && two', 'Clear Menu'])
  await open(page, ids[1]!)
  await expect.poll(recent).toEqual(['Three', 'One && two', 'Clear Menu'])
  await own.app().choose('One && two')
  await expect(page).toHaveURL(new RegExp(ids[0]!))
  await expect.poll(recent).toEqual(['One && two', 'Three', 'Clear Menu'])
  await own.app().quit()

  await own.start()
  await own.app().firstWindow()
  expect(await recent()).toEqual(['One && two', 'Three', 'Clear Menu'])
  await own.app().choose('Clear Menu')
  expect(await recent()).toEqual(['Clear Menu'])

  await test.step('no more than ten are listed, and nothing that isn’t a document', async () => {
    const again = await own.app().page()
    const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    for (const wrong of [
      null,
      'Title',
      { id: '../settings', title: 'Title' },
      { id: id(1) },
      { id: id(1), title: 'T'.repeat(1001) },
      { id: id(1), title: 'Title', run: 'x' },
    ])
      await note(again, wrong)
    for (let n = 1; n <= 12; n++) await note(again, { id: id(n), title: `Number ${n}` })
    const listed = Array.from({ length: 10 }, (_, i) => `Number ${12 - i}`)
    await expect.poll(recent).toEqual([...listed, 'Clear Menu'])
  })
})

test('a document that is renamed is listed by its new title, and one that is gone no more', async () => {
  const page = await own.app().page()
  const ids = [await create(page, 'First'), await create(page, 'Second'), await create(page, 'Third')]
  for (const id of ids) await open(page, id)
  await expect.poll(recent).toEqual(['Third', 'Second', 'First', 'Clear Menu'])
  await page.getByRole('textbox', { name: 'Title' }).fill('Third, renamed')
  await expect.poll(recent).toEqual(['Third, renamed', 'Second', 'First', 'Clear Menu'])

  await page.goto(own.app().facts().url)
  const row = (name: string) => page.getByRole('list', { name: 'Documents' }).getByRole('link', { name })
  await row('First').press('F2')
  await page.getByRole('textbox', { name: 'Title' }).fill('First, renamed')
  await page.keyboard.press('Enter')
  await expect.poll(recent).toEqual(['First, renamed', 'Third, renamed', 'Second', 'Clear Menu'])

  // One that was deleted here goes at once; one that was deleted elsewhere when somebody looks for it.
  await row('First, renamed').press('Delete')
  await expect.poll(recent).toEqual(['Third, renamed', 'Second', 'Clear Menu'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(recent).toEqual(['First, renamed', 'Third, renamed', 'Second', 'Clear Menu'])
  await row('First, renamed').press('Delete')
  await page.evaluate(async (id) => void (await fetch(`/api/documents/${id}`, { method: 'DELETE' })), ids[1])
  await own.app().choose('Second')
  await expect(page.getByRole('heading', { name: 'This document isn’t here' })).toBeVisible()
  await expect.poll(recent).toEqual(['Third, renamed', 'Clear Menu'])
})
