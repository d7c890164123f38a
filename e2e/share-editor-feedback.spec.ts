// A recipient who edits sees what was said of the text in it, answers it, and says something, without leaving the editor.
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { card, desk, galley, open, useGalley } from './share-page.ts'

useGalley()

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
const content = `# On proofs

The margins are wide for a reason.

A proof that comes back in a week has been read.
`
const anchorOn = (exact: string) => ({ exact, prefix: '', suffix: '', start: content.indexOf(exact) })
const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const marks = (page: Page, kind: string) => text(page).locator(`.g-mark-${kind}`)

interface Said {
  id: string
  body: string
  parent_id: string | null
  range: { start: number; end: number } | null
}
const comments = (id: string) => galley.call<Said[]>('GET', `/api/documents/${id}/comments`)
const stored = async (id: string) =>
  (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content

async function begin(id: string) {
  await galley.call('POST', `/api/documents/${id}/comments`, {
    body: 'Which reason?',
    anchor: anchorOn('for a reason'),
  })
  await galley.call('POST', `/api/documents/${id}/suggestions`, {
    original_text: 'in a week',
    suggested_text: 'within days',
    anchor: anchorOn('in a week'),
  })
}
async function edit(page: Page) {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  await expect(marks(page, 'comment')).toHaveText('for a reason')
}

for (const [name, options] of Object.entries({ wide: desk, phone })) {
  test(`what was said stands in the text that is edited, and is answered there (${name})`, async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(content)
    await begin(id)
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address, {
      ...options,
      colorScheme: name === 'phone' ? 'dark' : 'light',
    })
    await edit(page)
    await expect(marks(page, 'suggestion')).toHaveText('in a week')
    await expect(text(page).getByRole('deletion')).toHaveText('in a week')
    await expect(text(page).getByRole('insertion')).toHaveText('within days')
    await expect(text(page).getByRole('insertion')).toHaveAccessibleDescription('Suggested by Owner')
    await expect(page.getByRole('button', { name: 'Comments and suggestions (2)' })).toBeVisible()

    await marks(page, 'comment').click()
    const thread = card(page, 'Comment by Owner on “for a reason”')
    await expect(thread).toBeInViewport({ ratio: 1 })
    await expect(thread).toHaveAttribute('aria-current', 'true')
    await expect(marks(page, 'comment')).toHaveClass(/g-mark-active/)
    await expect(marks(page, 'comment')).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
    await thread.getByRole('button', { name: 'Reply' }).click()
    await page.getByRole('textbox', { name: 'Your reply' }).fill('The printer’s.')
    await page.locator('form.composer').getByRole('button', { name: 'Reply' }).click()
    await expect(page.locator('form.composer')).toHaveCount(0)
    await expect(thread.getByText('The printer’s.')).toBeVisible()
    await expect(thread).toBeFocused()
    expect((await comments(id)).map(({ body }) => body).sort()).toEqual(['The printer’s.', 'Which reason?'])
    await page.keyboard.press('Escape')
    await expect(marks(page, 'comment')).not.toHaveClass(/g-mark-active/)

    if (name === 'wide') {
      // Each beside its words, in the colour it has in them.
      const beside = page.getByRole('complementary', { name: 'Beside the text' })
      await expect(beside.getByRole('article')).toHaveCount(2)
      await expect
        .poll(async () =>
          Math.abs((await thread.boundingBox())!.y - (await marks(page, 'comment').boundingBox())!.y),
        )
        .toBeLessThan(24)
      await expect(beside.locator('.place[class*="person-"]')).toContainText('within days')
    }

    // Beside the text, or over it, all of them; from there to their words.
    await page.getByRole('button', { name: 'Comments and suggestions (2)' }).click()
    const suggestion = card(page, 'Suggestion by Owner')
    await suggestion.getByRole('button', { name: 'Show in the text' }).click()
    await expect(marks(page, 'suggestion')).toHaveClass(/g-mark-active/)
    await expect(marks(page, 'suggestion')).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
    if (name === 'wide') {
      await page.keyboard.press('Escape')
      await expect(suggestion).not.toHaveAttribute('aria-current', 'true')
      await text(page).getByRole('insertion').click()
      await expect(suggestion).toHaveAttribute('aria-current', 'true')
      await expect(text(page).getByRole('insertion')).toHaveClass(/g-suggested-active/)
    }
    expect(troubles).toEqual([])
    await context.close()
  })

  test(`words are commented on in the editor, also those just typed (${name})`, async ({ browser }) => {
    const { id } = await galley.createDocument(content)
    await begin(id)
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address, options)
    await edit(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Fresh words. ')
    await page.keyboard.press('Shift+Home')
    if (name === 'phone') await page.getByRole('button', { name: 'Comment', exact: true }).tap()
    else await page.keyboard.press('Control+Alt+m')
    const form = page.getByRole('region', { name: 'New comment' })
    await expect(form.getByText('Fresh words.', { exact: true })).toBeVisible()
    const field = form.getByRole('textbox', { name: 'Your comment' })
    await expect(field).toBeFocused()
    await field.fill('Are they?')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Comment' }).click()
    await expect(form).toHaveCount(0)
    await expect(marks(page, 'comment').first()).toHaveText('Fresh words.')
    const made = (await comments(id)).find(({ body }) => body === 'Are they?')
    expect(made?.range).toEqual({ start: 0, end: 12 })
    // Writing goes on, without a touch.
    await expect(text(page)).toBeFocused()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('The end.')
    await expect.poll(() => stored(id)).toBe(`Fresh words. ${content}The end.`)
    expect(troubles).toEqual([])
    await context.close()
  })
}

test('a comment on the whole text is written where nothing is selected, and drafts outlive the editor', async ({
  browser,
}) => {
  const { id } = await galley.createDocument(content)
  await begin(id)
  const { address } = await galley.share(id, 'edit')
  const { page, context } = await open(browser, address)
  await edit(page)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const form = page.getByRole('region', { name: 'New comment' })
  await expect(form.getByText('On the whole document')).toBeVisible()
  await form.getByRole('textbox', { name: 'Your comment' }).fill('Begun while editing.')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(text(page)).toHaveCount(0)
  await expect(form.getByRole('textbox', { name: 'Your comment' })).toHaveValue('Begun while editing.')
  await form.getByRole('button', { name: 'Comment' }).click()
  await expect
    .poll(async () => (await comments(id)).map(({ body }) => body))
    .toContain('Begun while editing.')
  await context.close()
})

test('a mark that is clicked stays on its words, whatever was typed since its place was asked for', async ({
  browser,
}) => {
  const { id } = await galley.createDocument(content)
  await begin(id)
  const { address } = await galley.share(id, 'edit')
  const { page, context } = await open(browser, address)
  await edit(page)
  // From now on nobody says where it stands.
  await page.route('**/comments?*', (route) =>
    route.request().method() === 'GET' ? new Promise<void>(() => {}) : route.continue(),
  )
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('More words. ')
  await expect.poll(() => stored(id)).toBe(`More words. ${content}`)
  await marks(page, 'comment').click()
  await expect(marks(page, 'comment')).toHaveClass(/g-mark-active/)
  await expect(marks(page, 'comment')).toHaveText('for a reason')
  await context.close()
})
