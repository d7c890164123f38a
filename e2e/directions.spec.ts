// Texts that go from right to left, and texts that go both ways: in the editor, the reading view and for recipients.
import { expect, type FrameLocator, type Page } from '@playwright/test'
import { editor, open, test } from './owner.ts'

const text = `# שלום לכולם

זו פסקה בעברית, והיא ארוכה מספיק.

- [x] נעשה כבר
- [ ] עוד לא

1. ראשון
2. שני

> ציטוט של מישהו

| שם | גיל |
| --- | --- |
| דן | 7 |

An English paragraph.

- An English item
`

interface Box {
  left: number
  right: number
}
const box = (where: Page | FrameLocator, selector: string, nth = 0): Promise<Box> =>
  where
    .locator(selector)
    .nth(nth)
    .evaluate((one) => {
      const { left, right } = one.getBoundingClientRect()
      return { left, right }
    })

test('the editor’s lines go the way of their words, with their marks on the right side', async ({
  page,
  server,
}) => {
  await open(page, await server.create(text))
  await page.keyboard.press('Control+End')
  const line = (words: string) => page.locator('.cm-line', { hasText: words })
  await expect(line('זו פסקה')).toHaveCSS('direction', 'rtl')
  await expect(line('An English paragraph')).toHaveCSS('direction', 'ltr')
  await expect(line('שם')).toHaveCSS('direction', 'rtl')
  const pane = await box(page, '.cm-content')
  const checkbox = await box(page, '.md-checkbox')
  expect(checkbox.left).toBeGreaterThan((pane.left + pane.right) / 2)
  expect((await box(page, '.md-number')).left).toBeGreaterThan((pane.left + pane.right) / 2)
  expect((await box(page, '.md-bullet')).left).toBeLessThan((pane.left + pane.right) / 2)
  await expect(line('ציטוט')).toHaveCSS('background-position', /100%/)
  // A new line begins on the side where the last one did.
  await line('זו פסקה').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const cursor = await box(page, '.cm-cursor-primary')
  expect(cursor.left).toBeGreaterThan((pane.left + pane.right) / 2)
  await page.keyboard.type('עוד')
  await expect(editor(page)).toContainText('עוד')
})

async function expectRendered(where: Page | FrameLocator) {
  const middle = async (selector: string) => {
    const { left, right } = await box(where, selector)
    return (left + right) / 2
  }
  const all = await box(where, '.prose')
  const centre = (all.left + all.right) / 2
  await expect(where.locator('.prose h1').last()).toHaveCSS('direction', 'rtl')
  expect(await middle('.prose li.task input')).toBeGreaterThan(centre)
  await expect(where.locator('.prose ol')).toHaveCSS('direction', 'rtl')
  await expect(where.locator('.prose ol li').first()).toHaveCSS('margin-right', /^[1-9]/)
  await expect(where.locator('.prose blockquote')).toHaveCSS('border-right-style', 'solid')
  // The first column is the one on the right.
  const [first, second] = [await box(where, '.prose th', 0), await box(where, '.prose th', 1)]
  expect(first.left).toBeGreaterThan(second.left)
  const english = where.locator('.prose ul').last().locator('li')
  await expect(english).toHaveCSS('direction', 'ltr')
  await expect(english).toHaveCSS('margin-left', /^[1-9]/)
  await expect(where.locator('.prose')).toHaveAttribute('lang', 'he')
}

test('the reading view, recipients and the page for paper set them alike', async ({ page, server }) => {
  const document = await server.create(`---\nlang: he\n---\n\n${text}`)
  await open(page, document)
  await page.keyboard.press('Control+Shift+E')
  const frame = page.locator('iframe').contentFrame()
  await expect(frame.getByText('An English paragraph')).toBeVisible()
  await expectRendered(frame)
  await page.goto(`/print/${document.id}`)
  await expectRendered(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'he')
  const link = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'view',
  })
  await page.goto(`${server.url}/share/${link.token}`)
  await expectRendered(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})
