// Suggesting: what a recipient types in the text becomes suggestions, seen in place, and nothing else changes the text.
import { expect, test, type Locator } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { goBehind } from './select-words.ts'
import { galley, useGalley } from './share-page.ts'
import { begin, content, editor, phone, suggester, text, way, wide } from './suggester.ts'

useGalley()

for (const [name, options] of Object.entries({ wide, phone })) {
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
  const { page, context, words } = await suggester(browser, phone)
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
  const { page, context, words, stored } = await suggester(browser, wide)
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
  const { page, context, all, id, stored } = await suggester(browser, wide, document)
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

test('others’ writing comes in beside what is suggested, which is kept apart once they take all text around it', async ({
  browser,
}) => {
  const { page, context, words, stored, all, id } = await suggester(browser, wide)
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

  // Undo has taken back only one’s own. Its author goes on in what is kept apart.
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

for (const [name, options] of Object.entries({ wide, phone })) {
  test(`what was put into an item that is gone is shown as a line of its own (${name})`, async ({
    browser,
  }) => {
    const list = 'A list:\n\n- the first\n- the second\n- the third\n'
    const { page, context, words, id } = await suggester(browser, options, list)
    await goBehind(page, 'the second')
    await page.keyboard.type(' of all')
    await expect.poll(words).toEqual([['', ' of all']])
    await galley.call('PATCH', `/api/documents/${id}`, { content: list.replace('- the second\n', '') })
    await expect(page.getByText('Its place is gone')).toBeVisible()
    const top = async (of: Locator) => Math.round((await of.boundingBox())!.y)
    const box = async (words: string) => {
      const rects = await page.locator('.cm-content').evaluate((content, words) => {
        const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.textContent!.indexOf(words)
          if (at < 0) continue
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + words.length)
          const { top, bottom } = range.getBoundingClientRect()
          return { top, bottom }
        }
        return null
      }, words)
      return rects!
    }
    const [first, own, third] = [await box('the first'), await box('of all'), await box('the third')]
    expect(own.top).toBeGreaterThanOrEqual(first.bottom)
    expect(third.top).toBeGreaterThanOrEqual(own.bottom)
    expect(await top(page.getByText('Its place is gone'))).toBeLessThan(third.top)
    await page.keyboard.type('!')
    await expect.poll(words).toEqual([['', ' of all!']])
    await context.close()
  })
}

test('a link to edit has all three ways, one switch between them, and from one to another and back one goes on where one was', async ({
  browser,
}) => {
  const { page, context, all, stored } = await editor(browser, wide)
  await expect(way(page)).toHaveValue('editing')
  await way(page).selectOption('suggesting')
  await expect(way(page)).toHaveValue('suggesting')
  await goBehind(page, 'A galley proof')
  await page.keyboard.type(' print')
  await expect(page.locator('.cm-content ins')).toHaveText(' print')
  await way(page).selectOption('editing')
  await expect(page.getByRole('heading', { name: 'Edit “' })).toBeAttached()
  await expect(text(page)).toBeFocused()
  expect(await stored()).toBe(content)
  await goBehind(page, 'The last')
  await page.keyboard.type(' real')
  await expect.poll(stored).toContain('The last real paragrph')
  await way(page).selectOption('viewing')
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()

  await begin(page, 'Edit')
  await goBehind(page, 'The last real')
  await page.keyboard.type('E')
  // At once: what is typed from now on is none of the text.
  await way(page).selectOption('suggesting')
  await text(page).focus()
  await page.keyboard.type('X')
  const suggested = async () => (await all()).map(({ suggested_text }) => suggested_text)
  await expect.poll(suggested).toEqual([' print', 'realEX'])
  await way(page).selectOption('editing')
  await expect(page.locator('.cm-content del')).toHaveCount(1)
  await way(page).selectOption('suggesting')
  await text(page).focus()
  await page.keyboard.type('Z')
  await expect.poll(suggested).toEqual([' print', 'realEXZ'])
  expect(await stored()).toBe(content.replace('last paragrph', 'last realE paragrph'))
  await context.close()
})

test('what is typed right after another way is chosen goes by that, also while nothing is answered', async ({
  browser,
}) => {
  // Else its worker asks for it.
  const options = { ...wide, serviceWorkers: 'block' } as const
  const { page, context, all, id, stored } = await editor(browser, options, 'One two three.\n')
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/suggestions(?:\?|$)/, async (route) => {
    if (route.request().method() === 'POST') await answered
    await route.continue()
  })
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
  await expect
    .poll(async () => (await all()).map((one) => [one.original_text, one.suggested_text]).sort())
    .toEqual([
      ['', ' BB'],
      ['', ' DD'],
    ])
  await expect.poll(stored).toBe('One two CC EE three.\n')
  await expect(page.locator('.cm-line').first()).toHaveText(seen)
  for (const { id: made } of await all())
    await galley.call('POST', `/api/documents/${id}/suggestions/${made}/accept`)
  expect(await stored()).toBe(`${seen}\n`)
  await context.close()
})

test('what others write into is kept apart for as long as it has no place, in front of its author', async ({
  browser,
}) => {
  const { page, context, words, all, id } = await suggester(browser, wide)
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
  const { page, context, stored, all, id } = await suggester(browser, wide)
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
