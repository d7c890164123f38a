// What the owner's app says in passing: short or long, one or several, on a desk and on a phone.
import { expect, type Locator } from '@playwright/test'
import { open, test } from './owner.ts'

const text = 'One proof goes out, and another comes back.\n'
const boxOf = async (part: Locator) => (await part.boundingBox())!
const middleOf = async (part: Locator) => {
  const { y, height } = await boxOf(part)
  return y + height / 2
}

for (const [device, width] of [
  ['desk', 1280],
  ['phone', 360],
] as const)
  test.describe(`on a ${device}`, () => {
    test.use({ viewport: { width, height: 740 } })

    test('what is said in passing is whole, within reach and in nobody’s way', async ({ page, server }) => {
      await test.step('a short toast stands in one row, and its Undo works where a panel covers the text', async () => {
        const document = await server.create(text)
        for (const body of ['Which?', 'Why?'])
          await server.call('POST', `/api/documents/${document.id}/comments`, { body })
        await open(page, document)
        await page.getByRole('button', { name: 'Comments and suggestions' }).click()
        const threads = page.getByRole('list', { name: 'Comments' }).getByRole('article')
        const first = threads.filter({ hasText: 'Which?' })
        await first.getByRole('button', { name: 'Resolve thread' }).click()
        const toast = page.locator('[data-sonner-toast]')
        const undo = toast.getByRole('button', { name: 'Undo' })
        await expect(undo).toBeVisible()
        const title = toast.getByText('Thread resolved.')
        for (const part of [
          undo,
          toast.getByRole('button', { name: 'Close toast' }),
          toast.locator('[data-icon]'),
        ])
          await expect
            .poll(async () => Math.abs((await middleOf(part)) - (await middleOf(title))))
            .toBeLessThanOrEqual(2)
        expect((await boxOf(toast)).height).toBeLessThan(72)
        await undo.click()
        await expect(first, 'the panel is still there').toBeFocused()
        await expect(toast).toHaveCount(0)

        // Of two the newer stands before the older, and both show where the pointer is on them.
        await first.getByRole('button', { name: 'Resolve thread' }).click()
        await threads.filter({ hasText: 'Why?' }).getByRole('button', { name: 'Resolve thread' }).click()
        await expect(toast).toHaveCount(2)
        await page.mouse.move(5, 300)
        const behind = page.locator('[data-sonner-toast][data-front="false"] [data-content]')
        await expect(behind).toHaveCSS('opacity', '0')
        await toast.first().hover()
        await expect
          .poll(async () => {
            const [one, other] = [await boxOf(toast.first()), await boxOf(toast.last())]
            const [upper, lower] = one.y < other.y ? [one, other] : [other, one]
            return lower.y - (upper.y + upper.height)
          })
          .toBeGreaterThanOrEqual(0)
      })

      await test.step('what an accepted suggestion is answered with stands in one row', async () => {
        const document = await server.create(text)
        await server.call('POST', `/api/documents/${document.id}/suggestions`, {
          original_text: 'One proof',
          suggested_text: 'A proof',
        })
        await open(page, document)
        await page.getByRole('button', { name: 'Comments and suggestions' }).click()
        await page.getByRole('tab', { name: /Suggestions/ }).click()
        await page
          .getByRole('tabpanel')
          .getByRole('button', { name: /^Accept/ })
          .last()
          .click()
        const toast = page.locator('[data-sonner-toast]')
        const words = toast.getByText('Suggestion accepted.')
        await expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible()
        const lines = () =>
          words.evaluate((element) => {
            const range = globalThis.document.createRange()
            range.selectNodeContents(element)
            return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
          })
        await expect.poll(lines).toBe(1)
        await expect.poll(async () => (await boxOf(toast)).height).toBeLessThan(72)
      })

      await test.step('a long toast keeps all of its words and its Undo in view', async () => {
        const document = await server.create(text)
        const label = 'For the copy editor, who reads on the train and comes back on Monday'
        await server.call('POST', `/api/documents/${document.id}/share`, { label })
        await open(page, document)
        await page.getByRole('button', { name: 'Share', exact: true }).click()
        await page.getByRole('button', { name: 'Revoke' }).click()
        const toast = page.locator('[data-sonner-toast]')
        const undo = toast.getByRole('button', { name: 'Undo' })
        const words = toast.locator('[data-content]')
        await expect(undo).toBeVisible()
        await expect(words).toContainText(label)
        await expect
          .poll(async () => {
            const [all, said, button] = [await boxOf(toast), await boxOf(words), await boxOf(undo)]
            return {
              inside: all.x >= 0 && all.x + all.width <= width && all.y >= 0 && all.y + all.height <= 740,
              apart: said.x + said.width <= button.x,
              whole: said.y >= all.y && said.y + said.height <= all.y + all.height,
              readable: said.width >= 150,
            }
          })
          .toEqual({ inside: true, apart: true, whole: true, readable: true })
        await undo.click()
        await expect(page.getByRole('article', { name: label })).toBeVisible()
      })

      await test.step('a toast covers neither the passage that it is about nor the sheet about the next', async () => {
        const paragraphs = Array.from({ length: 40 }, (_, i) => `Paragraph no. ${i}x has words to read.\n`)
        const document = await server.create(paragraphs.join('\n'))
        for (const i of [3, 4, 8, 9])
          await server.call('POST', `/api/documents/${document.id}/suggestions`, {
            original_text: `${i}x has words`,
            suggested_text: `${i}x had a word`,
          })
        await open(page, document)
        const lineOf = (i: number) => page.locator('.cm-line', { hasText: `no. ${i}x` })
        // At the foot of what is in view.
        const at = width > 600 ? 9 : 4
        const last = lineOf(at)
        await last.locator('ins').click()
        await page
          .locator('.beside article[aria-current="true"], .passage-sheet')
          .getByRole('button', { name: /^(?:Reject|Withdraw)$/ })
          // Without bringing the button into view, which moves the text.
          .evaluate((button: HTMLElement) => button.click())
        const toast = page.locator('[data-sonner-toast]')
        await expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible()
        // Once it stands where it stays.
        await expect(toast).toHaveAttribute('data-mounted', 'true')
        await toast.evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)))
        const topOfToast = async () => (await boxOf(toast.first())).y
        const endOf = async (part: Locator) => {
          const { y, height } = await boxOf(part)
          return y + height
        }
        await expect.poll(async () => (await topOfToast()) - (await endOf(last))).toBeGreaterThanOrEqual(0)

        const next = lineOf(at - 1).locator('ins')
        await next.click()
        await expect.poll(async () => (await topOfToast()) - (await endOf(next))).toBeGreaterThanOrEqual(0)
        if (width > 600) return
        const sheet = page.locator('.passage-sheet')
        await expect(sheet).toBeVisible()
        await expect
          .poll(async () => (await boxOf(sheet)).y - (await endOf(toast.first())))
          .toBeGreaterThanOrEqual(0)
      })

      await test.step('a toast stands above the field that is written in', async () => {
        const document = await server.create(text)
        for (const body of ['Which?', 'Why?', 'Who?', 'When?'])
          await server.call('POST', `/api/documents/${document.id}/comments`, { body })
        await open(page, document)
        await page.getByRole('button', { name: 'Comments and suggestions' }).click()
        const threads = page.getByRole('list', { name: 'Comments' }).getByRole('article')
        await threads.first().getByRole('button', { name: 'Resolve thread' }).click()
        const toast = page.locator('[data-sonner-toast]')
        await expect(toast).toBeVisible()
        await threads.last().getByRole('button', { name: 'Reply' }).click()
        const form = threads.last().locator('form')
        await expect(form.getByRole('textbox')).toBeFocused()
        const isFree = async () => {
          const [one, other] = [await boxOf(toast), await boxOf(form)]
          const beside = one.x + one.width <= other.x || other.x + other.width <= one.x
          return beside || one.y + one.height <= other.y || other.y + other.height <= one.y
        }
        await expect.poll(isFree).toBe(true)
        await expect(toast).toBeVisible()
      })
    })
  })

test('on a phone held sideways a toast stands over the bar, and covers neither the text nor the sheet', async ({
  page,
  server,
}) => {
  const document = await server.create(text)
  for (const [original_text, suggested_text] of [
    ['One proof', 'A proof'],
    ['comes', 'is sent'],
  ])
    await server.call('POST', `/api/documents/${document.id}/suggestions`, { original_text, suggested_text })
  await page.setViewportSize({ width: 740, height: 360 })
  await open(page, document)
  await page.locator('.cm-content ins').first().click()
  const sheet = page.locator('.passage-sheet')
  await sheet
    .getByRole('button', { name: /^(?:Reject|Withdraw)$/ })
    .evaluate((one: HTMLElement) => one.click())
  const toast = page.locator('[data-sonner-toast]')
  await expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  await toast.evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)))
  await expect
    .poll(async () => {
      const { y, height } = await boxOf(toast)
      return y >= 0 && y + height <= 72
    })
    .toBe(true)
})
