// What those have of the share page who don't see it, or read it with the keyboard.
import { expect, test } from '@playwright/test'
import { expectAccessibleInBoth, findBarriers } from './accessible.ts'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const text = `# On maths

A proof with **bold words** and $E = mc^2$ in it, of which *some* is said.

$$
\\int_0^1 x\\,dx = \\frac{a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12}}{2}
$$

| $a$ | $b$ |
| --- | --- |
| 1   | 2   |

| And | more |
| --- | ---- |
| 3   | 4    |

\`\`\`js
// a remark
const answer = 42
\`\`\`
`
let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

test('what is wrong is found, in frames too', async ({ page }) => {
  const image = '<img src="data:,">'
  await page.setContent(`<html lang="en"><title>A</title><main><h1>A</h1>${image}</main></html>`)
  const [found, ...others] = await findBarriers(page)
  expect(found).toContain(`image-alt: ${image}`)
  expect(others).toEqual([])
  const frame = `<html lang='en'><title>B</title><main><h1>B</h1><img src='data:,'></main></html>`
  await page.setContent(
    `<html lang="en"><title>A</title><main><h1>A</h1><iframe title="B" srcdoc="${frame}"></iframe></main></html>`,
  )
  expect(await findBarriers(page, 'alone')).toEqual([])
  expect(await findBarriers(page)).toContainEqual(expect.stringContaining(`image-alt: ${image}`))
})

test('a formula within a line that is wider than a phone is scrolled by itself, and others stand as they are', async ({
  browser,
}) => {
  const sum = Array.from({ length: 16 }, (_, i) => `a_{${i}}`).join(' + ')
  const { id } = await galley.createDocument(`Words $\\frac{a}{b}$ on, then $${sum} = b$ there.\n`)
  const { address } = await galley.share(id, 'view')
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const page = await context.newPage()
  await page.goto(address)
  const [short, wide] = [page.locator('.maths').first(), page.locator('.maths').last()]
  const room = (formula: typeof wide) =>
    formula.evaluate((one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight])
  expect(await room(short)).toEqual([0, 0])
  expect((await room(wide))[0]).toBeGreaterThan(100)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  const end = () => wide.evaluate((one) => one.querySelector('math')!.getBoundingClientRect().right)
  expect(await end()).toBeGreaterThan(360)
  await wide.hover()
  await page.mouse.wheel(2_000, 0)
  await expect.poll(end).toBeLessThanOrEqual(360)
  // With keys, too.
  await wide.evaluate((one) => (one.scrollLeft = 0))
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(wide).toBeFocused({ timeout: 50 })
  }).toPass()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => wide.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0)
  // It stands on its line as where nothing is scrolled.
  const heights = () =>
    short.evaluate((one) =>
      [one.querySelector('math')!, one.closest('p')!].map(
        (of) => of.getBoundingClientRect().y - document.body.getBoundingClientRect().y,
      ),
    )
  const before = await heights()
  await short.evaluate(({ style }: HTMLElement) =>
    Object.assign(style, { display: 'inline', overflow: 'visible', margin: 0 }),
  )
  expect(await heights()).toEqual(before)
  await context.close()
})

for (const width of [1440, 360]) {
  test(`a text with maths, chosen words and marks has no barriers, light and dark, ${width} px wide`, async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(text, 'On maths')
    const start = text.indexOf('bold words')
    const anchor = { exact: 'bold words', prefix: '**', suffix: '**', start }
    await galley.call('POST', `/api/documents/${id}/comments`, { body: 'How bold?', anchor })
    const { address } = await galley.share(id, 'edit')
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    await page.goto(address)

    const note = page.getByRole('main').getByRole('button', { name: 'Comment by Owner on “bold words”' })
    await expect(note).toHaveCount(1)
    await expect(page.getByRole('group', { name: 'Formula' })).toHaveAttribute('tabindex', '0')
    await expectAccessibleInBoth(page)
    await selectWords(page, 'is said')
    await expect(page.getByRole('toolbar', { name: 'The selected words' })).toBeVisible()
    await expectAccessibleInBoth(page)

    // A screen reader presses it; the words stay what they are.
    await note.evaluate((element: HTMLElement) => element.click())
    const card = page.getByRole('article', { name: 'Comment by Owner on “bold words”' })
    await expect(card).toBeFocused()
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get('active') ?? [])].map(String)))
      .toEqual(['bold words'])
    await expect(page.getByText('A proof with bold words and')).toHaveCount(1)
    await expectAccessibleInBoth(page)
    await context.close()
  })
}
