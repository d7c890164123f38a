// What somebody suggested by typing while the writer’s machine was away: seen, said to wait, and delivered once, in
// whatever way they are in the text, on the same page or on one that is opened anew.
import { expect, type Browser, type Page } from '@playwright/test'
import {
  away,
  galley,
  listen,
  lookAgain,
  recipient,
  said,
  setUpAway,
  untilKept,
  waiting,
  way,
  whatEditingTakes,
} from './away.ts'
import { saveState, test } from './owner.ts'
import { goBehind } from './select-words.ts'

setUpAway()

const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const ways = (page: Page) => page.getByRole('combobox', { name: 'What you do in the text' })
const put = (page: Page) => page.locator('.cm-content ins')
const kept = 'Kept here, will be delivered'

/** Somebody who has suggested something while nobody could be reached, and has opened the page anew since. */
async function reopened(browser: Browser, permission: 'suggest' | 'edit') {
  const { page, context, id, address } = await recipient(browser, permission)
  const begin = permission === 'edit' ? 'Edit' : 'Suggest'
  await untilKept(page, 'kept=document', whatEditingTakes)
  await page.getByRole('button', { name: begin, exact: true }).click()
  await expect(text(page)).toBeFocused()
  if (permission === 'edit') await ways(page).selectOption('suggesting')
  way.set('closed')
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect(saveState(page)).toHaveText(kept)
  await page.close()
  const again = await context.newPage()
  await again.goto(address)
  await expect(away(again)).toBeVisible()
  // Whoever reads sees it, too.
  await expect(waiting(again, 'suggestion')).toContainText('print')
  await expect(waiting(again, 'suggestion')).toContainText(kept)
  const words = async () =>
    (
      await galley.call<{ original_text: string; suggested_text: string }[]>(
        'GET',
        `/api/documents/${id}/suggestions`,
      )
    ).map(({ original_text, suggested_text }) => [original_text, suggested_text])
  return {
    page: again,
    context,
    words,
    id,
    begin: again.locator('#tools').getByRole('button', { name: begin, exact: true }),
  }
}

test('by a link to edit they are seen in Editing, and delivered from there', async ({ browser }) => {
  const { page, context, words, begin } = await reopened(browser, 'edit')
  await begin.click()
  await expect(ways(page)).toHaveValue('editing')
  await expect(put(page)).toHaveText(' print')
  await expect(saveState(page)).toHaveText(kept)
  const heard = await listen(page)
  way.set('open')
  await expect.poll(words).toEqual([['', ' print']])
  await expect(saveState(page)).toHaveText('Saved')
  expect(await said(heard)).toEqual(expect.arrayContaining([kept, 'Saved']))
  await expect(put(page)).toHaveText(' print')
  await ways(page).selectOption('suggesting')
  await goBehind(page, ' print')
  await page.keyboard.type('ed')
  await expect.poll(words).toEqual([['', ' printed']])
  await context.close()
})

test('by a link to suggest they stand in the text as before, and are gone on with', async ({ browser }) => {
  const { page, context, words } = await reopened(browser, 'suggest')
  await waiting(page, 'suggestion').getByRole('button', { name: 'Edit' }).click()
  await expect(put(page)).toHaveText(' print')
  await expect(saveState(page)).toHaveText(kept)
  await goBehind(page, ' print')
  await page.keyboard.type('ed')
  await expect(put(page)).toHaveText(' printed')
  way.set('open')
  await expect.poll(words).toEqual([['', ' printed']])
  await expect(saveState(page)).toHaveText('Saved')
  await expect(put(page)).toHaveText(' printed')
  await context.close()
})

test('on the page that is read they are told to wait, discarded and brought back, and delivered once', async ({
  browser,
}) => {
  const { page, context, words } = await reopened(browser, 'edit')
  const card = waiting(page, 'suggestion')
  // The words beside which it puts something in, and not the same ones elsewhere.
  await expect(page.locator('#content p').first().locator('.mark-note')).toHaveAttribute(
    'aria-label',
    'Yours, waiting, on “proof”',
  )
  await card.getByRole('button', { name: 'Discard' }).click()
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toHaveCount(1)
  way.set('open')
  await lookAgain(page)
  await expect.poll(words).toEqual([['', ' print']])
  await expect(card).toHaveCount(0)
  await expect(page.getByRole('article', { name: /suggestion/i })).toHaveCount(1)
  await context.close()
})

test('Viewing is read-only at once', async ({ browser }) => {
  const { page, context, id } = await recipient(browser, 'edit')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  await page.evaluate(() => {
    const select = document.querySelector('.edit-bar select') as HTMLSelectElement
    select.value = 'viewing'
    select.dispatchEvent(new Event('change', { bubbles: true }))
    document.execCommand('insertText', false, 'LATE')
  })
  await page.keyboard.type('LATER')
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  expect((await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content).not.toContain(
    'LATE',
  )
  await context.close()
})
