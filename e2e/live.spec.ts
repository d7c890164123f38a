// What others do arrives by itself: over a WebSocket, and where none comes through by asking now and then.
import { expect, type Browser, type WebSocketRoute } from '@playwright/test'
import { open, test, type OwnerServer, type StoredDocument } from './owner.ts'

/** A recipient with a browser of their own, who has opened a link. */
async function recipient(
  browser: Browser,
  server: OwnerServer,
  document: StoredDocument,
  permission = 'comment',
) {
  const link = await server.call<{ id: string; token: string }>(
    'POST',
    `/api/documents/${document.id}/share`,
    {
      permission,
      label: 'Reading group',
    },
  )
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const { share_url: address } = await server.call<{ share_url: string }>('GET', '/api/status')
  const page = await context.newPage()
  // A page that is always busy: only what says how long it waits at most is called.
  await page.addInitScript(() => {
    window.requestIdleCallback = (called, { timeout } = {}) =>
      timeout === undefined
        ? 0
        : window.setTimeout(called, timeout, { didTimeout: true, timeRemaining: () => 0 })
  })
  const connected = page.waitForEvent('websocket')
  await page.goto(`${address}/share/${link.token}`)
  await connected
  return { page, link, context }
}

const comment = (server: OwnerServer, document: StoredDocument, token: string, body: string) =>
  fetch(`${server.url}/api/documents/${document.id}/comments?share_token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ body, author_name: 'Ada' }),
  })

test('a comment, a suggestion and an edit reach the owner as they are made', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create('# Proof\n\nRead me.')
  const { link, context } = await recipient(browser, server, document, 'edit')
  const connected = page.waitForEvent('websocket')
  await open(page, document)
  await connected
  await page.getByRole('button', { name: /^Comments/ }).click()
  await page.keyboard.press('Control+Home')
  await comment(server, document, link.token, 'Well said.')
  // Asked for only once a minute while the connection is open: so it was heard.
  await expect(page.getByText('Well said.')).toBeVisible()
  await server.call('PATCH', `/api/documents/${document.id}`, { content: '# Proof\n\nRead me twice.' })
  await expect(page.getByRole('textbox', { name: 'Text' })).toContainText('Read me twice.')
  await fetch(`${server.url}/api/documents/${document.id}/suggestions?share_token=${link.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ original_text: 'twice', suggested_text: 'three times' }),
  })
  await page.getByRole('tab', { name: /^Suggestions/ }).click()
  await expect(page.getByRole('tabpanel', { name: 'Suggestions' }).getByText('three times')).toBeVisible()
  await context.close()
})

test('the owner sees who is here, by the name they give themselves, until they leave', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create('# Proof\n\nRead me.')
  const reader = await recipient(browser, server, document)
  await open(page, document)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(page.getByText('One reader here now')).toBeVisible()
  await reader.page.getByRole('button', { name: 'Comment', exact: true }).click()
  await reader.page.getByRole('textbox', { name: /name/i }).fill('Ada')
  await expect(page.getByText('\u2068Ada\u2069 (guest) here now')).toBeVisible()
  // Whatever they call themselves.
  await reader.page.getByRole('textbox', { name: /name/i }).fill('Owner')
  await expect(page.getByText('\u2068Owner\u2069 (guest) here now')).toBeVisible()
  // What the document’s owner calls them, while they are here for the first time.
  await reader.page.getByRole('textbox', { name: 'Your comment' }).fill('Hm.')
  await reader.page.keyboard.press('Control+Enter')
  const guests = () => server.call<{ id: string }[]>('GET', `/api/documents/${document.id}/guests`)
  await expect.poll(async () => (await guests()).length).toBe(1)
  const [guest] = await guests()
  await server.call('PATCH', `/api/documents/${document.id}/guests/${guest!.id}`, { name: 'Countess' })
  await expect(page.getByText('\u2068Countess\u2069 (guest) here now')).toBeVisible()
  await reader.context.close()
  await expect(page.getByText('here now')).toBeHidden()
})

test('a recipient hears of an answer, and of the end of the link', async ({ page, server, browser }) => {
  const document = await server.create('# Proof\n\nRead me.')
  const reader = await recipient(browser, server, document)
  await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'Thank you all.' })
  await expect(reader.page.getByText('Thank you all.')).toBeVisible()
  await open(page, document)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(reader.page.getByText(/no longer/).first()).toBeVisible()
  await reader.context.close()
})

for (const [where, answer] of [
  ['no WebSocket comes through', (socket: WebSocketRoute) => void socket.close()],
  ['WebSockets are opened and pass nothing', () => {}],
] as const)
  test(`where ${where}, what others do arrives all the same`, async ({ page, server }) => {
    const document = await server.create('# Proof\n\nRead me.')
    await page.routeWebSocket(/\/live/, answer)
    await open(page, document)
    await server.call('PATCH', `/api/documents/${document.id}`, { content: '# Proof\n\nRead me twice.' })
    await expect(page.getByRole('textbox', { name: 'Text' })).toContainText('Read me twice.')
  })

test('a page asks only for what it was told of, and after it was away for what it missed', async ({
  page,
  server,
}) => {
  const document = await server.create('# Proof\n\nRead me.')
  const say = (body: string) => server.call('POST', `/api/documents/${document.id}/comments`, { body })
  await say('First.')
  const opened: string[] = []
  let drop = () => Promise.resolve()
  await page.routeWebSocket(/\/api\/live/, (socket) => {
    opened.push(socket.url())
    const there = socket.connectToServer()
    drop = async () => {
      await there.close()
      await socket.close({ code: 1001 })
    }
  })
  await open(page, document)
  await page.getByRole('button', { name: /^Comments/ }).click()
  await expect(page.getByText('First.')).toBeVisible()
  await expect.poll(() => opened.length).toBe(1)
  await page.waitForLoadState('networkidle')

  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/documents')) asked.push(pathname + search)
  })
  await say('Second.')
  await expect(page.getByText('Second.')).toBeVisible()
  expect(asked.filter((one) => one.includes('/comments'))).toEqual([
    expect.stringMatching(/\/comments\?since=/),
  ])
  expect(asked.filter((one) => one.includes('/suggestions') || one.endsWith(document.id))).toEqual([])

  await drop()
  await say('Third.')
  await expect(page.getByText('Third.')).toBeVisible()
  await expect.poll(() => opened.at(-1)).toMatch(/\?since=\d+$/)
})
