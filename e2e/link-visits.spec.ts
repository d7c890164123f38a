// The owner sees when their links were opened, on what, and by whom where they said so.
import { expect, type Browser } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { open, test } from './owner.ts'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

async function visit(browser: Browser, url: string, userAgent: string) {
  const context = await browser.newContext({ userAgent, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(url)
  return { page, context }
}

test('visits arrive while the owner looks, with the name somebody gives, and can be unfolded by keyboard', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create('# Proof\n\nRead me.')
  const share = (fields: object) =>
    server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, fields)
  const { token } = await share({ permission: 'comment', label: 'Reading group' })
  await share({ permission: 'view', label: 'Nobody yet' })
  const { share_url } = await server.call<{ share_url: string }>('GET', '/api/status')
  const url = `${share_url}/share/${token}`

  await open(page, document)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const card = page.getByRole('article', { name: 'Reading group' })
  await expect(card).toContainText('Not opened yet')

  // A preview is no person.
  await fetch(url, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } })
  const summary = card.locator('summary')
  await expect(summary).toHaveText('Not opened yet')

  const ada = await visit(browser, url, iphone)
  await expect(summary).toHaveText(/^Opened once, just now$/)
  const other = await visit(browser, url, windows)
  await expect(summary).toHaveText(/^Opened 2 times, last just now$/)
  await other.context.close()
  await ada.page.evaluate(
    async ([id, share]) => {
      await fetch(`/api/documents/${id}/comments?share_token=${share}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ body: 'Well said.', author_name: 'Ada <b>Lovelace</b>' }),
      })
    },
    [document.id, token] as const,
  )
  await ada.context.close()

  await summary.focus()
  await page.keyboard.press('Enter')
  const list = card.getByRole('list', { name: 'When it was opened' })
  await expect(list.getByRole('listitem')).toHaveText([
    /Chrome on Windows\s*just now/,
    /Ada <b>Lovelace<\/b>, Safari on iPhone\s*just now/,
    /A link preview by Slack\s*just now/,
  ])
  await expect(page.getByRole('article', { name: 'Nobody yet' })).toContainText('Not opened yet')
  await expectAccessible(page)

  await page.setViewportSize({ width: 360, height: 740 })
  // There the panel is drawn anew, over the text.
  await summary.click()
  await expect(list).toBeVisible()
  const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(360)
})

test('the panel hears of links that are made, changed and ended elsewhere while it is open', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create('# Proof\n\nRead me.')
  await open(page, document)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(page.getByText('Only you can read this')).toBeVisible()
  const at = `/api/documents/${document.id}/share`
  const { id, local_url } = await server.call<{ id: string; local_url: string }>('POST', at, {
    permission: 'view',
    label: 'By an agent',
  })
  const card = page.getByRole('article', { name: 'By an agent' })
  await expect(card).toContainText('Not opened yet')
  const ada = await visit(browser, local_url, iphone)
  await expect(card.locator('summary')).toHaveText(/^Opened once, just now$/)
  await expect(card).toContainText('here now')
  await server.call('PATCH', `${at}?link_id=${id}`, { label: 'For Ada' })
  await expect(page.getByRole('article', { name: 'For Ada' })).toBeVisible()
  await server.call('DELETE', `${at}?link_id=${id}`)
  await expect(page.getByText('Only you can read this')).toBeVisible()
  await ada.context.close()
})

test('what the owner opens to see what recipients see counts as nothing', async ({ page, server }) => {
  const document = await server.create('# Proof\n\nRead me.')
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'view', label: 'Mine' })
  await open(page, document)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const card = page.getByRole('article', { name: 'Mine' })
  const opened = page.context().waitForEvent('page')
  await card.getByRole('link', { name: 'Open as recipient' }).click()
  const recipients = await opened
  await expect(recipients.getByText('Read me.')).toBeVisible()
  const url = recipients.url()
  await recipients.close()
  // Somebody else is seen then, and nobody before them.
  await fetch(url, { headers: { 'user-agent': iphone } })
  await expect(card.locator('summary')).toHaveText(/^Opened once/)
})
