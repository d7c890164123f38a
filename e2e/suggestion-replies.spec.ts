// What a suggestion is answered, by its document's owner and by who made it.
import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBoth } from './accessible.ts'
import { lookAgain } from './away.ts'
import { untilWhole } from './first-view.ts'
import { open, test, type OwnerServer } from './owner.ts'
import { selectWords } from './select-words.ts'
import { openUnsteadyWay } from './unsteady-way.ts'

const content = 'A galley proof is the draft that goes out for review before print.\n'
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

/** Other browsers of a test begin signed in, too. */
const nobody = { storageState: { cookies: [], origins: [] } }

const card = (page: Page) => page.getByRole('article', { name: /^Suggestion by/ })
const replies = (page: Page) => card(page).getByRole('list', { name: 'Replies' }).getByRole('listitem')
const reply = (page: Page) => page.getByRole('textbox', { name: 'Your reply' })
const begin = (page: Page) => card(page).getByRole('button', { name: 'Reply', exact: true })

async function shared(server: OwnerServer) {
  const document = await server.create(content)
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'edit',
    suggest_only: true,
  })
  const stored = async () => {
    const [suggestion] = await server.call<{ replies: { body: string }[] }[]>(
      'GET',
      `/api/documents/${document.id}/suggestions?replies=true`,
    )
    return suggestion!.replies.map(({ body }) => body)
  }
  return { document, token, stored }
}

async function showSuggestions(page: Page, document: Parameters<typeof open>[1]) {
  await open(page, document)
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
}

test('a suggestion is answered, and the answer again: on a phone, while nobody can be reached', async ({
  page,
  server,
  browser,
}) => {
  const { document, token, stored } = await shared(server)
  const way = await openUnsteadyWay(server.url)
  const reader = await browser.newPage({ ...phone, ...nobody })
  await reader.goto(`${way.origin}/share/${token}`)
  await untilWhole(reader)
  await selectWords(reader, 'goes out')
  await reader.getByRole('button', { name: 'Suggest a change' }).tap()
  const form = reader.getByRole('dialog', { name: 'Suggest a change' })
  await form.getByRole('textbox', { name: 'The words, as they should be' }).fill('is sent out')
  await form.getByRole('button', { name: 'Send suggestion' }).tap()
  await reader.getByRole('button', { name: /show all/ }).tap()
  await expect(card(reader)).toBeVisible()

  await showSuggestions(page, document)
  await begin(page).click()
  await expect(reply(page)).toBeFocused()
  await reply(page).fill('Who sends it?')
  await page.keyboard.press('Control+Enter')
  await expect(replies(page)).toHaveText([/Who sends it\?/])
  await expect(card(page)).toBeFocused()
  await expectAccessibleInBoth(page)

  // It is there without a reload, and can be answered while nobody hears it.
  await expect(replies(reader)).toHaveText([/Who sends it\?/])
  way.set('closed')
  await begin(reader).tap()
  await expect(reply(reader)).toBeInViewport({ ratio: 1 })
  await reply(reader).fill('The writer does')
  await card(reader).locator('form').getByRole('button', { name: 'Reply' }).tap()
  const waiting = reader.getByRole('article', { name: 'Your reply, waiting' })
  await expect(waiting.getByText('Kept here, will be delivered')).toBeVisible()
  await waiting.getByRole('button', { name: 'Edit' }).tap()
  await reply(reader).fill('The writer does.')
  await waiting.getByRole('button', { name: 'Save' }).tap()
  await expect(waiting).toContainText('The writer does.')
  await expectAccessibleInBoth(reader)
  expect(await stored()).toEqual(['Who sends it?'])
  way.set('open')
  await lookAgain(reader)
  await expect(reader.getByText('Delivered: your reply.')).toBeVisible()
  await expect(replies(reader)).toHaveText([/Who sends it\?/, /The writer does\./])
  await expect(waiting).toHaveCount(0)
  expect(await stored()).toEqual(['Who sends it?', 'The writer does.'])
  await expect(replies(page)).toHaveText([/Who sends it\?/, /The writer does\./])
  await reader.close()
  await way.close()
})

test('each changes and deletes what is theirs, and a decided suggestion is answered, too', async ({
  page,
  server,
  browser,
}) => {
  const { document, token, stored } = await shared(server)
  const reader = await browser.newPage({ ...nobody, viewport: { width: 1440, height: 900 } })
  await reader.goto(`${server.url}/share/${token}`)
  await untilWhole(reader)
  await server.call('POST', `/api/documents/${document.id}/suggestions`, {
    original_text: 'goes out',
    suggested_text: 'is sent out',
    anchor: { exact: 'goes out', prefix: 'that ', suffix: ' for', start: content.indexOf('goes out') },
  })
  await card(reader).click()
  await begin(reader).click()
  await reply(reader).fill('Reads bettr.')
  await reader.keyboard.press('Control+Enter')
  await replies(reader).getByRole('button', { name: 'Edit' }).click()
  await reader.getByRole('textbox', { name: 'Your comment' }).fill('Reads better.')
  await reader.getByRole('button', { name: 'Save' }).click()
  await expect(replies(reader)).toContainText(['Reads better.'])
  await expect.poll(stored).toEqual(['Reads better.'])

  await showSuggestions(page, document)
  // What was begun stays when it is put away.
  await begin(page).click()
  await reply(page).fill('It does')
  await page.keyboard.press('Escape')
  await card(page).getByRole('button', { name: 'Continue reply' }).click()
  await expect(reply(page)).toHaveValue('It does')
  await page.keyboard.press('Control+Enter')
  await expect(replies(page)).toHaveCount(2)
  await replies(page).nth(1).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete reply' }).click()
  await expect(replies(page)).toHaveCount(1)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Reply deleted.' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(replies(page)).toHaveCount(2)

  await card(page).getByRole('button', { name: 'Withdraw' }).waitFor()
  const [{ id }] = await server.call<[{ id: string }]>('GET', `/api/documents/${document.id}/suggestions`)
  await server.call('POST', `/api/documents/${document.id}/suggestions/${id}/reject`)
  await expect(card(page)).toHaveCount(0)
  const answer = await fetch(
    `${server.url}/api/documents/${document.id}/suggestions/${id}/replies?share_token=${token}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ body: 'A pity', author_name: 'Ada' }),
    },
  )
  expect(answer.status).toBe(201)
  await page.getByRole('button', { name: 'A decided suggestion was answered' }).click()
  await expect(card(page)).toBeFocused()
  await expect(replies(page).last()).toContainText('A pity')
  await begin(page).click()
  await reply(page).fill('Another time')
  await page.keyboard.press('Control+Enter')
  await expect(replies(page).last()).toContainText('Another time')
  await reader.close()
})
