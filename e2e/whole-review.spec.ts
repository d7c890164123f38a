// A whole review in the text: two people suggest by typing, one with a keyboard and one on a phone, and the owner decides.
import { expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { editor, expectStored, open, test } from './owner.ts'
import { goBehind } from './select-words.ts'

const content = `# On proofs

A galley prooof goes out.

The margins are **very wide** for a [good reason](https://example.org), as ever.

| Mark | Meaning |
| --- | --- |
| stet | let it stand |

This paragraph can go.

## By hand

The compositer pulls it.

Ink is **quite dear** in a [small town](https://example.org/town), they say.

| Mark | Meaning |
| --- | --- |
| dele | take it out |

Another one can go.
`
const desk: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}

/** Somebody who suggests by typing, in a browser of their own. */
async function reviewer(browser: Browser, address: string, name: string, options: BrowserContextOptions) {
  const context = await browser.newContext({ ...options, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(address)
  const suggest = page.getByRole('button', { name: 'Suggest', exact: true })
  await (options.hasTouch ? suggest.tap() : suggest.click())
  await expect(text(page)).toBeVisible()
  // On a phone it is asked where there is room.
  if (options.hasTouch) await page.getByRole('button', { name: 'More' }).tap()
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  if (options.hasTouch) await page.keyboard.press('Escape')
  return page
}
const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })

/** Where words end on the screen. */
const endOf = (page: Page, words: string) =>
  page.evaluate((words) => {
    const walker = document.createTreeWalker(document.querySelector('.cm-content')!, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(words)
      if (at < 0) continue
      node.parentElement!.scrollIntoView({ block: 'center', behavior: 'instant' })
      const range = document.createRange()
      range.setStart(node, at + words.length - 1)
      range.setEnd(node, at + words.length)
      const { right, top, height } = range.getBoundingClientRect()
      return { x: right, y: top + height / 2 }
    }
    throw new Error(`There is no “${words}”.`)
  }, words)

/** Selects from before some words to behind others, as a system’s handles leave it. */
async function selectFrom(page: Page, from: string, to: string) {
  await page.evaluate(
    ([from, to]) => {
      const walker = document.createTreeWalker(document.querySelector('.cm-content')!, NodeFilter.SHOW_TEXT)
      const selection = getSelection()!
      let begun = false
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!begun && node.textContent!.includes(from!)) {
          selection.collapse(node, node.textContent!.indexOf(from!))
          begun = true
        }
        const end = node.textContent!.indexOf(to!)
        if (begun && end >= 0) return selection.extend(node, end + to!.length)
      }
    },
    [from, to],
  )
  // The editor hears of it a moment later, and from hands long before a key.
  await page.evaluate(() => new Promise(requestAnimationFrame))
}

const decided = content
  .replace('prooof goes out.', 'proof goes out.\n\nIt comes back.')
  .replace('very wide** for a [good reason]', 'very** narrow without [reason]')
  .replace('let it stand', 'let it all stand')
  .replace('This paragraph can go.', '')
  .replace('compositer pulls it.', 'compositor pulls it.\n\nThen he reads it.')
  .replace('quite dear** in a [small town]', 'quite** cheap in every [town]')
  .replace('take it out', 'take it all out')
  .replace('Another one can go.', '')

test('two suggest by typing, by keyboard and by touch, and the owner decides on all of it, undoes and reopens', async ({
  browser,
  page,
  server,
}) => {
  const document = await server.create(content)
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, {
    ...{ permission: 'edit', suggest_only: true },
  })
  const address = `${server.url}/share/${token}`
  const made = async (author: string) =>
    (await server.call<{ author_name: string; status: string }[]>('GET', `${at}/suggestions`)).filter(
      ({ author_name, status }) => author_name === author && status === 'pending',
    ).length

  const ada = await reviewer(browser, address, 'Ada', desk)
  await goBehind(ada, 'prooo')
  await ada.keyboard.press('Backspace')
  await selectFrom(ada, 'wide', 'good')
  await ada.keyboard.type('narrow without')
  // What keeps bold and the link whole is nobody’s business, once one is elsewhere.
  await goBehind(ada, 'let it')
  await expect(ada.locator('.cm-line', { hasText: 'The margins' })).toHaveText(
    'The margins are very wide for a good narrow without reason, as ever.',
  )
  await ada.keyboard.type(' all')
  await goBehind(ada, 'This paragraph can go.')
  await ada.keyboard.press('Shift+Home')
  await ada.keyboard.press('Backspace')
  await goBehind(ada, 'goes out.')
  await ada.keyboard.press('Enter')
  await ada.keyboard.press('Enter')
  await ada.keyboard.type('It comes back.')
  await expect.poll(() => made('Ada')).toBe(5)
  await expectAccessible(ada)
  await ada.getByRole('button', { name: 'Done' }).click()

  const bob = await reviewer(browser, address, 'Bob', phone)
  const tap = async (words: string) => {
    const { x, y } = await endOf(bob, words)
    // Two in one place of the screen at once would be a double tap, which puts no cursor.
    await bob.waitForTimeout(500)
    await bob.touchscreen.tap(x, y)
    await expect(text(bob)).toBeFocused()
  }
  await tap('composite')
  await bob.keyboard.press('Backspace')
  await bob.keyboard.insertText('o')
  await selectFrom(bob, 'dear', 'small')
  await bob.keyboard.insertText('cheap in every')
  await tap('take it')
  await bob.keyboard.insertText(' all')
  await tap('Another one can go.')
  await selectFrom(bob, 'Another', 'can go.')
  await bob.keyboard.press('Backspace')
  await tap('pulls it.')
  await bob.keyboard.press('Enter')
  await bob.keyboard.press('Enter')
  await bob.keyboard.insertText('Then he reads it.')
  await expect.poll(() => made('Bob')).toBe(5)
  await expectAccessible(bob)
  expect(await bob.evaluate(() => globalThis.document.documentElement.scrollWidth)).toBe(360)
  await bob.getByRole('button', { name: 'Done' }).tap()
  await expectStored(server, document, content)

  // Who hears the text hears what is taken out and put in, and by whom.
  await open(page, document)
  const line = page.locator('.cm-line', { hasText: 'The margins' })
  await expect(line).toMatchAriaSnapshot(`
    - text: The margins are very
    - deletion: wide
    - deletion: for a
    - insertion: narrow without
    - deletion: good
    - text: reason, as ever.
  `)
  for (const [words, author] of [
    ['narrow without', 'Ada'],
    ['compositor', 'Bob'],
  ] as const) {
    const put = editor(page).getByRole('insertion').filter({ hasText: words })
    await expect(put).toHaveAccessibleDescription(`Suggested by ${author} (guest)`)
  }
  const taken = editor(page).getByRole('deletion').filter({ hasText: 'This paragraph can go.' })
  await expect(taken).toHaveAccessibleDescription('Suggested by Ada (guest)')
  await expectAccessible(page)

  const beside = page.getByRole('complementary', { name: 'Beside the text' })
  const typo = beside.getByRole('article', { name: /“prooof”/ })
  await typo.getByRole('button', { name: 'Accept', exact: true }).click()
  await expectStored(server, document, content.replace('prooof', 'proof'))
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Suggestion accepted.' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expectStored(server, document, content)
  await expect(typo).toBeVisible()
  await beside
    .getByRole('article', { name: /“compositer”/ })
    .getByRole('button', { name: 'Reject', exact: true })
    .click()
  await expect.poll(() => made('Bob')).toBe(4)

  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  await page.getByRole('radio', { name: 'Rejected' }).check({ force: true })
  await page
    .getByRole('article', { name: /“compositer”/ })
    .getByRole('button', { name: 'Reopen' })
    .click()
  await expect.poll(() => made('Bob')).toBe(5)
  await page.getByRole('radio', { name: /^Pending/ }).check({ force: true })
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expectStored(server, document, decided)

  // What was accepted is text now, with those who suggested it, too.
  await expect(editor(page).locator('ins, del')).toHaveCount(0)
  for (const reader of [ada, bob]) {
    await reader.reload()
    await expect(reader.getByRole('article').getByText('It comes back.', { exact: true })).toBeVisible()
    await expect(reader.getByRole('article', { name: /^Suggestion/ })).toHaveCount(0)
  }
  await ada.context().close()
  await bob.context().close()
})
