// Two tabs of one recipient, both suggesting, who has changed the same suggestion of theirs in both.
import { expect, test, type Page } from '@playwright/test'
import { goBehind } from './select-words.ts'
import { useGalley } from './share-page.ts'
import { begin, linkToSuggest, suggestionsOf, text, wide } from './suggester.ts'

useGalley()

async function typeBehind(page: Page, words: string, more: string): Promise<void> {
  await page.bringToFront()
  await goBehind(page, words)
  await text(page).pressSequentially(more)
}

test('what was typed in both tabs, away or at once, is suggested, and shows in both', async ({ browser }) => {
  const { id, address } = await linkToSuggest('One alpha here.\n\nThe last gamma ends.\n')
  const context = await browser.newContext(wide)
  const open = async () => {
    const page = await context.newPage()
    await page.goto(address)
    await begin(page)
    return page
  }
  const suggested = async () => (await suggestionsOf(id)).map(({ suggested_text }) => suggested_text)
  const first = await open()
  await typeBehind(first, 'alpha', ' uno')
  await expect.poll(suggested).toEqual([expect.stringContaining(' uno')])
  const tabs = [first, await open()] as const
  // As one’s own, not as another’s beside the text.
  await expect(tabs[1].locator('.cm-content ins:not(.g-beside)')).toHaveText(' uno')

  await context.setOffline(true)
  await typeBehind(tabs[0], 'uno', ' CCC')
  await typeBehind(tabs[1], 'uno', ' DDD')
  await context.setOffline(false)
  const both = async () => (await suggested()).join()
  await expect.poll(both, { timeout: 30_000 }).toMatch(/uno (CCC DDD|DDD CCC)/)
  for (const page of tabs) await expect(text(page)).toContainText(/One alpha uno (CCC DDD|DDD CCC) here/)
  expect(await suggested()).toHaveLength(1)

  await Promise.all(tabs.map((page) => goBehind(page, 'uno')))
  await Promise.all(tabs.map((page, i) => text(page).pressSequentially(i === 0 ? ' AAA' : ' BBB')))
  await expect.poll(both).toMatch(/uno (AAA BBB|BBB AAA) /)
  for (const page of tabs)
    await expect(text(page)).toContainText(/uno (AAA BBB|BBB AAA) (CCC DDD|DDD CCC) here/)
  expect(await suggested()).toHaveLength(1)
  await context.close()
})

test('what is suggested first in one tab is one’s own in another that was open before', async ({
  browser,
}) => {
  const { address } = await linkToSuggest('One alpha here.\n')
  const context = await browser.newContext({ ...wide, serviceWorkers: 'block' })
  const [first, second] = [await context.newPage(), await context.newPage()]
  for (const page of [first, second]) {
    await page.bringToFront()
    await page.goto(address)
    await begin(page)
  }
  // The other one hears of it before the browser has the cookie that comes with the answer.
  await first.route(/\/suggestions\?/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await expect(second.locator('.cm-content ins.g-beside')).toHaveText(' uno')
    await route.fulfill({ response })
  })
  await typeBehind(first, 'alpha', ' uno')
  await second.bringToFront()
  await expect(second.locator('.cm-content ins:not(.g-beside)')).toHaveText(' uno')
  await context.close()
})
