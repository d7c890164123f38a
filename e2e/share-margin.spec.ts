// The cards beside the text: in their order however many there are, and what is written in them in view.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { useKeyboard } from './on-screen-keyboard.ts'
import { selectWords } from './select-words.ts'

const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

async function open(browser: Browser, id: string, options = desk) {
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  return { page, context }
}

const anchorOn = (text: string, exact: string) => ({
  exact,
  prefix: '',
  suffix: '',
  start: text.indexOf(exact),
})

/** What the cards that can be seen are about, from above. */
const shown = (page: Page) =>
  page.locator('.margin .place:not(.away)').evaluateAll((places) =>
    places
      .map((place) => ({
        top: parseFloat((place as HTMLElement).style.top),
        said: /Comment (\d+)/.exec(place.textContent ?? '')?.[1] ?? '',
      }))
      .sort((a, b) => a.top - b.top)
      .map(({ said }) => Number(said)),
  )

test('of fifty comments a chosen one in the middle scatters none: what has no room above it is folded away', async ({
  browser,
}) => {
  const words = Array.from({ length: 50 }, (_, i) => `Word${i} `)
  const text = words.map((word) => `${word}stands in a paragraph of its own.`).join('\n\n')
  const { id } = await galley.createDocument(text)
  for (const [i, word] of words.entries())
    await galley.call('POST', `/api/documents/${id}/comments`, {
      body: `Comment ${i} says so much that it takes some lines, and stands lower than its words.`,
      anchor: anchorOn(text, word),
    })
  const { page, context } = await open(browser, id)
  const numbers = words.map((_, i) => i)
  await expect.poll(() => shown(page)).toEqual(numbers)
  await page.getByText('Comment 25 ').click()
  const folded = page.getByRole('button', { name: /earlier comments/ })
  await expect(folded).toBeVisible()
  const count = parseInt((await folded.textContent())!.trim(), 10)
  await expect.poll(() => shown(page)).toEqual(numbers.slice(count))

  await folded.click()
  const last = page.getByRole('article', { name: `on “Word${count - 1} ` })
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport()
  await context.close()
})

test('cards beside several marks on one line come as the marks do, whichever is chosen', async ({
  browser,
}) => {
  const words = ['A galley', '`proof`', 'goes out', '**before**', 'print']
  const text = 'A galley `proof` goes out **before** print.\n\nAnd comes back.'
  const { id } = await galley.createDocument(text)
  for (const [i, word] of [...words.entries()].toReversed())
    await galley.call('POST', `/api/documents/${id}/comments`, {
      body: `Comment ${i}.`,
      anchor: anchorOn(text, word),
    })
  const { page, context } = await open(browser, id)
  const inTurn = () =>
    page
      .locator('.margin .place')
      .evaluateAll((places) => places.map((place) => Number(/Comment (\d)/.exec(place.textContent)![1])))
  const numbers = words.map((_, i) => i)
  await expect.poll(() => shown(page)).toEqual(numbers)
  expect(await inTurn()).toEqual(numbers)
  for (const i of [2, 1]) {
    await page
      .locator('.margin')
      .getByRole('article')
      .filter({ hasText: `Comment ${i}.` })
      .focus()
    await expect(page.locator('.card.active')).toContainText(`Comment ${i}.`)
    await expect.poll(() => shown(page)).toEqual(numbers)
  }
  await context.close()
})

test('notes stand at the end of the page, and hold no card back from its words', async ({ browser }) => {
  const lines = Array.from({ length: 40 }, (_, i) => `Spot ${i} of a text that goes on and on.`)
  const text = `It is noted[^1] here.\n\n[^1]: A note at the foot.\n\n${lines.join('\n\n')}`
  const { id } = await galley.createDocument(text)
  for (const [i, words] of ['noted', 'note at', 'Spot 4 of', 'Spot 8 of'].entries())
    await galley.call('POST', `/api/documents/${id}/comments`, {
      body: `Comment ${i}.`,
      anchor: anchorOn(text, words),
    })
  const { page, context } = await open(browser, id)
  await expect.poll(() => shown(page)).toEqual([0, 2, 3, 1])
  const note = page.locator('#content').getByRole('button', { name: /Spot 8 of/ })
  // Also by key, where a screen reader has put the focus there.
  for (const press of [
    () => note.evaluate((element: HTMLElement) => element.click()),
    () => page.keyboard.press('Enter'),
    () => page.keyboard.press('Space'),
  ]) {
    await page.keyboard.press('Escape')
    await expect(page.locator('.card.active')).toHaveCount(0)
    await note.focus()
    await press()
    const card = page.locator('.margin .card.active')
    await expect(card).toContainText('Comment 3.')
    await expect(card).toContainText('3 of 4')
    await expect(card).toBeFocused()
    await expect
      .poll(async () => {
        const [words, beside] = await Promise.all([note.boundingBox(), card.boundingBox()])
        return Math.abs(words!.y - beside!.y) < 40
      })
      .toBe(true)
    await expect(card).toBeInViewport({ ratio: 1 })
  }
  await context.close()
})

test('far words have their card beside them, whether one goes there or not', async ({ browser }) => {
  // A part of these is far taller than it is taken for until it is laid out.
  const lines = Array.from({ length: 300 }, (_, i) => `Spot ${i} of it ${'goes on and on. '.repeat(30)}`)
  const text = lines.join('\n\n')
  const { id } = await galley.createDocument(text)
  const spots = [2, 98, 150, 211, 290]
  for (const i of spots)
    await galley.call('POST', `/api/documents/${id}/comments`, {
      body: `On spot ${i} of it.`,
      anchor: anchorOn(text, `Spot ${i} of`),
    })
  const { page, context } = await open(browser, id)
  const words = (i: number) => page.locator('.part .b', { hasText: `Spot ${i} of` })
  const card = (i: number) => page.locator('.margin .place', { hasText: `On spot ${i} of` })
  const apart = async (i: number) => {
    const [beside, now] = await Promise.all([words(i).boundingBox(), card(i).boundingBox()])
    return Math.abs(beside!.y - now!.y)
  }
  await expect(card(290)).toHaveCount(1)
  for (const i of spots) await expect.poll(() => apart(i)).toBeLessThan(40)
  for (const i of [290, 2, 211, 98, 150]) {
    await words(i).evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }))
    await expect.poll(() => apart(i)).toBeLessThan(40)
    await expect(card(i)).toBeInViewport()
  }
  await context.close()
})

test('on a phone a link to a comment whose words are gone says which they were', async ({ browser }) => {
  const text = 'A galley proof goes out.\n\nIt comes back in a week.'
  const { id } = await galley.createDocument(text)
  const thread = await galley.call<{ id: string }>('POST', `/api/documents/${id}/comments`, {
    body: 'Which one?',
    anchor: anchorOn(text, 'in a week'),
  })
  await galley.call('PATCH', `/api/documents/${id}`, { content: 'A galley proof goes out.' })
  const { address } = await galley.share(id, 'comment')
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true })
  const page = await context.newPage()
  await page.goto(`${address}#said-${thread.id}`)
  const sheet = page.getByRole('dialog', { name: 'Comment', exact: true })
  await expect(sheet).toContainText('in a week')
  await expect(sheet).toContainText('These words are no longer in the text.')
  await context.close()
})

test('a link to a comment that is gone says so', async ({ browser }) => {
  const text = 'A galley proof goes out.\n\nIt comes back in a week.'
  const { id } = await galley.createDocument(text)
  const say = (body: string) =>
    galley.call<{ id: string }>('POST', `/api/documents/${id}/comments`, {
      ...{ body, anchor: anchorOn(text, 'in a week') },
    })
  const [gone, there] = [await say('Which one?'), await say('This one?')]
  await galley.call('DELETE', `/api/documents/${id}/comments/${gone.id}`)
  const { address } = await galley.share(id, 'comment')
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true })
  const page = await context.newPage()
  await page.goto(`${address}#said-${gone.id}`)
  const line = page.getByRole('status').filter({ hasText: 'is no longer here' })
  await expect(line).toContainText('The comment or suggestion that this link leads to is no longer here.')
  await line.getByRole('button', { name: 'Show what is here' }).click()
  await expect(page.getByRole('dialog', { name: 'Comments' })).toContainText('This one?')
  await expect(line).toHaveCount(0)
  // One that this page hasn’t heard of yet is no such.
  await page.reload()
  await line.getByRole('button', { name: 'Dismiss' }).click()
  const next = await say('And this?')
  await page.evaluate((said) => (location.hash = `#said-${said}`), next.id)
  await expect(page.getByRole('dialog', { name: 'Comment', exact: true })).toContainText('And this?')
  await expect(line).toHaveCount(0)
  await page.evaluate((said) => (location.hash = `#said-${said}`), there.id)
  await expect(page.getByRole('dialog', { name: 'Comment', exact: true })).toContainText('This one?')
  await page.evaluate(() => (location.hash = '#said-nobody'))
  await expect(line).toHaveCount(1)
  await context.close()
})

test('all of a suggestion that is being written is in view', async ({ browser }) => {
  const text = `${'A galley proof is the draft that goes out for review before print.\n\n'.repeat(9)}It comes back in a week.`
  const { id } = await galley.createDocument(text)
  const { page, context } = await open(browser, id)
  // What can be done with words at the end of a line covers nothing beside the text.
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await selectWords(page, 'before print.')
    const tools = (await page
      .getByRole('region', { name: 'What to do with the selected words' })
      .boundingBox())!
    const column = (await page.locator('main').boundingBox())!
    expect(tools.x + tools.width).toBeLessThanOrEqual(column.x + column.width + 0.5)
  }
  await selectWords(page, 'in a week')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  const card = page.getByRole('dialog', { name: 'Suggest a change' })
  await card.getByRole('textbox', { name: 'The words, as they should be' }).fill('within **seven** days')
  for (const part of [
    card.getByRole('textbox', { name: 'The words, as they should be' }),
    card.getByLabel('The change'),
    card.getByRole('group', { name: 'How it will read' }),
    card.getByRole('textbox', { name: 'Why (optional)' }),
    card.getByRole('textbox', { name: 'Your name' }),
    card.getByRole('button', { name: 'Send suggestion' }),
  ])
    await expect(part).toBeInViewport({ ratio: 1 })

  // Of more than there is room for, the card is scrolled.
  await card
    .getByRole('textbox', { name: 'The words, as they should be' })
    .fill('within days:\n\n- one\n- two\n- three\n- four\n- five\n- six\n- seven')
  const why = card.getByRole('textbox', { name: 'Why (optional)' })
  await why.focus()
  await expect(why).toBeInViewport({ ratio: 1 })
  await expect
    .poll(() =>
      why.evaluate((field) => {
        const { x, y, width, height } = field.getBoundingClientRect()
        return document.elementFromPoint(x + width / 2, y + height - 4) === field
      }),
    )
    .toBe(true)
  await expect(card.getByRole('button', { name: 'Send suggestion' })).toBeInViewport({ ratio: 1 })

  // What is pressed stays under the pointer, whatever comes above it meanwhile.
  const say = (n: number, exact: string) =>
    galley.call('POST', `/api/documents/${id}/comments`, {
      body: `Comment ${n} says so much that it takes some lines, and stands lower than its words.`,
      anchor: anchorOn(text, exact),
    })
  await card.getByRole('button', { name: 'Cancel' }).click()
  await say(1, 'goes out')
  const pressed = page.getByText('Comment 1 ')
  await pressed.hover()
  await page.mouse.down()
  for (const n of [2, 3, 4]) await say(n, 'A galley proof')
  await expect(page.locator('.margin .place', { hasText: 'says so much' })).toHaveCount(4)
  await page.mouse.up()
  await expect(page.locator('.margin .card.active', { has: pressed })).toBeVisible()
  await context.close()
})

test('a suggestion without an anchor stands at its words, where they stand once', async ({ browser }) => {
  const { id } = await galley.createDocument('One proof goes out. Another proof comes back in a week.')
  const suggest = (original_text: string, suggested_text: string) =>
    galley.call('POST', `/api/documents/${id}/suggestions`, { original_text, suggested_text })
  await suggest('in a week', 'soon')
  await suggest('proof', 'draft')
  const { page, context } = await open(browser, id)
  const cards = page.locator('.margin').getByRole('article')
  await expect(cards).toHaveCount(1)
  await expect(cards).toContainText('soon')
  expect(
    await page.evaluate(() => [...CSS.highlights.get('suggestion')!].map((range) => String(range))),
  ).toEqual(['in a week'])
  await context.close()
})

test('on a phone a sheet that grows for a reply leaves its words in view, and its head in reach', async ({
  browser,
}) => {
  const paragraphs = Array.from({ length: 30 }, (_, i) => `Spot ${i} of a text that goes on and on.`)
  const text = paragraphs.join('\n\n')
  const { id } = await galley.createDocument(text)
  const thread = await galley.call<{ id: string }>('POST', `/api/documents/${id}/comments`, {
    body: 'Which spot do you mean here? I have two of them before me.',
    anchor: anchorOn(text, 'Spot 12 of'),
  })
  for (let i = 0; i < 4; i++)
    await galley.call('POST', `/api/documents/${id}/comments`, {
      body: `The first one, as it says in the letter that came with it, on page ${i}.`,
      parent_id: thread.id,
    })
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
  const { page, context } = await open(browser, id, phone)
  const mark = () =>
    page.evaluate(() => {
      const [range] = [
        ...CSS.highlights.get('comment')!,
        ...CSS.highlights.get('active')!,
      ] as unknown as Range[]
      const { left, top, bottom } = range!.getBoundingClientRect()
      return { left, top, bottom }
    })
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('comment')?.size)).toBe(1)
  // Where a small sheet leaves it uncovered, and a larger one doesn’t.
  await page.evaluate(() => {
    const [range] = CSS.highlights.get('comment')! as unknown as Iterable<Range>
    scrollBy({ top: range!.getBoundingClientRect().top - 290, behavior: 'instant' })
  })
  await expect.poll(async () => Math.round((await mark()).top)).toBe(290)
  const { left, top } = await mark()
  await page.touchscreen.tap(left + 10, top + 10)
  const sheet = page.getByRole('dialog', { name: 'Comment', exact: true })
  await sheet.getByRole('button', { name: 'Reply' }).tap()
  await expect(sheet.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await expect
    .poll(async () => {
      const { top: edge } = await sheet.evaluate((element) => element.getBoundingClientRect())
      const words = await mark()
      return words.top > 56 && words.bottom < edge
    })
    .toBe(true)
  for (const part of [
    sheet.getByText('1 of 1'),
    sheet.getByRole('button', { name: 'Close' }),
    sheet.getByRole('button', { name: 'Copy a link to this' }),
  ])
    await expect
      .poll(() =>
        part.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return [y + 2, y + height - 2].every((at) =>
            element.contains(document.elementFromPoint(x + width / 2, at)),
          )
        }),
      )
      .toBe(true)
  await context.close()
})

test('above a keyboard a sheet leaves lines of its passage in view, and nothing moves when it closes', async ({
  browser,
}) => {
  const long = `${'What is said here goes on over some lines of a phone. '.repeat(4)}It ends.`
  const text = `${Array.from({ length: 20 }, (_, i) => `Spot ${i} of a text that goes on.`).join('\n\n')}\n\n${long}`
  const { id } = await galley.createDocument(text)
  await galley.call('POST', `/api/documents/${id}/comments`, {
    body: 'Does it?',
    anchor: anchorOn(text, long),
  })
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const { page, context } = await open(browser, id, phone)
  const keyboard = await useKeyboard(page)
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('comment')?.size)).toBe(1)
  const passage = () =>
    page.evaluate(() => {
      const ranges = ['comment', 'active'].flatMap((name) => [...(CSS.highlights.get(name) ?? [])]) as Range[]
      const { top, bottom } = ranges[0]!.getBoundingClientRect()
      const edge = document.querySelector('dialog.sheet')?.getBoundingClientRect().top ?? innerHeight
      return {
        above: top - document.querySelector('.bar')!.getBoundingClientRect().bottom,
        below: edge - bottom,
        top,
      }
    })
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  const { top: at } = await passage()
  await page.touchscreen.tap(100, at + 10)
  const sheet = page.getByRole('dialog', { name: 'Comment', exact: true })
  const isSeen = async (least: number) => {
    const { above, below } = await passage()
    return above >= 0 && (below >= 0 || above <= least)
  }
  await expect(sheet).toBeVisible()
  await expect.poll(() => isSeen(-1)).toBe(true)
  await sheet.getByRole('button', { name: 'Reply' }).tap()
  await expect(sheet.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await keyboard(336)
  await expect.poll(() => isSeen(16)).toBe(true)
  await expect(sheet.getByRole('button', { name: 'Reply' })).toBeInViewport({ ratio: 1 })
  await keyboard(0)
  await sheet.getByRole('button', { name: 'Cancel' }).tap()
  const { top } = await passage()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet).toHaveCount(0)
  expect((await passage()).top).toBeCloseTo(top, 0)
  // What room was left for that goes as one scrolls back.
  await page.evaluate(() => scrollBy({ top: -400, behavior: 'instant' }))
  await expect.poll(() => page.evaluate(() => document.body.style.getPropertyValue('--room-below'))).toBe('')
  await context.close()
})

test('under a reply on a phone, the name it is sent under is in reach', async ({ browser }) => {
  const text = 'A galley proof is the draft that goes out for review before print.'
  const { id } = await galley.createDocument(text)
  const thread = await galley.call<{ id: string }>('POST', `/api/documents/${id}/comments`, {
    body: 'Which proof do you mean here? I have two of them before me.',
    anchor: anchorOn(text, 'galley proof'),
  })
  await galley.call('POST', `/api/documents/${id}/comments`, {
    body: 'The first one, as it says in the letter that came with it.',
    parent_id: thread.id,
  })
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
  const { page, context } = await open(browser, id, phone)
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('comment')?.size)).toBe(1)
  const at = await page.evaluate(() => {
    const [range] = CSS.highlights.get('comment')!
    const { left, top, width, height } = (range as Range).getClientRects()[0]!
    return { x: left + width / 2, y: top + height / 2 }
  })
  await page.touchscreen.tap(at.x, at.y)
  await page.getByRole('button', { name: 'Reply' }).tap()
  const name = page.getByRole('textbox', { name: 'Your name' })
  await expect
    .poll(() =>
      name.evaluate((field) => {
        const { x, y, width, height } = field.getBoundingClientRect()
        const reached = [y + 2, y + height - 2].map((at) => document.elementFromPoint(x + width / 2, at))
        return reached.every((element) => element === field)
      }),
    )
    .toBe(true)
  await context.close()
})

test('cards stand at one place beside the text, whether it is read or edited', async ({ browser }) => {
  const content = 'One two three.\n'
  const { id } = await galley.createDocument(content)
  await galley.call('POST', `/api/documents/${id}/suggestions`, {
    ...{ original_text: 'two', suggested_text: '2' },
    anchor: { exact: 'two', start: 4, prefix: 'One ', suffix: ' three.' },
  })
  for (const width of [1920, 1366, 1040]) {
    const { page, context } = await open(browser, id, { viewport: { width, height: 900 } })
    const card = page.locator('.card')
    const place = async () => {
      const { x, width } = (await card.boundingBox())!
      return [Math.round(x), Math.round(width)]
    }
    await expect(card).toBeVisible()
    const read = await place()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeVisible()
    await expect.poll(place).toEqual(read)
    await context.close()
  }
})
