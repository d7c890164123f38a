// What becomes of suggestions, as those see it who made them or read along.
import { expect, test, type Browser, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const text = `# On proofs

A galley proof is the draft that goes out for review before print.

A proof that comes back in a week has been read.
`
let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

async function suggest(page: Page, words: string, instead: string) {
  await selectWords(page, words)
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
  await dialog.getByRole('textbox', { name: 'The words, as they should be' }).fill(instead)
  await dialog.getByRole('button', { name: 'Send suggestion' }).click()
  await expect(dialog).toHaveCount(0)
}

async function open(browser: Browser) {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(address)
  const decide = async (words: string, how: 'accept' | 'reject') => {
    const all = await galley.call<{ id: string; original_text: string }[]>(
      'GET',
      `/api/documents/${id}/suggestions`,
    )
    const one = all.find(({ original_text }) => original_text === words)!
    await galley.call('POST', `/api/documents/${id}/suggestions/${one.id}/${how}`)
  }
  return { page, context, decide, address, id }
}
const marked = (page: Page, name: string) =>
  page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map(String), name)

test('an accepted suggestion appears in the text and says so, a rejected one says so', async ({
  browser,
}) => {
  const { page, context, decide } = await open(browser)
  await suggest(page, 'in a week', 'within a week')
  await suggest(page, 'goes out', 'is sent out')
  await decide('in a week', 'accept')
  const accepted = page.getByRole('article', { name: /becomes “within a week”/ })
  await expect(accepted.getByText('Accepted: it is in the new text.')).toBeVisible()
  await page.locator('.banner').getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('comes back within a week')).toBeVisible()
  await expect(accepted.getByText('Accepted: it is in the text now.')).toBeVisible()
  await accepted.click()
  await expect.poll(() => marked(page, 'active')).toEqual(['within a week'])

  await decide('goes out', 'reject')
  const rejected = page.getByRole('article', { name: /becomes “is sent out”/ })
  await expect(rejected.getByText('Not taken: the text stays as it was.')).toBeVisible()
  await rejected.click()
  await expect.poll(() => marked(page, 'active')).toEqual(['goes out'])
  await expectAccessible(page)
  await rejected.getByRole('button', { name: 'Put away' }).click()
  await expect(rejected).toHaveCount(0)
  await context.close()
})

test('an accepted suggestion whose words the writer has taken back is not said to be in the text', async ({
  browser,
}) => {
  const { page, context, decide, id } = await open(browser)
  await suggest(page, 'in a week', 'within a week')
  const before = await galley.call<{ revision: number }>('GET', `/api/documents/${id}`)
  await decide('in a week', 'accept')
  const accepted = page.getByRole('article', { name: /becomes “within a week”/ })
  await expect(accepted.getByText('Accepted: it is in the new text.')).toBeVisible()
  await galley.call('POST', `/api/documents/${id}/revisions/${before.revision}/restore`)
  await expect(accepted.getByText('Accepted, but the text has changed there since.')).toBeVisible()
  await page.locator('.banner').getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('comes back in a week')).toBeVisible()
  await page.getByRole('button', { name: /: show all$/ }).click()
  const list = page.getByRole('dialog', { name: 'Comments' })
  await expect(list.getByText('Accepted, but the text has changed there since.')).toBeVisible()
  await context.close()
})

test('who comes back is told once what became of their suggestions, which show until they have looked', async ({
  browser,
}) => {
  const { page, context, decide, address } = await open(browser)
  const comeBack = async () => {
    await page.goto(address)
    await expect(page.getByRole('button', { name: /: show all$/ })).toBeVisible()
  }
  await suggest(page, 'in a week', 'within a week')
  await suggest(page, 'goes out', 'is sent out')
  await page.goto('about:blank')
  await decide('in a week', 'accept')
  await decide('goes out', 'reject')
  await comeBack()
  await expect(page.getByText('Of your suggestions 1 was accepted, 1 not taken.')).toBeVisible()
  await page.goto('about:blank')

  await comeBack()
  const accepted = page.getByText('Accepted: it is in the text now.')
  await expect(accepted).toBeVisible()
  await expect(page.locator('.margin .card')).toHaveCount(2)
  await expect(page.locator('.toast')).toHaveCount(0)
  // Whoever leaves while the page still asks for news has sent it once, and isn't asked to send it again.
  const isList = (url: URL) => url.pathname.endsWith('/suggestions')
  await page.route(isList, (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
  await suggest(page, 'A galley proof', 'Proof')
  await page.goto('about:blank')
  await page.unroute(isList)
  await decide('A galley proof', 'accept')

  // Of three that are decided one is new.
  await comeBack()
  await expect(page.getByText('Your suggestion was accepted.')).toBeVisible()
  await page.locator('.toast').getByRole('button', { name: 'Look at it' }).click()
  await expect.poll(() => marked(page, 'active')).toEqual(['Proof'])
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => marked(page, 'active')).toEqual(['goes out'])
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => marked(page, 'active')).toEqual(['within a week'])
  await page.goto('about:blank')
  await comeBack()
  await expect(page.locator('.toast')).toHaveCount(0)
  await expect(page.locator('.margin .card')).toHaveCount(0)

  // Somebody else who reads the same page has nothing to be told.
  const other = await browser.newContext()
  const otherPage = await other.newPage()
  await otherPage.goto(address)
  await expect(otherPage.getByRole('button', { name: /: show all$/ })).toBeVisible()
  await expect(otherPage.locator('.toast, .margin .card')).toHaveCount(0)
  await other.close()
  await context.close()
})

test('what is accepted while its author looks at it opens nothing beside the text, nor does a narrower window', async ({
  browser,
}) => {
  const { page, context, decide } = await open(browser)
  await suggest(page, 'in a week', 'within a week')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text' }).getByRole('insertion').click()
  const card = page.getByRole('article', { name: /becomes “within a week”/ })
  await expect(card).toHaveAttribute('aria-current', 'true')
  await decide('in a week', 'accept')
  await expect(page.getByText('Your suggestion was accepted.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Text' }).getByRole('insertion')).toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'Comments and suggestions' })).toHaveCount(0)

  await expect(page.getByRole('complementary', { name: 'Outline' })).toBeVisible()
  await page.setViewportSize({ width: 700, height: 900 })
  await expect(page.getByRole('complementary', { name: 'Outline' })).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'This text' })).toHaveCount(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('complementary', { name: 'Outline' })).toBeVisible()
  await context.close()
})

test('what goes on with an accepted paragraph stays behind it for its author once accepting it is undone', async ({
  browser,
}) => {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'suggest')
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(address)
  const at = `/api/documents/${id}/suggestions`
  const pending = () => galley.call<{ id: string; suggested_text: string }[]>('GET', `${at}?status=pending`)
  const said = async () => (await pending()).map((one) => one.suggested_text)
  await page.getByRole('button', { name: 'Suggest', exact: true }).click()
  const editor = page.getByRole('textbox', { name: 'Text' })
  await editor.getByText('A proof that comes back').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('New words.')
  await expect.poll(said).toEqual(['\n\nNew words.'])
  const [first] = await pending()
  await galley.call('POST', `${at}/${first!.id}/accept`)
  await expect(editor.getByRole('insertion')).toHaveCount(0)
  await page.keyboard.type(' More.')
  await expect.poll(said).toEqual([' More.'])
  await galley.call('POST', `${at}/${first!.id}/reopen`)
  await expect(editor.locator('.cm-line', { hasText: 'New words. More.' })).toHaveCount(1)
  await galley.call('POST', `${at}/resolve`, { action: 'accept' })
  const { content } = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
  expect(content).toBe(text.replace('has been read.', 'has been read.\n\nNew words. More.'))
  await expect(editor.getByRole('insertion')).toHaveCount(0)
  await expect(editor).toContainText('New words. More.')
  await context.close()
})
