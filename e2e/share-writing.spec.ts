// A recipient writes with the same hands as the owner: emphasis, lists, pasting, undo.
import { expect, test } from '@playwright/test'
import { expectAccessibleInBoth } from './accessible.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

test('a recipient’s emphasis, list and paste are what the owner gets (phone)', async ({ browser }) => {
  const { id } = await galley.createDocument('Some \n')
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) refused.push(message.text())
  })
  await page.goto(address)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect(text).toBeFocused()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
  const bold = page.getByRole('button', { name: 'Bold' })
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.type('bold')
  await expectAccessibleInBoth(page)
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.type(' words')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- one')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await text.evaluate((content) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', '<p>Pasted <em>with its look</em></p><ul><li>x</li></ul>')
    clipboardData.setData('text/plain', 'Pasted')
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect
    .poll(async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content)
    .toBe('Some **bold** words\n\n- one\n\nPasted *with its look*\n\n- x\n')
  expect(refused).toEqual([])
  await context.close()
})

test('a recipient who makes a line too long is told, keeps the words, and has them saved once the line is broken', async ({
  browser,
}) => {
  const { id } = await galley.createDocument('End.\n')
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect(text).toBeFocused()
  const stored = async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content
  const paste = async (words: string) => {
    await page.keyboard.press('Control+Home')
    await text.evaluate((content, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, words)
  }
  const [one, other] = ['some '.repeat(6_000), 'more '.repeat(6_000)]
  await paste(one)
  await expect.poll(async () => (await stored()) === `${one}End.\n`).toBe(true)
  await paste(other)
  const said =
    'Not saved: by a link no line may become longer than 50,000 characters. Break it into shorter ones.'
  await expect(page.getByText(said).first()).toBeVisible()
  await expect(page.getByText('Your text is kept in this browser.').first()).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Enter')
  // A space at a line’s end goes with the break.
  await expect
    .poll(async () => (await stored()).replace(/ ?\n/, '\n') === `${other.trim()}\n${one}End.\n`)
    .toBe(true)
  await expect(page.getByText(said)).toHaveCount(0)
  await context.close()
})
