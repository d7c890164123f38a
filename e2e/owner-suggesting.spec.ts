// The owner, too, can suggest by typing: in their own text, one switch away from writing and reading.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { editor, expectStored, open, test } from './owner.ts'
import { goBehind } from './select-words.ts'

const content = '# On proofs\n\nA galley proof goes out.\n\n- One\n- Two\n'
const way = (page: Page) => page.getByRole('combobox', { name: 'What you do in the text' })

test('what its owner suggests stands in the text and in a card, and is accepted from there', async ({
  page,
  server,
}) => {
  const document = await server.create(content)
  const words = async () =>
    (
      await server.call<{ original_text: string; suggested_text: string }[]>(
        'GET',
        `/api/documents/${document.id}/suggestions?status=pending`,
      )
    ).map(({ original_text, suggested_text }) => [original_text, suggested_text])
  await open(page, document)
  await way(page).selectOption('suggesting')
  await expect(editor(page)).toBeFocused()
  await goBehind(page, 'galley')
  await page.keyboard.press('Control+Backspace')
  await page.keyboard.type('fresh')
  await expect(page.locator('.cm-content del')).toHaveText('galley')
  await expect(page.locator('.cm-content ins')).toHaveText('fresh')
  await goBehind(page, 'Two')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Three')
  await expect.poll(words).toEqual([
    ['galley', 'fresh'],
    ['', '\n- Three'],
  ])
  await expectStored(server, document, content)
  await expectAccessible(page)

  // Clicked, its card is shown.
  await page.locator('.cm-content ins').first().click()
  const beside = page.getByRole('complementary', { name: 'Beside the text' })
  const card = beside.getByRole('article', { name: /“galley”/ })
  await expect(card).toHaveAttribute('aria-current', 'true')
  await card.getByRole('button', { name: 'Accept', exact: true }).click()
  await expectStored(server, document, content.replace('galley', 'fresh'))
  await expect(page.locator('.cm-content del')).toHaveCount(0)
  await expect(editor(page)).toContainText('A fresh proof goes out.')

  // The next is given a reason.
  const next = beside.getByRole('article', { name: /Three/ })
  await expect(next).toBeFocused()
  await next.getByRole('button', { name: 'Add a reason' }).press('Enter')
  await page.keyboard.type('There are three.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(next).toBeFocused()
  await expect(next).toContainText('There are three.')
  const notes = () =>
    server.call<{ note: string | null }[]>('GET', `/api/documents/${document.id}/suggestions?status=pending`)
  await expect.poll(async () => (await notes()).map(({ note }) => note)).toEqual(['There are three.'])

  await way(page).selectOption('viewing')
  await expect(page.getByTitle('On proofs, as it reads')).toBeVisible()
  await way(page).selectOption('editing')
  await goBehind(page, 'goes')
  await page.keyboard.type(' far')
  await expectStored(server, document, content.replace('galley', 'fresh').replace('goes', 'goes far'))
  await expect.poll(words).toEqual([['', '\n- Three']])
})

test('what is suggested of a list’s or heading’s sign is seen in it, at its level, in either way', async ({
  page,
  server,
}) => {
  const text =
    '# On proofs\n\nA galley proof goes out.\n\n- One\n- Two\n\nNext\n\n1. first\n2. second\n\nLast.\n'
  const accepted = text
    .replace('- Two', '1. Two')
    .replace('Next', '## Next')
    .replace('first', 'first\n2. between')
  const document = await server.create(text)
  await open(page, document)
  await way(page).selectOption('suggesting')
  await expect(editor(page)).toBeFocused()
  await goBehind(page, 'Two')
  await page.getByRole('button', { name: 'Numbered list', exact: true }).click()
  await goBehind(page, 'Next')
  await page.keyboard.press('Control+Alt+2')
  await goBehind(page, 'first')
  await page.keyboard.press('Enter')
  await page.keyboard.type('between')
  await goBehind(page, 'goes')
  const line = (words: string) => page.locator('.cm-line', { hasText: words })
  // Of an item that isn’t meant, only the number that readers see is another.
  const seen = async (number: string) => {
    await expect(line('Two').locator('del')).toHaveText(/^- ?$/)
    await expect(line('Two').locator('ins')).toHaveText(/^1\. ?$/)
    await expect(line('second')).toHaveText(`${number}. second`)
    await expect(line('Two')).toHaveAttribute('style', /--depth:\s*1/)
    await expect(line('Next').locator('ins')).toHaveText('## ')
  }
  await seen('3')
  await expect
    .poll(() => server.call<unknown[]>('GET', `/api/documents/${document.id}/suggestions`))
    .toHaveLength(3)
  await way(page).selectOption('editing')
  await seen('2')
  await expect(line('first').locator('ins')).toHaveText('¶2. between')
  await server.call('POST', `/api/documents/${document.id}/suggestions/resolve`, { action: 'accept' })
  await expect(line('first')).toHaveText('1. first')
  await expect(line('between')).toHaveText('2. between')
  await expect(line('second')).toHaveText('3. second')
  await expectStored(server, document, accepted)
})

test('what is said to be saved while suggesting is so, also where the server goes away', async ({
  page,
  server,
}) => {
  const document = await server.create(content)
  await open(page, document)
  await way(page).selectOption('suggesting')
  await expect(editor(page)).toBeFocused()
  await goBehind(page, 'goes')
  await page.route('**/api/**', (route) => route.abort())
  await page.keyboard.type(' far')
  await expect(page.getByText('Not saved', { exact: true })).toBeVisible()
  // Until then it may be given a reason.
  const beside = page.getByRole('complementary', { name: 'Beside the text' })
  const waiting = beside.getByRole('article', { name: 'Your suggestion, waiting' })
  await expect(waiting).toContainText('Kept here, will be sent.')
  await waiting.getByRole('button', { name: 'Add a reason' }).click()
  await page.keyboard.type('It travels.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(waiting).toContainText('It travels.')
  await expect(waiting).toBeFocused()
  await waiting.getByRole('button', { name: 'Change the reason' }).click()
  await page.keyboard.type(' By post.')
  await expectAccessible(page)
  await page.unroute('**/api/**')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  // What is being written goes on, on the card that it has now.
  const card = beside.getByRole('article', { name: /“far” is put in/ })
  await expect(card.getByRole('textbox')).toHaveValue('It travels. By post.')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('It travels. By post.')
  const made = () =>
    server.call<{ suggested_text: string; note: string }[]>(
      'GET',
      `/api/documents/${document.id}/suggestions`,
    )
  await expect
    .poll(async () => (await made()).map(({ suggested_text, note }) => [suggested_text, note]))
    .toEqual([[' far', 'It travels. By post.']])
})

test('what waits is given a reason below the text where there is no room beside it', async ({
  page,
  server,
}) => {
  const document = await server.create(content)
  await open(page, document)
  await way(page).selectOption('suggesting')
  await page.setViewportSize({ width: 360, height: 740 })
  await goBehind(page, 'goes')
  await page.route('**/api/**', (route) => route.abort())
  await page.keyboard.type(' far')
  await expect(page.getByText('Not saved', { exact: true })).toBeVisible()
  await page.locator('.cm-content ins').click()
  const sheet = page.getByRole('region', { name: 'About this passage' })
  await expect(sheet.getByRole('article', { name: 'Your suggestion, waiting' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Add a reason' }).click()
  await sheet.getByRole('textbox', { name: 'Why you suggest it' }).fill('It travels.')
  await expectAccessible(page)
  await page.unroute('**/api/**')
  // On the card that it has now.
  await expect(sheet.getByRole('article', { name: /“far” is put in/ })).toBeVisible()
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => server.call<{ note: string }[]>('GET', `/api/documents/${document.id}/suggestions`))
    .toMatchObject([{ note: 'It travels.' }])
})
