// Suggestions and edits of recipients.
import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { selectWords } from './select-words.ts'
import { card, desk, galley, lookAgain, open, text, toolbar, useGalley } from './share-page.ts'

// Split, so that no worker waits for another at the end.
test.describe.configure({ mode: 'parallel' })

useGalley()

test.describe('suggesting', () => {
  test('a passage is changed, seen as a difference, sent, and withdrawn again', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address)
    await selectWords(page, 'line by line')
    await toolbar(page).getByRole('button', { name: 'Suggest a change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
    const words = dialog.getByRole('textbox', { name: 'The words, as they should be' })
    await expect(words).toHaveValue('line by line')
    await expect(dialog.getByRole('button', { name: 'Send suggestion' })).toBeDisabled()
    await words.fill('letter by letter')
    await expect(dialog.locator('del').first()).toHaveText(/line$/)
    await expect(dialog.locator('ins').first()).toHaveText(/letter$/)
    await dialog.getByRole('textbox', { name: 'Why (optional)' }).fill('More thorough.')
    await dialog.getByRole('textbox', { name: 'Your name' }).fill('Ada')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send suggestion' }).click()
    const mine = card(page, 'Suggestion by Ada')
    await expect(mine.getByText('More thorough.')).toBeVisible()
    const [stored] = await galley.call<object[]>('GET', `/api/documents/${id}/suggestions`)
    expect(stored).toMatchObject({
      original_text: 'line by line',
      suggested_text: 'letter by letter',
      author_name: 'Ada',
      note: 'More thorough.',
      range: { start: text.indexOf('line by line') },
    })
    await mine.getByRole('button', { name: 'Withdraw' }).click()
    await mine.getByRole('button', { name: 'Withdraw it' }).click()
    await expect(mine).toHaveCount(0)
    expect(await galley.call('GET', `/api/documents/${id}/suggestions`)).toEqual([])
    expect(troubles).toEqual([])
    await context.close()
  })

  test('an accepted suggestion shows as accepted, and its text comes when asked for', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const suggestion = await galley.call('POST', `/api/documents/${id}/suggestions`, {
      original_text: 'in a week',
      suggested_text: 'after a week',
      anchor: { exact: 'in a week', prefix: '', suffix: '', start: text.indexOf('in a week') },
    })
    const { page, context } = await open(browser, address)
    await expect(page.locator('.card.suggestion')).toHaveCount(1)
    await galley.call('POST', `/api/documents/${id}/suggestions/${String(suggestion.id)}/accept`)
    await lookAgain(page)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText('comes back after a week')).toBeVisible()
    await expect(page.locator('.margin .card').getByText('Accepted')).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: /: show all$/ }).click()
    await page.getByRole('button', { name: 'Show what is settled (1)' }).click()
    await expect(page.getByText('Accepted')).toBeVisible()
    await context.close()
  })
})

test.describe('editing', () => {
  test('what is typed is saved by itself, and reading goes on with it', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Words of a guest.')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await expect
      .poll(async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content)
      .toBe(`${text}Words of a guest.`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(
      page.getByRole('article', { name: 'On proofs' }).getByText('Words of a guest.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    expect(troubles).toEqual([])
    await context.close()
  })

  test('who only looks into the editor is brought back to where they read', async ({ browser }) => {
    const { id } = await galley.createDocument(`${text}\n${'Another paragraph of it.\n\n'.repeat(60)}`)
    const { address } = await galley.share(id, 'edit')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    await page.evaluate(() => scrollTo({ top: 1234, behavior: 'instant' }))
    await page
      .getByRole('button', { name: 'Edit', exact: true })
      .evaluate((button: HTMLElement) => button.click())
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await page.waitForTimeout(500)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(1234)
    await context.close()
  })

  test('an editor that didn’t come because of the connection comes whole the next time', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    // Else the editor is there already, kept for when there is no connection.
    const { page, context } = await open(browser, address, { ...desk, serviceWorkers: 'block' })
    await page.route('**/editing-*.css', (route) => route.abort(), { times: 1 })
    const edit = page.getByRole('button', { name: 'Edit', exact: true })
    await edit.click()
    await expect(page.getByText('This part of the page couldn’t be loaded.')).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await edit.click()
    const writing = page.getByRole('textbox', { name: 'Text' })
    await expect(writing).toBeFocused()
    await expect(writing, 'with its style sheet').not.toHaveCSS('max-width', 'none')
    await context.close()
  })

  test('two who edit at once lose nothing', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const one = await open(browser, address)
    const two = await open(browser, address)
    for (const { page } of [one, two]) {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    }
    await one.page.keyboard.press('Control+End')
    await one.page.keyboard.type('From the first.')
    await two.page.keyboard.press('Control+Home')
    await two.page.keyboard.type('From the second.\n\n')
    await expect
      .poll(async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content)
      .toBe(`From the second.\n\n${text}From the first.`)
    await one.context.close()
    await two.context.close()
  })

  test('a link that dies while somebody edits leaves the text to be copied', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const link = await galley.share(id, 'edit')
    const { page, context } = await open(browser, link.address)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await context.setOffline(true)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Too late.')
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
    await context.setOffline(false)
    await expect(page.getByRole('group', { name: 'Unsaved text' })).toContainText(
      'This link no longer works.',
    )
    await expect(page.getByRole('button', { name: 'Copy my text' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Text' })).toContainText('Too late.')
    await context.close()
  })
})
