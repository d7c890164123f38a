// Comments of recipients.
import { expect, test, type Locator } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { selectWords } from './select-words.ts'
import { card, comment, galley, marked, open, phone, text, toolbar, useGalley } from './share-page.ts'

// Split, so that no worker waits for another at the end.
test.describe.configure({ mode: 'parallel' })

useGalley()

test.describe('commenting', () => {
  test('a reader selects words, comments, and later changes, resolves and deletes it', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context, troubles } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
    await comment(page, 'goes out for review', 'To whom?', 'Ada')
    const mine = card(page, 'Comment by Ada')
    await expect(mine.getByText('To whom?')).toBeVisible()
    await expect.poll(() => marked(page, 'active')).toEqual(['goes out for review'])
    const [stored] = await galley.call<{ id: string; anchor: { exact: string }; author_name: string }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    expect([stored!.anchor.exact, stored!.author_name]).toEqual(['goes out for review', 'Ada'])

    await page.reload()
    await mine.click()
    await mine.getByRole('button', { name: 'Reply' }).click()
    await mine.getByRole('textbox', { name: 'Reply' }).fill('To everyone, I see.')
    await expectAccessible(page)
    await mine.locator('form').getByRole('button', { name: 'Reply' }).click()
    await expect(mine.getByText('To everyone, I see.')).toBeVisible()
    await mine.getByRole('button', { name: 'Edit' }).first().click()
    await mine.getByRole('textbox').fill('To whom, though?')
    await mine.getByRole('button', { name: 'Save' }).click()
    await expect(mine.getByText('To whom, though?')).toBeVisible()
    await mine.getByRole('button', { name: 'Resolve' }).click()
    // What is settled goes from the margin with the next news, which may be there before it is looked at.
    await page.getByRole('button', { name: '0 open comments: show all' }).click()
    const list = page.getByRole('dialog', { name: 'Comments' })
    await list.getByRole('button', { name: 'Show what is settled (1)' }).click()
    await expect(list.getByText('Resolved', { exact: true })).toBeVisible()
    // A link to it leads to it, too.
    await list.getByRole('button', { name: 'Close' }).click()
    await expect(list).toHaveCount(0)
    await page.evaluate((said) => (location.hash = `#said-${said}`), stored!.id)
    await expect(list.locator('[data-item]').first()).toBeFocused()
    await expect(list.getByText('Resolved', { exact: true })).toBeVisible()
    await list.getByRole('button', { name: 'Reopen' }).click()
    await list.getByRole('button', { name: 'Close' }).click()
    await expect(list).toHaveCount(0)
    await mine.getByRole('button', { name: 'Delete' }).first().click()
    await mine.getByRole('button', { name: 'Delete' }).first().click()
    await expect(mine).toHaveCount(0)
    expect(await galley.call('GET', `/api/documents/${id}/comments`)).toEqual([])
    expect(troubles).toEqual([])
    await context.close()
  })

  test('crowds of marks are said and not drawn, on cards and in the text', async ({ browser }) => {
    const marks = '\u0301'.repeat(9_000)
    const words = `word${marks.repeat(3)}`
    const { id } = await galley.createDocument(`# One\n\nThis ${words} and that.\n`)
    const anchor = { exact: words, start: 12, end: 12 + words.length }
    await galley.call('POST', `/api/documents/${id}/comments`, { body: `Plain a${marks}`, anchor })
    await galley.call('POST', `/api/documents/${id}/comments`, { body: `**Bold** b${marks}`, anchor })
    await galley.call('POST', `/api/documents/${id}/suggestions`, {
      ...{ original_text: 'that', suggested_text: `that${marks}`, author_name: 'Ada' },
      anchor: { exact: 'that', start: 17 + words.length, end: 21 + words.length },
    })
    const { address } = await galley.share(id, 'comment')
    const { page, context, troubles } = await open(browser, address)
    await expect(page.locator('.prose .b p')).toContainText('word[27,000 combining marks] and that')
    for (const said of ['Plain a', 'Bold b', 'that'])
      await expect(page.locator('.card', { hasText: `${said}[9,000 combining marks]` })).toBeVisible()
    expect(await page.evaluate(() => document.body.textContent.includes('\u0301'))).toBe(false)
    // What is said stands for all that is written.
    await expect.poll(() => marked(page, 'comment')).toContain('word[27,000 combining marks]')
    await comment(page, '[27,000 combining marks]', 'Why?', 'Ada')
    const said = await galley.call<{ body: string; anchor: { exact: string } }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    expect(said.find(({ body }) => body === 'Why?')!.anchor.exact).toBe(marks.repeat(3))
    expect(troubles).toEqual([])
    await context.close()
  })

  test('a highlight opens its thread, and a thread shows its words', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await comment(page, 'wide for a reason', 'Which?')
    await comment(page, 'in a week', 'Or two.')
    const first = page.locator('.card', { hasText: 'Which?' })
    const second = page.locator('.card', { hasText: 'Or two.' })
    await expect(second).toHaveClass(/active/)
    const place = await page.evaluate(() => {
      const [range] = CSS.highlights.get('comment')!
      // The words may stand on two lines, and what is between those is neither.
      const { left, top, width, height } = (range as Range).getClientRects()[0]!
      return { x: left + width / 2, y: top + height / 2 }
    })
    await page.mouse.click(place.x, place.y)
    await expect(first).toHaveClass(/active/)
    await second.click()
    await expect.poll(() => marked(page, 'active')).toEqual(['in a week'])
    await context.close()
  })

  test('with the keyboard alone, on words and on the whole document', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
    await selectWords(page, 'compares it')
    await page.keyboard.press('Control+Alt+m')
    await page.keyboard.type('Letter by letter.')
    await page.keyboard.press('Control+Enter')
    await expect(card(page, 'Comment by Guest').getByText('Letter by letter.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'New comment' })).toHaveCount(0)
    await page.evaluate(() => getSelection()!.removeAllRanges())
    await page.getByRole('button', { name: 'Comment', exact: true }).press('Enter')
    await expect(page.getByText('On the whole document')).toBeVisible()
    await page.keyboard.type('Lovely.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Lovely.')).toBeVisible()
    const comments = await galley.call<{ anchor: { exact: string } | null }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    expect(comments.map(({ anchor }) => anchor?.exact ?? null)).toEqual(['compares it', null])
    await context.close()
  })

  test('finds the chosen words again when the text has changed meanwhile', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
    await galley.call('PATCH', `/api/documents/${id}`, {
      content: `A word first: a week is long.\n\n${text}`,
    })
    await comment(page, 'in a week', 'Or two.', 'Ada')
    await expect(card(page, 'Comment by Ada').getByText('Or two.')).toBeVisible()
    await expect(page.getByText('A word first: a week is long.')).toBeVisible()
    const [stored] = await galley.call<{ range: { start: number } }[]>('GET', `/api/documents/${id}/comments`)
    expect(stored!.range.start).toBe(`A word first: a week is long.\n\n${text}`.indexOf('in a week'))
    await context.close()
  })

  test('keeps what was written when the chosen words are gone, and says what can be done', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
    await galley.call('PATCH', `/api/documents/${id}`, {
      content: text.replace('wide for a reason', 'narrow'),
    })
    await selectWords(page, 'wide for a reason')
    await toolbar(page).getByRole('button', { name: 'Comment' }).click()
    const field = page.getByRole('textbox', { name: 'Your comment' })
    await field.fill('Which reason?')
    await expect(page.getByText('the comment will be on the whole document')).toBeVisible()
    await expect(field).toHaveValue('Which reason?')
    await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
    await expect(card(page, 'Comment by Guest').getByText('Which reason?')).toBeVisible()
    expect(await galley.call('GET', `/api/documents/${id}/comments`)).toMatchObject([{ anchor: null }])
    await context.close()
  })

  test('keeps a draft over a reload, and sends it when there is a connection', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await selectWords(page, 'galley proof')
    await toolbar(page).getByRole('button', { name: 'Comment' }).click()
    const field = page.getByRole('textbox', { name: 'Your comment' })
    await expect(field).toBeFocused()
    await page.waitForTimeout(500)
    await field.fill('Not sent yet')
    await page.reload()
    await expect(field).toHaveValue('Not sent yet')
    await context.setOffline(true)
    await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
    await expect(card(page, 'Your comment, waiting').getByText('Not sent yet')).toBeVisible()
    await context.setOffline(false)
    await expect(card(page, 'Comment by Guest').getByText('Not sent yet')).toBeVisible()
    const [stored] = await galley.call<{ anchor: { exact: string } }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    expect(stored!.anchor.exact).toBe('galley proof')
    await context.close()
  })

  test('on a phone there is a bar for the selection and a sheet for the threads, and nothing scrolls sideways', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(
      `${text}\n\n\`\`\`\n${'wide '.repeat(60)}\n\`\`\`\n\n${'unbroken'.repeat(40)}\n`,
    )
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address, {
      ...phone,
      viewport: { width: 360, height: 740 },
    })
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await sideways()).toBe(0)
    await selectWords(page, 'wide for a reason')
    await expect(toolbar(page)).toBeInViewport()
    for (const button of await toolbar(page).getByRole('button').all()) await expectTouchable(button)
    await toolbar(page).getByRole('button', { name: 'Comment' }).tap()
    const sheet = page.getByRole('dialog', { name: 'New comment' })
    await sheet.getByRole('textbox', { name: 'Your comment' }).fill('Which?')
    await expectAccessible(page)
    for (const button of await sheet.getByRole('button').all()) await expectTouchable(button)
    await sheet.getByRole('button', { name: 'Comment' }).tap()
    await expect(sheet).toHaveCount(0)
    await page.getByRole('button', { name: /1 open comment/ }).tap()
    const list = page.getByRole('dialog', { name: 'Comments' })
    await expect(list.getByText('Which?')).toBeVisible()
    await expectAccessible(page)
    expect(await sideways()).toBe(0)
    await list.getByRole('button', { name: 'Close' }).tap()
    await expect(list).toHaveCount(0)
    for (const button of await page.getByRole('banner').getByRole('button').all())
      await expectTouchable(button)
    expect(troubles).toEqual([])
    await context.close()
  })
})

async function expectTouchable(button: Locator) {
  const box = (await button.boundingBox())!
  expect(Math.round(box.height), await button.innerText()).toBeGreaterThanOrEqual(44)
}

test('a long list can be closed on a phone wherever it is scrolled to, and what asks stands in one line', async ({
  browser,
}) => {
  const { id } = await galley.createDocument(text)
  for (let i = 0; i < 12; i++)
    await galley.call('POST', `/api/documents/${id}/comments`, { body: `No. ${i}` })
  const { address } = await galley.share(id, 'comment')
  const { page, context } = await open(browser, address, phone)
  await page.getByRole('button', { name: 'Comment', exact: true }).tap()
  const composer = page.getByRole('dialog', { name: 'New comment' })
  await composer.getByRole('textbox', { name: 'Your comment' }).fill('Mine')
  await composer.getByRole('button', { name: 'Comment', exact: true }).tap()
  await expect(composer).toHaveCount(0)
  await page.getByRole('button', { name: /13 open comments/ }).tap()
  const list = page.getByRole('dialog', { name: 'Comments' })
  const mine = list.getByRole('article').filter({ hasText: 'Mine' })
  await mine.getByRole('button', { name: 'Delete' }).tap()
  const middleOf = async (locator: Locator) => {
    const { y, height } = (await locator.boundingBox())!
    return y + height / 2
  }
  const question = await middleOf(mine.getByText('Delete this?'))
  expect(Math.abs(question - (await middleOf(mine.getByRole('button', { name: 'Keep' }))))).toBeLessThan(2)
  await list.evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight))
  await expect(list.getByRole('heading', { name: 'Comments', exact: true })).toBeInViewport()
  await list.getByRole('button', { name: 'Close' }).tap()
  await expect(list).toHaveCount(0)
  await context.close()
})
