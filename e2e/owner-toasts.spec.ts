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

    test('a short toast stands in one row, and its Undo works where a panel covers the text', async ({
      page,
      server,
    }) => {
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

    test('what an accepted suggestion is answered with stands in one row', async ({ page, server }) => {
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

    test('a long toast keeps all of its words and its Undo in view', async ({ page, server }) => {
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
  })
