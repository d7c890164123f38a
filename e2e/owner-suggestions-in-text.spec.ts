// What suggestions change is seen in the text itself, which stays as it is.
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible, expectFrameAccessible } from './accessible.ts'
import { editor, expectStored, open, test, type OwnerServer } from './owner.ts'

const content = `# On proofs

The quick proof comes back in a week.

It is read twice, and *once* more.
`

/** A document, and how guests suggest something in it. */
async function begin(server: OwnerServer, text = content) {
  const document = await server.create(text)
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'edit' })
  // Each is one guest, by what their browser would send along.
  const cookieOf = (name: string) => `galley_guest=${Buffer.from(name.padEnd(16)).toString('hex')}`
  const suggest = async (author_name: string, words: string, suggested_text: string, after = '') => {
    const start = text.indexOf(after + words) + after.length
    const anchor = {
      ...{ exact: words, start },
      prefix: text.slice(Math.max(0, start - 20), start),
      suffix: text.slice(start + words.length, start + words.length + 20),
    }
    const answer = await fetch(`${server.url}${at}/suggestions?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookieOf(author_name) },
      body: JSON.stringify({ original_text: words, suggested_text, anchor, author_name }),
    })
    expect(answer.status).toBe(201)
    return (await answer.json()) as { data: { author_colour: number } }
  }
  return { document, suggest, link: `${server.url}/share/${token}` }
}

async function openTab(page: Page) {
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
}
const taken = (page: Page) => editor(page).locator('del')
const put = (page: Page) => editor(page).locator('ins')

test('words that suggestions take out are struck, those they put in stand after them, and the text stays', async ({
  page,
  server,
}) => {
  const { document, suggest } = await begin(server)
  await suggest('Ada', 'The quick proof comes back in a week.', 'The slow proof comes back in two weeks.')
  await suggest('Bob', '', ' or thrice', 'read twice')
  await suggest('Bob', 'It is', 'It was')
  await open(page, document)
  await expect(taken(page)).toHaveText(['quick', 'a week', 'is'])
  await expect(put(page)).toHaveText(['slow', 'two weeks', 'was', ' or thrice'])
  const colours = await put(page).evaluateAll((all) => all.map((one) => getComputedStyle(one).color))
  expect(colours[0]).toBe(colours[1])
  expect(colours[2]).toBe(colours[3])
  expect(colours[1]).not.toBe(colours[2])
  await expect(editor(page).getByRole('insertion').first()).toHaveAccessibleDescription(
    'Suggested by Ada (guest)',
  )
  await expect(editor(page).getByRole('deletion').first()).toHaveAccessibleDescription(
    'Suggested by Ada (guest)',
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }

  await put(page).nth(3).click()
  const bobs = page.getByRole('article', { name: /“or thrice” is put in/ })
  await expect(bobs).toHaveAttribute('aria-current', 'true')
  await expect(put(page).nth(3)).toHaveClass(/g-suggested-active/)
  await taken(page).first().click()
  await expect(put(page).first()).toHaveClass(/g-suggested-active/)
  await expect(put(page).nth(3)).not.toHaveClass(/g-suggested-active/)

  // What isn't text is not copied, not passed over by the cursor, and typed beside.
  await page.keyboard.press('Control+Home')
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'The quick proof comes back in a week.',
  )
  await page.keyboard.press('Home')
  for (let i = 0; i < 'The quick'.length; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.type('er')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('red ')
  await expectStored(server, document, content.replace('quick', 'quicker red'))
  // It can’t be applied any more, so nothing is drawn of it.
  await expect(put(page)).toHaveText(['was', ' or thrice'])

  // What replaces words is in their format.
  await suggest('Ada', 'once', 'again')
  await expect(put(page).filter({ hasText: 'again' })).toHaveCSS('font-style', 'italic')
  await expect(put(page).first()).toHaveCSS('font-style', 'normal')
})

test('marks with a half in suggested words and the other in those around are seen by what they do', async ({
  page,
  server,
}) => {
  const text = 'Nobody in the [village register](https://example.org) had **seen such** a winter.\n'
  const { document, suggest } = await begin(server, text)
  await suggest(
    'Ada',
    'in the [village register](https://example.org) had **seen such** a',
    'of the **old [town register](https://example.org) had known such** a cold',
  )
  await open(page, document)
  await expect(put(page).filter({ hasText: 'old' }).locator('.md-strong')).toHaveText(/^old/)
  await openTab(page)
  for (const shown of ['With suggestions', 'If accepted']) {
    await page.getByRole('radio', { name: shown }).check({ force: true })
    for (const words of await put(page).allTextContents()) expect(words).not.toMatch(/[*[\]]/)
  }
  await expect(editor(page)).toHaveText('Nobody of the old town register had known such a cold winter.')
})

test('a card reads as its words will look, among those that stand around it by now', async ({
  page,
  server,
}) => {
  const text = 'One says that teh quick proof is *read* by all of them.\n'
  const { document, suggest, link } = await begin(server, text)
  await suggest('Ada', 'quick proof is', 'slow **proof** was')
  await suggest('Bob', '*read*', 'seen')
  await suggest('Cem', '*read*', '**read**')
  await open(page, document)
  const guest = await page.context().newPage()
  await guest.goto(link)
  for (const one of [page, guest]) {
    const card = one.getByRole('article', { name: /^Suggestion by Ada/ })
    await put(page).first().click()
    await expect(card).toContainText('Make bold: proof')
    await expect(card.locator('ins')).toHaveText([/slow$/, /was$/])
    await expect(card.locator('.look.strong')).toHaveText(/proof$/)
    await expect(card).not.toContainText('**')
    await expect(card).toContainText('that teh')
    const both = one.getByRole('group', { name: '2 suggestions for the same words' })
    await expect(both.getByRole('radio', { name: /Cem/ })).toHaveAccessibleName(/Make bold.*: read$/)
    await expect(both.locator('.look.strong')).toHaveText('read')
  }
  await server.edit(document, (before) => before.replace('teh', 'the'))
  for (const one of [page, guest]) {
    const card = one.getByRole('article', { name: /^Suggestion by Ada/ })
    await expect(card).toContainText('that the')
    await expect(card).not.toContainText('teh')
  }
  // Once its words are gone it is told as it was.
  await server.edit(document, (before) => before.replace('quick proof is ', ''))
  await openTab(page)
  await expect(page.getByRole('article', { name: /^Suggestion by Ada/ })).toContainText('that teh')
})

test('the text is seen as it is, with suggestions, or as if they were accepted, and the browser remembers it', async ({
  page,
  server,
}) => {
  const { document, suggest } = await begin(server)
  await suggest('Ada', 'quick proof', 'slow proof')
  await suggest('Bob', '', ' or thrice', 'read twice')
  await open(page, document)
  await openTab(page)
  const choice = page.getByRole('group', { name: 'Show the text' })
  await expect(choice.getByRole('radio', { name: 'With suggestions' })).toBeChecked()
  await choice.getByRole('radio', { name: 'With suggestions' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(choice.getByRole('radio', { name: 'If accepted' })).toBeChecked()
  await expect(editor(page)).toContainText('The slow proof comes back')
  await expect(editor(page)).toContainText('It is read twice or thrice, and')
  await expect(taken(page)).toHaveCount(0)
  await expectAccessible(page)
  const whose = page.getByRole('combobox', { name: 'Search the suggestions by person' })
  await whose.selectOption({ label: 'Bob (guest)' })
  await expect(editor(page)).toContainText('The quick proof comes back')
  await expect(editor(page)).toContainText('It is read twice or thrice, and')
  await expect(page.getByText('As if those by Bob (guest) were accepted.')).toBeVisible()
  await whose.selectOption({ label: 'By everybody' })
  await page.reload()
  await expect(editor(page)).toContainText('The slow proof comes back')
  await expectStored(server, document, content)

  await openTab(page)
  await choice.getByRole('radio', { name: 'As it is' }).focus()
  await page.keyboard.press('Space')
  await expect(put(page).or(taken(page))).toHaveCount(0)
  await expect(editor(page).locator('.g-mark-suggestion')).toHaveText(['quick proof', 'twice'])
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => page.evaluate(() => globalThis.document.documentElement.scrollWidth)).toBe(360)
})

test('as if accepted, lines behind a paragraph that goes keep the looks of what they are', async ({
  page,
  server,
}) => {
  const behind = ['> Quote.\n> More.', '## Heading', '- one\n- two', '```js\ncode()\n```', 'Plain.']
  const goes = (i: number) => `Goes ${i}.\n\n`
  const { document, suggest } = await begin(
    server,
    behind.map((block, i) => `Start ${i}.\n\n${goes(i)}${block}\n\n`).join('') + 'Far.\n\n\nEnd.\n',
  )
  for (const i of behind.keys()) await suggest('Ada', goes(i), '')
  await suggest('Ada', '\n', '', 'Far.\n\n')
  await open(page, document)
  await openTab(page)
  await page.getByRole('radio', { name: 'If accepted' }).check({ force: true })
  await expect(editor(page)).not.toContainText('Goes')
  const lines = () =>
    editor(page).evaluate((one) =>
      [...one.querySelectorAll('.cm-line')].map((line) => {
        const looks = [...line.classList].filter((name) => name.startsWith('md-'))
        return `${looks.sort().join(' ')}|${line.textContent}|${line.getBoundingClientRect().height}`
      }),
    )
  const before = await lines()
  expect(before.filter((line) => line.startsWith('md-quote|'))).toHaveLength(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expect(page.getByRole('button', { name: 'Accept all' })).toHaveCount(0)
  await expect.poll(lines).toEqual(before)
})

for (const shown of ['With suggestions', 'If accepted'] as const)
  test(`what is typed right beside suggested words stays there once they are accepted: ${shown}`, async ({
    page,
    server,
  }) => {
    const { document, suggest } = await begin(server)
    await suggest('Ada', 'quick', 'slow')
    await open(page, document)
    await openTab(page)
    await page.getByRole('radio', { name: shown }).check({ force: true })
    await editor(page).click()
    await page.keyboard.press('Control+Home')
    for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    for (let i = 0; i < ' proof comes back in a week.'.length; i++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('er')
    await expectStored(server, document, content.replace('quick', 'quicker'))
    await expect(put(page)).toHaveText('slow')
    await expect(editor(page)).toContainText('slower proof')
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await expectStored(server, document, content.replace('quick', 'slower'))
  })

test('several suggestions in a text', async ({ page, server }) => {
  await test.step('those within what is selected are decided at once, which is undone at once', async () => {
    const { document, suggest } = await begin(server)
    await suggest('Ada', 'quick', 'slow')
    await suggest('Bob', '', ' or thrice', 'read twice')
    await suggest('Ada', 'It is', 'It was')
    await open(page, document)
    await expect(put(page)).toHaveText(['slow', 'was', ' or thrice'])
    const chooseLast = async () => {
      await page.keyboard.press('Control+End')
      await page.keyboard.press('Shift+ArrowUp')
      await page.keyboard.press('Shift+Home')
    }
    await chooseLast()
    await page.getByRole('button', { name: 'Accept 2 suggestions here' }).click()
    await expectStored(
      server,
      document,
      content.replace('It is', 'It was').replace('read twice', 'read twice or thrice'),
    )
    await page.getByRole('listitem').getByRole('button', { name: 'Undo' }).click()
    await expectStored(server, document, content)
    await expect(put(page)).toHaveText(['slow', 'was', ' or thrice'])
    await editor(page).focus()
    await chooseLast()
    await page.getByRole('button', { name: 'Reject 2 suggestions here' }).click()
    await expect(put(page)).toHaveText(['slow'])
  })

  await test.step('suggestions that change some of the same words say so of each other, until one is decided', async () => {
    const { document, suggest } = await begin(server)
    await suggest('Ada', 'quick', 'slow')
    await suggest('Bob', 'quick proof', 'galley')
    await open(page, document)
    await openTab(page)
    const [adas, bobs] = ['slow', 'galley'].map((words) =>
      page.getByRole('article', { name: new RegExp(`becomes “${words}”`) }),
    )
    const said = 'once one is accepted, the other may no longer apply.'
    await expect(adas!).toContainText(`It overlaps with the suggestion by Bob (guest): ${said}`)
    await expect(bobs!).toContainText(`It overlaps with the suggestion by Ada (guest): ${said}`)
    await adas!.getByRole('button', { name: 'Reject' }).click()
    await expect(bobs!).not.toContainText('overlaps')
  })

  await test.step('words that several take out are struck once, by the same of them wherever they are drawn', async () => {
    const { document, suggest, link } = await begin(server)
    const bobs = (await suggest('Bob', 'quick proof', 'galley')).data.author_colour
    const adas = (await suggest('Ada', 'quick', 'slow')).data.author_colour
    const cys = (await suggest('Cy', 'proof comes', 'draft is')).data.author_colour
    const struck = [`quick ${adas}`, `proof ${bobs}`, `comes ${cys}`]
    const inEditor = () =>
      taken(page).evaluateAll((all) =>
        all.map((one) => `${one.textContent.trim()} ${/person-(\d)/.exec(one.className)![1]}`),
      )
    const inReading = (text: Locator) =>
      text.evaluate(
        ({ ownerDocument: { defaultView } }, colours) => {
          const of = (colour: number) => [...(defaultView!.CSS.highlights.get(`taken-${colour}`) ?? [])]
          return colours.flatMap((colour) => of(colour).map((range) => `${String(range).trim()} ${colour}`))
        },
        [adas, bobs, cys],
      )
    await open(page, document)
    await expect.poll(inEditor).toEqual(struck)
    await page.getByLabel('What you do in the text').selectOption({ label: 'Viewing' })
    await expect.poll(() => inReading(reading(page).locator('.prose'))).toEqual(struck)
    await page.goto(link)
    await expect.poll(() => inReading(page.locator('.prose'))).toEqual(struck)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect.poll(inEditor).toEqual(struck)
  })

  await test.step('what is put before a word is read before it, also where the word before is replaced', async () => {
    const { document, suggest } = await begin(server)
    await suggest('Bob', 'quick', 'slow')
    await suggest('Cy', '', 'really ', 'The quick ')
    await open(page, document)
    await page.getByLabel('What you do in the text').selectOption({ label: 'Viewing' })
    const really = reading(page).getByRole('insertion').filter({ hasText: 'really' })
    await expect(reading(page).getByRole('deletion')).toHaveText(['quick'])
    const around = await really.evaluate(({ previousSibling, nextSibling }) =>
      [previousSibling, nextSibling].map((one) => one?.textContent),
    )
    expect(around).toEqual([' ', 'proof comes back in a week.'])
  })
})

test('what is put into a paragraph goes with it, also where that is cut now and pasted later', async ({
  page,
  server,
}) => {
  const { document, suggest } = await begin(server)
  await suggest('Ada', '', ' galley', 'The quick')
  await suggest('Bob', '', ' At least.', 'back in a week.')
  await open(page, document)
  await expect(put(page)).toHaveText([' galley', ' At least.'])
  await openTab(page)
  const cards = page.getByRole('tabpanel').getByRole('article')
  await expect(cards).toHaveCount(2)
  await page.locator('.cm-line', { hasText: 'The quick' }).click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Control+x')
  const paragraph = 'The quick proof comes back in a week.'
  await expectStored(server, document, content.replace(paragraph, ''))
  await expect(cards.getByText('what stood around its place is no longer in the text')).toHaveCount(2)
  await expect(put(page)).toHaveCount(0)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+v')
  await expectStored(server, document, `${content.replace(paragraph, '')}${paragraph}`)
  await expect(put(page)).toHaveText([' galley', ' At least.'])
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expectStored(
    server,
    document,
    `${content.replace(paragraph, '')}The quick galley proof comes back in a week. At least.`,
  )
})

/** What the reading view shows of suggestions and comments: what is put in, and the words that are highlighted. */
const reading = (page: Page) => page.getByTitle('On proofs, as it reads').contentFrame()
const highlighted = (page: Page, name: string) =>
  reading(page)
    .locator('.prose')
    .evaluate(
      ({ ownerDocument: { defaultView } }, name) =>
        [...(defaultView!.CSS.highlights.get(name) ?? [])].map(String),
      name,
    )

test.describe('in Viewing', () => {
  test.use({ hasTouch: true })

  test('they are drawn as recipients see them, with their cards beside or below, and are decided there', async ({
    page,
    server,
  }) => {
    const { document, suggest } = await begin(server)
    await suggest('Ada', 'quick', 'slow')
    await suggest('Bob', '', ' or thrice', 'read twice')
    const start = content.indexOf('a week')
    const anchor = { exact: 'a week', start, prefix: '', suffix: '' }
    await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'Or two?', anchor })
    await page.goto(`/documents/${document.id}`)
    await page.getByLabel('What you do in the text').selectOption({ label: 'Viewing' })
    const read = reading(page)
    const [slow, thrice] = [
      read.getByRole('insertion').filter({ hasText: 'slow' }),
      read.getByRole('insertion').filter({ hasText: 'or thrice' }),
    ]
    await expect(slow).toHaveAccessibleDescription('Suggested by Ada (guest)')
    const quick = read.getByRole('deletion').filter({ hasText: 'quick' })
    await expect(quick).toHaveAccessibleDescription('Suggested by Ada (guest)')
    const ofAda = Number(/person-(\d)/.exec((await slow.getAttribute('class'))!)![1])
    await expect.poll(() => highlighted(page, `taken-${ofAda}`)).toEqual(['quick'])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectFrameAccessible(page, read)
    }
    await expect.poll(() => highlighted(page, 'comment')).toEqual(['a week'])
    const colours = await Promise.all(
      [slow, thrice].map((one) => one.evaluate((put) => getComputedStyle(put).color)),
    )
    expect(colours[0]).not.toBe(colours[1])

    // Each card beside its words, also where the text is scrolled.
    const beside = page.getByRole('complementary', { name: 'Beside the text' })
    const [adas, bobs] = ['becomes “slow”', '“or thrice” is put in'].map((name) =>
      beside.getByRole('article', { name: new RegExp(name) }),
    )
    await expect(beside.getByRole('article')).toHaveCount(3)
    const away = async () => (await adas!.boundingBox())!.y - (await slow.boundingBox())!.y
    await expect.poll(async () => Math.abs(await away())).toBeLessThan(24)
    await thrice.click()
    await expect(bobs!).toHaveAttribute('aria-current', 'true')
    await expect(thrice).toHaveClass(/now/)
    await adas!.getByText('slow').first().click()
    await expect(slow).toHaveClass(/now/)
    await expect(thrice).not.toHaveClass(/now/)
    await page.keyboard.press('F8')
    await expect(beside.getByRole('article').filter({ hasText: 'Or two?' })).toHaveAttribute(
      'aria-current',
      'true',
    )

    // What is put in is found, too, and is none of the words of the text.
    await page.keyboard.press('Control+f')
    const find = page.getByRole('search', { name: 'Find' })
    await find.getByRole('textbox', { name: 'Find' }).fill('low')
    await expect(find.getByRole('status')).toHaveText('1 of 1')
    await expect.poll(() => highlighted(page, 'found-now')).toEqual(['low'])
    await page.keyboard.press('Escape')
    const words = await read
      .locator('p')
      .first()
      .evaluate((one) => one.textContent)
    expect(words).toBe('The quick proof comes back in a week.')

    // As its owner chose to see it.
    await openTab(page)
    const see = (how: string) => page.getByRole('radio', { name: how }).check({ force: true })
    await see('If accepted')
    await expect(read.getByText('The slow proof comes back')).toBeVisible()
    await expect(read.getByText('It is read twice or thrice')).toBeVisible()
    await expect(read.locator('ins')).toHaveCount(0)
    await expect.poll(() => highlighted(page, 'active-comment')).toEqual(['a week'])
    await see('As it is')
    await expect(read.getByText('The quick proof comes back')).toBeVisible()
    await expect.poll(() => highlighted(page, 'active-comment')).toEqual(['a week'])
    expect(await highlighted(page, 'suggestion')).toEqual([])
    await see('With suggestions')
    await expect(thrice).toBeVisible()
    await page.getByRole('button', { name: /^Comments and suggestions/ }).click()

    // Where there is no room beside the text they come below it, and go on to the next.
    const { width, height } = page.viewportSize()!
    await page.setViewportSize({ width: 360, height: 740 })
    await thrice.tap()
    const sheet = page.locator('.passage-sheet')
    await expect(sheet.getByRole('article', { name: /“or thrice” is put in/ })).toBeVisible()
    const [mark, below] = [(await thrice.boundingBox())!, (await sheet.boundingBox())!]
    expect(mark.y + mark.height).toBeLessThan(below.y)
    await sheet.getByRole('button', { name: 'Reject' }).tap()
    await expect(thrice).toHaveCount(0)
    await expect(sheet.getByRole('article').filter({ hasText: 'Or two?' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Close' }).tap()
    await expect(sheet).toHaveCount(0)
    await page.setViewportSize({ width, height })
    await adas!.getByRole('button', { name: 'Accept' }).click()
    await expect(read.getByText('The slow proof comes back')).toBeVisible()
    await expectStored(server, document, content.replace('quick', 'slow'))
    // The review goes on with what took its place, also once the newer text has come.
    await expect.poll(() => highlighted(page, 'active-comment')).toEqual(['a week'])
    await expect(beside.getByRole('article').filter({ hasText: 'Or two?' })).toBeFocused()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

  test('alternatives for the same words are gone through, accepted in other words and undone by touch', async ({
    page,
    server,
  }) => {
    const { document, suggest } = await begin(server)
    await suggest('Ada', 'quick', 'slow')
    await suggest('Bob', 'quick', '**swift**')
    await page.goto(`/documents/${document.id}`)
    await put(page).first().tap()
    const sheet = page.locator('.passage-sheet')
    await expect(sheet.getByText('2 suggestions for the same words')).toBeVisible()
    await sheet.getByRole('radio', { name: /Bob/ }).tap()
    await expect(put(page)).toHaveText(['swift'])
    await expect(put(page).locator('.md-strong')).toHaveText('swift')
    await expect(sheet.getByRole('group', { name: 'How it will read' })).toHaveText(
      'The swift proof comes back in a week.',
    )
    await sheet.getByRole('button', { name: 'Change…' }).tap()
    await page.getByRole('textbox', { name: 'The words to put in instead' }).fill('swiftest')
    await page.getByRole('button', { name: 'Accept these' }).tap()
    await expectStored(server, document, content.replace('quick', 'swiftest'))
    await page.getByRole('listitem').getByRole('button', { name: 'Undo' }).tap()
    await expectStored(server, document, content)
    await expect(put(page).first()).toBeVisible()
  })
})
