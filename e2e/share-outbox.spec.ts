// What recipients write while the writer's machine is away: kept, delivered once, never lost.
import { expect, test, type BrowserContext } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import {
  away,
  bodies,
  cached,
  comment,
  comments,
  galley,
  lookAgain,
  plainBrowser,
  recipient,
  setUpAway,
  text,
  untilDrafted,
  untilKept,
  waiting,
  way,
  whatEditingTakes,
} from './away.ts'
import { openSync } from './background-sync.ts'
import { untilWhole } from './first-view.ts'
import { selectWords } from './select-words.ts'

// They are the last of a run.
setUpAway('parallel')

test('a comment made while the machine is away is kept, and delivered when it is back', async ({
  browser,
}) => {
  const { page, context, id } = await recipient(browser)
  way.set('closed')
  await comment(page, 'Which reason?', 'for a reason')
  await expect(waiting(page).getByText('Kept here, will be delivered')).toBeVisible()
  await expect(away(page)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => [...(CSS.highlights.get('comment') ?? [])].map(String)))
    .toEqual(['for a reason'])
  await expectAccessible(page)
  expect(await bodies(id)).toEqual([])
  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: your comment.')).toBeVisible()
  const card = page.getByRole('article', { name: 'Comment by Guest' })
  await expect(card.getByText('Which reason?')).toBeVisible()
  await expect(card.getByText('Delivered', { exact: true })).toBeVisible()
  await expect(waiting(page)).toHaveCount(0)
  await expect(away(page)).toHaveCount(0)
  expect(await comments(id)).toMatchObject([
    { body: 'Which reason?', anchor: { exact: 'for a reason' }, range: {} },
  ])
  await context.close()
})

test('what was kept is seen as soon as it is delivered, also where the text has changed meanwhile', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser)
  way.set('closed')
  await comment(page, 'Which reason?', 'for a reason')
  await comment(page, 'How wide?', 'margins are wide')
  await expect(waiting(page)).toHaveCount(2)
  await galley.call('PATCH', `/api/documents/${id}`, { content: text.replace(' for a reason', '') })
  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: 2 comments and suggestions.')).toBeVisible()
  const card = (said: string) =>
    page.getByRole('article', { name: 'Comment by Guest' }).filter({ hasText: said })
  const marks = () =>
    page.evaluate(() =>
      ['comment', 'active'].flatMap((name) => [...(CSS.highlights.get(name) ?? [])].map(String)).sort(),
    )
  const show = page.locator('.banner').getByRole('button', { name: 'Show', exact: true })
  await expect(show).toBeVisible()
  // In the text that is still shown the words of both are there.
  await expect(card('Which reason?')).toBeVisible()
  await expect(card('How wide?')).toBeVisible()
  await expect.poll(marks).toEqual(['for a reason', 'margins are wide'])
  await card('How wide?').click()
  await expect
    .poll(() => page.evaluate(() => [...CSS.highlights.get('active')!].map(String)))
    .toEqual(['margins are wide'])

  // In the new one those of one are gone: it keeps its card, which says what they were.
  await show.click()
  await expect(page.getByText('The margins are wide.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect.poll(marks).toEqual(['margins are wide'])
  await expect(card('Which reason?')).toContainText('for a reason')
  await expect(card('How wide?')).toBeVisible()
  await page.goto(address)
  await expect.poll(marks).toEqual(['margins are wide'])
  await context.close()
})

test('on a phone what is said of it in passing takes two lines at most, and the foot’s lines are all as far apart', async ({
  browser,
}) => {
  const { page, context } = await recipient(browser, 'comment', way.origin, {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  })
  /** How many lines some text takes, by its height. */
  const lines = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { lineHeight } = getComputedStyle(element)
      return element.getBoundingClientRect().height / parseFloat(lineHeight)
    })
  const forget = page.locator('.colophon').getByRole('button', { name: 'Forget it here' })
  await expect(forget).toBeAttached()
  const foot = await lines('.colophon p:has(button)')
  expect(Math.abs(foot - Math.round(foot))).toBeLessThan(0.1)
  way.set('closed')
  await comment(page, 'An hour of careful words')
  await expect(page.locator('.toast')).toContainText('Kept here. It will be delivered')
  expect(await lines('.toast > span')).toBeLessThan(2.1)
  await context.close()
})

test('closing the tab loses nothing, and what was sent without an answer arrives once', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser)
  const lost = way.loseAnswer('/comments')
  await comment(page, 'The first')
  await lost
  await expect(waiting(page).getByText('It may have arrived already')).toBeVisible()
  await expect(waiting(page).getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await comment(page, 'The second')
  await expect(waiting(page)).toHaveCount(2)
  await page.close()
  way.set('open')
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('Delivered: 2 comments and suggestions.')).toBeVisible()
  expect(await bodies(id)).toEqual(['The first', 'The second'])
  // By the same guest: their own, to edit and delete.
  await expect(again.getByRole('article', { name: 'Comment by Guest' }).getByText('you')).toHaveCount(2)
  await context.close()
})

test('what waits can be changed, discarded, and brought back', async ({ browser }) => {
  const { page, context, id } = await recipient(browser)
  way.set('tunnel')
  await comment(page, 'One')
  await comment(page, 'Two')
  const one = waiting(page).filter({ hasText: 'One' })
  await one.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill('One, changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(waiting(page).filter({ hasText: 'One, changed' })).toBeVisible()
  const two = waiting(page).filter({ hasText: 'Two' })
  await two.getByRole('button', { name: 'Discard' }).click()
  await expect(two).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(two).toHaveCount(1)
  await two.getByRole('button', { name: 'Discard' }).click()
  await expect(two).toHaveCount(0)
  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: your comment.')).toBeVisible()
  expect(await bodies(id)).toEqual(['One, changed'])
  await context.close()
})

/** From the next page on, as where its storage is full or forbidden. */
const breakDatabase = (context: BrowserContext) =>
  context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })

test('where the browser’s database takes nothing, words outlive the page all the same', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser)
  await breakDatabase(context)
  // And where there is room for them once, not twice.
  await context.addInitScript(() => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, value) {
      if (
        key.startsWith('galley.outbox.') &&
        Object.keys(this).some((other) => other.startsWith('galley.draft.'))
      )
        throw new DOMException('Full', 'QuotaExceededError')
      setItem.call(this, key, value)
    }
  })
  await page.reload()
  way.set('closed')
  await comment(page, 'An hour of careful words')
  await expect(page.getByText('Kept here. It will be delivered')).toBeVisible()
  await expect(waiting(page).getByText('Kept here, will be delivered')).toBeVisible()
  await page.close()
  way.set('open')
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('Delivered: your comment.')).toBeVisible()
  expect(await bodies(id)).toEqual(['An hour of careful words'])
  await context.close()
})

test('where the browser keeps nothing, the page says so and warns before it is left', async ({ browser }) => {
  const { page, context, id } = await recipient(browser)
  await breakDatabase(context)
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
  await page.reload()
  way.set('closed')
  await comment(page, 'An hour of careful words')
  await expect(page.getByText('Keep this page open: what you wrote waits on it')).toBeVisible()
  await expect(waiting(page).getByText('Waits here as long as this page is open')).toBeVisible()
  await expect(page.getByText('what you write waits as long as this page is open')).toBeVisible()
  await expect(page.getByText(/kept here/i)).toHaveCount(0)
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: your comment.')).toBeVisible()
  expect(await bodies(id)).toEqual(['An hour of careful words'])
  const closed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await closed
  await context.close()
})

test('a browser that drops its database for a moment loses nothing, and is asked to clear nothing', async ({
  browser,
}) => {
  const { page, context, id } = await recipient(browser)
  await context.addInitScript(() => {
    const state = { connections: [] as IDBDatabase[], asked: 0 }
    Object.assign(globalThis, { state })

    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (...args) {
      const request = open.apply(this, args)
      request.addEventListener('success', () => state.connections.push(request.result))
      return request
    }
    StorageManager.prototype.persist = () => {
      state.asked++
      return Promise.reject(new Error('Refused'))
    }
  })
  const read = <Value>(expression: string) => page.evaluate<Value>(expression)
  await page.reload()
  way.set('closed')
  await comment(page, 'One')
  await expect(waiting(page)).toHaveCount(1)
  await read('state.connections.splice(0).forEach((connection) => connection.close())')
  await lookAgain(page)
  await comment(page, 'Two')
  await expect(waiting(page).getByText('Kept here, will be delivered')).toHaveCount(2)
  // In the database again, where the browser’s own delivery finds it.
  expect(await read('Object.keys(localStorage).filter((key) => key.startsWith("galley.outbox."))')).toEqual(
    [],
  )
  expect(await read('state.asked')).toBe(1)
  way.set('open')
  await lookAgain(page)
  await expect(waiting(page)).toHaveCount(0)
  expect(await bodies(id)).toEqual(['One', 'Two'])
  await context.close()
})

test('a sign-in page that says all is well counts for nothing', async ({ browser }) => {
  const { page, context, id } = await recipient(browser)
  way.set('portal')
  await comment(page, 'From the lobby')
  await expect(waiting(page)).toBeVisible()
  await lookAgain(page)
  await expect(away(page)).toBeVisible()
  await expect(waiting(page)).toBeVisible()
  way.set('open')
  await lookAgain(page)
  await expect(waiting(page)).toHaveCount(0)
  expect(await bodies(id)).toEqual(['From the lobby'])
  await context.close()
})

test('replies wait in their thread; suggestions wait too', async ({ browser }) => {
  const { page, context, id } = await recipient(browser, 'edit')
  await galley.call('POST', `/api/documents/${id}/comments`, { body: 'What do you think?' })
  await lookAgain(page)
  await page.getByText('What do you think?').click()
  await selectWords(page, 'wide')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await page.getByRole('textbox', { name: 'The words, as they should be' }).fill('broad')
  way.set('closed')
  await page.getByRole('button', { name: 'Send suggestion' }).click()
  await expect(waiting(page, 'suggestion')).toBeVisible()
  await page.getByText('What do you think?').click()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('It is fine.')
  await page.locator('form.composer').getByRole('button', { name: 'Reply' }).click()
  await expect(waiting(page, 'reply')).toBeVisible()
  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: 2 comments and suggestions.')).toBeVisible()
  expect(await bodies(id)).toEqual(['What do you think?', 'It is fine.'])
  expect(await galley.call('GET', `/api/documents/${id}/suggestions`)).toMatchObject([
    { original_text: 'wide', suggested_text: 'broad', status: 'pending', range: {} },
  ])
  await context.close()
})

test('what is done to one’s own comments and suggestions while the machine is away is kept, and done when it is back', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser, 'edit')
  const card = (words: string) =>
    page.getByRole('article', { name: /^(Comment|Suggestion) by Guest/ }).filter({ hasText: words })
  await comment(page, 'One', 'wide')
  await comment(page, 'Two', 'in a week')
  await selectWords(page, 'has been read')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await page.getByRole('textbox', { name: 'The words, as they should be' }).fill('was read')
  await page.getByRole('button', { name: 'Send suggestion' }).click()
  await expect(card('was read')).toBeVisible()
  way.set('closed')

  const change = async (words: string, to: string) => {
    await card(words).click()
    await card(words).getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).fill(to)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.locator('form.composer')).toHaveCount(0)
  }
  await change('One', 'One, changed')
  await expect(card('One, changed').getByText('Your change is kept here, will be delivered')).toBeVisible()
  await change('One, changed', 'One, changed again')
  await expect(card('One, changed again').getByText('Your change is kept here')).toHaveCount(1)
  await card('One, changed again').getByRole('button', { name: 'Resolve' }).click()
  await expect(card('One, changed again').getByText('Kept here, will be resolved')).toBeVisible()

  await card('Two').click()
  await card('Two').getByRole('button', { name: 'Delete' }).click()
  await card('Two').getByRole('button', { name: 'Delete' }).click()
  const leaving = card('Two').getByText('Kept here, will be deleted')
  await expect(leaving).toBeVisible()
  await card('Two').getByRole('button', { name: 'Leave it as it is' }).click()
  await expect(leaving).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(leaving).toBeVisible()

  await card('was read').click()
  await card('was read').getByRole('button', { name: 'Withdraw' }).click()
  await card('was read').getByRole('button', { name: 'Withdraw it' }).click()
  await expect(card('was read').getByText('Kept here, will be withdrawn')).toBeVisible()
  await expectAccessible(page)
  expect(await bodies(id)).toEqual(['One', 'Two'])

  await page.close()
  way.set('open')
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('Delivered: 4 comments, suggestions and changes.')).toBeVisible()
  expect(await comments(id)).toMatchObject([
    { body: 'One, changed again', resolved_at: expect.any(String) as unknown },
  ])
  expect(await galley.call('GET', `/api/documents/${id}/suggestions`)).toEqual([])
  await context.close()
})

test('a change of a comment that its owner has deleted meanwhile is kept with the reason', async ({
  browser,
}) => {
  const { page, context, id } = await recipient(browser)
  await comment(page, 'Said')
  way.set('closed')
  const card = page.getByRole('article', { name: 'Comment by Guest' })
  await card.click()
  await card.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Said better')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Your change is kept here')).toBeVisible()
  const [{ id: commentId } = { id: '' }] = await comments(id)
  await galley.call('DELETE', `/api/documents/${id}/comments/${commentId}`)
  way.set('open')
  await lookAgain(page)
  const refused = page.getByRole('article', { name: 'Your change, not delivered' })
  await expect(refused.getByText('Your change couldn’t be delivered: it has been deleted.')).toBeVisible()
  await expect(refused.getByText('Said better')).toBeVisible()
  await expect(refused.getByRole('button', { name: 'Copy' })).toBeVisible()
  await refused.getByRole('button', { name: 'Discard' }).click()
  await expect(refused).toHaveCount(0)
  await context.close()
})

test('what is refused is kept with the reason, to be copied or discarded', async ({ browser }) => {
  const { page, context, id, linkId } = await recipient(browser)
  way.set('closed')
  await comment(page, 'Too late')
  await expect(waiting(page)).toBeVisible()
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${linkId}`)
  way.set('open')
  await lookAgain(page)
  const refused = page.getByRole('article', { name: 'Your comment, not delivered' })
  await expect(refused.getByText('Couldn’t be delivered: this link no longer works.')).toBeVisible()
  await expect(refused.getByText('Too late')).toBeVisible()
  await expect(refused.getByRole('button', { name: 'Copy' })).toBeVisible()
  await refused.getByRole('button', { name: 'Discard' }).click()
  await expect(refused).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(refused).toHaveCount(1)
  await context.close()
})

test('what a lowered link refused is delivered by itself once it permits it again, also on a page read meanwhile', async ({
  browser,
}) => {
  const { page, context, id, linkId } = await recipient(browser)
  const allow = (permission: string) =>
    galley.call('PATCH', `/api/documents/${id}/share?link_id=${linkId}`, { permission })
  const refused = page.getByRole('article', { name: 'Your comment, not delivered' })
  const refuse = async (body: string) => {
    way.set('closed')
    await comment(page, body)
    await expect(waiting(page)).toBeVisible()
    await allow('view')
    way.set('open')
    await lookAgain(page)
    await expect(refused.getByText('this link no longer permits it.')).toBeVisible()
  }
  await refuse('One')
  await allow('comment')
  await lookAgain(page)
  await expect(refused).toHaveCount(0)
  await expect.poll(() => bodies(id)).toEqual(['One'])
  await refuse('Two')
  await page.reload()
  await expect(refused.getByText('Two')).toBeVisible()
  await allow('comment')
  await lookAgain(page)
  await expect(refused).toHaveCount(0)
  await expect.poll(() => bodies(id)).toEqual(['One', 'Two'])
  await context.close()
})

test('the browser delivers by itself, once, what was kept in a tab that is closed', async ({ browser }) => {
  const reader = await recipient(browser)
  const { page, context, id, address } = reader
  await untilKept(page)
  const sync = await openSync(context, reader)
  await page.bringToFront()
  way.set('closed')
  await comment(page, 'From the train')
  await expect(waiting(page)).toBeVisible()
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const { sync } = (await navigator.serviceWorker.ready) as unknown as {
          sync: { getTags(): Promise<string[]> }
        }
        return sync.getTags()
      }),
    )
    .toEqual(['outbox'])
  await page.close()
  // In vain, which loses nothing.
  await sync()
  expect(await bodies(id)).toEqual([])
  way.set('open')
  await sync()
  await expect.poll(() => bodies(id)).toEqual(['From the train'])
  await sync()
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByRole('article', { name: 'Comment by Guest' })).toHaveText(/From the train/)
  await expect(waiting(again)).toHaveCount(0)
  // By the same guest, who may change it.
  await expect(again.getByRole('article', { name: 'Comment by Guest' }).getByText('you')).toBeVisible()
  expect(await bodies(id)).toEqual(['From the train'])
  await context.close()
})

test('what the browser delivered stays what is looked at, with the keyboard; the next card does not take over', async ({
  browser,
}) => {
  const reader = await recipient(browser, 'edit')
  const { page, context, id } = reader
  await untilKept(page)
  const sync = await openSync(context, reader)
  await page.bringToFront()
  const anchor = { exact: 'a week', prefix: 'in ', suffix: ' has', start: text.indexOf('a week') }
  await galley.call('POST', `/api/documents/${id}/comments`, { body: 'Or two?', anchor })
  await lookAgain(page)
  await expect(page.getByRole('article', { name: /^Comment by/ })).toBeVisible()
  await selectWords(page, 'wide')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await page.getByRole('textbox', { name: 'The words, as they should be' }).fill('broad')
  // The page itself sends it in vain.
  await page.route('**/api/**/suggestions*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  way.set('closed')
  await page.getByRole('button', { name: 'Send suggestion' }).click()
  await expect(waiting(page, 'suggestion')).toBeFocused()
  way.set('open')
  await sync()
  const delivered = page.getByRole('article', { name: /^Suggestion by/ })
  await expect(delivered).toBeFocused()
  await expect(page.locator('.card.active')).toHaveCount(1)
  await expect(delivered).toHaveClass(/\bactive\b/)
  await expect(waiting(page, 'suggestion')).toHaveCount(0)
  await context.close()
})

test('what arrived without an answer arrives once, though the browser and the page deliver at a time', async ({
  browser,
}) => {
  const reader = await recipient(browser)
  const { page, context, id } = reader
  await untilKept(page)
  const sync = await openSync(context, reader)
  await page.bringToFront()
  const lost = way.loseAnswer('/comments')
  await comment(page, 'The first')
  await lost
  await comment(page, 'The second')
  await expect(waiting(page)).toHaveCount(2)
  way.set('open')
  await Promise.all([sync(), lookAgain(page), sync()])
  await expect(waiting(page)).toHaveCount(0)
  await expect(page.getByRole('article', { name: 'Comment by Guest' })).toHaveCount(2)
  expect(await bodies(id)).toEqual(['The first', 'The second'])
  await context.close()
})

test('what the browser learns of a link that was revoked stays with its reader’s words', async ({
  browser,
}) => {
  const reader = await recipient(browser)
  const { page, context, id, linkId, address } = reader
  await untilKept(page)
  const sync = await openSync(context, reader)
  await page.bringToFront()
  way.set('closed')
  await comment(page, 'Too late')
  await expect(waiting(page)).toBeVisible()
  await page.close()
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${linkId}`)
  way.set('open')
  await sync()
  const again = await context.newPage()
  await again.goto(new URL('/', address).href)
  await expect.poll(() => cached(again)).toEqual([])
  await expect
    .poll(() => again.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
    .toBe(0)
  await again.goto(address)
  await expect(again.getByText('Too late')).toBeVisible()
  expect(await bodies(id)).toEqual([])
  await context.close()
})

test('while the machine is away, formatted words can be suggested on; where they can’t, a comment can be made', async ({
  browser,
}) => {
  const content = `# On proofs\n\nThe *wide* [margins](https://a.example/margins) have a reason.\n\nOne &mdash; *two* three.\n`
  const { page, context, id } = await recipient(browser, 'edit', way.origin, undefined, content)
  await untilKept(page, 'kept=document', whatEditingTakes)
  way.set('closed')
  const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
  const words = dialog.getByRole('textbox', { name: 'The words, as they should be' })
  const suggest = async (chosen: string) => {
    await selectWords(page, chosen)
    await page.getByRole('button', { name: 'Suggest a change' }).click()
  }
  await selectWords(page, 'wide', 'margins')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await expect(words).toHaveValue('wide* [margins')
  await words.fill('broad* [margins')
  await dialog.getByRole('textbox', { name: 'Why (optional)' }).fill('Shorter.')
  await page.keyboard.press('Escape')
  await selectWords(page, 'wide', 'margins')
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  await expect(words).toHaveValue('broad* [margins')
  await expect(dialog.getByRole('textbox', { name: 'Why (optional)' })).toHaveValue('Shorter.')
  await dialog.getByRole('button', { name: 'Send suggestion' }).click()
  await expect(waiting(page, 'suggestion')).toBeVisible()

  await suggest('—')
  await expect(words).toHaveValue('One &mdash; *two* three.')
  await expect(dialog.getByText('This is all of the passage your words stand in')).toBeVisible()
  await expectAccessible(page)
  await words.fill('One, *two* three.')
  await dialog.getByRole('button', { name: 'Send suggestion' }).click()
  await expect(waiting(page, 'suggestion')).toHaveCount(2)

  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) {
        if (request.url.endsWith('kept=document')) await (await caches.open(name)).delete(request)
      }
    }
  })
  await suggest('reason')
  await expect(dialog.getByText('the source of these words isn’t known here')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Comment instead' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Which?')
  await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
  await expect(waiting(page)).toBeVisible()

  way.set('open')
  await lookAgain(page)
  await expect(page.getByText('Delivered: 3 comments and suggestions.')).toBeVisible()
  expect(await galley.call('GET', `/api/documents/${id}/suggestions`)).toMatchObject([
    { original_text: 'wide* [margins', range: { start: 18, end: 32 }, note: 'Shorter.' },
    { original_text: 'One &mdash; *two* three.', suggested_text: 'One, *two* three.', range: {} },
  ])
  expect(await comments(id)).toMatchObject([{ body: 'Which?', anchor: { exact: 'reason' }, range: {} }])
  await context.close()
})

test('an edit made while the machine is away is delivered, merged, when the page is opened again', async ({
  browser,
}) => {
  const { page, context, id, address } = await recipient(browser, 'edit')
  await untilKept(page, 'kept=document', whatEditingTakes)
  await page.close()
  way.set('closed')
  const offline = await context.newPage()
  await offline.goto(address)
  await offline.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(offline.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await offline.keyboard.press('Control+End')
  await offline.keyboard.type('From the train.')
  await expect(offline.getByText('Kept here, will be delivered')).toBeVisible()
  await offline.getByRole('button', { name: 'Done' }).click()
  await expect(offline.getByText('Your changes to the text wait here, too.')).toBeVisible()
  await offline.close()
  await galley.call('PATCH', `/api/documents/${id}`, { content: `New above.\n\n${text}` })
  way.set('open')
  const back = await context.newPage()
  await back.goto(address)
  await expect(back.getByText('Delivered: your changes to the text.')).toBeVisible()
  const { content } = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
  expect(content).toBe(`New above.\n\n${text}From the train.`)
  await context.close()
})

test('whoever hears first that the machine is back tells all that waits for it', async ({ browser }) => {
  const { page, context, id } = await recipient(browser, 'edit')
  await page.clock.install()
  await page.reload()
  await untilWhole(page)
  way.set('closed')
  await comment(page, 'From the train')
  await expect(away(page)).toBeVisible()
  // From here on nothing on the page looks by itself.
  await page.clock.pauseAt(Date.now() + 300_000)
  await expect(waiting(page)).toBeVisible()
  way.set('open')
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await expect(away(page)).toHaveCount(0)
  await expect.poll(() => bodies(id)).toEqual(['From the train'])

  way.set('closed')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('From the train.')
  await page.clock.runFor(20_000)
  await expect(page.getByText('Kept here, will be delivered')).toBeVisible()
  way.set('open')
  // Its own next try doesn’t come: no time passes for it.
  await expect(async () => {
    await lookAgain(page)
    await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  const { content } = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
  expect(content).toBe(`${text}From the train.`)
  await context.close()
})

test('an edit that collides with another’s waits until both have been looked at', async ({ browser }) => {
  const { page, context, id, address } = await recipient(browser, 'edit')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  way.set('closed')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Mine at the end.')
  await expect(page.getByText('Kept here, will be delivered')).toBeVisible()
  await untilDrafted(page, 'Mine at the end.')
  await page.close()
  await galley.call('PATCH', `/api/documents/${id}`, { content: `${text}Theirs at the end.` })
  way.set('open')
  const back = await context.newPage()
  await back.goto(address)
  await back.getByRole('button', { name: 'Look at it' }).click()
  const note = back.getByRole('group', { name: 'Words changed by you and by someone else' })
  await expect(note).toContainText('Mine at the end.')
  await expect(note).toContainText('Theirs at the end.')
  await context.close()
})

test('on a page that came over plain http, everything but opening it again works alike', async () => {
  const { browser, origin } = await plainBrowser()
  const { page, context, id, address } = await recipient(browser, 'comment', origin)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  const lost = way.loseAnswer('/comments')
  await comment(page, 'Over the air')
  await lost
  await expect(waiting(page)).toBeVisible()
  await page.close()
  way.set('open')
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('Delivered: your comment.')).toBeVisible()
  expect(await bodies(id)).toEqual(['Over the air'])
  await browser.close()
})
