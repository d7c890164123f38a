import { expect, type Locator } from '@playwright/test'
import { editor, expectStored, open, test, type OwnerServer } from './owner.ts'

const text = `# Proofs\n\nThe quick brown fox jumps over the lazy dog.\n\n${'More is said of it here.\n\n'.repeat(30)}The last line.\n`

async function told(server: OwnerServer) {
  const document = await server.create(text)
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'edit' })
  const say = async (kind: string, body: object) => {
    const answer = await fetch(`${server.url}${at}/${kind}?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
  }
  const anchor = (exact: string) => ({ exact, start: text.indexOf(exact) })
  await say('comments', { body: 'Why quick?', anchor: anchor('quick'), author_name: 'Ada' })
  await say('comments', { body: 'Really the last?', anchor: anchor('last line'), author_name: 'Ben' })
  for (const [suggested_text, author_name] of [
    ['sleeping dog', 'Ada'],
    ['tired cat', 'Ben'],
  ])
    await say('suggestions', { original_text: 'lazy dog', suggested_text, author_name })
  return document
}

test('what is said stands beside its passage, is gone through by key and decided there, with one undo', async ({
  page,
  server,
}) => {
  const document = await told(server)
  await open(page, document)
  const beside = page.getByRole('complementary', { name: 'Beside the text' })
  const card = (name: string | RegExp) => beside.getByRole('article', { name })
  const middleOf = async (at: ReturnType<typeof card>) => {
    const { y } = (await at.boundingBox())!
    return y
  }
  await expect(beside.getByRole('article')).toHaveCount(2)
  // The text’s face makes words as wide as they stay.
  await page.evaluate(() => window.document.fonts.ready.then(() => undefined))
  const before = await editor(page).getByText('quick').first().boundingBox()
  const mark = editor(page).locator('.g-mark-comment')
  await mark.first().click()
  const quick = card(/on “quick”/)
  await expect(quick).toHaveAttribute('aria-current', 'true')
  expect(await editor(page).getByText('quick').first().boundingBox()).toEqual(before)
  await expect
    .poll(async () => Math.abs((await middleOf(quick)) - (await mark.first().boundingBox())!.y))
    .toBeLessThan(24)

  // Both who propose for the same words are on one card, and the text shows the one that is looked at.
  await page.keyboard.press('F8')
  const dog = card(/^Suggestion by/)
  await expect(dog).toBeFocused()
  await expect(dog.getByRole('group', { name: '2 suggestions for the same words' })).toBeVisible()
  const person = (at: ReturnType<typeof card>) =>
    at.evaluate((element) => /person-\d/.exec(element.closest('[class*=person-]')?.className ?? '')?.[0])
  expect(await person(dog)).toMatch(/person/)
  expect(await person(editor(page).locator('ins'))).toBe(await person(dog))
  await expect(editor(page).locator('ins')).toHaveText('sleeping')
  await dog.getByRole('radio', { name: /Ben/ }).check()
  await expect(editor(page).locator('ins')).toHaveText(['tired cat'])
  await dog.getByRole('button', { name: 'Accept' }).click()
  await expectStored(server, document, text.replace('lazy dog', 'tired cat'))
  await expect(page.getByText('The other for the same words is rejected.')).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => globalThis.document.activeElement !== globalThis.document.body))
    .toBe(true)
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click()
  await expectStored(server, document, text)
  await expect(dog.getByRole('radio')).toHaveCount(2)

  // The next one is far below, and comes into view with its card.
  await dog.focus()
  await page.keyboard.press('F8')
  await expect(card(/on “last line”/)).toBeFocused()
  await expect(card(/on “last line”/)).toBeInViewport()
  await expect(mark.last()).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(editor(page)).toBeFocused()
})

test('on a phone what is said of a passage stands below the text and covers none of it', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 360, height: 700 })
  await open(page, await told(server))
  const mark = editor(page).locator('.g-mark-comment').first()
  await mark.click()
  const sheet = page.getByRole('region', { name: 'About this passage' })
  await expect(sheet.getByText('Why quick?')).toBeVisible()
  const above = async () => {
    const [words, below] = [(await mark.boundingBox())!, (await sheet.boundingBox())!]
    return words.y + words.height <= below.y && words.y > 0
  }
  await expect.poll(above).toBe(true)
  await sheet.getByRole('button', { name: 'Next' }).click()
  await expect(sheet.getByRole('radio')).toHaveCount(2)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await expect(editor(page)).toBeFocused()
})

test('a card is in view with its buttons in one row, and closes below the text once all is decided', async ({
  page,
  server,
}) => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at} has a word in it.\n\n`)
  const document = await server.create(lines.join(''))
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'edit' })
  for (let i = 0; i < 40; i++)
    await fetch(`${server.url}${at}/suggestions?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ original_text: `Line ${i} `, suggested_text: `Row ${i} `, author_name: 'Ada' }),
    })
  await page.setViewportSize({ width: 1280, height: 860 })
  await open(page, document)
  const mark = (i: number) => editor(page).locator('ins').nth(i)
  /** The last one that is seen whole. */
  const lowest = async () => {
    const tops = await editor(page)
      .locator('ins')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
    return tops.findLastIndex((bottom) => bottom < 850)
  }
  await expect(mark(0)).toBeVisible()
  const low = await lowest()
  expect((await mark(low).boundingBox())!.y).toBeGreaterThan(760)
  const before = await mark(low).boundingBox()
  await mark(low).click()
  const card = page.getByRole('complementary', { name: 'Beside the text' }).locator('[aria-current=true]')
  const reply = card.getByRole('button', { name: 'Reply' })
  await expect.poll(async () => (await reply.boundingBox())?.y ?? 860).toBeLessThan(830)
  expect(await mark(low).boundingBox()).toEqual(before)
  // It grows where it stands.
  await reply.click()
  await expect(card.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 })
  const hint = card.getByText('to send · Markdown')
  expect(await hint.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false)
  await page.keyboard.press('Escape')

  // Nothing but suggestions is open.
  await page.getByRole('button', { name: 'Comments and suggestions (40)' }).click()
  await expect(page.getByRole('tab', { name: /^Suggestions/ })).toHaveAttribute('aria-selected', 'true')
  /** Whether Accept and the menu are beside each other. */
  const inRow = (place: Locator) =>
    expect
      .poll(() =>
        place.evaluate((element) => {
          const buttons = [...element.querySelectorAll('button')]
          const accept = buttons.find(({ textContent }) => textContent.trim() === 'Accept')!
          const more = buttons.find((one) => one.ariaLabel === 'More actions')!
          return accept.getBoundingClientRect().bottom > more.getBoundingClientRect().top
        }),
      )
      .toBe(true)
  await inRow(page.getByRole('tabpanel').getByRole('article').first())

  await page.setViewportSize({ width: 360, height: 700 })
  await page.reload()
  await mark(1).click()
  const sheet = page.getByRole('region', { name: 'About this passage' })
  await inRow(sheet)
  await sheet.getByRole('button', { name: 'Accept' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeVisible()
})
