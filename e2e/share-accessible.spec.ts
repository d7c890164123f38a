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
