// From what was said to the words it is about, in long documents with many comments: lists, steps, links, Back.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}

/** A long text of unlike paragraphs, lists and tables, whose real height is far from what it is taken for. */
const spots = 240
const text = Array.from({ length: spots }, (_, i) => {
  const words = 'The proof came back with marks along every margin, read slowly. '.repeat(1 + ((i * 7) % 9))
  const heading = i % 20 === 0 ? `## Chapter ${i / 20 + 1}\n\n` : ''
  const list =
    i % 15 === 7 ? `${Array.from({ length: 20 }, (_, j) => `- item ${i}.${j}`).join('\n')}\n\n` : ''
  return `${heading}${list}Spot ${i} stands here. ${words}\n\n`
}).join('')

/** Many stretches that begin at one place. */
const line = text.slice(text.indexOf('Spot 101 stands'))
const crowded = Array.from({ length: 40 }, (_, i) => line.slice(0, 20 + i))
  .filter((words) => words === words.trim())
  .slice(0, 14)

let galley: GalleyServer
let document: string
/** By the words they are about. */
const ids = new Map<string, string>()

async function say(words: string, body: string) {
  const start = text.indexOf(words)
  const anchor = {
    exact: words,
    prefix: text.slice(Math.max(0, start - 32), start),
    suffix: text.slice(start + words.length, start + words.length + 32),
    start,
  }
  const { id } = await galley.call<{ id: string }>('POST', `/api/documents/${document}/comments`, {
    body,
    anchor,
  })
  ids.set(words, id)
}

test.beforeAll(async () => {
  galley = await startGalleyServer()
  document = (await galley.createDocument(text, 'A long text')).id
  for (let i = 0; i < spots; i += 4)
    await say(`Spot ${i} stands here`, `Said of ${i}. ${'It is long. '.repeat(i % 7)}`)
  for (const words of crowded) await say(words, `On a line where many are. ${'And more. '.repeat(9)}`)
})
test.afterAll(async () => {
  await galley.stop()
})

async function open(browser: Browser, options: BrowserContextOptions, fragment = '') {
  const { address } = await galley.share(document, 'comment')
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(address + fragment)
  await expect(page.getByRole('button', { name: /: show all$/ })).toContainText(String(ids.size))
  return { page, context }
}

/** Where the words that are looked at stand, and their card, in the window; null where there is none. */
const standing = (page: Page) =>
  page.evaluate(() => {
    const [range] = (CSS.highlights.get('active') ?? []) as Iterable<Range>
    const card = window.document.querySelector('.card.active, section.card')?.getBoundingClientRect()
    const words = range?.getBoundingClientRect()
    return {
      says: String(range),
      // The browser also says where words would stand of a part that it hasn’t laid out, and doesn’t show.
      drawn: range?.startContainer.parentElement?.checkVisibility({ contentVisibilityAuto: true }),
      words: words ? { top: words.top, bottom: words.bottom } : null,
      card: card ? { top: card.top, bottom: card.bottom } : null,
    }
  })

/** Waits until nothing moves any more. */
async function settled(page: Page) {
  let before = ''
  await expect
    .poll(
      async () => {
        const now = JSON.stringify(await standing(page))
        const same = now === before
        before = now
        return same
      },
      { intervals: [300] },
    )
    .toBe(true)
  return standing(page)
}

async function expectBeside(page: Page, words: string) {
  await expect.poll(async () => (await standing(page)).says).toBe(words)
  // What stands still for a moment may not have begun to move.
  await expect(() => expectPlaced(page, words)).toPass({ timeout: 10_000 })
}

async function expectPlaced(page: Page, words: string) {
  const now = await settled(page)
  expect(now.drawn, `“${words}” is drawn`).toBe(true)
  expect(now.words!.top, `“${words}” below the bar`).toBeGreaterThan(56)
  expect(now.words!.bottom, `“${words}” in the window`).toBeLessThan(900)
  expect(Math.abs(now.card!.top - now.words!.top), 'the card beside its words').toBeLessThan(16)
  const overlaps = await page.evaluate(() => {
    const cards = [...window.document.querySelectorAll('.margin .place')].map((card) =>
      card.getBoundingClientRect(),
    )
    cards.sort((a, b) => a.top - b.top)
    return cards.filter((card, i) => i > 0 && card.top < cards[i - 1]!.bottom - 1).length
  })
  expect(overlaps, 'cards that cover others').toBe(0)
}

test('what is chosen in the list is shown at its words, however far off they are', async ({ browser }) => {
  const { page, context } = await open(browser, desk)
  for (const words of [
    'Spot 20 stands here',
    'Spot 232 stands here',
    'Spot 104 stands here',
    'Spot 0 stands here',
  ]) {
    await page.getByRole('button', { name: /: show all$/ }).click()
    const list = page.getByRole('dialog', { name: 'Comments' })
    await list.getByRole('button', { name: words, exact: true }).click()
    await expect(list).toHaveCount(0)
    await expectBeside(page, words)
    await expect(page.locator('.card.active')).toBeFocused()
  }
  await context.close()
})

test('of many on one line the chosen one stands at it, and the way leads from each to the next', async ({
  browser,
}) => {
  const { page, context } = await open(browser, desk, `#said-${ids.get('Spot 100 stands here')}`)
  await expectBeside(page, 'Spot 100 stands here')
  for (const words of crowded) {
    await page.getByRole('button', { name: 'Next' }).click()
    await expectBeside(page, words)
    await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  }
  await page.keyboard.press('Alt+ArrowDown')
  await expectBeside(page, 'Spot 104 stands here')
  await page.keyboard.press('Alt+ArrowUp')
  await expectBeside(page, crowded.at(-1)!)
  // The owner’s keys.
  await page.keyboard.press('F8')
  await expectBeside(page, 'Spot 104 stands here')
  await page.keyboard.press('Shift+F8')
  await expectBeside(page, crowded.at(-1)!)
  await context.close()
})

test('a new comment is written beside its words and on the screen, among many others', async ({
  browser,
}) => {
  const { page, context } = await open(browser, desk)
  await selectWords(page, 'Spot 102 stands')
  // The words at the window’s foot, where a card beside them has no room.
  await page.evaluate(() => {
    const { bottom } = getSelection()!.getRangeAt(0).getBoundingClientRect()
    scrollBy({ top: bottom - innerHeight + 40, behavior: 'instant' })
  })
  await page
    .getByRole('toolbar', { name: 'The selected words' })
    .getByRole('button', { name: 'Comment' })
    .click()
  await expect(page.getByRole('textbox', { name: 'Your comment' })).toBeFocused()
  const now = await settled(page)
  expect(Math.abs(now.card!.top - now.words!.top)).toBeLessThan(16)
  expect(now.card!.bottom).toBeLessThanOrEqual(900)
  expect(now.words!.top).toBeGreaterThan(56)
  await context.close()
})

/** A short text, shared, with something said of each of these words. */
async function openShort(browser: Browser, content: string, said: readonly string[]) {
  const { id } = await galley.createDocument(content, 'A short text')
  for (const exact of said) {
    const start = content.indexOf(exact)
    const anchor = {
      exact,
      prefix: content.slice(0, start),
      suffix: content.slice(start + exact.length),
      start,
    }
    const body = `Of ${exact}. ${'It takes some lines to say. '.repeat(8)}`
    await galley.call('POST', `/api/documents/${id}/comments`, { body, anchor })
  }
  const { address } = await galley.share(id, 'comment')
  const context = await browser.newContext(desk)
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.locator('.margin .place')).toHaveCount(said.length)
  await settled(page)
  return { page, context }
}

test('the page’s foot comes after the last card, however short the text', async ({ browser }) => {
  const words = Array.from({ length: 9 }, () => 'two words')
  const { page, context } = await openShort(browser, 'A line with two words that many speak of.', words)
  const overlap = () =>
    page.evaluate(() => {
      const cards = [...window.document.querySelectorAll('.margin .place')]
      const last = Math.max(...cards.map((card) => card.getBoundingClientRect().bottom))
      return last - window.document.querySelector('.colophon')!.getBoundingClientRect().top
    })
  expect(await overlap()).toBeLessThanOrEqual(0)
  await page.locator('.margin .place').nth(4).click()
  await settled(page)
  expect(await overlap()).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Forget it here' }).click()
  await expect(page.getByText('Not kept in this browser.')).toBeVisible()
  await context.close()
})

test('cards keep the order of their words where the text begins, whichever is chosen', async ({
  browser,
}) => {
  const spots = ['First', 'Middle', 'Last']
  const { page, context } = await openShort(
    browser,
    spots.map((spot) => `${spot} of three short paragraphs.`).join('\n\n'),
    spots,
  )
  const order = () =>
    page.evaluate(() =>
      [...window.document.querySelectorAll('.margin .place')]
        .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((card) => /Of (\w+)\./.exec(card.textContent)?.[1]),
    )
  for (const spot of ['Last', 'Middle', 'First', 'Last']) {
    await page.locator('.margin .place', { hasText: `Of ${spot}.` }).click()
    await settled(page)
    expect(await order(), `with ${spot} chosen`).toEqual(spots)
    await expect(page.locator('.card.active')).toBeInViewport({ ratio: 1 })
  }
  await context.close()
})

test('paragraphs stand as far apart where a part of a long text ends as anywhere', async ({ browser }) => {
  const paragraphs = Array.from({ length: 60 }, (_, i) => `Paragraph ${i} of sixty.`)
  const { page, context } = await openShort(browser, paragraphs.join('\n\n'), [])
  const gaps = await page.locator('#content p').evaluateAll((all) => {
    const places = all.map((one) => one.getBoundingClientRect())
    return places.slice(1).map(({ top }, i) => Math.round(top - places[i]!.bottom))
  })
  expect(gaps).toHaveLength(59)
  expect(new Set(gaps).size).toBe(1)
  expect(gaps[0]).toBeGreaterThan(8)
  await context.close()
})

test('a link to a heading or a comment leads there', async ({ browser }) => {
  const { page, context } = await open(browser, desk)
  await page.getByRole('link', { name: 'Chapter 11' }).click()
  const heading = page.getByRole('heading', { name: 'Chapter 11' })
  const topOf = () => heading.evaluate((element) => element.getBoundingClientRect().top)
  await expect.poll(topOf).toBeGreaterThan(56)
  await expect.poll(topOf).toBeLessThan(400)
  await page.evaluate((id) => (location.hash = `#said-${id}`), ids.get('Spot 36 stands here'))
  await expectBeside(page, 'Spot 36 stands here')
  await context.close()
})

test('on a phone the list makes way for the words, and Back closes what covers them', async ({ browser }) => {
  const { page, context } = await open(browser, phone)
  const address = page.url()
  await page.getByRole('button', { name: /: show all$/ }).tap()
  const list = page.getByRole('dialog', { name: 'Comments' })
  await page.goBack()
  await expect(list).toHaveCount(0)
  expect(page.url()).toBe(address)

  await page.getByRole('button', { name: /: show all$/ }).tap()
  const search = list.getByRole('textbox', { name: 'Search the comments for words' })
  await search.fill('SPOT 200')
  await expect(list.getByRole('article')).toHaveCount(1)
  await expectAccessible(page)
  await search.fill('nothing like it')
  await expect(list.getByText('Nothing like that is among the comments.')).toBeVisible()
  await search.fill('')
  await expect(list.getByRole('article')).toHaveCount(ids.size)
  await list.getByRole('button', { name: 'Spot 200 stands here', exact: true }).tap()
  await expect(list).toHaveCount(0)
  const sheet = page.getByRole('dialog', { name: 'Comment', exact: true })
  for (const words of ['Spot 200 stands here', 'Spot 204 stands here', 'Spot 208 stands here']) {
    await expect.poll(async () => (await standing(page)).says).toBe(words)
    await expect(async () => {
      const now = await settled(page)
      expect(now.words!.top, 'below the bar').toBeGreaterThan(56)
      expect(now.words!.bottom, 'above the sheet').toBeLessThan((await sheet.boundingBox())!.y)
    }).toPass({ timeout: 10_000 })
    await sheet.getByRole('button', { name: 'Next' }).tap()
  }
  const before = await page.evaluate(() => scrollY)
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  expect(page.url()).toBe(address)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(before / 2)

  // A comment on the last words of all has room above its sheet, too.
  await selectWords(page, `Spot ${spots - 1} stands`)
  await page
    .getByRole('toolbar', { name: 'The selected words' })
    .getByRole('button', { name: 'Comment' })
    .tap()
  const writing = page.getByRole('dialog', { name: 'New comment' })
  await expect(writing.getByRole('textbox', { name: 'Your comment' })).toBeFocused()
  const now = await settled(page)
  expect(now.words!.top).toBeGreaterThan(56)
  expect(now.words!.bottom).toBeLessThan((await writing.boundingBox())!.y)
  await page.goBack()
  await expect(writing).toHaveCount(0)
  expect(page.url()).toBe(address)
  await context.close()
})
