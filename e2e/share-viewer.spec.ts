// The share page as recipients meet it: each in a browser context of their own, on the recipients' listener.
import {
  expect,
  test,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectAccessible } from './accessible.ts'
import { isFace, measure, sum } from './first-view.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const text = `# On proofs

A galley proof is the draft that goes out for review before print. The margins are wide for a reason.

## How it travels

1. The compositor pulls a proof.
2. The reader compares it with the copy, *line by line*.

| Mark | Meaning |
| --- | --- |
| stet | let it stand |

### Time

A proof that comes back in a week has been read.
`
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}
const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

// The longest of the last files: split, so that no worker waits for another at the end.
test.describe.configure({ mode: 'parallel' })

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

/** Opens a link in a browser of its own; anything the page’s policy refuses or its script throws fails the test. */
async function open(browser: Browser, address: string, options: BrowserContextOptions = desk) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused/.test(message.text()))
      troubles.push(message.text())
  })
  await page.goto(address)
  return { page, context, troubles }
}

const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'The selected words' })
const card = (page: Page, name: string) => page.getByRole('article', { name })
/** Makes the page look for news now instead of in a while. */
const lookAgain = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')))

async function comment(page: Page, words: string, body: string, name?: string) {
  await selectWords(page, words)
  await toolbar(page).getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill(body)
  if (name) await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
  await expect(page.locator('form.composer')).toHaveCount(0)
}

/** The words that are drawn as marked, in order. */
const marked = (page: Page, name: string) =>
  page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map(String), name)

test.describe('reading', () => {
  test('works without JavaScript, and says what that leaves out', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address, { ...desk, javaScriptEnabled: false })
    await expect(page).toHaveTitle('On proofs')
    await expect(page.getByRole('heading', { name: 'On proofs' })).toHaveCount(1)
    await expect(page.getByText('The margins are wide for a reason.')).toBeVisible()
    await expect(page.locator('noscript p')).toHaveText(/Commenting needs JavaScript/)
    await expect(page.getByRole('navigation', { name: 'Contents' }).getByRole('link')).toHaveCount(3)
    await expect(page.getByRole('button')).toHaveCount(0)
    await context.close()
  })

  for (const permission of ['view', 'edit']) {
    test(`by a link to ${permission} costs little, asks no one else, and leaves nothing in caches`, async ({
      browser,
    }) => {
      const { id } = await galley.createDocument(
        `${text}\n${'A line of prose that is set to the measure. '.repeat(110)}`,
      )
      const { address } = await galley.share(id, permission)
      const { context, first, rest, headers } = await measure(browser, address)
      const origins = [...first, ...rest].map(({ url }) => new URL(url).origin)
      expect(new Set(origins.filter((origin) => origin !== 'null'))).toEqual(new Set([galley.shareUrl]))
      // With both cuts of the face that the text is set in.
      expect(first.filter(isFace)).toHaveLength(2)
      expect(sum(first)).toBeLessThan(60 * 1024)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['content-security-policy']).not.toContain('unsafe')
      await context.close()
    })
  }

  test('a view link shows comments and offers nothing else', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const at = text.indexOf('wide')
    const anchor = {
      exact: 'wide',
      prefix: text.slice(at - 32, at),
      suffix: text.slice(at + 4, at + 36),
      start: at,
    }
    await galley.call('POST', `/api/documents/${id}/comments`, { body: 'How wide?', anchor })
    await galley.call('POST', `/api/documents/${id}/suggestions`, {
      original_text: 'wide',
      suggested_text: 'broad',
      anchor,
    })
    const { address } = await galley.share(id, 'view')
    const { page, context, troubles } = await open(browser, address)
    await expect(page.getByText('How wide?')).toBeVisible()
    await expect.poll(() => marked(page, 'comment')).toEqual(['wide'])
    expect(await marked(page, 'suggestion')).toEqual([])
    await selectWords(page, 'galley proof')
    await page.getByText('How wide?').click()
    for (const name of ['Comment', 'Edit', 'Suggest a change', 'Reply', 'Resolve thread']) {
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
    }
    await expectAccessible(page)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('the page shows new text when the reader asks, with the place kept', async ({ browser }) => {
    const { id } = await galley.createDocument(
      `${text}\n${'Another paragraph of it.\n\n'.repeat(60)}The end of it.\n`,
    )
    const { address } = await galley.share(id, 'view')
    const { page, context } = await open(browser, address)
    await page.getByText('The end of it.').scrollIntoViewIfNeeded()
    await page.waitForTimeout(300)
    const document = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
    await galley.call('PATCH', `/api/documents/${id}`, { content: `A new beginning.\n\n${document.content}` })
    await lookAgain(page)
    await expect(page.getByText('The text has changed.')).toBeVisible()
    await expect(page.getByText('A new beginning.')).toHaveCount(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText('A new beginning.')).toHaveCount(1)
    await expect(page.getByText('The end of it.')).toBeInViewport()
    await context.close()
  })

  test('hostile text, titles and names stay text', async ({ browser }) => {
    const evil = '<img src=x onerror="window.__hit=1"><script>window.__hit=1</script>'
    const { id } = await galley.createDocument(
      `# ${evil}\n\n${evil}\n\n[x](javascript:window.__hit=1)\n`,
      `${evil}`,
    )
    const { address } = await galley.share(id, 'comment')
    const { page, context, troubles } = await open(browser, address)
    await comment(page, 'x', evil, evil)
    await expect(page.getByText(evil).first()).toBeVisible()
    expect(await page.evaluate(() => '__hit' in window)).toBe(false)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('works below a path of a reverse proxy', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { token } = await galley.share(id, 'comment')
    const target = new URL(galley.shareUrl)
    const proxy = createServer((request, response) => {
      const below = request.url!.replace(/^\/papers/, '')
      const headers = { ...request.headers, host: target.host }
      const onward = forward({
        host: target.hostname,
        port: target.port,
        path: below,
        method: request.method,
        headers,
      })
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/papers/share/${token}`
    const { page, context, troubles } = await open(browser, address)
    await comment(page, 'wide', 'From afar.')
    await expect(card(page, 'Comment by Guest').getByText('From afar.')).toBeVisible()
    expect(troubles).toEqual([])
    await context.close()
    proxy.closeAllConnections()
    proxy.close()
  })
})

test.describe('a link that opens nothing', () => {
  test('looks the same whether it was revoked or never was', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const link = await galley.share(id, 'view')
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
    const revoked = await fetch(link.address)
    const unknown = await fetch(`${galley.shareUrl}/share/${'0'.repeat(32)}`)
    expect([revoked.status, unknown.status]).toEqual([404, 404])
    expect(await revoked.text()).toBe(await unknown.text())
    const { page, context, troubles } = await open(browser, link.address, phone)
    await expect(page.getByRole('heading', { name: 'This link doesn’t open anything' })).toBeVisible()
    await expectAccessible(page)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('that dies while it is read is told calmly, and words being written stay', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const link = await galley.share(id, 'comment')
    const { page, context } = await open(browser, link.address)
    await selectWords(page, 'galley proof')
    await toolbar(page).getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).fill('Half a thought')
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
    // The page may have been told before the button can be pressed.
    await page
      .locator('form.composer')
      .getByRole('button', { name: 'Comment' })
      .evaluate((button: HTMLButtonElement) => button.click())
    await expect(page.getByText('This link no longer works.', { exact: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Your comment' })).toHaveValue('Half a thought')
    await expect(page.getByRole('button', { name: 'Copy my words' })).toBeVisible()
    await expect(page.getByText('The margins are wide for a reason.')).toBeVisible()
    await context.close()
  })
})

test.describe('commenting', () => {
  test('a reader selects words, comments, and later changes, resolves and deletes it', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context, troubles } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
    await comment(page, 'goes out for review', 'To whom?', 'Ada')
    const mine = card(page, 'Comment by Ada')
    await expect(mine.getByText('To whom?')).toBeVisible()
    await expect.poll(() => marked(page, 'active')).toEqual(['goes out for review'])
    const [stored] = await galley.call<{ anchor: { exact: string }; author_name: string }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    expect([stored!.anchor.exact, stored!.author_name]).toEqual(['goes out for review', 'Ada'])

    await page.reload()
    await mine.click()
    await mine.getByRole('button', { name: 'Reply' }).click()
    await mine.getByRole('textbox', { name: 'Reply' }).fill('To everyone, I see.')
    await expectAccessible(page)
    await mine.locator('form').getByRole('button', { name: 'Reply' }).click()
    await expect(mine.getByText('To everyone, I see.')).toBeVisible()
    await mine.getByRole('button', { name: 'Edit' }).first().click()
    await mine.getByRole('textbox').fill('To whom, though?')
    await mine.getByRole('button', { name: 'Save' }).click()
    await expect(mine.getByText('To whom, though?')).toBeVisible()
    await mine.getByRole('button', { name: 'Resolve' }).click()
    // What is settled goes from the margin with the next news, which may be there before it is looked at.
    await page.getByRole('button', { name: '0 open comments: show all' }).click()
    const list = page.getByRole('dialog', { name: 'Comments' })
    await list.getByRole('button', { name: 'Show what is settled (1)' }).click()
    await expect(list.getByText('Resolved', { exact: true })).toBeVisible()
    await list.getByRole('button', { name: 'Reopen' }).click()
    await list.getByRole('button', { name: 'Close' }).click()
    await expect(list).toHaveCount(0)
    await mine.getByRole('button', { name: 'Delete' }).first().click()
    await mine.getByRole('button', { name: 'Delete' }).first().click()
    await expect(mine).toHaveCount(0)
    expect(await galley.call('GET', `/api/documents/${id}/comments`)).toEqual([])
    expect(troubles).toEqual([])
    await context.close()
  })

  test('a highlight opens its thread, and a thread shows its words', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await comment(page, 'wide for a reason', 'Which?')
    await comment(page, 'in a week', 'Or two.')
    const first = page.locator('.card', { hasText: 'Which?' })
    const second = page.locator('.card', { hasText: 'Or two.' })
    await expect(second).toHaveClass(/active/)
    const place = await page.evaluate(() => {
      const [range] = CSS.highlights.get('comment')!
      // The words may stand on two lines, and what is between those is neither.
      const { left, top, width, height } = (range as Range).getClientRects()[0]!
      return { x: left + width / 2, y: top + height / 2 }
    })
    await page.mouse.click(place.x, place.y)
    await expect(first).toHaveClass(/active/)
    await second.click()
    await expect.poll(() => marked(page, 'active')).toEqual(['in a week'])
    await context.close()
  })

  test('with the keyboard alone, on words and on the whole document', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
    await selectWords(page, 'compares it')
    await page.keyboard.press('Control+Alt+m')
    await page.keyboard.type('Letter by letter.')
    await page.keyboard.press('Control+Enter')
    await expect(card(page, 'Comment by Guest').getByText('Letter by letter.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'New comment' })).toHaveCount(0)
    await page.evaluate(() => getSelection()!.removeAllRanges())
    await page.getByRole('button', { name: 'Comment', exact: true }).press('Enter')
    await expect(page.getByText('On the whole document')).toBeVisible()
    await page.keyboard.type('Lovely.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Lovely.')).toBeVisible()
    const comments = await galley.call<{ anchor: { exact: string } | null }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    expect(comments.map(({ anchor }) => anchor?.exact ?? null)).toEqual(['compares it', null])
    await context.close()
  })

  test('finds the chosen words again when the text has changed meanwhile', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
    await galley.call('PATCH', `/api/documents/${id}`, {
      content: `A word first: a week is long.\n\n${text}`,
    })
    await comment(page, 'in a week', 'Or two.', 'Ada')
    await expect(card(page, 'Comment by Ada').getByText('Or two.')).toBeVisible()
    await expect(page.getByText('A word first: a week is long.')).toBeVisible()
    const [stored] = await galley.call<{ range: { start: number } }[]>('GET', `/api/documents/${id}/comments`)
    expect(stored!.range.start).toBe(`A word first: a week is long.\n\n${text}`.indexOf('in a week'))
    await context.close()
  })

  test('keeps what was written when the chosen words are gone, and says what can be done', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
    await galley.call('PATCH', `/api/documents/${id}`, {
      content: text.replace('wide for a reason', 'narrow'),
    })
    await selectWords(page, 'wide for a reason')
    await toolbar(page).getByRole('button', { name: 'Comment' }).click()
    const field = page.getByRole('textbox', { name: 'Your comment' })
    await field.fill('Which reason?')
    await expect(page.getByText('the comment will be on the whole document')).toBeVisible()
    await expect(field).toHaveValue('Which reason?')
    await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
    await expect(card(page, 'Comment by Guest').getByText('Which reason?')).toBeVisible()
    expect(await galley.call('GET', `/api/documents/${id}/comments`)).toMatchObject([{ anchor: null }])
    await context.close()
  })

  test('keeps a draft over a reload, and sends it when there is a connection', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await selectWords(page, 'galley proof')
    await toolbar(page).getByRole('button', { name: 'Comment' }).click()
    const field = page.getByRole('textbox', { name: 'Your comment' })
    await expect(field).toBeFocused()
    await page.waitForTimeout(500)
    await field.fill('Not sent yet')
    await page.reload()
    await expect(field).toHaveValue('Not sent yet')
    await context.setOffline(true)
    await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
    await expect(card(page, 'Your comment, waiting').getByText('Not sent yet')).toBeVisible()
    await context.setOffline(false)
    await expect(card(page, 'Comment by Guest').getByText('Not sent yet')).toBeVisible()
    const [stored] = await galley.call<{ anchor: { exact: string } }[]>(
      'GET',
      `/api/documents/${id}/comments`,
    )
    expect(stored!.anchor.exact).toBe('galley proof')
    await context.close()
  })

  test('on a phone there is a bar for the selection and a sheet for the threads, and nothing scrolls sideways', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(
      `${text}\n\n\`\`\`\n${'wide '.repeat(60)}\n\`\`\`\n\n${'unbroken'.repeat(40)}\n`,
    )
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address, {
      ...phone,
      viewport: { width: 360, height: 740 },
    })
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await sideways()).toBe(0)
    await selectWords(page, 'wide for a reason')
    await expect(toolbar(page)).toBeInViewport()
    for (const button of await toolbar(page).getByRole('button').all()) await expectTouchable(button)
    await toolbar(page).getByRole('button', { name: 'Comment' }).tap()
    const sheet = page.getByRole('dialog', { name: 'New comment' })
    await sheet.getByRole('textbox', { name: 'Your comment' }).fill('Which?')
    await expectAccessible(page)
    for (const button of await sheet.getByRole('button').all()) await expectTouchable(button)
    await sheet.getByRole('button', { name: 'Comment' }).tap()
    await expect(sheet).toHaveCount(0)
    await page.getByRole('button', { name: /1 open comment/ }).tap()
    const list = page.getByRole('dialog', { name: 'Comments' })
    await expect(list.getByText('Which?')).toBeVisible()
    await expectAccessible(page)
    expect(await sideways()).toBe(0)
    await list.getByRole('button', { name: 'Close' }).tap()
    await expect(list).toHaveCount(0)
    for (const button of await page.getByRole('banner').getByRole('button').all())
      await expectTouchable(button)
    expect(troubles).toEqual([])
    await context.close()
  })
})

async function expectTouchable(button: Locator) {
  const box = (await button.boundingBox())!
  expect(Math.round(box.height), await button.innerText()).toBeGreaterThanOrEqual(44)
}

test.describe('suggesting', () => {
  test('a passage is changed, seen as a difference, sent, and withdrawn again', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address)
    await selectWords(page, 'line by line')
    await toolbar(page).getByRole('button', { name: 'Suggest a change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
    const words = dialog.getByRole('textbox', { name: 'The words, as they should be' })
    await expect(words).toHaveValue('line by line')
    await expect(dialog.getByRole('button', { name: 'Send suggestion' })).toBeDisabled()
    await words.fill('letter by letter')
    await expect(dialog.locator('del').first()).toHaveText(/line$/)
    await expect(dialog.locator('ins').first()).toHaveText(/letter$/)
    await dialog.getByRole('textbox', { name: 'Why (optional)' }).fill('More thorough.')
    await dialog.getByRole('textbox', { name: 'Your name' }).fill('Ada')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send suggestion' }).click()
    const mine = card(page, 'Suggestion by Ada')
    await expect(mine.getByText('More thorough.')).toBeVisible()
    const [stored] = await galley.call<object[]>('GET', `/api/documents/${id}/suggestions`)
    expect(stored).toMatchObject({
      original_text: 'line by line',
      suggested_text: 'letter by letter',
      author_name: 'Ada',
      note: 'More thorough.',
      range: { start: text.indexOf('line by line') },
    })
    await mine.getByRole('button', { name: 'Withdraw' }).click()
    await mine.getByRole('button', { name: 'Withdraw it' }).click()
    await expect(mine).toHaveCount(0)
    expect(await galley.call('GET', `/api/documents/${id}/suggestions`)).toEqual([])
    expect(troubles).toEqual([])
    await context.close()
  })

  test('an accepted suggestion shows as accepted, and its text comes when asked for', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const suggestion = await galley.call('POST', `/api/documents/${id}/suggestions`, {
      original_text: 'in a week',
      suggested_text: 'after a week',
      anchor: { exact: 'in a week', prefix: '', suffix: '', start: text.indexOf('in a week') },
    })
    const { page, context } = await open(browser, address)
    await expect(page.locator('.card.suggestion')).toHaveCount(1)
    await galley.call('POST', `/api/documents/${id}/suggestions/${String(suggestion.id)}/accept`)
    await lookAgain(page)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText('comes back after a week')).toBeVisible()
    await expect(page.locator('.margin .card').getByText('Accepted')).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: /open comments: show all/ }).click()
    await page.getByRole('button', { name: 'Show what is settled (1)' }).click()
    await expect(page.getByText('Accepted')).toBeVisible()
    await context.close()
  })
})

test.describe('editing', () => {
  test('what is typed is saved by itself, and reading goes on with it', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const { page, context, troubles } = await open(browser, address)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Words of a guest.')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await expect
      .poll(async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content)
      .toBe(`${text}Words of a guest.`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(
      page.getByRole('article', { name: 'On proofs' }).getByText('Words of a guest.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    expect(troubles).toEqual([])
    await context.close()
  })

  test('who only looks into the editor is brought back to where they read', async ({ browser }) => {
    const { id } = await galley.createDocument(`${text}\n${'Another paragraph of it.\n\n'.repeat(60)}`)
    const { address } = await galley.share(id, 'edit')
    const { page, context } = await open(browser, address)
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    await page.evaluate(() => scrollTo({ top: 1234, behavior: 'instant' }))
    await page
      .getByRole('button', { name: 'Edit', exact: true })
      .evaluate((button: HTMLElement) => button.click())
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await page.waitForTimeout(500)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(1234)
    await context.close()
  })

  test('an editor that didn’t come because of the connection comes whole the next time', async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    // Else the editor is there already, kept for when there is no connection.
    const { page, context } = await open(browser, address, { ...desk, serviceWorkers: 'block' })
    await page.route('**/editing-*.css', (route) => route.abort(), { times: 1 })
    const edit = page.getByRole('button', { name: 'Edit', exact: true })
    await edit.click()
    await expect(page.getByText('This part of the page couldn’t be loaded.')).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await edit.click()
    const writing = page.getByRole('textbox', { name: 'Text' })
    await expect(writing).toBeFocused()
    await expect(writing, 'with its style sheet').not.toHaveCSS('max-width', 'none')
    await context.close()
  })

  test('two who edit at once lose nothing', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const one = await open(browser, address)
    const two = await open(browser, address)
    for (const { page } of [one, two]) {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    }
    await one.page.keyboard.press('Control+End')
    await one.page.keyboard.type('From the first.')
    await two.page.keyboard.press('Control+Home')
    await two.page.keyboard.type('From the second.\n\n')
    await expect
      .poll(async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content)
      .toBe(`From the second.\n\n${text}From the first.`)
    await one.context.close()
    await two.context.close()
  })

  test('a link that dies while somebody edits leaves the text to be copied', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const link = await galley.share(id, 'edit')
    const { page, context } = await open(browser, link.address)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Too late.')
    await expect(page.getByText('Not saved: this link no longer works.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy my text' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Text' })).toContainText('Too late.')
    await context.close()
  })
})
