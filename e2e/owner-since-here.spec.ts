// What others have changed in a text since its owner was last in it, as the owner sees it who comes back.
import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { editor, expectSaved, expectStored, open, test, write } from './owner.ts'

const content = '# On proofs\n\nA galley proof goes out for a reason.\n\n'.concat(
  'Words. '.repeat(400),
  '\n\nThe end.\n',
)

test('the owner who comes back sees what others changed, goes through it while writing, and puts it away', async ({
  browser,
  page,
  server,
}) => {
  const document = await server.create(content)
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'edit' })
  const line = page.getByRole('region', { name: 'Changes since you were last here' })
  await open(page, document)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Mine.')
  await expectSaved(page)
  await page.goto('/')

  const own = (await server.get(document)).content
  const theirs = own.replace('goes out', 'is sent out').replace('The end', 'The very end')
  const answer = await fetch(`${server.url}${at}?share_token=${token}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: theirs, author_name: 'Ada' }),
  })
  expect(answer.status).toBe(200)
  await open(page, document)
  // The toolbar is whole beside how long the text is, of which the end goes first.
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Redo' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText(/^[\d,]+ words · 2 min$/)).toBeVisible()
  await expect(line).toContainText('2 changes by \u2068Ada\u2069 (guest) since you were last here, today')
  await expectAccessible(page)
  // What the owner writes meanwhile moves them, and is none of them.
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Mine, too. ')
  await line.getByRole('button', { name: 'Show' }).click()
  await expect(line.getByRole('status')).toHaveText('Change 1 of 2. “is sent” instead of “goes”')
  await expect(editor(page).locator('ins.g-since-now')).toHaveText('is sent')
  await expect(editor(page).getByRole('deletion')).toHaveText('goes')
  await expect(editor(page).getByRole('insertion').first()).toHaveAccessibleDescription(
    'Added since you were last here',
  )
  await page.keyboard.press('Enter')
  await expect(line.getByRole('status')).toHaveText('Change 2 of 2. Added “very”')
  await expect(editor(page).locator('ins.g-since-now')).toHaveText('very')
  await expect(editor(page).locator('ins.g-since-now')).toBeInViewport()
  await expectAccessible(page)
  // With the cursor in the text, too, where the keys would copy a line.
  await editor(page).focus()
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await expect(line.getByRole('status')).toHaveText('Change 1 of 2. “is sent” instead of “goes”')
  await page.keyboard.press('Alt+Shift+ArrowUp')
  await expect(line.getByRole('status')).toHaveText('Change 2 of 2. Added “very”')
  await line.getByRole('button', { name: 'Next change' }).focus()
  await expectStored(server, document, theirs.replace('# On', 'Mine, too. # On'))

  // From the text as from there; what is open in the text goes first.
  await editor(page).focus()
  await page.keyboard.press('Control+f')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('search', { name: 'Find and replace' })).toHaveCount(0)
  await expect(line).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(line).toHaveCount(0)
  await expect(editor(page)).toBeFocused()
  await expect(editor(page).locator('.g-since-added, .g-since-removed')).toHaveCount(0)
  await page.reload()
  await expect(editor(page)).toBeFocused()
  await expect(line).toHaveCount(0)

  // What comes while nobody looks is told once somebody does.
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate((state) => {
      Object.defineProperty(globalThis.document, 'visibilityState', { value: state, configurable: true })
      globalThis.document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await look('hidden')
  await server.edit(document, (content) => content.replace('A galley', 'Each galley'))
  await expect(editor(page)).toContainText('Each galley')
  await expect(line).toHaveCount(0)
  await look('visible')
  await expect(line).toContainText('1 change by')
  await line.getByRole('button', { name: 'Show' }).click()
  await expect(line.getByRole('button', { name: 'Next change' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(line).toHaveCount(0)

  // What the owner has written elsewhere needs no telling.
  await page.goto('/')
  const elsewhere = await browser.newContext({ storageState: server.signedIn, baseURL: server.url })
  const other = await elsewhere.newPage()
  await write(other, document, 'Written elsewhere.')
  await expectSaved(other)
  await elsewhere.close()
  const asked = page.waitForResponse(/\/versions\?since=/)
  await open(page, document)
  await (await asked).finished()
  await expect(line).toHaveCount(0)
})

test('items that were taken out stand in lines of their own, and move no others', async ({
  page,
  server,
}) => {
  const document = await server.create('- red one\n- beta\n- one red\n\n1. one\n2. two\n')
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'edit' })
  await open(page, document)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Mine.')
  await expectSaved(page)
  await page.goto('/')
  const { content } = await server.get(document)
  await fetch(`${server.url}${at}?share_token=${token}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      content: content.replace('- beta\n', '').replace('\n2. two', ''),
      author_name: 'Ada',
    }),
  })
  await open(page, document)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(editor(page).getByRole('deletion')).toHaveText(['- beta', '2. two'])
  const edge = (words: string) =>
    editor(page)
      .locator('.cm-line')
      .filter({ hasText: words })
      .evaluate((element) => {
        const range = element.ownerDocument.createRange()
        range.selectNodeContents(element)
        return [...range.getClientRects()].at(-1)!.right
      })
  // Of the same letters they are of one width.
  const [first, last] = [await edge('red one'), await edge('one red')]
  expect(Math.abs(last - first)).toBeLessThan(2)
})
