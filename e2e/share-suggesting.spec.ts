// Writing a suggestion: beside its words on a wide screen, in a sheet on a phone; and how it is marked in the text.
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 560 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}
const text = Array.from(
  { length: 40 },
  (_, i) => `Spot ${i} stands here. A proof that comes back in a week has been read with care.\n\n`,
).join('')

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

async function open(browser: Browser, options: BrowserContextOptions) {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  return { page, context, id }
}
const form = (page: Page) => page.getByRole('dialog', { name: 'Suggest a change' })
const words = (page: Page) => form(page).getByRole('textbox', { name: 'The words, as they should be' })
const marked = (page: Page, name: string) =>
  page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map(String), name)
const rectOfMark = (page: Page) =>
  page.evaluate(() => {
    const [range] = CSS.highlights.get('active-suggestion')! as unknown as Iterable<Range>
    const { left, right, top, bottom } = range!.getBoundingClientRect()
    return { left, right, top, bottom }
  })

const notice = (page: Page) => page.locator('.toast')
/** What is said in passing stands at the window’s foot, in the text’s column, and covers none of the words it is about. */
const expectFootFree = (page: Page, words: string) =>
  expect(async () => {
    expect(await marked(page, 'active-suggestion')).toEqual([words])
    const [said, column, mark] = [
      (await notice(page).boundingBox({ timeout: 1_000 }))!,
      (await page.locator('#article').boundingBox())!,
      await rectOfMark(page),
    ]
    expect(said.y + said.height).toBeGreaterThan(page.viewportSize()!.height - 16)
    expect(said.x + said.width / 2).toBeCloseTo(column.x + column.width / 2, -1)
    expect(mark.top, 'below the bar').toBeGreaterThan(56)
    expect(mark.bottom).toBeLessThanOrEqual(said.y)
  }).toPass()

for (const device of ['desk', 'phone'] as const)
  test(`a comment and a suggestion are written in fields and sent with buttons of one size, on a ${device}`, async ({
    browser,
  }) => {
    const { page, context } = await open(browser, device === 'desk' ? desk : phone)
    const sizes = () =>
      page.locator('form.composer').evaluate((composer) => {
        const sizeOf = (element: Element) => {
          const { fontSize, minHeight, padding } = getComputedStyle(element)
          return { fontSize, minHeight, padding }
        }
        // Where a button comes to stand may make it some hundred-thousandths of a pixel higher.
        const buttons = [...composer.querySelectorAll('.actions button')].map((button) =>
          Math.round(button.getBoundingClientRect().height),
        )
        return {
          words: sizeOf(composer.querySelector('textarea')!),
          name: sizeOf(composer.querySelector('input[autocomplete]') ?? composer.querySelector('input')!)
            .fontSize,
          buttons: [...new Set(buttons)],
        }
      })
    await selectWords(page, 'Spot 3 stands')
    await page.getByRole('toolbar').getByRole('button', { name: 'Comment' }).click()
    await expect(page.getByRole('textbox', { name: 'Your comment' })).toBeFocused()
    const comment = await sizes()
    expect(comment.name).toBe(comment.words.fontSize)
    await page.keyboard.press('Escape')
    await expect(page.locator('form.composer')).toHaveCount(0)
    await selectWords(page, 'Spot 4 stands')
    await page.getByRole('button', { name: 'Suggest a change' }).click()
    await expect(words(page)).toBeFocused()
    expect(await sizes()).toEqual(comment)
    await context.close()
  })

test('a suggestion is written beside its words, which stay to be read', async ({ browser }) => {
  const { page, context } = await open(browser, desk)
  await selectWords(page, 'Spot 33 stands')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await expect(words(page)).toBeFocused()
  await words(page).fill('Spot 33 is found')
  await expect(form(page).getByRole('group', { name: 'How it will read' })).toBeVisible()
  await expect.poll(() => marked(page, 'active-suggestion')).toEqual(['Spot 33 stands'])
  await expect(async () => {
    const box = (await form(page).boundingBox())!
    const mark = await rectOfMark(page)
    expect(box.x, 'beside the words').toBeGreaterThan(mark.right)
    expect(Math.abs(box.y - mark.top), 'at their height').toBeLessThan(16)
    expect(mark.top, 'below the bar').toBeGreaterThan(56)
    expect(mark.bottom).toBeLessThan(800)
  }).toPass()
  const send = form(page).getByRole('button', { name: 'Send suggestion' })
  await expect(send).toBeInViewport({ ratio: 1 })
  await expectAccessibleInBoth(page)
  // The page isn't closed off: reading goes on meanwhile.
  await page.getByText('Spot 31 stands').click()
  await words(page).click()
  await page.keyboard.press('Escape')
  await expect(form(page)).toHaveCount(0)

  // What was begun is there again.
  await selectWords(page, 'Spot 33 stands')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await expect(words(page)).toHaveValue('Spot 33 is found')
  // By key: a click would scroll once more where the page still glides to the words.
  await words(page).press('Control+Enter')
  await expect(page.locator('.card.suggestion.active')).toContainText('is found')
  await expectFootFree(page, 'Spot 33 stands')
  await notice(page).getByRole('button', { name: 'Dismiss' }).click()

  // Words at the foot go above what is said there.
  const mark = await rectOfMark(page)
  await page.evaluate((by) => scrollBy(0, by), mark.bottom - 790)
  const copy = page.locator('.card.suggestion.active').getByRole('button', { name: 'Copy a link to this' })
  await copy.evaluate((button: HTMLElement) => button.click())
  await expectFootFree(page, 'Spot 33 stands')
  await context.close()
})

test('on a phone 560 and 320 px high a suggestion can be sent, however long it is', async ({ browser }) => {
  const { page, context } = await open(browser, phone)
  for (const height of [560, 320])
    await test.step(`${height} px high`, async () => {
      await page.setViewportSize({ width: 360, height })
      await selectWords(page, `Spot ${height === 560 ? 20 : 22} stands here. A proof`)
      await page.getByRole('button', { name: 'Suggest a change' }).tap()
      await expect(words(page)).toBeFocused()
      const send = form(page).getByRole('button', { name: 'Send suggestion' })
      await expect(send).toBeInViewport({ ratio: 1 })
      await words(page).fill('A longer one. '.repeat(40))
      await expect(form(page).getByRole('group', { name: 'How it will read' })).toBeAttached()
      await expect(send).toBeInViewport({ ratio: 1 })
      await expectAccessible(page)
      // What stands above it is covered by nothing.
      const why = form(page).getByRole('textbox', { name: 'Why (optional)' })
      await why.tap()
      await expect(why).toBeFocused()
      const [field, button] = [(await why.boundingBox())!, (await send.boundingBox())!]
      expect(field.y + field.height).toBeLessThanOrEqual(button.y)
      await send.tap()
      await expect(form(page)).toHaveCount(0)
    })
  await page.setViewportSize({ width: 360, height: 560 })
  await selectWords(page, 'Spot 24 stands')
  await page.getByRole('button', { name: 'Suggest a change' }).tap()
  await words(page).fill('Spot 24 is found')
  await form(page).getByRole('button', { name: 'Send suggestion' }).tap()
  await expect(form(page)).toHaveCount(0)
  await expect(notice(page)).toHaveText('Suggestion sent.')
  await expectFootFree(page, 'Spot 24 stands')
  await context.close()
})

test('a suggestion that waits is marked as one, not as a comment', async ({ browser }) => {
  // Else its worker asks for it.
  const { page, context, id } = await open(browser, { ...desk, serviceWorkers: 'block' })
  const anchorOf = (exact: string) => ({ exact, prefix: '', suffix: '', start: text.indexOf(exact) })
  await galley.call('POST', `/api/documents/${id}/comments`, { body: 'So?', anchor: anchorOf('Spot 2 ') })
  await galley.call('POST', `/api/documents/${id}/suggestions`, {
    original_text: 'Spot 3 ',
    suggested_text: 'Place 3 ',
    anchor: anchorOf('Spot 3 '),
  })
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')))
  await expect.poll(() => marked(page, 'suggestion')).toEqual(['Spot 3'])
  await page.route('**/api/**/suggestions*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await selectWords(page, 'Spot 1 stands')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await words(page).fill('Place 1 is')
  await form(page).getByRole('button', { name: 'Send suggestion' }).click()
  await expect(page.getByRole('article', { name: 'Your suggestion, waiting' })).toBeVisible()
  await expect
    .poll(async () => (await marked(page, 'suggestion')).sort())
    .toEqual(['Spot 1 stands', 'Spot 3'])
  expect(await marked(page, 'comment')).toEqual(['Spot 2'])
  await context.close()
})

test('by a link to suggest, changes are suggested, and the text is nobody’s to change but its owner’s', async ({
  browser,
}) => {
  const { id } = await galley.createDocument('One proof goes out, and another comes back.\n')
  const link = await galley.call<{ id: string; token: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'edit',
    suggest_only: true,
  })
  const context = await browser.newContext(desk)
  const page = await context.newPage()
  await page.goto(`${galley.shareUrl}/share/${link.token}`)
  await expect(
    page.getByText('You can read, comment and suggest changes with the link you have.'),
  ).toBeAttached()
  await selectWords(page, 'comes back')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await words(page).fill('returns')
  await form(page).getByRole('button', { name: 'Send suggestion' }).click()
  const card = page.getByRole('article', { name: /becomes “returns”/ })
  await expect(card).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await card.click()
  await card.getByRole('button', { name: 'Withdraw' }).click()
  await card.getByRole('button', { name: 'Withdraw it' }).click()
  await expect(card).toHaveCount(0)

  // What it allows is told to open pages.
  await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, { suggest_only: false })
  await expect(page.getByText('This link lets you edit the text now.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.locator('.cm-content')).toBeVisible()
  await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, { suggest_only: true })
  await expect(
    page.getByText('This link lets you read, comment and suggest changes now.').first(),
  ).toBeVisible()
  await context.close()
})

test.describe('what pending suggestions change, on the page that is read', () => {
  const read = `# On proofs

The margins are **very wide** for a reason. Alpha beta gamma delta epsilon.

1. The compositor pulls a proof.

${Array.from({ length: 40 }, (_, i) => `Spot ${i} stands here, among words enough to fill a line or two of it.`).join('\n\n')}
`
  const anchorOf = (exact: string, start = read.indexOf(exact)) => ({
    ...{ exact, start },
    ...{
      prefix: read.slice(Math.max(0, start - 32), start),
      suffix: read.slice(start + exact.length).slice(0, 32),
    },
  })

  /** Two people suggest something, and two comments share a word. */
  async function reviewed() {
    const { id } = await galley.createDocument(read)
    const { token } = await galley.share(id, 'edit')
    const say = async (what: string, body: { author_name: string } & Record<string, unknown>) => {
      const address = `${galley.shareUrl}/api/documents/${id}/${what}?share_token=${token}`
      // Each is one guest, by what their browser would send along.
      const cookie = `galley_guest=${Buffer.from(body.author_name.padEnd(16)).toString('hex')}`
      const headers = { 'content-type': 'application/json', cookie }
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(answer.status).toBe(201)
    }
    const suggest = (author_name: string, original_text: string, suggested_text: string, after = '') =>
      say('suggestions', {
        ...{ author_name, original_text, suggested_text },
        anchor: original_text ? anchorOf(original_text) : anchorOf('', read.indexOf(after) + after.length),
      })
    await suggest('Ada', '**very wide** for', '**rather narrow** for')
    await suggest('Ben', 'delta', 'd')
    await suggest('Ada', '', '\n\nA **new** paragraph.\n\nAnd one more.', 'epsilon.')
    await suggest('Ben', 'compositor pulls', 'typesetter draws')
    for (const words of ['beta gamma', 'gamma delta'])
      await say('comments', { author_name: 'Cem', body: `On ${words}`, anchor: anchorOf(words) })
    const { address } = await galley.share(id, 'comment')
    return { id, address }
  }
  const puts = (page: Page) => page.locator('#content').getByRole('insertion')

  test('stands in its author’s colour, is no part of the text, and can be left out', async ({ browser }) => {
    const { id, address } = await reviewed()
    const context = await browser.newContext({ ...desk, colorScheme: 'dark' })
    const page = await context.newPage()
    await page.goto(address)
    await expect(page.locator('#content')).toMatchAriaSnapshot(`
      - paragraph:
        - text: The margins are
        - strong:
          - deletion: very wide
          - insertion: rather narrow
        - text: for
        - 'button "Suggestion by Ada (guest): “**very wide** for” becomes “**rather narrow** for”"'
        - text: a reason. Alpha beta gamma
        - button "Comment by Cem (guest) on “beta gamma”"
        - deletion: delta
        - insertion: d
        - 'button "Suggestion by Ben (guest): “delta” becomes “d”"'
        - button "Comment by Cem (guest) on “gamma delta”"
        - text: epsilon.
        - 'button "Suggestion by Ada (guest): “A **new** paragraph. And one more.” is put in"'
      - insertion: A new paragraph.
      - insertion: And one more.
      - list:
        - listitem:
          - text: The
          - deletion: compositor pulls
          - insertion: typesetter draws
    `)
    await expect(puts(page).first()).toHaveAccessibleDescription('Suggested by Ada (guest)')
    const taken = page.locator('#content').getByRole('deletion')
    await expect(taken.first()).toHaveAccessibleDescription('Suggested by Ada (guest)')
    await expect(taken.nth(1)).toHaveAccessibleDescription('Suggested by Ben (guest)')
    const colours = await puts(page).evaluateAll((all) => all.map((one) => getComputedStyle(one).color))
    expect(colours).toEqual([0, 1, 0, 0, 1].map((i) => colours[i]))
    expect(colours[0]).not.toBe(colours[1])
    const colourOf = async (at: number) =>
      /person-\d/.exec((await puts(page).nth(at).getAttribute('class'))!)![0].slice(-1)
    const [adas, bens] = [await colourOf(0), await colourOf(1)]
    await expect.poll(() => marked(page, `taken-${adas}`)).toEqual(['very wide'])
    expect(await marked(page, `taken-${bens}`)).toEqual(['delta', 'compositor pulls'])
    // On their cards it is the same.
    const initials = page.locator('.card.suggestion .initial')
    const onCards = await initials.evaluateAll((all) => all.map((one) => getComputedStyle(one).color))
    expect(onCards).toContain(colours[0])
    expect(onCards.every((one) => colours.includes(one))).toBe(true)
    // Words that two comments are on are told from those that one is.
    expect(await marked(page, 'comments')).toEqual(['gamma'])
    await expectAccessible(page)
    // The browser finds what is put in.
    expect(
      await page.evaluate(() =>
        (window as unknown as { find(words: string): boolean }).find('rather narrow'),
      ),
    ).toBe(true)

    // Whatever stands between them, the words are those of the text.
    await selectWords(page, 'margins', 'Alpha')
    expect(await page.evaluate(() => String(getSelection()))).toBe(
      'margins are very wide for a reason. Alpha',
    )
    await page.getByRole('toolbar').getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).fill('All of it?')
    await page.getByRole('textbox', { name: 'Your name' }).fill('Dee')
    await page.keyboard.press('Control+Enter')
    const dees = page.getByRole('article', {
      name: /^Comment by Dee on “margins are very wide for a reason. Alpha”$/,
    })
    await expect(dees).toBeVisible()
    const said = await galley.call<{ body: string; anchor: { exact: string } }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    const exact = said.find(({ body }) => body === 'All of it?')?.anchor.exact
    expect(exact).toBe('margins are **very wide** for a reason. Alpha')

    // The one that is looked at stands out.
    await puts(page).nth(1).click()
    await expect(
      page.getByRole('article', { name: 'Suggestion by Ben (guest): “delta” becomes “d”' }),
    ).toBeFocused()
    await expect.poll(() => marked(page, 'active-suggestion')).toEqual(['delta'])
    await expect(puts(page).nth(1)).toHaveClass(/now/)

    // Who wants to read without them reads without, also the next time.
    await page.getByRole('button', { name: /show all$/ }).click()
    await page.getByRole('checkbox', { name: 'Show in the text what they change' }).uncheck()
    await expect(puts(page)).toHaveCount(0)
    await expect(taken).toHaveCount(0)
    await page.reload()
    await expect.poll(async () => (await marked(page, 'suggestion')).length).toBe(4)
    await expect.poll(() => marked(page, `placed-${bens}`)).toEqual(['delta', 'compositor pulls'])
    expect(await marked(page, `taken-${bens}`)).toEqual([])
    await expect(puts(page)).toHaveCount(0)
    await context.close()
  })

  test('comes without moving what is read, and opens by touch', async ({ browser }) => {
    const { address } = await reviewed()
    const context = await browser.newContext({ ...phone, serviceWorkers: 'block' })
    const page = await context.newPage()
    let answer = () => {}
    const wanted = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/**/suggestions*', async (route) => {
      await wanted
      await route.continue()
    })
    await page.goto(address)
    const selected = () => page.evaluate(() => String(getSelection()))
    await selectWords(page, 'delta', 'compositor pulls')
    const chosen = await selected()
    await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }))
    const topOfSpot = () =>
      page.getByText('Spot 12 stands').evaluate((spot) => Math.round(spot.getBoundingClientRect().top))
    const [before, height] = [await topOfSpot(), await page.evaluate(() => document.body.scrollHeight)]
    answer()
    await expect(puts(page)).toHaveCount(5)
    expect(await page.evaluate(() => document.body.scrollHeight)).toBeGreaterThan(height)
    await expect.poll(topOfSpot).toBe(before)
    // Nor does it take from what is selected the words that go.
    expect(await selected()).toBe(chosen)
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await puts(page).nth(2).tap()
    await expect(page.getByRole('dialog', { name: 'Suggestion', exact: true })).toContainText('And one more.')
    await expect(puts(page).nth(2)).toBeInViewport({ ratio: 1 })
    await context.close()
  })
})
