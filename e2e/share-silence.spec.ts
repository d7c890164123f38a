// What recipients are told while the writer’s machine neither answers nor refuses anything.
import { expect, test } from '@playwright/test'
import { away, bodies, comment, galley, recipient, setUpAway } from './away.ts'
import { saveState } from './owner.ts'

setUpAway()

test('who writes is told that nobody answers before what is on its way is given up', async ({ browser }) => {
  const { page, context, id } = await recipient(browser, 'edit')
  await page.clock.install()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.clock.pauseAt(Date.now() + 60_000)
  galley.sleep()
  // However long it takes here: the page gives up what it asks for after 15 seconds of its own, and 5 for the live line.
  await page.keyboard.type('One. ')
  for (let passed = 0; passed < 14_000; passed += 500) await page.clock.runFor(500)
  await expect(saveState(page)).toHaveText('Kept here, will be delivered')
  await expect(away(page)).toBeVisible()
  galley.wake()
  await page.clock.resume()
  await expect(saveState(page)).toHaveText('Saved')
  await expect(away(page)).toHaveCount(0)
  const { content } = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
  expect(content).toMatch(/One\. $/)
  await context.close()
})

test('replies and changed comments are kept, and say so', async ({ browser }) => {
  const { page, context, id } = await recipient(browser)
  await comment(page, 'Why wide?', 'wide')
  await expect.poll(() => bodies(id)).toEqual(['Why wide?'])
  const card = page.getByRole('article', { name: /^Comment by/ })
  galley.sleep()
  await card.getByRole('button', { name: 'Reply' }).click()
  await card.getByRole('textbox', { name: 'Your reply' }).fill('Is it?')
  await card.locator('form').getByRole('button', { name: 'Reply' }).click()
  await expect(page.getByText('Kept here, will be delivered')).toBeVisible()
  await card.getByRole('button', { name: 'Edit' }).first().click()
  await card.getByRole('textbox', { name: 'Your comment' }).fill('Why so wide?')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your change is kept here, will be delivered')).toBeVisible()
  await expect(away(page)).toBeVisible()
  galley.wake()
  await expect(page.getByText('will be delivered')).toHaveCount(0)
  await expect(away(page)).toHaveCount(0)
  await expect.poll(() => bodies(id)).toEqual(['Why so wide?', 'Is it?'])
  await context.close()
})

test('a thread that its writer resolves or opens again is kept so, says so, and says that it arrived', async ({
  browser,
}) => {
  const { page, context, id } = await recipient(browser)
  const resolved = async () => {
    const threads = await galley.call<{ resolved_at: string | null }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    return threads.map(({ resolved_at }) => resolved_at !== null)
  }
  await comment(page, 'Why wide?', 'wide')
  await expect.poll(() => bodies(id)).toEqual(['Why wide?'])
  // Where undo has opened the list, the card stands there, too.
  const resolve = () => page.getByRole('button', { name: 'Resolve thread' }).last().click()
  const isDelivered = async (done: string) => {
    await expect(away(page)).toBeVisible()
    galley.wake()
    await expect(page.getByText(done)).toBeVisible()
    await expect(page.getByText('on delivery')).toHaveCount(0)
    await expect(away(page)).toHaveCount(0)
  }

  await resolve()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  galley.sleep()
  await undo.click()
  await expect(page.getByText('Kept here. It will be delivered.')).toBeVisible()
  await isDelivered('Delivered: the comment is open again.')
  expect(await resolved()).toEqual([false])

  galley.sleep()
  await resolve()
  await expect(page.getByText('Kept here, will be resolved on delivery').last()).toBeVisible()
  await isDelivered('Delivered: the comment is resolved.')
  expect(await resolved()).toEqual([true])
  await context.close()
})
