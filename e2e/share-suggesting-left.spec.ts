// What recipients have suggested by typing and the server hasn’t got: it waits with the page, is gone on with or copied.
import { expect, test, type Page, type Request } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts'
import { goBehind } from './select-words.ts'
import { galley, lookAgain, useGalley } from './share-page.ts'
import { begin, phone, suggester, text, wide } from './suggester.ts'

useGalley()

// Else the page’s worker asks for some of what the page asks for, where nothing can be held up.
const unaided = { ...wide, serviceWorkers: 'block' } as const

const isSent = (request: Request, method: string) =>
  request.method() === method && /\/suggestions[/?]/.test(request.url())

/** From now on what is sent of suggestions so fails, with `slowly` not before what this answers is called. */
async function cut(page: Page, method: 'POST' | 'DELETE', { slowly = false } = {}): Promise<() => void> {
  let fail = () => {}
  const failing = slowly ? new Promise<void>((resolve) => (fail = resolve)) : Promise.resolve()
  await page.route(/\/suggestions[/?]/, async (route) => {
    if (!isSent(route.request(), method)) return route.fallback()
    await failing
    await route.abort()
  })
  return fail
}

test('who comes back goes on with what they suggested, and what is typed right before the page goes is sent, once', async ({
  browser,
}) => {
  const { page, context, words, address } = await suggester(browser, wide)
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Suggest', exact: true })).toBeVisible()
  await expect.poll(words).toEqual([['', ' print']])
  await page.reload()
  await begin(page)
  await expect(page.locator('.cm-content ins')).toHaveText(' print')
  await goBehind(page, ' print')
  await page.keyboard.type('ed')
  await expect.poll(words).toEqual([['', ' printed']])
  for (let i = 0; i < ' printed'.length; i++) await page.keyboard.press('Backspace')
  await expect.poll(words).toEqual([])

  await page.keyboard.type(' print')
  await page.close({ runBeforeUnload: true })
  const again = await context.newPage()
  await again.goto(address)
  await begin(again)
  await expect(again.locator('.cm-content ins')).toHaveText(' print')
  // On a busy machine the browser may drop what is sent as its page goes: then it is sent from here, once all the same.
  await expect.poll(words).toEqual([['', ' print']])
  await goBehind(again, ' print')
  await again.keyboard.type('ed')
  await again.goto('about:blank')
  await expect.poll(words).toEqual([['', ' printed']])
  await context.close()
})

test('what couldn’t be sent is kept with the page, takes a reason while it is tried again, and is sent when there is a way', async ({
  browser,
}) => {
  const { page, context, words, all } = await suggester(browser, unaided)
  await cut(page, 'POST')
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect(page.locator('[data-save-state]')).toHaveText('Kept here, will be delivered')
  const fail = await cut(page, 'POST', { slowly: true })
  const isAsked = page.waitForRequest((request) => isSent(request, 'POST'))
  await page.reload()
  await isAsked
  expect(await words()).toEqual([])
  const waiting = page.getByRole('article', { name: 'Your suggestion, waiting' })
  const say = async (button: string, reason: string) => {
    await waiting.getByRole('button', { name: button }).click()
    await page.getByRole('textbox', { name: 'Why you suggest it' }).fill(reason)
    await waiting.getByRole('button', { name: 'Save' }).click()
    await expect(waiting.getByText(reason)).toBeVisible()
  }
  await say('Add a reason', 'It says one.')
  fail()
  await say('Change the reason', 'It says which.')
  await page.unrouteAll({ behavior: 'wait' })
  await lookAgain(page)
  await expect(page.getByText('Delivered: your suggestion.')).toBeVisible()
  expect(await words()).toEqual([['', ' print']])
  expect((await all())[0]!.note).toBe('It says which.')
  await begin(page)
  await expect(page.locator('.cm-content ins')).toHaveText(' print')

  // Taken back, it stays so, too.
  await cut(page, 'DELETE')
  await goBehind(page, ' print')
  for (let i = 0; i < ' print'.length; i++) await page.keyboard.press('Backspace')
  await expect(page.locator('[data-save-state]')).toHaveText('Kept here, will be delivered')
  await page.reload()
  await expect(page.getByText('Kept here, will be withdrawn on delivery')).toBeVisible()
  expect(await words()).toEqual([['', ' print']])
  await begin(page)
  await expect(text(page)).toContainText('A galley proof is the draft')
  await expect(page.locator('.cm-content ins')).toHaveCount(0)
  await page.unrouteAll({ behavior: 'wait' })
  await expect.poll(words).toEqual([])
  await context.close()
})

test('without a network one goes on with a suggestion, and is told soon that it waits', async ({
  browser,
}) => {
  const { page, context, words } = await suggester(browser, unaided)
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(String(error)))
  // What compares texts has come with the editor, or else can’t be had.
  await page.route('**/assets/diff-segments-*', (route) => route.abort())
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect.poll(words).toEqual([['', ' print']])
  // What draws its card has come.
  await expect(page.getByRole('article', { name: /^Suggestion by/ })).toBeVisible()
  await context.setOffline(true)
  const typing = page.keyboard.type(' of ours', { delay: 400 })
  // While one types on: what is above the text and what is beside it say the same.
  await expect(page.getByText('The writer’s machine can’t be reached just now.')).toBeVisible()
  expect(await page.locator('[data-save-state]').textContent()).toContain('Kept here, will be delivered')
  await typing
  await page.locator('.cm-content ins').click()
  await expect(page.locator('.difference ins')).toHaveText(/print/)
  await context.setOffline(false)
  await expect.poll(words).toEqual([['', ' print of ours']])
  await expect(page.locator('[data-save-state]')).toHaveText('Saved')
  expect(troubles).toEqual([])
  await context.close()
})

test('what one suggests by typing can be given a reason, also while typing on and while away (phone)', async ({
  browser,
}) => {
  const { page, context, all } = await suggester(browser, phone)
  const given = async () => (await all()).map(({ suggested_text, note }) => [suggested_text, note])
  const card = page.getByRole('article', { name: /^Suggestion by/ })
  const reason = page.getByRole('textbox', { name: 'Why you suggest it' })
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect.poll(given).toEqual([[' print', null]])
  await page.locator('.cm-content ins').click()
  await card.getByRole('button', { name: 'Add a reason' }).click()
  await reason.fill('It says which.')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('It says which.')).toBeVisible()
  await expect.poll(given).toEqual([[' print', 'It says which.']])
  await expectAccessibleInBoth(page)

  await goBehind(page, ' print')
  await page.keyboard.type(' of ours')
  await expect.poll(given).toEqual([[' print of ours', 'It says which.']])

  await context.setOffline(true)
  await page.locator('.cm-content ins').click()
  await card.getByRole('button', { name: 'Change the reason' }).click()
  await reason.fill('It says whose.')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Your reason is kept here, will be delivered')).toBeVisible()
  await expect(card.getByText('It says whose.')).toBeVisible()

  // What isn’t sent yet, too; and what is being written as there is a way again goes on there.
  await goBehind(page, 'The last')
  await page.keyboard.type(' real')
  const own = page.getByRole('article', { name: 'Your suggestion, waiting' })
  const made = page.locator('.cm-content ins', { hasText: 'real' })
  await expect(page.locator('[data-save-state]')).toContainText('Kept here, will be delivered')
  await made.click()
  await expect(page.getByRole('complementary', { name: 'Comments and suggestions' })).toHaveCount(0)
  await own.getByRole('button', { name: 'Add a reason' }).click()
  await reason.fill('It is one.')
  await own.getByRole('button', { name: 'Save' }).click()
  await expect(own.getByText('It is one.')).toBeVisible()
  await expectAccessible(page)
  await own.getByRole('button', { name: 'Change the reason' }).click()
  await reason.fill('It is one, indeed')
  await context.setOffline(false)
  await expect.poll(given).toEqual([
    [' print of ours', 'It says whose.'],
    [' real', 'It is one.'],
  ])
  await expect(own).toHaveCount(0)
  await expect(reason).toBeFocused()
  await page.keyboard.type('.')
  await card.filter({ has: reason }).getByRole('button', { name: 'Save' }).click()
  await expect.poll(given).toContainEqual([' real', 'It is one, indeed.'])
  await context.close()
})

test('what a link that is revoked has left unsent can be copied from its page', async ({ browser }) => {
  const { page, context, address, id, linkId } = await suggester(browser, {
    ...phone,
    serviceWorkers: 'block',
  })
  await cut(page, 'POST')
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect(page.locator('[data-save-state]')).toHaveText('Kept here, will be delivered')
  await galley.call('PATCH', `/api/documents/${id}/share?link_id=${linkId}`, { permission: 'view' })
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'What you wrote is still here' })).toBeVisible()
  await expect(page.locator('.left-drafts .body')).toHaveText('print')
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${linkId}`)
  await page.goto(address)
  const left = page.getByRole('region', { name: 'What you wrote is still here' })
  await expect(left.locator('.body')).toHaveText('print')
  await left.getByRole('button', { name: 'Discard' }).click()
  await left.getByRole('button', { name: 'Undo' }).click()
  await expect(left.locator('.body')).toHaveText('print')
  await context.close()
})
