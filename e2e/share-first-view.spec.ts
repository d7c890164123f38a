// The share page before it has more than its text, as it is for who is fast and for who is cut off.
import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { away, bodies, galley, setUpAway, text, way } from './away.ts'
import { restOfPage, untilWhole } from './first-view.ts'
import { selectWords } from './select-words.ts'

setUpAway()

test('the face of the text is asked for before anything beside it', async ({ browser }) => {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'comment')
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Comment' })).toBeVisible()
  const rest = asked.findIndex((path) => restOfPage.test(path))
  const face = asked.findIndex((path) => path.endsWith('.woff2'))
  expect(face).toBeGreaterThan(0)
  expect(rest).toBeGreaterThan(face)
  await page.close()
})

test('words that were chosen, and a key that was pressed, before the page could do anything with them count', async ({
  browser,
}) => {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'comment')
  for (const begin of ['select', 'key'] as const) {
    const page = await browser.newPage()
    let give = () => {}
    const given = new Promise<void>((resolve) => (give = resolve))
    const wanted = page.waitForRequest(restOfPage)
    await page.route(restOfPage, async (route) => {
      await given
      await route.continue()
    })
    await page.goto(address)
    if (begin === 'select') await selectWords(page, 'for a reason')
    else await page.keyboard.press('Control+Alt+M')
    await wanted
    give()
    if (begin === 'select')
      await page
        .getByRole('toolbar', { name: 'The selected words' })
        .getByRole('button', { name: 'Comment' })
        .click()
    await expect(page.getByRole('textbox', { name: 'Your comment' })).toBeVisible()
    await page.close()
  }
})

test('a machine that goes away before the page has come whole is waited for', async ({ browser }) => {
  const { id } = await galley.createDocument(text)
  const link = await galley.share(id, 'comment')
  const page = await browser.newPage()
  const cut = page.waitForEvent('requestfailed', (request) => restOfPage.test(request.url()))
  await page.route(
    restOfPage,
    async (route) => {
      way.set('closed')
      await route.continue()
    },
    { times: 1 },
  )
  await page.goto(`${way.origin}/share/${link.token}`)
  await cut
  await expect(away(page)).toBeVisible()
  await expect(page.getByText('The margins are wide for a reason.')).toBeVisible()
  await expectAccessible(page)
  way.set('open')
  // Without a word from its reader.
  await expect(page.getByRole('button', { name: 'Comment' })).toBeVisible()
  await untilWhole(page)
  await expect(away(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill('After all.')
  await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
  await expect.poll(() => bodies(id)).toEqual(['After all.'])
  await page.close()
})
