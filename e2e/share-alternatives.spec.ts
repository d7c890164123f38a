// Several people suggest for the very same words: recipients, too, have one card for them, and counts that agree.
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { desk, galley, open, phone, useGalley } from './share-page.ts'

useGalley()

const content =
  '# On proofs\n\nThe margins are wide for a reason.\n\nA proof that comes back in a week has been read.\n'
const alternatives = [
  ['Ada', 'few days'],
  ['Ben', '**fortnight**'],
  ['Cem', 'month'],
]

/** Three for the same words, one for others, a comment on words and one on the whole. */
async function begin() {
  const { id } = await galley.createDocument(content)
  const at = `/api/documents/${id}`
  const anchor = (exact: string) => ({ exact, prefix: '', suffix: '', start: content.indexOf(exact) })
  await galley.call('POST', `${at}/comments`, { body: 'All of it is good.' })
  await galley.call('POST', `${at}/comments`, { body: 'Which?', anchor: anchor('reason') })
  const { address, token } = await galley.share(id, 'edit')
  for (const [author_name, suggested_text] of alternatives) {
    const answer = await fetch(`${galley.shareUrl}${at}/suggestions?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ original_text: 'week', suggested_text, author_name, anchor: anchor('week') }),
    })
    expect(answer.status).toBe(201)
  }
  await galley.call('POST', `${at}/suggestions`, { original_text: 'wide', suggested_text: 'very wide' })
  return { id, address }
}
const cards = (page: Page) => page.getByRole('article', { name: /“week” becomes/ })
const group = (page: Page) => page.getByRole('group', { name: '3 suggestions for the same words' })

test('beside the text alternatives are one card with a preview of each, and are counted as they are', async ({
  browser,
}) => {
  const { address } = await begin()
  const { page, context, troubles } = await open(browser, address, desk)
  await expect(
    page.getByRole('button', { name: '6 open, 2 comments and 4 suggestions: show all' }),
  ).toBeVisible()
  await expect(cards(page)).toHaveCount(1)
  await expect(group(page).getByRole('radio')).toHaveCount(3)
  await cards(page).click({ position: { x: 8, y: 8 } })
  await expect(cards(page)).toContainText('3–5 of 5 in the text')
  await group(page).getByRole('radio', { name: /Ben/ }).check()
  await expect(cards(page)).toHaveAccessibleName(/becomes “\*?\*?fortnight/)
  await expect(cards(page).getByRole('group', { name: 'How it will read' })).toContainText(
    'in a fortnight has',
  )
  await expect(cards(page).getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await expect(cards(page).getByRole('button', { name: 'Withdraw' })).toHaveCount(0)
  await expect(cards(page).getByRole('button', { name: 'Reply' })).toBeVisible()
  await expectAccessible(page)
  // One step, whichever of them is looked at.
  await page.keyboard.press('F8')
  await expect(page.getByText('1 of 5 in the text')).toBeVisible()
  await page.keyboard.press('Shift+F8')
  await expect(cards(page)).toContainText('3–5 of 5 in the text')

  // In the editor, too, where one’s own is among them.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect(text).toBeFocused()
  await expect(cards(page)).toHaveCount(1)
  await text.getByRole('deletion').filter({ hasText: 'week' }).click()
  await expect(group(page).getByRole('radio')).toHaveCount(3)
  await group(page).getByRole('radio', { name: /Ben/ }).check()
  await expect(text.getByRole('insertion').filter({ hasText: 'fortnight' })).toBeVisible()
  await expect(text.getByRole('insertion').filter({ hasText: 'few days' })).toHaveCount(0)
  const head = cards(page).locator('.walk')
  await expect(head).toContainText('3–5 of 5 in the text')
  // Nothing of the card sticks out of it.
  const [card, walk] = [(await cards(page).boundingBox())!, (await head.boundingBox())!]
  expect(walk.x + walk.width).toBeLessThanOrEqual(card.x + card.width)
  expect(walk.y).toBeGreaterThanOrEqual(card.y)
  await expectAccessible(page)
  expect(troubles).toEqual([])
  await context.close()
})

test('on a phone a sheet says what it is about, and has the alternatives', async ({ browser }) => {
  const { address } = await begin()
  const { page, context } = await open(browser, address, { ...phone, viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: '6 open, 2 comments and 4 suggestions: show all' }).tap()
  const list = page.getByRole('dialog', { name: 'Comments' })
  await expect(list.getByText('One of 3 for the same words')).toHaveCount(3)
  await cards(page).first().getByRole('button', { name: 'Show in the text' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Suggestion' })
  await expect(sheet.getByRole('radio')).toHaveCount(3)
  await sheet.getByRole('radio', { name: /Ben/ }).tap()
  await expect(sheet.getByRole('radio', { name: /Ben/ })).toBeChecked()
  await expect(sheet.getByRole('radio', { name: /Ben/ })).toBeFocused()
  await expect(sheet.getByRole('group', { name: 'How it will read' })).toContainText('in a fortnight has')
  await sheet.getByRole('button', { name: 'Next' }).tap()
  await expect(page.getByRole('dialog').filter({ hasText: '1 of 5 in the text' })).toBeVisible()
  await context.close()
})
