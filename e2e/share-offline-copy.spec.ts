// What a browser keeps of a page, to open it while the writer’s machine is away; and what it forgets.
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import {
  away,
  bodies,
  cached,
  comment,
  comments,
  galley,
  lookAgain,
  recipient,
  setUpAway,
  stored,
  text,
  untilKept,
  untilKeptSays,
  waiting,
  way,
  whatEditingTakes,
} from './away.ts'
import { untilWhole } from './first-view.ts'
import { selectWords } from './select-words.ts'

setUpAway()

test('a page that was read before opens while the machine is away, says how old it is, and takes comments', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser)
  await galley.call('POST', `/api/documents/${id}/comments`, { body: 'Said before.' })
  await lookAgain(page)
  await expect(page.getByText('Said before.')).toBeVisible()
  await untilKept(page, 'assets/viewer')
  await untilKeptSays(page, 'Said before.')
  await page.close()
  way.set('tunnel')
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('The margins are wide for a reason.')).toBeVisible()
  await expect(again.getByText('You see the text as it was just now.')).toBeVisible()
  await expect(again.getByText('Said before.')).toBeVisible()
  await expect(away(again)).toBeVisible()
  await expectAccessible(again)
  await comment(again, 'From the train', 'wide')
  await expect(waiting(again)).toBeVisible()
  await again.reload()
  await expect(waiting(again).getByText('From the train')).toBeVisible()
  // Meanwhile the text goes on; the comment stays on its words.
  await galley.call('PATCH', `/api/documents/${id}`, { content: `New above.\n\n${text}` })
  way.set('open')
  await lookAgain(again)
  await expect(again.getByText('Delivered: your comment.')).toBeVisible()
  await expect(again.getByText('The text has changed.')).toBeVisible()
  expect(await comments(id)).toMatchObject([
    { body: 'Said before.' },
    { body: 'From the train', anchor: { exact: 'wide' }, range: {} },
  ])
  await context.close()
})

test('the kept page and the text to go on with are there before a machine that says nothing is given up', async ({
  browser,
}) => {
  const { page, context, address } = await recipient(browser, 'edit')
  await untilKept(page, 'kept=document', whatEditingTakes)
  await page.close()
  way.set('silent')
  const again = await context.newPage()
  // However long it takes here, the page gives up what it asks for after 15 seconds of its own.
  await again.clock.install()
  await again.clock.pauseAt(Date.now() + 60_000)
  await again.goto(address)
  await expect(away(again)).toBeVisible()
  await expect(again.getByText('You see the text as it was')).toBeVisible()
  await again.getByRole('button', { name: 'Edit', exact: true }).click()
  const writing = again.getByRole('textbox', { name: 'Text', exact: true })
  // What asks may only have been loaded after some of this time.
  await expect(async () => {
    await again.clock.runFor(2_000)
    await expect(writing.getByText('The margins are wide for a reason.')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await context.close()
})

test('a page and what waits to be delivered outlast the withdrawal of the public address', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser)
  await untilKept(page, 'kept=feedback', 'assets/viewer')
  way.set('withdrawn')
  await comment(page, 'In between', 'wide')
  await expect(waiting(page)).toBeVisible()
  await page.close()
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('The margins are wide for a reason.')).toBeVisible()
  await expect(again.getByText('You see the text as it was just now.')).toBeVisible()
  await expect(waiting(again).getByText('In between')).toBeVisible()
  await lookAgain(again)
  await expect(away(again)).toBeVisible()
  await untilKept(again, 'kept=feedback', 'assets/viewer')
  way.set('open')
  await lookAgain(again)
  await expect(again.getByText('Delivered: your comment.')).toBeVisible()
  expect(await bodies(id)).toEqual(['In between'])
  await context.close()
})

test('a link that was revoked while the machine was away shows nothing but one’s own words', async ({
  browser,
}) => {
  const { page, context, id, linkId, address } = await recipient(browser)
  await untilKept(page, 'kept=feedback')
  way.set('closed')
  await comment(page, 'Never delivered', 'wide')
  await page.close()
  const kept = await context.newPage()
  await kept.goto(address)
  await expect(kept.getByText('The margins are wide for a reason.')).toBeVisible()
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${linkId}`)
  way.set('open')
  await lookAgain(kept)
  await expect(kept.getByRole('heading', { name: 'This link doesn’t open anything' })).toBeVisible()
  await expect(kept.getByText('The margins')).toHaveCount(0)
  await expect(kept.getByText('What you wrote is still here')).toBeVisible()
  await expect(kept.getByText('Never delivered')).toBeVisible()
  expect(await cached(kept)).toEqual([])
  await expectAccessible(kept)
  way.set('closed')
  const nothing = await context.newPage()
  await expect(nothing.goto(address)).rejects.toThrow()
  await nothing.close()
  way.set('open')
  await kept.reload()
  const before = await stored(kept)
  expect(before).toMatchObject([{ state: 'refused', refusal: { code: 'UNAUTHORIZED' } }])
  await kept.getByRole('button', { name: 'Discard' }).click()
  await kept.getByRole('button', { name: 'Undo' }).click()
  await expect(kept.getByText('Never delivered')).toBeVisible()
  expect(await stored(kept)).toEqual(before)
  await kept.getByRole('button', { name: 'Discard' }).click()
  await expect(kept.getByText('Discarded.')).toBeVisible()
  await kept.reload()
  await expect(kept.getByRole('heading', { name: 'This link doesn’t open anything' })).toBeVisible()
  await expect(kept.getByText('What you wrote is still here')).toHaveCount(0)
  await context.close()
})

/** Begins a comment on some words and leaves it unsent. */
async function begin(page: Page, body: string, words: string) {
  await selectWords(page, words)
  const tools = page.getByRole('toolbar', { name: 'The selected words' })
  await tools.getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill(body)
}
/** Begins a suggestion on some words and leaves it unsent. */
async function suggest(page: Page, to: string, words: string) {
  await selectWords(page, words)
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await page.getByRole('textbox', { name: 'The words, as they should be' }).fill(to)
}
const begun = (page: Page) => page.getByRole('region', { name: 'New comment' })
/** The words of the text that are drawn as looked at. */
const drawn = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('active-comment') ?? [])].map(String))

test('a comment begun while the machine is away comes back on its words, there and once it is back', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser, 'edit')
  await untilKept(page, 'kept=feedback', 'assets/viewer')
  way.set('closed')
  await begin(page, 'Which reason?', 'for a reason')
  await page.reload()
  await expect(away(page)).toBeVisible()
  await expect(begun(page).getByRole('textbox', { name: 'Your comment' })).toHaveValue('Which reason?')
  await expect(begun(page).locator('q')).toHaveText('for a reason')
  await expect.poll(() => drawn(page)).toEqual(['for a reason'])
  await expectAccessible(page)
  await page.close()
  // The text goes on meanwhile, with the same words elsewhere.
  const changed = `Nothing is here for a reason.\n\n${text}`
  await galley.call('PATCH', `/api/documents/${id}`, { content: changed })
  way.set('open')
  const again = await context.newPage()
  await again.goto(address)
  await untilWhole(again)
  await expect(begun(again).locator('q')).toHaveText('for a reason')
  await expect(begun(again).getByText('On the whole document')).toHaveCount(0)
  await expect(begun(again).getByText('no longer in the text')).toHaveCount(0)
  await begun(again).getByRole('button', { name: 'Comment' }).click()
  await expect(again.getByRole('article', { name: 'Comment by Guest' })).toBeVisible()
  const start = changed.lastIndexOf('for a reason')
  expect(await comments(id)).toMatchObject([
    { body: 'Which reason?', anchor: { exact: 'for a reason' }, range: { start } },
  ])
  await context.close()
})

test('a comment begun while the machine is away is sent on its words from the kept page, too', async ({
  browser,
}) => {
  const { page, context, id } = await recipient(browser)
  await untilKept(page, 'kept=feedback', 'assets/viewer')
  way.set('closed')
  await begin(page, 'Which reason?', 'for a reason')
  await page.reload()
  await begun(page).getByRole('button', { name: 'Comment' }).click()
  await expect(waiting(page)).toBeVisible()
  await expect(waiting(page).getByText('On the whole document')).toHaveCount(0)
  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: your comment.')).toBeVisible()
  expect(await comments(id)).toMatchObject([{ body: 'Which reason?', anchor: { exact: 'for a reason' } }])
  await context.close()
})

test('a comment whose words went while it was put by says so, each time it comes back', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser)
  await untilKept(page)
  way.set('closed')
  await begin(page, 'Which reason?', 'for a reason')
  await page.close()
  await galley.call('PATCH', `/api/documents/${id}`, { content: '# On proofs\n\nAll else is new.\n' })
  way.set('open')
  const again = await context.newPage()
  await again.goto(address)
  const lost = begun(again).getByText('These words are no longer in the text')
  const words = again.getByRole('textbox', { name: 'Your comment' })
  await expect(begun(again).locator('q')).toHaveText('for a reason')
  await expect(words).toHaveValue('Which reason?')
  await expect(lost).toBeVisible()
  await words.fill('Which reason was it?')
  await again.reload()
  await expect(lost).toBeVisible()
  await expect(begun(again).locator('q')).toHaveText('for a reason')
  await expect(words).toHaveValue('Which reason was it?')
  await context.close()
})

test('a suggestion that was begun comes back on its words, unless it was cancelled', async ({ browser }) => {
  const { page, context, id } = await recipient(browser, 'edit')
  await untilKept(page, 'kept=document', whatEditingTakes)
  const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
  const words = dialog.getByRole('textbox', { name: 'The words, as they should be' })
  const note = dialog.getByRole('textbox', { name: 'Why (optional)' })
  const isBack = async () => {
    await expect(words).toHaveValue('broad')
    await expect(note).toHaveValue('Shorter.')
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get('active-suggestion') ?? [])].map(String)))
      .toEqual(['wide'])
  }
  await suggest(page, 'broad', 'wide')
  await note.fill('Shorter.')
  await page.reload()
  await isBack()
  way.set('closed')
  await page.reload()
  await isBack()
  await dialog.getByRole('button', { name: 'Send suggestion' }).click()
  await expect(waiting(page, 'suggestion')).toBeVisible()
  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: your suggestion.')).toBeVisible()
  expect(await galley.call('GET', `/api/documents/${id}/suggestions`)).toMatchObject([
    { original_text: 'wide', suggested_text: 'broad', note: 'Shorter.', range: {} },
  ])
  await suggest(page, 'sent', 'comes')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await untilWhole(page)
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await context.close()
})

test('what was begun and not sent is found once the link was revoked, or its document is in the trash', async ({
  browser,
}) => {
  for (const end of ['revoked', 'trashed']) {
    const { page, context, id, linkId, address } = await recipient(browser, 'edit')
    await begin(page, 'Never sent', 'for a reason')
    await page.keyboard.press('Escape')
    await suggest(page, 'broad', 'wide')
    await page.getByRole('textbox', { name: 'Why (optional)' }).fill('Shorter.')
    await page.close()
    const link = end === 'revoked' ? `/share?link_id=${linkId}` : ''
    await galley.call('DELETE', `/api/documents/${id}${link}`)
    const dead = await context.newPage()
    await dead.goto(address)
    await expect(dead.getByRole('heading', { name: 'What you wrote is still here' })).toBeVisible()
    const comment = dead.getByRole('listitem').filter({ hasText: 'Never sent' })
    await expect(comment.locator('q')).toHaveText('for a reason')
    await expect(comment.getByRole('button', { name: 'Copy' })).toBeVisible()
    const suggestion = dead.getByRole('listitem').filter({ hasText: 'broad' })
    await expect(suggestion.locator('q')).toHaveText('wide')
    await expect(suggestion.getByText('Shorter.')).toBeVisible()
    await expectAccessible(dead)
    await comment.getByRole('button', { name: 'Discard' }).click()
    await dead.getByRole('button', { name: 'Undo' }).click()
    await expect(comment).toBeVisible()
    await comment.getByRole('button', { name: 'Discard' }).click()
    await suggestion.getByRole('button', { name: 'Discard' }).click()
    await expect(dead.getByText('Discarded.')).toHaveCount(2)
    await dead.reload()
    await expect(dead.getByRole('heading', { name: 'This link doesn’t open anything' })).toBeVisible()
    await expect(dead.getByText('What you wrote is still here')).toHaveCount(0)
    await context.close()
  }
})

test('what was begun and not sent is shown where the link permits less when the page is read again', async ({
  browser,
}) => {
  const { page, context, id, linkId } = await recipient(browser, 'edit')
  const allow = (permission: string) =>
    galley.call('PATCH', `/api/documents/${id}/share?link_id=${linkId}`, { permission })
  await begin(page, 'Never sent', 'for a reason')
  await page.keyboard.press('Escape')
  await suggest(page, 'broad', 'wide')
  const left = page.getByRole('region', { name: 'What you wrote is still here' })
  const comment = left.getByRole('listitem').filter({ hasText: 'Never sent' })
  const suggestion = left.getByRole('listitem').filter({ hasText: 'broad' })
  await allow('comment')
  await page.reload()
  await expect(suggestion).toBeVisible()
  await expect(left.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('textbox', { name: 'Your comment' })).toHaveValue('Never sent')
  await allow('view')
  await page.reload()
  await expect(left.getByRole('listitem')).toHaveCount(2)
  await expect(comment.locator('q')).toHaveText('for a reason')
  await expect(suggestion.locator('q')).toHaveText('wide')
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 700 })
  await expect(comment.getByRole('button', { name: 'Copy' })).toBeVisible()
  await comment.getByRole('button', { name: 'Discard' }).click()
  await left.getByRole('button', { name: 'Undo' }).click()
  await expect(comment).toBeVisible()
  await suggestion.getByRole('button', { name: 'Discard' }).click()
  await expect(left.getByText('Discarded.')).toBeVisible()
  await page.reload()
  await expect(left.getByRole('listitem')).toHaveCount(1)
  await context.close()
})

test('what editing takes is fetched once a reader stays', async ({ browser }) => {
  const { id } = await galley.createDocument(text)
  const { token } = await galley.share(id, 'edit')
  const context = await browser.newContext()
  const page = await context.newPage()
  const parts: string[] = []
  context.on('request', (request) => {
    if (/EditMode|Suggest/.test(request.url())) parts.push(request.url())
  })
  // However slow this machine is, no time passes for the page until it should.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto(`${way.origin}/share/${token}`)
  // Without it the page would wait with all that isn’t its text; who only looks at it doesn’t stay yet.
  await page.mouse.move(200, 200)
  await expect
    .poll(() => page.evaluate(async (url) => Boolean(await caches.match(url)), page.url()))
    .toBe(true)
  expect(parts).toEqual([])
  await page.clock.runFor(4_000)
  expect(parts).toEqual([])
  await page.clock.resume()
  await untilKept(page, 'kept=document', 'EditMode', 'Suggest')
  expect(parts.length).toBeGreaterThan(0)
  await context.close()
})

test('what others said is marked in the text that is edited while the machine is away', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser, 'edit')
  const start = text.indexOf('wide')
  const anchor = {
    exact: 'wide',
    prefix: text.slice(start - 9, start),
    suffix: text.slice(start + 4, start + 13),
    start,
  }
  await galley.call('POST', `/api/documents/${id}/comments`, { body: 'How wide?', anchor })
  await lookAgain(page)
  await expect(page.getByText('How wide?')).toBeVisible()
  await untilKept(page, 'kept=document', whatEditingTakes)
  await expect
    .poll(() => page.evaluate(async (url) => (await caches.match(url))?.text(), `${address}?kept=feedback`))
    .toContain('How wide?')
  // Pages of an earlier Galley kept it under this name.
  await page.evaluate(async (url) => {
    const [name] = await caches.keys()
    const cache = await caches.open(name!)
    await cache.put(`${url}?kept=remarks`, (await cache.match(`${url}?kept=feedback`))!)
    await cache.delete(`${url}?kept=feedback`)
  }, address)
  await page.close()
  way.set('tunnel')
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('How wide?')).toBeVisible()
  await again.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(again.locator('.cm-content .g-mark-comment')).toHaveText('wide')
  await context.close()
})

test('a page can be forgotten, and kept again', async ({ browser }) => {
  const { page, context, address } = await recipient(browser, 'view')
  await untilKept(page, 'kept=feedback')
  await page.getByRole('button', { name: 'Forget it here' }).click()
  await expect(page.getByText('Not kept in this browser.')).toBeVisible()
  await expect.poll(() => cached(page)).toEqual([])
  // Its worker lives as long as the page, and answers it.
  await page.evaluate(async () => {
    const { controller } = navigator.serviceWorker
    controller?.postMessage({ type: 'keep', files: [], page: true })
    await fetch(document.querySelector<HTMLScriptElement>('script[type=module]')!.src)
  })
  expect(await cached(page)).toEqual([])
  await page.reload()
  await expect(page.getByText('Not kept in this browser.')).toBeVisible()
  await lookAgain(page)
  expect(await cached(page)).toEqual([])
  await page.getByRole('button', { name: 'Keep it here' }).click()
  await untilKept(page)
  way.set('closed')
  await page.goto(address)
  await expect(page.getByText('The margins are wide for a reason.')).toBeVisible()
  await context.close()
})

test('what one tab forgets no other of the same link keeps again', async ({ browser }) => {
  const { page, context, id, address } = await recipient(browser, 'edit')
  const other = await context.newPage()
  await other.goto(address)
  await untilKept(page, 'kept=feedback', 'kept=document')
  await untilKept(other, 'kept=feedback')
  await page.getByRole('button', { name: 'Forget it here' }).click()
  await expect(other.getByText('Not kept in this browser.')).toBeVisible()
  await expect.poll(() => cached(page)).toEqual([])
  await galley.call('POST', `/api/documents/${id}/comments`, { body: 'Said later.' })
  await galley.call('PATCH', `/api/documents/${id}`, { content: `New above.\n\n${text}` })
  await lookAgain(other)
  await other.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(other.getByText('New above.')).toBeVisible()
  await expect(other.getByText('Said later.')).toBeVisible()
  expect(await cached(page)).toEqual([])
  await page.getByRole('button', { name: 'Keep it here' }).click()
  await expect(other.getByText('Kept in this browser')).toBeVisible()
  await untilKept(page)
  await context.close()
})

test('of other links’ pages the old and the expired go; one that is just being kept stays', async ({
  browser,
}) => {
  const { page, context } = await recipient(browser, 'view')
  await page.evaluate(async () => {
    const day = 24 * 60 * 60 * 1000
    const keep = async (token: string, headers: Record<string, string>) => {
      const cache = await caches.open(`galley-share ${token}`)
      await cache.put(`/share/${token}`, new Response('Words', { headers }))
    }
    const ago = (days: number) => new Date(Date.now() - days * day).toISOString()
    await keep('expired', { 'galley-kept-at': ago(2), 'galley-until': ago(1) })
    await keep('fresh', { 'galley-kept-at': ago(29), 'galley-until': ago(-1) })
    // As in a tab whose worker still fetches: nothing says yet since when.
    await keep('begun', {})
    // The last that is looked at.
    await keep('old', { 'galley-kept-at': ago(30) })
  })
  await page.reload()
  await untilKept(page, 'kept=feedback')
  const own = `galley-share ${page.url().split('/').at(-1)}`
  await expect
    .poll(async () => {
      // On a slow machine the first look may find nobody.
      await lookAgain(page)
      return (await cached(page)).sort()
    })
    .toEqual([own, 'galley-share begun', 'galley-share fresh'].sort())
  await context.close()
})
