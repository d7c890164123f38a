// Suggesting, as input methods and keyboards of phones do it: they change the page first and tell of it after that.
import { expect, test } from '@playwright/test'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { goBehind } from './select-words.ts'

let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

const content = `Galley proofs are drafts that go out.

Read **bold words** here.

- First item
- Second item

| stet | let it stand |
| --- | --- |
| dele | take out |
`
/** Chrome on Android, in which CodeMirror takes some of what is composed for keys. */
const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'

for (const [name, userAgent] of Object.entries({ wide: undefined, phone: android }))
  test(`what is composed over words that are selected, taken up or chosen whole is suggested once (${name})`, async ({
    browser,
  }) => {
    const { id } = await galley.createDocument(content)
    const { token } = await galley.call<{ token: string }>('POST', `/api/documents/${id}/share`, {
      permission: 'edit',
      suggest_only: true,
    })
    const context = await browser.newContext(userAgent ? { userAgent, hasTouch: true, isMobile: true } : {})
    const page = await context.newPage()
    await page.goto(`${galley.shareUrl}/share/${token}`)
    await page.getByRole('button', { name: 'Suggest', exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Text' })
    await expect(text).toBeFocused()
    const keyboard = await context.newCDPSession(page)
    const compose = async (steps: readonly string[], range = {}) => {
      for (const [i, text] of steps.entries())
        await keyboard.send('Input.imeSetComposition', {
          ...{ text, selectionStart: text.length, selectionEnd: text.length },
          ...(i === 0 ? range : {}),
        })
      await keyboard.send('Input.insertText', { text: steps.at(-1)! })
    }
    const suggested = async () =>
      (
        await galley.call<{ original_text: string; suggested_text: string }[]>(
          'GET',
          `/api/documents/${id}/suggestions`,
        )
      ).map((one) => [one.original_text, one.suggested_text])
    const line = (number: number) => page.locator('.cm-line').nth(number)

    // A keyboard takes up the word before the cursor without selecting it; the first line is the page’s, letter for letter.
    const takenUp = async (word: string, steps: readonly string[]) => {
      await goBehind(page, word)
      const end = content.indexOf(word) + word.length
      await compose(steps, { replacementStart: end - word.length, replacementEnd: end })
    }
    await takenUp('drafts', ['draft', 'draf', 'drafty', 'drafty ones'])
    await expect(line(0)).toHaveText('Galley proofs are draftsty ones that go out.')
    await expect.poll(suggested).toEqual([['drafts', 'drafty ones']])
    await takenUp('proofs', ['priofs'])
    await expect.poll(suggested).toContainEqual(['proofs', 'priofs'])
    await takenUp('Galley', ['Galleys'])
    await expect.poll(suggested).toContainEqual(['Galley', 'Galleys'])
    await page.keyboard.press('Control+z')
    await expect.poll(suggested).not.toContainEqual(['Galley', 'Galleys'])
    await page.keyboard.press('Control+z')
    await expect.poll(suggested).toEqual([['drafts', 'drafty ones']])
    // What is only struck through goes back step by step.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Control+z')
    await expect.poll(suggested).toEqual([])
    await expect(line(0)).toHaveText('Galley proofs are drafts that go out.')

    // Chosen whole, with a mark that isn’t seen.
    for (const [words, original] of [
      ['Read', 'Read **bold words** here.'],
      ['First', '- First item'],
      ['dele', '| dele | take out |'],
    ] as const) {
      await page.locator('.cm-line', { hasText: words }).getByText(words).first().click({ clickCount: 3 })
      await compose(['か', 'かん', '漢字'])
      await expect.poll(suggested).toContainEqual([original, '漢字'])
    }
    await expect(page.locator('.cm-content ins', { hasText: /^漢字$/ })).toHaveCount(3)
    expect((await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content).toBe(content)
    await galley.call('POST', `/api/documents/${id}/suggestions/resolve`, { action: 'accept' })
    expect((await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content).toBe(
      content
        .replace('Read **bold words** here.', '漢字')
        .replace('- First item', '漢字')
        .replace('| dele | take out |', '漢字'),
    )
    await context.close()
  })
