// Suggesting: what a recipient types in the text becomes suggestions, seen in place, and nothing else changes the text.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { goBehind } from './select-words.ts'

const sizes: Record<string, BrowserContextOptions> = {
  wide: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  phone: {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    colorScheme: 'dark',
  },
}
const content = `# On proofs

A galley proof is the draft that goes out for review before print.

The margins are **very wide** for a [reason](https://example.org).

| Mark | Meaning |
| --- | --- |
| stet | let it stand |

The last paragrph.
`
interface Suggestion {
  id: string
  original_text: string
  suggested_text: string
  note: string | null
  status: string
  range: object | null
}

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const way = (page: Page) => page.getByRole('combobox', { name: 'What you do in the text' })

/** Somebody who has begun to suggest by a link that lets them do no more. */
async function suggester(browser: Browser, options: BrowserContextOptions, document = content) {
  const { id } = await galley.createDocument(document)
  const made = await galley.call<{ token: string; id: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'edit',
    suggest_only: true,
  })
  const address = `${galley.shareUrl}/share/${made.token}`
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) throw new Error(message.text())
  })
  await page.goto(address)
  await page.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(text(page)).toBeFocused()
  const all = () => galley.call<Suggestion[]>('GET', `/api/documents/${id}/suggestions`)
  const words = async () =>
    (await all()).map(({ original_text, suggested_text }) => [original_text, suggested_text])
  const stored = async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content
  return { page, context, id, address, all, words, stored, linkId: made.id }
}

for (const [name, options] of Object.entries(sizes)) {
  test(`what is typed, struck through and put in is suggested, and the text stays (${name})`, async ({
    browser,
  }) => {
    const { page, context, words, stored } = await suggester(browser, options)
    await goBehind(page, 'paragr')
    await page.keyboard.type('a')
    await goBehind(page, 'A galley proof')
    for (let i = 0; i < 'proof'.length; i++) await page.keyboard.press('Backspace')
    await page.keyboard.type('sheet')
    await expect(page.locator('.cm-content ins').first()).toHaveText('sheet')
    await expect(page.locator('.cm-content del').first()).toHaveText('proof')
    await expect.poll(words).toEqual(
      expect.arrayContaining([
        ['paragrph', 'paragraph'],
        ['proof', 'sheet'],
      ]),
    )
    expect(await stored()).toBe(content)
    // Going on changes the same one.
    await page.keyboard.type('s')
    await expect.poll(words).toContainEqual(['proof', 'sheets'])
    expect(await words()).toHaveLength(2)
    await expectAccessible(page)
    await context.close()
  })
}

test('what is composed over selected words, one’s own among them, is suggested once', async ({ browser }) => {
  const { page, context, words } = await suggester(browser, sizes['phone']!)
  const keyboard = await context.newCDPSession(page)
  const compose = async (words: string) => {
    for (let length = 1; length <= words.length; length++) {
      const text = words.slice(0, length)
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: length, selectionEnd: length })
    }
    await keyboard.send('Input.insertText', { text: words })
  }
  for (const [over, composed] of [
    ['draft', 'sheet'],
    ['sheet', 'long page'],
  ] as const) {
    await goBehind(page, over)
    for (let i = 0; i < over.length; i++) await page.keyboard.press('Shift+ArrowLeft')
    await compose(composed)
    await expect.poll(words).toEqual([['draft', composed]])
  }
  await expect(page.locator('.cm-content ins')).toHaveText(['long page'])
  await expect(page.locator('.cm-content del')).toHaveText(['draft'])
  // Lines that are chosen whole keep their end.
  await goBehind(page, 'The last')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await compose('The end.')
  await expect.poll(words).toContainEqual(['The last paragrph.', 'The end.'])
  await context.close()
})

test('what is typed over paragraphs is suggested for them, without a style that the page refuses', async ({
  browser,
}) => {
  const { page, context, words, stored } = await suggester(browser, sizes['wide']!)
  const refused: string[] = []
  page.on('console', (message) => refused.push(message.text()))
  await goBehind(page, 'A galley ')
  for (let i = 0; i < 2; i++) await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.type('sheets')
  await expect
    .poll(words)
    .toEqual([[expect.stringMatching(/^proof is .*\n\n./s), expect.stringMatching(/^sheets/)]])
  expect(await stored()).toBe(content)
  expect(refused).toEqual([])
  await context.close()
})

test('what keys, tools, boxes and the mouse do goes by the text as it reads, again and again', async ({
  browser,
}) => {
  const document = '# Head\n\n- [ ] To do\n- Two\n\nteh cat and teh dog.\n\nWords to move here.\n'
  const { page, context, all, id, stored } = await suggester(browser, sizes['wide']!, document)
  await goBehind(page, 'Head')
  for (const level of ['2', '3']) await page.keyboard.press(`Control+Alt+${level}`)
  await page.getByRole('checkbox', { name: 'To do' }).click()
  await expect(page.getByRole('checkbox', { name: 'Done' })).toBeChecked()
  await goBehind(page, 'Two')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')

  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('teh')
  await page.getByRole('textbox', { name: 'Replace with' }).fill('the')
  for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Replace all matches' }).click()
  await expect(page.locator('.g-search-count')).toHaveText('none')
  await page.keyboard.press('Escape')

  await goBehind(page, 'to move ')
  for (let i = 0; i < 'move '.length; i++) await page.keyboard.press('Shift+ArrowLeft')
  const place = (words: string) =>
    page.evaluate((words) => {
      const range = globalThis.document.createRange()
      const walker = globalThis.document.createTreeWalker(
        globalThis.document.querySelector('.cm-content')!,
        4,
      )
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent!.indexOf(words)
        if (at < 0) continue
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        break
      }
      const { left, top, height } = range.getBoundingClientRect()
      return { x: left + 1, y: top + height / 2 }
    }, words)
  const [from, to] = [await place('move'), await place('Words')]
  await page.mouse.move(from.x + 8, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 20, from.y - 10, { steps: 5 })
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
  await expect(page.locator('.cm-line', { hasText: 'here.' })).toHaveText('move Words to move here.')

  await expect.poll(async () => (await all()).length).toBe(7)
  expect(await stored()).toBe(document)
  for (const { id: one } of await all())
    await galley.call('POST', `/api/documents/${id}/suggestions/${one}/accept`)
  expect(await stored()).toBe(
    '### Head\n\n- [x] To do\n  - Two\n\nthe cat and the dog.\n\nmove Words to here.\n',
  )
  await context.close()
})

test('who comes back finds their suggestions in the text, and goes on', async ({ browser }) => {
  const { page, context, words } = await suggester(browser, sizes['wide']!)
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Suggest', exact: true })).toBeVisible()
  await expect.poll(words).toEqual([['', ' print']])
  await page.reload()
  await page.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(page.locator('.cm-content ins')).toHaveText(' print')
  await goBehind(page, ' print')
  await page.keyboard.type('ed')
  await expect.poll(words).toEqual([['', ' printed']])
  for (let i = 0; i < ' printed'.length; i++) await page.keyboard.press('Backspace')
  await expect.poll(words).toEqual([])
  await context.close()
})

test('others’ writing comes in beside what is suggested, and undo takes back only one’s own', async ({
  browser,
}) => {
  const { page, context, words, id, stored } = await suggester(browser, sizes['wide']!)
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await galley.call('PATCH', `/api/documents/${id}`, {
    content: content.replace('# On proofs', '# On all proofs').replace('review', 'careful review'),
  })
  await expect(text(page)).toContainText('On all proofs')
  await expect(text(page)).toContainText('careful review')
  await expect(page.locator('.cm-content ins')).toHaveText(' print')
  await expect.poll(words).toEqual([['', ' print']])
  await page.keyboard.press('Control+z')
  await expect(page.locator('.cm-content ins')).toHaveCount(0)
  await expect(text(page)).toContainText('On all proofs')
  await expect.poll(words).toEqual([])
  expect(await stored()).toContain('careful review')
  await context.close()
})

test('what couldn’t be sent is kept with the page, and sent by the next that is read when there is a way again', async ({
  browser,
}) => {
  const { page, context, words, all } = await suggester(browser, sizes['wide']!)
  await page.route('**/suggestions?**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect(page.locator('[data-save-state]')).toHaveText('Kept here, will be delivered')
  await page.reload()
  expect(await words()).toEqual([])
  const waiting = page.getByRole('article', { name: 'Your suggestion, waiting' })
  await waiting.getByRole('button', { name: 'Add a reason' }).click()
  await page.getByRole('textbox', { name: 'Why you suggest it' }).fill('It says which.')
  await waiting.getByRole('button', { name: 'Save' }).click()
  await expect(waiting.getByText('It says which.')).toBeVisible()
  await page.unroute('**/suggestions?**')
  // As on coming back to it, it looks for news now instead of in a while.
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
  await expect(page.getByText('Delivered: your suggestion.')).toBeVisible()
  expect(await words()).toEqual([['', ' print']])
  expect((await all())[0]!.note).toBe('It says which.')
  await page.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(page.locator('.cm-content ins')).toHaveText(' print')

  // Taken back, it stays so, too.
  await page.route('**/suggestions/**', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  )
  await goBehind(page, ' print')
  for (let i = 0; i < ' print'.length; i++) await page.keyboard.press('Backspace')
  await expect(page.locator('[data-save-state]')).toHaveText('Kept here, will be delivered')
  await page.reload()
  await expect(page.getByText('Kept here, will be withdrawn on delivery')).toBeVisible()
  expect(await words()).toEqual([['', ' print']])
  await page.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(text(page)).toContainText('A galley proof is the draft')
  await expect(page.locator('.cm-content ins')).toHaveCount(0)
  await page.unroute('**/suggestions/**')
  await expect.poll(words).toEqual([])
  await context.close()
})

test('without a network one goes on with a suggestion, and is told soon that it waits', async ({
  browser,
}) => {
  const { page, context, words } = await suggester(browser, { ...sizes['wide'], serviceWorkers: 'block' })
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(String(error)))
  // What compares texts has come with the editor, or else can’t be had.
  await page.route('**/assets/diff-segments-*', (route) => route.abort())
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect.poll(words).toEqual([['', ' print']])
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
  const { page, context, all } = await suggester(browser, sizes['phone']!)
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

test('a link to edit has all three ways, and one switch between them', async ({ browser }) => {
  const { id } = await galley.createDocument(content)
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(sizes['wide'])
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  await expect(way(page)).toHaveValue('editing')
  await way(page).selectOption('suggesting')
  await expect(way(page)).toHaveValue('suggesting')
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect(page.locator('.cm-content ins')).toHaveText(' print')
  await way(page).selectOption('editing')
  await expect(page.getByRole('heading', { name: 'Edit “' })).toBeAttached()
  await expect(text(page)).toBeFocused()
  const stored = async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content
  expect(await stored()).toBe(content)
  await goBehind(page, 'The last')
  await page.keyboard.type(' real')
  await expect.poll(stored).toContain('The last real paragrph')
  await way(page).selectOption('viewing')
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await context.close()
})

test('from one way to another and back one goes on where one was', async ({ browser }) => {
  const { id } = await galley.createDocument('One two three.\n')
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(sizes['wide'])
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  await goBehind(page, 'One two')
  await page.keyboard.type('E')
  // At once: what is typed from now on is none of the text.
  await way(page).selectOption('suggesting')
  await text(page).focus()
  await page.keyboard.type('X')
  const suggested = async () =>
    (await galley.call<Suggestion[]>('GET', `/api/documents/${id}/suggestions`)).map(
      ({ suggested_text }) => suggested_text,
    )
  await expect.poll(suggested).toEqual(['twoEX'])
  await way(page).selectOption('editing')
  await expect(page.locator('.cm-content del')).toHaveCount(1)
  await way(page).selectOption('suggesting')
  await text(page).focus()
  await page.keyboard.type('Z')
  await expect.poll(suggested).toEqual(['twoEXZ'])
  expect((await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content).toBe(
    'One twoE three.\n',
  )
  await context.close()
})

test('what is typed right after another way is chosen goes by that, also while nothing is answered', async ({
  browser,
}) => {
  const { id } = await galley.createDocument('One two three.\n')
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(sizes['wide'])
  const page = await context.newPage()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/suggestions(?:\?|$)/, async (route) => {
    if (route.request().method() === 'POST') await answered
    await route.continue()
  })
  await page.goto(address)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(text(page)).toBeFocused()
  await goBehind(page, 'One two')
  for (const [chosen, words] of [
    ['suggesting', ' BB'],
    ['editing', ' CC'],
    ['suggesting', ' DD'],
    ['editing', ' EE'],
  ] as const) {
    await way(page).selectOption(chosen)
    await page.keyboard.type(words)
  }
  const seen = 'One two BB CC DD EE three.'
  await expect(page.locator('.cm-line').first()).toHaveText(seen)
  answer()
  const all = () => galley.call<Suggestion[]>('GET', `/api/documents/${id}/suggestions`)
  await expect
    .poll(async () => (await all()).map((one) => [one.original_text, one.suggested_text]).sort())
    .toEqual([
      ['', ' BB'],
      ['', ' DD'],
    ])
  const stored = async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content
  await expect.poll(stored).toBe('One two CC EE three.\n')
  await expect(page.locator('.cm-line').first()).toHaveText(seen)
  for (const { id: made } of await all())
    await galley.call('POST', `/api/documents/${id}/suggestions/${made}/accept`)
  expect(await stored()).toBe(`${seen}\n`)
  await context.close()
})

test('what others take all text around of is kept apart, and its author goes on in it', async ({
  browser,
}) => {
  const { page, context, words, stored, all, id } = await suggester(browser, sizes['wide']!)
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect.poll(words).toEqual([['', ' print']])
  const paragraph = 'A galley proof is the draft that goes out for review before print.\n\n'
  await galley.call('PATCH', `/api/documents/${id}`, { content: content.replace(paragraph, '') })
  await expect(page.getByText('Its place is gone')).toBeVisible()
  await page.keyboard.type(' and ink')
  await expect(page.locator('.cm-content ins')).toHaveText(' print and ink')
  await expect.poll(words).toEqual([['', ' print and ink']])
  const [made] = await all()
  const accepted = await galley
    .call('POST', `/api/documents/${id}/suggestions/${made!.id}/accept`)
    .catch((error: unknown) => String(error))
  expect(accepted).toContain('TEXT_NOT_FOUND')
  expect(await stored()).toBe(content.replace(paragraph, ''))
  await context.close()
})

test('what others write into is kept apart for as long as it has no place, in front of its author', async ({
  browser,
}) => {
  const { page, context, words, all, id } = await suggester(browser, sizes['wide']!)
  const become = (last: string) =>
    galley.call('PATCH', `/api/documents/${id}`, { content: content.replace('The last paragrph.', last) })
  const isPlaced = async () => (await all()).map(({ range }) => range !== null)
  await goBehind(page, 'The last paragrph')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.type('That one must leave')
  await expect.poll(words).toEqual([['The last paragrph', 'That one must leave']])
  await become('The very last paragrph.')
  await expect.poll(isPlaced).toEqual([false])
  await expect(page.getByText('Its place is gone')).toBeVisible()
  await expect(page.locator('.cm-content ins')).toHaveText('That one must leave')
  await expect(page.locator('.cm-content del')).toHaveCount(0)
  await become('The last paragrph.')
  await expect.poll(isPlaced).toEqual([true])
  await expect(page.getByText('Its place is gone')).toBeHidden()
  await expect(page.locator('.cm-content del')).toHaveText('The last paragrph')
  // It may be for other words, which its author selects.
  await become('The very last paragrph.')
  await expect(page.getByRole('button', { name: 'Suggest it here' })).toBeVisible()
  await goBehind(page, 'The very last paragrph')
  await page.keyboard.press('Shift+Home')
  await page.getByRole('button', { name: 'Suggest it for the selected words' }).click()
  await expect(page.locator('.cm-content del')).toHaveText('The very last paragrph')
  await expect.poll(words).toEqual([['The very last paragrph', 'That one must leave']])
  expect(await isPlaced()).toEqual([true])
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Its place is gone')).toBeVisible()
  await expect.poll(isPlaced).toEqual([false])
  await page.keyboard.press('Control+y')
  await expect.poll(isPlaced).toEqual([true])
  await context.close()
})

test('what is decided on while its author goes on typing leaves what was typed since', async ({
  browser,
}) => {
  const { page, context, stored, all, id } = await suggester(browser, sizes['wide']!)
  const pending = async () => (await all()).filter(({ status }) => status === 'pending')
  const waiting = async () => (await pending()).map((one) => one.suggested_text)
  const begin = async (behind: string) => {
    await goBehind(page, behind)
    await page.keyboard.type(' here')
    await expect.poll(waiting).toEqual([' here'])
    const [made] = await pending()
    await page.keyboard.type(' and there')
    return made!.id
  }

  await test.step('what is accepted while its author goes on typing stands there once', async () => {
    const made = await begin('A galley proof')
    await galley.call('POST', `/api/documents/${id}/suggestions/${made}/accept`)
    await expect(page.locator('.cm-content ins')).toHaveText(' and there')
    await expect.poll(waiting).toEqual([' and there'])
    const [rest] = await pending()
    await galley.call('POST', `/api/documents/${id}/suggestions/${rest!.id}/accept`)
    expect(await stored()).toContain('A galley proof here and there is the draft')
    await expect(page.locator('.cm-content ins')).toHaveCount(0)
  })

  await test.step('what is rejected while its author goes on leaves the text, but what was typed since', async () => {
    const made = await begin('The last paragrph')
    await galley.call('POST', `/api/documents/${id}/suggestions/${made}/reject`)
    await expect(page.locator('.cm-content ins')).toHaveText(' and there')
    await expect(page.getByText('wasn’t taken. What you typed since stays.')).toBeVisible()
    await page.keyboard.type('!')
    await expect.poll(waiting).toEqual([' and there!'])
    expect((await all()).find(({ status }) => status === 'rejected')!.suggested_text).toBe(' here')
  })
  await context.close()
})

test('what is typed right before the page goes is sent, once', async ({ browser }) => {
  const { page, context, words, address } = await suggester(browser, sizes['wide']!)
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await page.close({ runBeforeUnload: true })
  const again = await context.newPage()
  await again.goto(address)
  await again.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(again.locator('.cm-content ins')).toHaveText(' print')
  // On a busy machine the browser may drop what is sent as its page goes: then it is sent from here, once all the same.
  await expect.poll(words).toEqual([['', ' print']])
  await goBehind(again, ' print')
  await again.keyboard.type('ed')
  await again.goto('about:blank')
  await expect.poll(words).toEqual([['', ' printed']])
  await context.close()
})

test('what a link that is revoked has left unsent can be copied from its page', async ({ browser }) => {
  const { page, context, address, id, linkId } = await suggester(browser, sizes['phone']!)
  await page.route('**/suggestions?**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
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
