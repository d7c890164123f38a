// From reading to editing and back, with the same words at the top of the window: wide, and on a phone by touch.
import { expect, test, type Page } from '@playwright/test'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'

const sizes = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
}

/** Each with words of its own, so that a place is known by them; some paragraphs are longer than a phone’s screen. */
const sentence = (i: number, j: number) =>
  `Word${i}x${j} is **bold here** and [a link](https://example.org/some/long/address?of=${i}) then. `
const text = Array.from({ length: 90 }, (_, i) => {
  const heading = i % 9 === 0 ? `## Chapter ${i / 9 + 1}\n\n` : ''
  const list =
    i % 10 === 4 ? `${Array.from({ length: 12 }, (_, j) => `- Item${i}x${j} here`).join('\n')}\n\n` : ''
  const table =
    i % 20 === 9 ? `| Mark | Meaning |\n| --- | --- |\n| Cell${i} | **stet** |\n| two | three |\n\n` : ''
  const words = Array.from({ length: 1 + ((i * 5) % 14) }, (_, j) => sentence(i, j)).join('')
  return `${heading}${list}${table}${words}\n\n`
}).join('')

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

/** The words of the first line that can be seen whole, in the page or the editor, and how far below the bars it is. */
const topWords = (page: Page, where: 'page' | 'editor') =>
  page.evaluate((where) => {
    const root = document.querySelector(where === 'page' ? '#content' : '.cm-content')!
    const bars = [...document.querySelectorAll('.bar, .banners, .edit-bar, .strip')].map((one) =>
      one.getBoundingClientRect(),
    )
    const edge = Math.max(
      0,
      ...bars.filter(({ top, height }) => height > 0 && top < innerHeight / 2).map(({ bottom }) => bottom),
    )
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      for (const { index, 0: word } of node.data.matchAll(/(?:Word|Item|Cell)\d+(?:x\d+)?|Chapter \d+/g)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const [rect] = range.getClientRects()
        const isDrawn = node.parentElement!.checkVisibility({ contentVisibilityAuto: true })
        if (rect && isDrawn && rect.top >= edge - 2) return { word, below: rect.top - edge }
      }
    }
    return null
  }, where)

/**
 * How far below the bars a word stands; null where it isn’t drawn. The browser also says where words of a part would
 * stand that it hasn’t laid out, which may be where it shows others.
 */
const standing = (page: Page, where: 'page' | 'editor', word: string) =>
  page.evaluate(
    ([where, word]) => {
      const root = document.querySelector(where === 'page' ? '#content' : '.cm-content')!
      const bars = [...document.querySelectorAll('.bar, .banners, .edit-bar, .strip')].map((one) =>
        one.getBoundingClientRect(),
      )
      const edge = Math.max(
        0,
        ...bars.filter(({ top, height }) => height > 0 && top < innerHeight / 2).map(({ bottom }) => bottom),
      )
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
        const at = node.data.search(new RegExp(`${word}(?!\\d|x)`))
        if (at < 0) continue
        if (!node.parentElement!.checkVisibility({ contentVisibilityAuto: true })) return null
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        const [rect] = range.getClientRects()
        return rect ? rect.top - edge : null
      }
      return null
    },
    [where, word] as const,
  )

/** Waits until what is measured is there and stands still; throws where it doesn’t come to that. */
async function settled<Value>(measure: () => Promise<Value | null>, what: string): Promise<Value> {
  let last: Value | null = null
  let before = ''
  let same = 0
  await expect
    .poll(
      async () => {
        last = await measure()
        const now = JSON.stringify(last)
        same = last !== null && now === before ? same + 1 : 0
        before = now
        return last === null ? 'not drawn' : same < 3 ? 'moving' : 'still'
      },
      { message: what, intervals: [200], timeout: 20_000 },
    )
    .toBe('still')
  if (last === null) throw new Error(`${what}: not drawn`)
  return last
}

/** How far off the words are that should stand `below` the bars. */
async function offOf(page: Page, where: 'page' | 'editor', word: string, below: number): Promise<number> {
  const stands = await settled(() => standing(page, where, word), `${word} in the ${where}`)
  return Math.abs(stands - below)
}
const topOf = (page: Page, where: 'page' | 'editor') =>
  settled(() => topWords(page, where), `the first words of the ${where}`)

// What is clicked is brought from under a bar first, which would scroll the page.
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).evaluate((button: HTMLButtonElement) => button.click())

async function open(page: Page) {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'edit')
  await page.goto(address)
  await page.evaluate(() => document.fonts.ready)
  return id
}

/** Scrolls until a word stands `down` below the bars, and stays there: the text is only laid out as it comes near. */
async function goTo(page: Page, word: string, down: number) {
  const inText = page.locator('#content :is(p, li, td, h2)', { hasText: new RegExp(`${word}(?!\\d|x)`) })
  await expect(async () => {
    const stands = await standing(page, 'page', word)
    if (stands === null)
      await inText.first().evaluate((element) => (element.closest('.part') ?? element).scrollIntoView())
    else await page.evaluate((by) => scrollBy({ top: by, behavior: 'instant' }), stands - down)
    expect(await offOf(page, 'page', word, down)).toBeLessThan(2)
  }).toPass({ timeout: 30_000 })
}

const edit = async (page: Page) => {
  await press(page, 'Edit')
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
}
const done = async (page: Page) => {
  await press(page, 'Done')
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
}
/** Within a line, and a little for the spaces around it. */
const line = 34

for (const [name, options] of Object.entries(sizes)) {
  test.describe(name, () => {
    test.use(options)

    test('the words at the top stay there when editing begins, and when it ends', async ({ page }) => {
      await open(page)
      // One of each kind: far down, in a list, in a table, and a heading.
      const words = name === 'wide' ? ['Word66x5', 'Chapter 5'] : ['Item44x7', 'Cell49']
      for (const word of words) {
        await goTo(page, word, 6)
        await edit(page)
        expect(await offOf(page, 'editor', word, 6), `${word} in the editor`).toBeLessThan(line)

        // On by two screens, as reading on in the editor.
        await page.locator('.cm-scroller').evaluate((scroller) => scroller.scrollBy(0, 2 * innerHeight))
        const top = await topOf(page, 'editor')
        await done(page)
        expect(await offOf(page, 'page', top.word, top.below), `${top.word} back in the page`).toBeLessThan(
          line,
        )
      }
    })

    // What follows is the same at every width.
    if (name === 'wide') return

    test('the same after typing far away from where reading was', async ({ page }) => {
      const id = await open(page)
      await goTo(page, 'Word30x4', 4)
      await edit(page)
      expect(await offOf(page, 'editor', 'Word30x4', 4)).toBeLessThan(line)
      await page.locator('.cm-scroller').evaluate((scroller) => scroller.scrollBy(0, 3 * innerHeight))
      const there = await topOf(page, 'editor')
      await page
        .locator('.cm-line', { hasText: there.word })
        .first()
        .evaluate((element) => {
          const { left, top, height } = element.getBoundingClientRect()
          const at = {
            clientX: left + 4,
            clientY: top + height / 2,
            bubbles: true,
            cancelable: true,
            button: 0,
          }
          element.dispatchEvent(new MouseEvent('mousedown', at))
          element.dispatchEvent(new MouseEvent('mouseup', at))
        })
      await page.keyboard.press('Home')
      await page.keyboard.type('Typed by a guest. ')
      await expect
        .poll(async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content)
        .toContain('Typed by a guest.')
      const top = await topOf(page, 'editor')
      await done(page)
      expect(await offOf(page, 'page', top.word, top.below), `${top.word} back in the page`).toBeLessThan(
        line,
      )
      // And once more there and back, without doing anything.
      const read = await topOf(page, 'page')
      await edit(page)
      await topOf(page, 'editor')
      await done(page)
      expect(await offOf(page, 'page', read.word, read.below)).toBeLessThan(4)
    })

    test('Back leaves the editor with what was typed, not the page', async ({ page }) => {
      const id = await open(page)
      await goTo(page, 'Word50x3', 6)
      const address = page.url()
      await edit(page)
      expect(await offOf(page, 'editor', 'Word50x3', 6)).toBeLessThan(line)
      await page.keyboard.type('Typed. ')
      await page.goBack()
      await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
      expect(page.url()).toBe(address)
      await expect
        .poll(async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content)
        .toContain('Typed. ')
      expect(await offOf(page, 'page', 'Word50x3', 6)).toBeLessThan(2 * line)
      // Done has taken its entry of the history along, too.
      await edit(page)
      await done(page)
      await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('auto')
      await page.goto(`${address}#x`)
      await page.goBack()
      await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
      expect(page.url()).toBe(address)
    })

    /** Opens the text, which then gets a new beginning that the page doesn’t show yet. */
    async function openAndChange(page: Page) {
      const id = await open(page)
      await galley.call('PATCH', `/api/documents/${id}`, {
        content: `${'A new beginning of the text.\n\n'.repeat(20)}${text}`,
      })
      await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
      await expect(page.getByText('The text has changed.')).toBeVisible()
    }

    test('where the text has changed meanwhile editing begins at the same words, and ends there', async ({
      page,
    }) => {
      await openAndChange(page)
      await goTo(page, 'Word58x2', 6)
      await edit(page)
      expect(await offOf(page, 'editor', 'Word58x2', 6), 'in the editor').toBeLessThan(line)
      await done(page)
      expect(await offOf(page, 'page', 'Word58x2', 6), 'back in the page').toBeLessThan(line)
    })

    test('what has changed meanwhile is shown with the same words where they were', async ({ page }) => {
      await openAndChange(page)
      await goTo(page, 'Word58x2', 6)
      // The bars above change with it; the words are measured in the window.
      const bars = () =>
        page
          .locator('.bar, .banners')
          .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom)))
      const before = (await bars()) + 6
      await press(page, 'Show')
      await expect(page.getByText('The text has changed.')).toHaveCount(0)
      const stands = await settled(() => standing(page, 'page', 'Word58x2'), 'Word58x2 in the new text')
      expect(Math.abs(stands + (await bars()) - before)).toBeLessThan(line)
    })
  })
}

for (const width of [1024, 1440]) {
  test(`the words begin as far to the left when they are edited as when they are read (${width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const id = await open(page)
    const left = (where: string) =>
      settled(
        () =>
          page.evaluate((where) => {
            const words = document.querySelector(where)
            if (!words) return null
            const range = document.createRange()
            range.selectNodeContents(words)
            return range.getClientRects()[0]?.left ?? null
          }, where),
        where,
      )
    const reading = await left('#content p')
    await edit(page)
    expect(Math.abs((await left('.cm-line:not(.md-heading)')) - reading)).toBeLessThan(2)
    // What is said of it finds room beside it.
    await press(page, 'Comments and suggestions')
    await expect(page.getByRole('complementary', { name: 'Comments and suggestions' })).toBeVisible()
    expect(Math.abs((await left('.cm-line:not(.md-heading)')) - reading)).toBeLessThan(2)
    await done(page)
    await galley.call('POST', `/api/documents/${id}/comments`, { body: 'On all of it.' })
    await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
    const card = page.locator('.margin .card', { hasText: 'On all of it.' })
    await expect(card).toBeVisible()
    expect(await left('#content p')).toBe(reading)
    const { x, width: wide } = (await card.boundingBox())!
    expect(x).toBeGreaterThan(reading + 608)
    expect(x + wide).toBeLessThanOrEqual(width)
  })
}
