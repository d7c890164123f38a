// Several people write in one text at the same time, and nobody's words are lost, doubled or torn apart.
import { expect, type Browser, type Page } from '@playwright/test'
import { expectSaved, open, test, type OwnerServer, type StoredDocument } from './owner.ts'

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

/** Somebody with a browser of their own, who writes in the document by a link. */
async function writer(browser: Browser, server: OwnerServer, document: StoredDocument, options: object = {}) {
  const link = await server.call<{ id: string; token: string }>(
    'POST',
    `/api/documents/${document.id}/share`,
    { permission: 'edit' },
  )
  const context = await browser.newContext({ ...options, storageState: { cookies: [], origins: [] } })
  const { share_url: address } = await server.call<{ share_url: string }>('GET', '/api/status')
  const page = await context.newPage()
  await page.goto(`${address}/share/${link.token}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  return { page, context, link }
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const lineOf = (page: Page, name: string) => text(page).locator('.cm-line', { hasText: `${name}:` })
const lines = (page: Page) => text(page).locator('.cm-line').allTextContents()

async function goToLine(page: Page, name: string) {
  await lineOf(page, name).click()
  await page.keyboard.press('End')
}

test('four people write at once, one goes away and comes back, and one is shut out in the middle', async ({
  page: owner,
  browser,
  server,
}) => {
  test.slow()
  const names = ['Owner', 'Ada', 'Ben', 'Cy']
  const document = await server.create(names.map((name) => `${name}: \n`).join(''))
  await open(owner, document)
  const ada = await writer(browser, server, document)
  const ben = await writer(browser, server, document)
  const cy = await writer(browser, server, document, phone)
  const pages = { Owner: owner, Ada: ada.page, Ben: ben.page, Cy: cy.page }
  const sentence = (name: string) => `${name} writes while all the others do. `

  await Promise.all(Object.entries(pages).map(([name, page]) => goToLine(page, name)))
  await Promise.all(
    Object.entries(pages).map(([name, page]) => page.keyboard.type(sentence(name), { delay: 15 })),
  )
  const first = names.map((name) => `${name}: ${sentence(name)}`)
  for (const page of Object.values(pages)) await expect.poll(() => lines(page)).toEqual([...first, ''])

  // Ada's network is gone; she and the others write on.
  await ada.context.setOffline(true)
  await ada.page.keyboard.type('Then alone. ')
  await cy.page.keyboard.type('Then on. ')
  await expect.poll(() => lines(owner)).toContain(`${first[3]}Then on. `)
  await ada.context.setOffline(false)
  const second = [first[0], `${first[1]}Then alone. `, first[2], `${first[3]}Then on. `, '']
  for (const page of Object.values(pages)) await expect.poll(() => lines(page)).toEqual(second)

  // Ben's link is taken back while he writes: what he hadn't sent is his to copy, and reaches nobody.
  await server.call('DELETE', `/api/documents/${document.id}/share?link_id=${ben.link.id}`)
  await ben.page.keyboard.type('Too late. ')
  await expect(ben.page.getByRole('group', { name: 'Unsaved text' })).toContainText(
    'Not saved: this link no longer works',
  )
  await expect(ben.page.getByRole('button', { name: 'Copy my text' })).toBeVisible()
  await expect(lineOf(ben.page, 'Ben')).toContainText('Too late.')
  await owner.keyboard.type('The end.')
  await expectSaved(owner)
  const last = [`${first[0]}The end.`, ...second.slice(1)]
  for (const page of [owner, ada.page, cy.page]) await expect.poll(() => lines(page)).toEqual(last)
  expect((await server.get(document)).content).toBe(last.join('\n'))
  for (const { context } of [ada, ben, cy]) await context.close()
})

test('undo takes back what one typed, and nothing of the others', async ({
  page: owner,
  browser,
  server,
}) => {
  const document = await server.create('One: \n\nTwo: \n')
  await open(owner, document)
  const ada = await writer(browser, server, document)
  await goToLine(owner, 'One')
  await goToLine(ada.page, 'Two')
  await owner.keyboard.type('mine')
  await expect(lineOf(ada.page, 'One')).toHaveText('One: mine')
  await ada.page.keyboard.type('theirs')
  await expect(lineOf(owner, 'Two')).toHaveText('Two: theirs')
  await owner.keyboard.press('Control+z')
  await expect(lineOf(ada.page, 'One')).toHaveText('One: ')
  await expect(lineOf(owner, 'Two')).toHaveText('Two: theirs')
  await owner.keyboard.press('Control+y')
  await expect(lineOf(ada.page, 'One')).toHaveText('One: mine')
  await ada.context.close()
})

test('what a script changes comes in while one types, and the cursor stays where it is', async ({
  page,
  server,
}) => {
  const document = await server.create('# Head\n\nBody: \n')
  await open(page, document)
  await goToLine(page, 'Body')
  await page.keyboard.type('one ')
  await expectSaved(page)
  await server.edit(document, (content) => content.replace('# Head', '# A longer heading'))
  await expect(text(page)).toContainText('A longer heading')
  await page.keyboard.type('two')
  await expect
    .poll(async () => (await server.get(document)).content)
    .toBe('# A longer heading\n\nBody: one two\n')
})
