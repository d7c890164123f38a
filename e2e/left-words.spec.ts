// What one is writing on a card while somebody deletes, withdraws or decides what that stands for.
import { expect, type Browser, type Page } from '@playwright/test'
import { expectAccessibleInBoth } from './accessible.ts'
import { untilWhole } from './first-view.ts'
import { open, test, type OwnerServer } from './owner.ts'

const content = 'One alpha here.\n\nTwo beta here.\n\nThree gamma here.\n'
const wide = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

const left = (page: Page) => page.getByRole('region', { name: 'What you wrote' })
const onWords = (page: Page, words: string) =>
  page.getByRole('article', { name: new RegExp(words) }).filter({ visible: true })
const press = (page: Page, name: string) => left(page).getByRole('button', { name }).click()
const isOnBody = (page: Page) => page.evaluate(() => document.activeElement === document.body)

async function shared(server: OwnerServer) {
  const document = await server.create(content)
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, {
    permission: 'edit',
    suggest_only: true,
  })
  /** What a guest does. */
  const quinn = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${at}${path}?share_token=${token}`, {
      method,
      headers: {
        cookie: `galley_guest=${'a'.repeat(32)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify({ author_name: 'Quinn', ...body }) }),
    })
    expect(answer.ok).toBe(true)
    return answer.status === 204 ? { id: '' } : ((await answer.json()) as { data: { id: string } }).data
  }
  const anchor = (exact: string) => ({ exact, prefix: '', suffix: '', start: content.indexOf(exact) })
  const comment = (exact: string) =>
    quinn('POST', '/comments', { body: `Why ${exact}?`, anchor: anchor(exact) })
  const suggest = (exact: string) =>
    quinn('POST', '/suggestions', { original_text: exact, suggested_text: 'delta', anchor: anchor(exact) })
  const read = async (browser: Browser, options: object) => {
    const page = await browser.newPage({ ...options, storageState: { cookies: [], origins: [] } })
    await page.goto(`${server.url}/share/${token}`)
    await untilWhole(page)
    return page
  }
  return { document, at, quinn, comment, suggest, read }
}

/** Begins an answer on the card of some words. */
async function answer(page: Page, words: string, reply: string) {
  await onWords(page, words).getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await page.keyboard.type(reply)
}

test('a recipient’s answer outlives the thread, and the page: it is copied, or made a comment', async ({
  browser,
  server,
}) => {
  const { at, comment, read } = await shared(server)
  const [alpha, beta] = [await comment('alpha'), await comment('beta')]
  const page = await read(browser, wide)
  await onWords(page, 'alpha').click({ position: { x: 100, y: 15 } })
  await answer(page, 'alpha', 'A long answer')
  await server.call('DELETE', `${at}/comments/${alpha.id}`)
  await expect(left(page)).toContainText('What you were answering is deleted or withdrawn.')
  await expect(left(page)).toContainText('A long answer')
  await expect.poll(() => isOnBody(page)).toBe(false)
  // What is typed on presses nothing.
  await page.keyboard.type(' and more')
  await expect(left(page)).toBeVisible()
  await expectAccessibleInBoth(page)

  await page.reload()
  await untilWhole(page)
  await press(page, 'Discard')
  await expect(left(page)).toHaveCount(0)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await press(page, 'Comment on the document with it')
  await expect(left(page)).toHaveCount(0)
  const composer = page.getByRole('region', { name: 'New comment' }).getByRole('textbox').first()
  await expect(composer).toHaveValue('A long answer')
  await composer.press('Control+Enter')
  await expect
    .poll(async () =>
      (await server.call<{ body: string }[]>('GET', `${at}/comments`)).map(({ body }) => body),
    )
    .toContain('A long answer')

  // Where it can be gone on with all the same, one goes there.
  await onWords(page, 'beta').click({ position: { x: 100, y: 15 } })
  await answer(page, 'beta', 'Another one')
  await server.call('PATCH', `${at}/comments/${beta.id}`, { resolved: true })
  await expect(left(page)).toContainText('The thread with what you were answering is resolved.')
  await press(page, 'Go on there')
  await page.getByRole('button', { name: 'Continue reply' }).click()
  await expect(page.getByRole('textbox', { name: 'Your reply' })).toHaveValue('Another one')
  await expect(left(page)).toHaveCount(0)
  await page.close()
})

test('so it does on a phone, and while one suggests in the text', async ({ browser, server }) => {
  const { quinn, comment, suggest, read } = await shared(server)
  const [alpha, gamma] = [await comment('alpha'), await suggest('gamma')]
  const reader = await read(browser, phone)
  await reader.getByRole('button', { name: /show all/ }).tap()
  await answer(reader, 'alpha', 'From a phone')
  await quinn('DELETE', `/comments/${alpha.id}`)
  await expect(left(reader)).toContainText('From a phone')
  await expect(left(reader).getByRole('button', { name: 'Discard' })).toBeInViewport({ ratio: 1 })
  await expectAccessibleInBoth(reader)
  await reader.close()

  const writer = await read(browser, wide)
  await writer
    .getByRole('button', { name: /Suggest in the text|Suggest by typing|Suggest/ })
    .first()
    .click()
  await expect(writer.locator('.cm-content')).toBeVisible()
  await onWords(writer, 'gamma').click({ position: { x: 100, y: 15 } })
  await answer(writer, 'gamma', 'While suggesting')
  await quinn('DELETE', `/suggestions/${gamma.id}`)
  await expect(left(writer)).toContainText('While suggesting')
  await expect(left(writer).getByRole('button', { name: 'Discard' })).toBeInViewport({ ratio: 1 })
  await press(writer, 'Comment on the document with it')
  await expect(writer.getByRole('textbox', { name: 'Your comment' })).toHaveValue('While suggesting')
  await writer.close()
})

test('the owner’s own wording and answers outlive what they were written on', async ({ page, server }) => {
  const { document, quinn, comment, suggest } = await shared(server)
  const [alpha, gamma] = [await comment('alpha'), await suggest('gamma')]
  await page.setViewportSize(wide.viewport)
  await open(page, document)
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  const panel = page.getByRole('tabpanel')
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  await panel.getByRole('button', { name: 'Change…' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('my own wording')
  await quinn('DELETE', `/suggestions/${gamma.id}`)
  await expect(left(page)).toContainText('The suggestion that you were rewording is withdrawn.')
  await expect(left(page)).toContainText('my own wording')
  await expect.poll(() => isOnBody(page)).toBe(false)
  await page.keyboard.type(' and more')
  await expect(left(page)).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press(page, 'Copy what you wrote')
  await expect(left(page)).toHaveCount(0)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('my own wording')

  await page.getByRole('tab', { name: 'Comments' }).click()
  await panel.getByRole('button', { name: 'Reply', exact: true }).click()
  await page.keyboard.type('An owner’s answer')
  await quinn('DELETE', `/comments/${alpha.id}`)
  await expect(left(page)).toContainText('An owner’s answer')
  await expectAccessibleInBoth(page)
  await page.reload()
  await press(page, 'Comment on the document with it')
  await expect(page.getByRole('textbox', { name: 'Your comment' })).toHaveValue('An owner’s answer')
  await expect(page.getByRole('textbox', { name: 'Your comment' })).toBeFocused()
  await expect(left(page)).toHaveCount(0)
})

test('accepting in other words leaves nothing behind', async ({ page, server }) => {
  const { document: stored, at, suggest } = await shared(server)
  await suggest('gamma')
  await page.setViewportSize(wide.viewport)
  await open(page, stored)
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const words = document.querySelector('.left-words')?.textContent?.trim()
      if (words) seen.push(words)
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Change…' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('epsilon')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => (await server.call<{ content: string }>('GET', at)).content)
    .toContain('epsilon')
  await expect(page.getByText('Suggestion accepted.')).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})
