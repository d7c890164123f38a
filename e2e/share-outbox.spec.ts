// What recipients write while the writer's machine is away: kept, delivered once, never lost.
import { chromium, expect, test, type BrowserContext, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import {
  away,
  bodies,
  cached,
  comment,
  comments,
  galley,
  listen,
  lookAgain,
  recipient,
  said,
  setUpAway,
  text,
  untilKept,
  waiting,
  way,
  whatEditingTakes,
  type Recipient,
} from './away.ts'
import { untilWhole } from './first-view.ts'
import { saveState } from './owner.ts'
import { pasteFile, pastePicture } from './paste-picture.ts'
import { selectWords } from './select-words.ts'

setUpAway()

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

/** Has the browser tell the page’s worker, by another tab of it, that it may deliver: what Background Sync does. */
async function openSync(context: BrowserContext, { address }: Recipient) {
  const elsewhere = await context.newPage()
  const browser = await context.newCDPSession(elsewhere)
  const found = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === address && !isDeleted)
      if (own) resolve(own.registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  const registrationId = await found
  const { origin } = new URL(address)
  return () =>
    browser.send('ServiceWorker.dispatchSyncEvent', {
      origin,
      registrationId,
      tag: 'outbox',
      lastChance: false,
    })
}

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

test('the browser sends a picture that waits in a tab that is closed, once, and the next tab writes it into the text', async ({
  browser,
}) => {
  const reader = await recipient(browser, 'edit')
  const { page, context, id, address } = reader
  const files = () => galley.call<{ name: string }[]>('GET', `/api/documents/${id}/files`)
  const content = async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content
  await untilKept(page, 'document')
  const sync = await openSync(context, reader)
  await page.bringToFront()
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await page.keyboard.press('Control+End')
  way.set('closed')
  for (const place of [1, 2]) {
    await pastePicture(page, 'quay.png')
    await expect(page.locator('.md-arriving').filter({ hasText: 'waits here' })).toHaveCount(place)
  }
  await page.close()
  // In vain, which loses nothing.
  await sync()
  expect(await files()).toEqual([])
  way.set('open')
  // A browser asks more than once, too.
  await expect
    .poll(async () => {
      await sync()
      return files()
    })
    .toMatchObject([{ name: 'quay.png' }])
  expect(await content()).toBe(text)
  await sync()
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('Delivered: your changes to the text.')).toBeVisible()
  expect(await content()).toBe(`${text}![quay](files/quay.png) ![quay](files/quay.png)`)
  expect(await files()).toHaveLength(1)
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

/** A browser in which pages come over plain HTTP from elsewhere, and where they come from. */
async function plainBrowser() {
  const browser = await chromium.launch({
    ...(process.env.GALLEY_CHROMIUM ? { executablePath: process.env.GALLEY_CHROMIUM } : {}),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--host-resolver-rules=MAP galley.test 127.0.0.1',
    ],
  })
  return { browser, origin: `http://galley.test:${way.port}` }
}

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

test('a picture that is pasted while the machine is away waits like words, and is in the text once it is back', async ({
  browser,
}) => {
  const { page, context, id, linkId, address } = await recipient(
    browser,
    'edit',
    undefined,
    undefined,
    `${text}\nSee`,
  )
  const content = () =>
    galley.call<{ content: string }>('GET', `/api/documents/${id}`).then((document) => document.content)
  const arriving = (of: Page) => of.locator('.md-arriving')
  const edit = async (of: Page) => {
    await of.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await expect(of.getByRole('textbox', { name: 'Text' })).toBeFocused()
  }
  await untilKept(page, 'document')
  await edit(page)
  await page.keyboard.press('Control+End')
  way.set('closed')
  await pastePicture(page, 'harbour.png')
  await expect(arriving(page)).toContainText('harbour.png waits here')
  await expect(arriving(page).locator('canvas')).toBeVisible()
  await expect(saveState(page)).toHaveText('Kept here, will be delivered')
  // What would never be taken doesn’t wait.
  await pasteFile(page, 'film.mp4', 'video/mp4', 'x'.repeat(10 * 1024 * 1024 + 1))
  const film = arriving(page).filter({ hasText: 'film.mp4' })
  await expect(film).toContainText(
    'film.mp4: This file is larger than 10 MB, the most that can be added here.',
  )
  await expect(film.getByRole('button')).toHaveText(['Put away'])
  await film.getByRole('button').click()
  await page.keyboard.type(' below.')
  await expectAccessible(page)
  await page.waitForTimeout(500)
  await page.close()

  // It is there again, with nobody to be reached.
  const second = await context.newPage()
  await second.goto(address)
  await edit(second)
  await expect(arriving(second)).toContainText('harbour.png waits here')
  await expect(arriving(second).locator('canvas')).toBeVisible()
  expect(await second.locator('.cm-content').textContent()).toMatch(/See.*harbour.png waits here.* below\./s)
  await second.close()

  // Nobody has to open the text for it to arrive, once.
  way.set('open')
  const third = await context.newPage()
  await third.goto(address)
  await expect(third.getByText('Delivered: your changes to the text.')).toBeVisible()
  await expect.poll(content).toBe(`${text}\nSee ![harbour](files/harbour.png) below.`)
  await expect(third.locator('#content img[alt=harbour]')).toBeVisible()
  expect(await galley.call('GET', `/api/documents/${id}/files`)).toHaveLength(1)

  // What the link permits no more is kept, to be saved.
  await edit(third)
  await third.keyboard.press('Control+End')
  way.set('closed')
  await pastePicture(third, 'bow.png', 60)
  await expect(arriving(third)).toContainText('bow.png waits here')
  await third.close()
  await galley.call('PATCH', `/api/documents/${id}/share?link_id=${linkId}`, { permission: 'view' })
  way.set('open')
  const last = await context.newPage()
  await last.goto(address)
  const left = last.getByRole('region', { name: 'What you wrote is still here' })
  await expect(left).toContainText('bow.png')
  const saving = last.waitForEvent('download')
  await left.getByRole('button', { name: 'Save to disk' }).click()
  expect((await saving).suggestedFilename()).toBe('bow.png')
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${linkId}`)
  await last.reload()
  const afterwards = last.locator('section.words')
  await expect(afterwards).toContainText('bow.png')
  await expect(afterwards.getByRole('button', { name: 'Save to disk' })).toBeVisible()
  await afterwards.getByRole('button', { name: 'Discard' }).click()
  await expect(afterwards).toContainText('Discarded.')
  await context.close()
})

test('the same picture that is pasted in four places of two tabs while the machine is away stands in each, and is stored once', async ({
  browser,
}) => {
  const plain = await plainBrowser()
  const begun = await Promise.all(
    [{ browser, origin: way.origin }, plain].map(async ({ browser, origin }) => {
      const one = await recipient(browser, 'edit', origin)
      const other = await one.context.newPage()
      await other.goto(one.address)
      const tabs = [one.page, other]
      for (const tab of tabs) {
        await tab.bringToFront()
        await tab.getByRole('button', { name: 'Edit', exact: true }).first().click()
        await expect(tab.getByRole('textbox', { name: 'Text' })).toBeFocused()
      }
      return { ...one, tabs }
    }),
  )
  way.set('closed')
  for (const { tabs } of begun)
    for (const [i, tab] of tabs.entries()) {
      await tab.bringToFront()
      await tab.keyboard.press(i === 0 ? 'Control+Home' : 'Control+End')
      for (const place of [1, 2]) {
        await pastePicture(tab, 'quay.png')
        await expect(arriving(tab).filter({ hasText: 'waits here' })).toHaveCount(place)
      }
    }
  const asked = begun.flatMap(({ tabs }) => tabs).map(asksOf)
  way.set('open')
  // That it is there, each tab hears more than once while it sends.
  for (const { tabs } of begun) await Promise.all([...tabs, ...tabs, ...tabs].map((tab) => lookAgain(tab)))
  for (const { id, tabs, context } of begun) {
    await expect(async () => {
      await Promise.all(tabs.map(lookAgain))
      for (const tab of tabs)
        await expect(tab.locator('.cm-content img[alt=quay]')).toHaveCount(4, { timeout: 1_000 })
    }).toPass({ timeout: 20_000 })
    const { content } = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
    expect(content.match(/!\[quay\]\(files\/quay\.png\)/g)).toHaveLength(4)
    expect(await galley.call('GET', `/api/documents/${id}/files`)).toHaveLength(1)
    await context.close()
  }
  // It has asked for the files before it would have waited for others’ changes.
  for (const asks of asked) expect(asks.find((ask) => ask !== 'changes')).toBe('files')
  await plain.browser.close()
})

/** What a page asks for, from now on: of files, of changes, and whether it would wait until there are any. */
function asksOf(page: Page): string[] {
  const asks: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const [, what] = /^\/api\/documents\/[^/]+\/(files|changes)$/.exec(pathname) ?? []
    if (what) asks.push(searchParams.has('wait') ? 'changes to come' : what)
  })
  return asks
}

/** What is left while the machine is away, what is done to it in another tab that opens then, and what comes of it. */
interface LeftAway {
  leave: (page: Page) => Promise<void>
  goOn: (page: Page) => Promise<void>
  comes: string
}
const [quay, boat] = ['![quay](files/quay.png)', '![boat](files/boat.png)']
const arriving = (page: Page) => page.locator('.md-arriving')
const leftAway: LeftAway[] = [
  {
    leave: (page) => page.keyboard.type('one'),
    goOn: (page) => page.keyboard.type(' two'),
    comes: 'one two',
  },
  {
    leave: async (page) => {
      await pastePicture(page, 'quay.png')
      await expect(arriving(page)).toContainText('waits here')
    },
    goOn: (page) => expect(arriving(page)).toContainText('waits here'),
    comes: quay,
  },
  {
    leave: async (page) => {
      await pastePicture(page, 'quay.png')
      await expect(arriving(page)).toContainText('waits here')
      await page.keyboard.type(' one ')
      await pastePicture(page, 'boat.png', 60)
      await expect(arriving(page)).toHaveCount(2)
      await page.keyboard.type(' two')
    },
    goOn: async (page) => {
      await expect(arriving(page)).toHaveCount(2)
      await page.keyboard.type(' three')
    },
    comes: `${quay} one ${boat} two three`,
  },
]

test('what is gone on with from a kept page is built on what the server already had of it', async ({
  browser,
}) => {
  const edit = async (of: Page) => {
    await of.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await expect(of.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await of.keyboard.press('Control+End')
  }
  const all = await Promise.all(
    leftAway.map(async (left) => {
      const one = await recipient(browser, 'edit')
      const content = async () =>
        (await galley.call<{ content: string }>('GET', `/api/documents/${one.id}`)).content
      await untilKept(one.page, 'document', whatEditingTakes)
      await edit(one.page)
      await one.page.keyboard.type('Before. ')
      await expect.poll(content).toBe(`${text}Before. `)
      await expect(one.page.locator('[data-save-state]')).toHaveText('Saved')
      return { ...one, ...left, content }
    }),
  )
  way.set('closed')
  const again = await Promise.all(
    all.map(async ({ page, context, address, leave, goOn, comes }) => {
      await leave(page)
      await page.waitForTimeout(500)
      await page.close()
      // It was kept without what was saved since.
      const next = await context.newPage()
      await next.goto(address)
      const heard = await listen(next)
      await edit(next)
      await goOn(next)
      if (comes.includes('one')) expect(await said(heard)).not.toContain('Saved')
      return next
    }),
  )
  way.set('open')
  await Promise.all(again.map(lookAgain))
  for (const { content, comes } of all)
    await expect
      .soft(async () => {
        expect(await content()).toBe(`${text}Before. ${comes}`)
      })
      .toPass({ timeout: 20_000 })
  await Promise.all(all.map(({ context }) => context.close()))
})
