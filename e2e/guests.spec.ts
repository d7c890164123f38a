// What an owner does about guests: how they are called, what they say, and what their link lets them do.
import { expect, type Browser } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { open, test } from './owner.ts'
import { selectWords } from './select-words.ts'

const content = '# On proofs\n\nThe quick proof comes back in a week.\n'

/** A recipient’s page, in a browser of their own. */
async function recipient(browser: Browser, address: string) {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  return page
}

test('a guest is renamed and hidden, which open pages show, and their link stops taking comments and takes them again', async ({
  browser,
  page,
  server,
}) => {
  const document = await server.create(content)
  const at = `/api/documents/${document.id}`
  const link = await server.call<{ token: string }>('POST', `${at}/share`, {
    permission: 'edit',
    suggest_only: true,
    label: 'For all',
  })
  const address = `${server.url}/share/${link.token}`
  const say = (path: string, body: object) =>
    fetch(`${server.url}${at}/${path}?share_token=${link.token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `galley_guest=${'a'.repeat(32)}` },
      body: JSON.stringify({ author_name: 'adda', ...body }),
    })
  await say('comments', { body: 'Rather rude.' })
  await say('suggestions', { original_text: 'quick', suggested_text: 'slow' })
  const other = await recipient(browser, address)
  const theirs = other.getByRole('article', { name: /adda|Ada/ })
  await expect(theirs.first()).toBeVisible()

  await open(page, document)
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  const menu = async (what: string) => {
    await page.getByRole('complementary').getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await menu('Rename this guest…')
  await expectAccessible(page)
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await page.keyboard.type('Ada')
  await page.keyboard.press('Enter')
  await expect(page.getByText('“adda” is shown as “Ada” now, to everybody.')).toBeVisible()
  await expect(other.getByText('Ada', { exact: true }).first()).toBeVisible()
  await expect(other.getByText('adda')).toHaveCount(0)

  await menu('Hide all they say')
  await expect(page.getByText('What Ada says is hidden from others.')).toBeVisible()
  await expect(page.getByText('Rather rude.')).toHaveCount(0)
  await expect(other.getByText('Rather rude.')).toHaveCount(0)
  await expect(theirs).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Show 1 hidden from others' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('Rather rude.')).toBeVisible()
  await expect(page.getByText('hidden', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await menu('Show all they say')
  await expect(other.getByText('Rather rude.')).toBeVisible()

  await menu('Delete all from Ada')
  await expect(page.getByText('All from Ada is deleted: 1 comment and 1 suggestion.')).toBeVisible()
  await expect(page.getByText('Rather rude.')).toHaveCount(0)
  await expectAccessible(page)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'All from Ada' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByText('Rather rude.')).toBeVisible()

  // What somebody is writing stays theirs when the link lets them say nothing any more.
  await selectWords(other, 'a week')
  await other
    .getByRole('toolbar', { name: 'The selected words' })
    .getByRole('button', { name: 'Comment' })
    .click()
  await other.getByRole('textbox', { name: 'Your comment' }).fill('In two?')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Make read-only' }).click()
  const send = other.locator('form.composer').getByRole('button', { name: 'Comment' })
  await expect(send).toBeDisabled()
  await expect(other.getByRole('textbox', { name: 'Your comment' })).toHaveValue('In two?')
  await expect(other.getByRole('button', { name: 'Comment', exact: true })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Make read-only' })).toHaveCount(0)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'only lets people read now' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(send).toBeEnabled()
  await send.click()
  await expect.poll(async () => (await server.call<object[]>('GET', `${at}/comments`)).length).toBe(2)
  await other.context().close()
})

test('a guest stays chosen in the filter when they are renamed, and the keyboard where it was', async ({
  page,
  server,
}) => {
  const document = await server.create(content)
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'comment' })
  const send = (cookie: string, method: string, path: string, body: object) =>
    fetch(`${server.url}${at}/comments${path}?share_token=${token}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: `galley_guest=${cookie.repeat(32)}` },
      body: JSON.stringify(body),
    })
  for (const [cookie, author_name] of [
    ['a', 'Quinn'],
    ['b', 'Walt'],
  ] as const)
    await send(cookie, 'POST', '', { author_name, body: `From ${author_name}` })
  const [first] = await server.call<{ id: string }[]>('GET', `${at}/comments`)
  const reaction = { reaction: 'laugh', set: true, author_name: 'Rhea' }
  await send('c', 'PATCH', `/${first!.id}/reactions`, reaction)
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, document)
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  await page.getByRole('tab', { name: 'Comments' }).click()
  const cards = page.getByRole('tabpanel').getByRole('article')
  const chosen = page.getByRole('combobox', { name: /by person/ })
  await chosen.selectOption({ label: 'Quinn (guest)' })
  await expect(cards).toHaveCount(1)
  await cards.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename this guest…' }).click()
  await page.keyboard.type('Quentin')
  await page.keyboard.press('Enter')
  await expect(cards).toHaveText([/Quentin.*From Quinn/])
  await expect(chosen.locator('option:checked')).toHaveText('Quentin (guest)')
  await expect(cards.getByRole('button', { name: 'More actions' })).toBeFocused()

  // Who has only reacted is reached where they did.
  const laughs = cards.getByRole('button', { name: 'Funny: 1, Rhea' })
  await expect(laughs).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type('Rhea')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Delete all from Rhea' }).click()
  const told = page.getByRole('listitem').filter({ hasText: 'All from Rhea is deleted: 1 reaction.' })
  await expect(told).toBeVisible()
  await expect(laughs).toHaveCount(0)
  await told.getByRole('button', { name: 'Undo' }).click()
  await expect(laughs).toBeVisible()
})
