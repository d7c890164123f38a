// That nothing the owner types is lost: with the server away, signed out, after a crash, and while others change the text.
import { expect } from '@playwright/test'
import {
  editor,
  expectSaved,
  expectStored,
  lookAgain,
  open,
  saveState,
  test,
  tryNow,
  write,
  type OwnerServer,
} from './owner.ts'
import type { Page, Route } from '@playwright/test'

/** Where what is typed is sent to, so that it can be held back: the live connection doesn’t come about. */
const changes = '**/api/documents/*/changes*'
test.beforeEach(({ context }) => context.routeWebSocket(/\/live$/, (socket) => void socket.close()))

/** Holds back what the page saves until it is let go. */
async function holdSaves(page: Page): Promise<{ held: () => Promise<void>; letGo: () => Promise<void> }> {
  const waiting: Route[] = []
  let holding = true
  await page.route(changes, (route) => {
    if (holding && route.request().method() === 'POST') waiting.push(route)
    else void route.continue()
  })
  return {
    held: () => expect.poll(() => waiting.length).toBeGreaterThan(0),
    letGo: async () => {
      holding = false
      for (const route of waiting) await route.continue()
    },
  }
}

/** The bar above the text that says why it isn’t saved. */
const trouble = (page: Page, why: string) => page.getByText(`Not saved: ${why}.`, { exact: true })
const kept = (page: Page) => page.getByText(/^What you wrote is kept in this browser/)

/** Types over a word that someone else changes before it is saved, in a window that is closed meanwhile. */
async function collide(page: Page, server: OwnerServer): Promise<{ id: string }> {
  const document = await server.create('the quick fox\n')
  const gone = await page.context().newPage()
  await open(gone, document)
  await gone.keyboard.press('Control+Home')
  for (let i = 0; i < 4; i++) await gone.keyboard.press('ArrowRight')
  await gone.keyboard.press('Control+Shift+ArrowRight')
  await gone.route(changes, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await gone.keyboard.type('slow')
  await expect(kept(gone)).toBeVisible()
  await crash(gone)
  await server.change(document, 'the red fox\n')
  await page.goto(`/documents/${document.id}`)
  await expect(page.getByRole('heading', { name: /One passage was changed by you/ })).toBeVisible()
  return document
}

/** Ends a page as a crash does: nothing more is sent. */
async function crash(page: Page) {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  void session.send('Page.crash').catch(() => {})
  await crashed
}

test('what is typed is stored as it was typed, and saving is said', async ({ page, server }) => {
  await test.step('nothing of a text stays in the browser once it is saved and its page is left', async () => {
    const document = await server.create('one ')
    await write(page, document, 'two')
    await expectStored(server, document, 'one two')
    await expectSaved(page)
    await page.getByRole('button', { name: 'All documents' }).click()
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    await expect.poll(() => storedDrafts(page)).toEqual({ drafts: '[]', bases: '[]' })
  })

  await test.step('what is typed reaches the server exactly', async () => {
    const document = await server.create('')
    await open(page, document)
    const words = 'Héllo “wörld” \\ <b>&amp; 日本語 😀\ttab'
    await page.keyboard.insertText(words)
    await page.keyboard.press('Enter')
    await page.keyboard.insertText('  two spaces at the end  ')
    await expectStored(server, document, `${words}\n  two spaces at the end  `)
    await expectSaved(page)
  })

  await test.step('half an emoji that another program has cut is pasted as a sign that can be stored, and what follows is saved', async () => {
    const document = await server.create('Whole 😀', 'Cut')
    await open(page, document)
    const refused: string[] = []
    page.on('response', (response) => response.status() === 400 && refused.push(response.url()))
    await page.keyboard.press('Control+End')
    await editor(page).evaluate((text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ' cut \ud83d')
      text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.keyboard.type(' on')
    await expectStored(server, document, 'Whole 😀 cut \ufffd on')
    await expectSaved(page)
    expect(refused).toEqual([])
  })

  await test.step('saving is said in words while it lasts', async () => {
    const document = await server.create('one ')
    const saves = await holdSaves(page)
    await write(page, document, 'two')
    await saves.held()
    await expect(saveState(page)).toHaveText('Saving…')
    await saves.letGo()
    await expectSaved(page)
    await expectStored(server, document, 'one two')
  })

  await test.step('a server that fails is tried again by itself', async () => {
    const document = await server.create('one ')
    await page.route(changes, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 500,
            json: { data: null, error: { code: 'INTERNAL_ERROR', message: 'Oh.' } },
          })
        : route.fallback(),
    )
    await write(page, document, 'two')
    await expect(trouble(page, 'Galley could not store the text')).toBeVisible()
    await page.unroute(changes)
    await expectStored(server, document, 'one two')
    await expectSaved(page)
  })

  await test.step('a change made elsewhere comes in, and the cursor stays with its words', async () => {
    const document = await server.create('alpha\n\nbeta\n')
    await write(page, document, 'gamma')
    await expectStored(server, document, 'alpha\n\nbeta\ngamma')
    await server.change(document, 'ZERO alpha\n\nbeta\ngamma')
    await lookAgain(page)
    await expect(editor(page)).toContainText('ZERO')
    await page.keyboard.type('!')
    await expectStored(server, document, 'ZERO alpha\n\nbeta\ngamma!')
    await expect(page.getByRole('button', { name: 'Keep mine' })).toHaveCount(0)
  })

  await test.step('nothing typed is lost or doubled while someone else keeps changing the text', async () => {
    const document = await server.create('# Live\n\nText.\n')
    const sentence = 'Typed while the heading changes, letter by letter. '
    await open(page, document)
    await page.keyboard.press('Control+End')
    let changes = 0
    for (const word of sentence.repeat(3).match(/\S+ /g)!) {
      await page.keyboard.type(word)
      if (++changes % 4 > 0) continue
      await server.edit(document, (content) => content.replace('# Live', `# Live ${changes}`))
      await lookAgain(page)
    }
    await expectSaved(page)
    await lookAgain(page)
    await expect.poll(async () => (await server.get(document)).content).toMatch(/letter by letter\. $/)
    expect((await server.get(document)).content.split('\n').at(-1)).toBe(sentence.repeat(3))
  })

  await test.step('Windows line endings stay, byte for byte', async () => {
    const document = await server.create('one\r\ntwo\r\n')
    await write(page, document, 'three')
    await page.keyboard.press('Enter')
    await expectStored(server, document, 'one\r\ntwo\r\nthree\r\n')
  })

  await test.step('mixed line endings stay as they are, and what is typed ends like the line before it', async () => {
    const document = await server.create('one\r\ntwo\n')
    await open(page, document)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('and')
    await page.keyboard.press('Enter')
    await expectStored(server, document, 'one\r\nand\r\ntwo\n')
  })
})

test('a server that goes away is named, and has the text once it is back', async ({ page, server }) => {
  const document = await server.create('one ')
  await open(page, document)
  await server.goAway()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('two')
  await expect(trouble(page, 'Galley can’t be reached')).toBeVisible()
  await expect(kept(page)).toBeVisible()
  await expect(saveState(page)).toHaveText('Not saved')
  // Aloud it is said once, as it holds, however often the countdown beside it changes.
  const aloud = page.getByRole('status').filter({ hasText: /^(Not s|S)aved/ })
  await expect(aloud).toHaveText(
    'Not saved: Galley can’t be reached. What you wrote is kept in this browser. Saving is tried again by itself.',
  )
  const heard = await aloud.evaluateHandle((status) => {
    const seen = { count: 0 }
    new MutationObserver(() => seen.count++).observe(status, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    return seen
  })
  const countdown = kept(page)
  for (let i = 0; i < 2; i++) await expect(countdown).not.toHaveText(await countdown.innerText())
  expect(await heard.evaluate(({ count }) => count)).toBe(0)
  await page.keyboard.type(' three')
  await server.comeBack()
  await tryNow(page)
  await expectSaved(page)
  await expect(aloud).toHaveText('Saved.')
  await expectStored(server, document, 'one two three')
  await expect(kept(page)).toHaveCount(0)
})

test('text typed while the server is away outlives the window', async ({ page, context, server }) => {
  const document = await server.create('one ')
  await open(page, document)
  await server.goAway()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('two')
  await expect(kept(page)).toBeVisible()
  await page.close()
  await server.comeBack()
  await server.change(document, 'Zero, one ')
  const next = await context.newPage()
  await next.goto(`/documents/${document.id}`)
  await expect(next.getByText('Unsaved text was restored')).toBeVisible()
  await expectStored(server, document, 'Zero, one two')
  await expectSaved(next)
})

test('text typed a moment before a crash is restored, and can be undone', async ({
  page,
  context,
  server,
}) => {
  const document = await server.create('one ')
  await page.route(changes, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await write(page, document, 'two')
  await expect(kept(page)).toBeVisible()
  await crash(page)
  const next = await context.newPage()
  await next.goto(`/documents/${document.id}`)
  await expect(next.getByText('Unsaved text was restored')).toBeVisible()
  await expectStored(server, document, 'one two')
  await next.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expectStored(server, document, 'one ')
})

test('words of a closed window are there once each, also those that had arrived without an answer', async ({
  page,
  context,
  server,
}) => {
  const document = await server.create('The quick fox jumps. ')
  let arrives = true
  await page.route(changes, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    if (arrives) await route.fetch()
    arrives = false
    return route.abort()
  })
  await open(page, document)
  await page.keyboard.press('Control+End')
  // At once: of what is typed letter by letter, a busy machine may send less the first time, which alone arrives.
  await page.keyboard.insertText('Arrived. ')
  await expectStored(server, document, 'The quick fox jumps. Arrived. ')
  await page.keyboard.type('Kept.')
  await expect(kept(page)).toBeVisible()
  await crash(page)
  await server.edit(document, (content) => content.replace('Arrived. ', 'Theirs. Arrived, they say. '))
  const next = await context.newPage()
  await next.goto(`/documents/${document.id}`)
  await expect(next.getByText('Unsaved text was restored')).toBeVisible()
  await expectStored(server, document, 'The quick fox jumps. Theirs. Arrived, they say. Kept.')
  await server.edit(document, (content) => content.replace('quick', 'slow'))
  await next.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expectStored(server, document, 'The slow fox jumps. Theirs. Arrived, they say. ')
})

/** What the browser keeps of unsaved text. */
const storedDrafts = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)))
    const database = await done(indexedDB.open('galley'))
    const transaction = database.transaction(['drafts', 'bases'])
    const [drafts, bases] = await Promise.all(
      ['drafts', 'bases'].map((name) => done(transaction.objectStore(name).getAll())),
    )
    database.close()
    return { drafts: JSON.stringify(drafts), bases: JSON.stringify(bases) }
  })

test('what is kept for a crash holds the text once and then only what is typed', async ({
  page,
  context,
  server,
}) => {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (...args) {
      const counts = window as unknown as Record<string, number | undefined>
      counts[`put in ${this.name}`] = (counts[`put in ${this.name}`] ?? 0) + 1
      return put.apply(this, args)
    }
  })
  const puts = (name: string) =>
    page.evaluate((key) => (window as unknown as Record<string, number>)[key] ?? 0, `put in ${name}`)
  const document = await server.create('A long text.\n')
  await write(page, document, 'First')
  await expectStored(server, document, 'A long text.\nFirst')
  await expectSaved(page)
  await page.route(changes, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  for (const word of [' and', ' then', ' more']) {
    const before = await puts('drafts')
    await page.keyboard.type(word)
    await expect.poll(() => puts('drafts')).toBeGreaterThan(before)
  }
  await expect.poll(async () => (await storedDrafts(page)).drafts).toContain('more')
  const { drafts, bases } = await storedDrafts(page)
  expect(drafts).not.toContain('A long text')
  expect(bases.split('A long text')).toHaveLength(2)
  expect(await puts('bases')).toBe(1)
  await crash(page)
  const next = await context.newPage()
  await next.goto(`/documents/${document.id}`)
  await expectStored(server, document, 'A long text.\nFirst and then more')
})

test('text that an earlier version kept is restored', async ({ page, server }) => {
  const document = await server.create('one ')
  await page.route('**/nothing-here', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('/nothing-here')
  await page.evaluate(async (documentId) => {
    const request = indexedDB.open('galley', 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore('drafts', { keyPath: ['documentId', 'writer'] })
    await new Promise((resolve) => (request.onsuccess = resolve))
    const transaction = request.result.transaction('drafts', 'readwrite')
    const base = { revision: 1, title: 'On proofs', content: 'one ' }
    const draft = { documentId, writer: 'gone', base, title: 'On proofs', content: 'one two', at: 0 }
    transaction.objectStore('drafts').put(draft)
    await new Promise((resolve) => (transaction.oncomplete = resolve))
    request.result.close()
  }, document.id)
  await page.goto(`/documents/${document.id}`)
  await expect(page.getByText('Unsaved text was restored')).toBeVisible()
  await expectStored(server, document, 'one two')
})

test('words typed while signed out are kept and saved after signing in again', async ({
  page,
  context,
  server,
}) => {
  const document = await server.create('one ')
  await server.goAway()
  await server.comeBack()
  // A session of this test's own, which it may end.
  await page.goto(server.signInLink)
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  await open(page, document)
  await context.request.delete('/api/session')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('two')
  await expect(page.getByRole('alert').filter({ hasText: 'You have been signed out.' })).toBeVisible()
  // Once is enough.
  await expect(page.locator('[data-save-state]')).toHaveText('Not saved')
  await expect(trouble(page, 'you are signed out')).toHaveCount(0)
  await page.keyboard.type(' three')

  await server.goAway()
  await server.comeBack()
  const other = await context.newPage()
  await other.goto(server.signInLink)
  await expect(other.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'I have signed in' }).click()
  await expectSaved(page)
  await expectStored(server, document, 'one two three')
  await expect(page.getByText('You have been signed out.')).toHaveCount(0)
})

test('the same words changed on both sides both stay until “Keep theirs” chooses', async ({
  page,
  server,
}) => {
  const document = await collide(page, server)
  await expect.poll(async () => (await server.get(document)).content).toMatch(/^the slow\s*red fox\n$/)
  await expect(page.getByRole('listitem').filter({ hasText: 'Yours' })).toContainText('slow')
  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await expectStored(server, document, 'the red fox\n')
  await expect(page.getByRole('button', { name: 'Keep theirs' })).toHaveCount(0)
})

test('the choices of a conflict are within reach, and “Keep mine” keeps also what is written into it', async ({
  page,
  server,
}) => {
  const document = await collide(page, server)
  const card = page.getByRole('region', { name: /One passage was changed by you/ })
  const choices = card.getByRole('button')
  const reachable = () =>
    choices.evaluateAll((buttons) =>
      buttons.map((button) => {
        const { left, top, width, height } = button.getBoundingClientRect()
        const seen = [top + 2, top + height - 2].map((y) =>
          window.document.elementFromPoint(left + width / 2, y),
        )
        return seen.every((one) => one !== null && button.contains(one))
      }),
    )
  for (const [width, height] of [
    [360, 640],
    [1280, 860],
  ] as const)
    await test.step(`the choices of a conflict are within reach and under no message, ${width} wide`, async () => {
      await page.setViewportSize({ width, height })
      await expect(choices).toHaveCount(4)
      await expect.poll(reachable).toEqual([true, true, true, true])
      // Most of a phone’s screen is the text’s still.
      const size = (await card.boundingBox())!
      expect(size.height).toBeLessThan(0.42 * height)

      await page.keyboard.press('Control+s')
      const toast = page.locator('[data-sonner-toast]').first()
      await expect(toast).toBeVisible()
      await expect
        .poll(async () => {
          const box = (await toast.boundingBox())!
          return box.y + box.height
        })
        .toBeLessThanOrEqual((await card.boundingBox())!.y)
      expect(await reachable()).toEqual([true, true, true, true])
    })

  await test.step('what is written into a conflict meanwhile is seen beside it, and stays or goes with its side', async () => {
    const sides = page.getByRole('listitem').filter({ hasText: 'Yours' })
    await expect(sides).toContainText('slow')
    await editor(page).click()
    await page.keyboard.press('Control+Home')
    for (let i = 0; i < 'the slow'.length; i++) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('ly moving')
    await expect(sides).toContainText('slowly moving')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expectStored(server, document, 'the slowly moving fox\n')
    await expect(editor(page)).toBeFocused()
    await expect(page.getByRole('button', { name: 'Keep mine' })).toHaveCount(0)
  })
})

test('both sides of a conflict can stay', async ({ page, server }) => {
  const document = await collide(page, server)
  await page.getByRole('button', { name: 'Keep both' }).click()
  await expect(page.getByRole('button', { name: 'Keep both' })).toHaveCount(0)
  await expectSaved(page)
  expect((await server.get(document)).content).toMatch(/^the slow\s*red fox\n$/)
})

test('a document that is deleted elsewhere can be saved as a new one', async ({ page, server }) => {
  const document = await server.create('one ')
  await open(page, document)
  await server.call('DELETE', `/api/documents/${document.id}`)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('two')
  await expect(trouble(page, 'this document has been deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Save as a new document' }).click()
  await expect(page).not.toHaveURL(new RegExp(document.id))
  await expect(editor(page)).toHaveText('one two')
  await expectStored(server, { id: page.url().split('/').pop()! }, 'one two')
})

test('text that a window left unsaved can be saved as a new document where its own is gone for good', async ({
  page,
  context,
  server,
}) => {
  const document = await server.create('one ')
  await open(page, document)
  await server.goAway()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('two')
  await expect(kept(page)).toBeVisible()
  await page.close()
  await server.comeBack()
  await server.call('DELETE', `/api/documents/${document.id}`)
  const next = await context.newPage()
  await next.goto(`/documents/${document.id}`)
  await next.getByRole('button', { name: 'Save that text as a new document' }).click()
  await expect(editor(next)).toHaveText('one two')
  await expect(next).not.toHaveURL(new RegExp(document.id))
  await expectStored(server, { id: next.url().split('/').pop()! }, 'one two')
  // It is there once, not once more with each look at the old address.
  await next.goto(`/documents/${document.id}`)
  await expect(next.getByRole('heading', { name: 'This document isn’t here' })).toBeVisible()
  await expect(next.getByRole('button', { name: 'Save that text as a new document' })).toHaveCount(0)
})
