import { expect, type Locator } from '@playwright/test'
import { useKeyboard } from './on-screen-keyboard.ts'
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

test('by touch all of the passage stands above its sheet, however high that is, and nothing moves when it closes', async ({
  browser,
  server,
}) => {
  const long = `${'What is said here goes on over some lines of a phone. '.repeat(5)}It ends.`
  const lines = Array.from({ length: 14 }, (_, at) => `Line ${at} has a word in it.`)
  const content = [...lines, long, ...lines, 'The very last one.'].join('\n\n')
  const document = await server.create(content, 'On phones')
  const at = `/api/documents/${document.id}`
  await server.call('POST', `${at}/suggestions`, {
    original_text: long,
    suggested_text: `${long} And then there is more of it that nobody has read before.`,
  })
  await server.call('POST', `${at}/comments`, {
    body: 'Really?',
    anchor: { exact: 'very last', start: content.indexOf('very last') },
  })
  const context = await browser.newContext({
    ...{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    storageState: server.signedIn,
  })
  const page = await context.newPage()
  const keyboard = await useKeyboard(page)
  await page.goto(server.url)
  await page.getByRole('link', { name: 'On phones' }).first().tap()
  await expect(editor(page)).toBeVisible()
  const sheet = page.getByRole('region', { name: 'About this passage' })
  /** How far the passage stands from the ends of what is free, and where it begins. */
  const place = (words: string) =>
    page.evaluate((words) => {
      const all = [...window.document.querySelectorAll('[data-mark], [data-suggestion]')]
      const { mark, suggestion } = (all.find((one) => one.textContent.includes(words)) as HTMLElement).dataset
      const rects = all
        .filter((one) =>
          [mark, suggestion].some((id) => id && Object.values((one as HTMLElement).dataset).includes(id)),
        )
        .flatMap((one) => [...one.getClientRects()])
      const [top, bottom] = [Math.min(...rects.map((r) => r.top)), Math.max(...rects.map((r) => r.bottom))]
      const free = window.document.querySelector('.cm-scroller')!.getBoundingClientRect()
      return { above: top - free.top, below: free.bottom - bottom, top: Math.round(top) }
    }, words)
  const mark = editor(page).locator('[data-mark]').first()
  await mark.evaluate((one) => one.scrollIntoView({ block: 'end' }))
  const box = (await mark.boundingBox())!
  await page.touchscreen.tap(box.x + 60, Math.max(140, box.y + 10))
  await expect(sheet.getByText('that nobody has read before')).toBeVisible()
  const isWhole = async () => {
    const { above, below } = await place('What is said here')
    return above >= 0 && below >= 0
  }
  await expect.poll(isWhole).toBe(true)
  await expect(editor(page)).not.toBeFocused()

  // With a keyboard there may be room for its first lines only.
  await sheet.getByRole('button', { name: 'Reply' }).tap()
  await expect(sheet.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await keyboard(320)
  await expect
    .poll(async () => {
      const { above, below } = await place('What is said here')
      return above >= 0 && (below >= 0 || above < 20)
    })
    .toBe(true)
  const { y, height } = (await sheet.getByRole('button', { name: 'Cancel' }).boundingBox())!
  expect(y + height, 'what is written stays in reach').toBeLessThanOrEqual(420)
  await keyboard(0)
  await sheet.getByRole('button', { name: 'Cancel' }).tap()
  const before = await place('What is said here')
  await sheet.getByRole('button', { name: 'Next' }).tap()
  await expect(sheet.getByText('Really?')).toBeVisible()
  await expect.poll(async () => (await place('very last')).below).toBeGreaterThan(0)
  expect(before.above).toBeGreaterThanOrEqual(0)

  const { top } = await place('very last')
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet).toBeHidden()
  expect((await place('very last')).top).toBe(top)
  await expect(editor(page)).not.toBeFocused()
  await context.close()
})

test('a card is in view with its buttons in one row, and below the text', async ({ page, server }) => {
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
  // As narrow as it gets beside the text, too.
  await page.setViewportSize({ width: 1024, height: 860 })
  await expect(page.getByRole('complementary', { name: 'About this document' })).toBeVisible()
  await inRow(page.getByRole('tabpanel').getByRole('article').first())

  await page.setViewportSize({ width: 360, height: 700 })
  await page.reload()
  await mark(1).click()
  const sheet = page.getByRole('region', { name: 'About this passage' })
  await inRow(sheet)
  await sheet.getByRole('button', { name: 'Accept' }).click()
  await expect(sheet.getByRole('article', { name: /Line 2/ })).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeVisible()
})

const words = ['one', 'two', 'three', 'four', 'five']

/** Each word in a paragraph of its own, and a suggestion for it. */
async function withFive(server: OwnerServer, title?: string) {
  const document = await server.create(words.map((word) => `Here is ${word} of them.`).join('\n\n'), title)
  for (const word of words)
    await server.call('POST', `/api/documents/${document.id}/suggestions`, {
      original_text: word,
      suggested_text: `${word} or more`,
    })
  return document
}

test('after a decision the review goes on with what took its place, by mouse and by key', async ({
  page,
  server,
}) => {
  await open(page, await withFive(server))
  const beside = page.getByRole('complementary', { name: 'Beside the text' })
  const card = (word: string) => beside.getByRole('article', { name: `“${word}” becomes` })
  await card('three').click()
  await card('three').getByRole('button', { name: 'Accept' }).click()
  await expect(card('three')).toBeHidden()
  await expect(card('four')).toHaveAttribute('aria-current', 'true')
  await expect(card('four')).toBeFocused()
  await page.keyboard.press('F8')
  await expect(card('five')).toBeFocused()
  await page.keyboard.press('Shift+F8')
  await expect(card('four')).toBeFocused()
  await card('four').getByRole('button', { name: 'Withdraw' }).press('Enter')
  await expect(card('five')).toBeFocused()
  // After the last one stands the one before.
  await card('five').getByRole('button', { name: 'Accept' }).press('Enter')
  await expect(card('two')).toBeFocused()
  await expect(card('two')).toHaveAttribute('aria-current', 'true')
})

test('by touch the sheet goes on with the next, and closes after the last', async ({ browser, server }) => {
  await withFive(server, 'Five')
  const context = await browser.newContext({
    ...{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    storageState: server.signedIn,
  })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByRole('link', { name: 'Five' }).first().tap()
  await editor(page).locator('ins').nth(2).tap()
  const sheet = page.getByRole('region', { name: 'About this passage' })
  await expect(sheet.getByText('3 of 5')).toBeVisible()
  // What is said of the last decision may stand over the button for a while.
  const choose = (name: string) => sheet.getByRole('button', { name }).dispatchEvent('click')
  for (const [word, action, at] of [
    ['four', 'Accept', '3 of 4'],
    ['five', 'Withdraw', '3 of 3'],
    ['two', 'Accept', '2 of 2'],
  ] as const) {
    await choose(action)
    await expect(sheet.getByRole('article', { name: `“${word}” becomes` })).toBeVisible()
    await expect(sheet.getByText(at)).toBeVisible()
  }
  await choose('Accept')
  await expect(sheet.getByRole('article', { name: '“one” becomes' })).toBeVisible()
  await choose('Accept')
  await expect(sheet).toBeHidden()
  await context.close()
})

test('a suggestion whose words are gone has a card behind the others, and all are back in their places by undo', async ({
  page,
  server,
  browser,
}) => {
  const list = `# Things\n\nWhat there is, in short.\n\n- one\n- two words\n\nAnd so on, as was said before.\n`
  const document = await server.create(list)
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'edit' })
  const suggest = async (exact: string, suggested_text: string, start: number) => {
    const end = start + exact.length
    const around = { prefix: list.slice(start - 20, start), suffix: list.slice(end, end + 20) }
    const answer = await fetch(`${server.url}${at}/suggestions?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ original_text: exact, suggested_text, author_name: 'Ada' },
        anchor: { exact, start, ...around },
      }),
    })
    expect(answer.status).toBe(201)
  }
  const start = list.indexOf('two')
  await suggest('two', 'three', start)
  await suggest('', ' or more', start + 'two words'.length)
  const anchor = { exact: 'words', prefix: 'two ', suffix: '', start: start + 4 }
  await server.call('POST', `${at}/comments`, { body: 'Which ones?', anchor })
  await open(page, document)
  const beside = page.getByRole('complementary', { name: 'Beside the text' })
  await expect(beside.getByRole('article')).toHaveCount(3)
  await editor(page).getByText('words').click()
  await page.keyboard.press('End')
  for (const _ of 'two words') await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Delete')
  await expectStored(server, document, list.replace('two words', ''))
  const gone = beside.getByRole('region', { name: 'No longer in the text' })
  await expect(gone.getByRole('article')).toHaveCount(2)
  await expect(gone.getByRole('article').nth(0)).toContainText('Which ones?')
  await expect(gone.getByRole('article').nth(1)).toContainText('aren’t in the text as they were')

  const reader = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await reader.goto(`${server.url}/share/${token}`)
  const theirs = reader.getByRole('region', { name: 'No longer in the text' })
  await expect(theirs.getByRole('article').nth(0)).toContainText('Which ones?')
  const suggested = theirs.getByRole('article').nth(1)
  await expect(suggested).toContainText('It can’t be applied')
  // A link to it leads to its card in the list, whatever stands above that one beside the text.
  const id = await suggested.getAttribute('data-item')
  await reader.evaluate((id) => (location.hash = `#said-${id}`), id)
  const dialog = reader.getByRole('dialog', { name: 'Comments' })
  const listed = dialog.locator(`[data-item="${id}"]`)
  await expect(listed).toBeFocused()
  await expect(listed).toBeInViewport()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await reader.getByRole('button', { name: 'Edit', exact: true }).click()
  const besideTheirs = reader.getByRole('complementary', { name: 'Beside the text' })
  await expect(besideTheirs.getByRole('region', { name: 'No longer in the text' })).toContainText(
    /Which ones\?.*It can’t be applied/s,
  )

  await editor(page).focus()
  await page.keyboard.press('Control+z')
  await expectStored(server, document, list)
  await expect(gone).toHaveCount(0)
  await expect(theirs).toHaveCount(0)
  await expect(editor(page).locator('.cm-line', { hasText: 'words' })).toHaveText('•twothree words or more')

  await editor(page).focus()
  await page.keyboard.press('Control+y')
  await gone.getByRole('button', { name: 'Reject' }).click()
  await expect(gone.getByRole('article')).toContainText(['Which ones?'])
  await reader.context().close()
})

test('the keyboard goes back to the text as the panel closes, by mouse and by key', async ({
  page,
  server,
}) => {
  const document = await server.create('First.\n\nSecond paragraph.\n')
  await open(page, document)
  await editor(page).getByText('Second').click()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Close the panel' }).click()
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type(' and more')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Close the panel' }).press('Enter')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type(' words')
  await expectStored(server, document, 'First.\n\nSecond paragraph. and more words\n')
})
