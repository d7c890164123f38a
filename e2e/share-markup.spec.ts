// Suggestions on words with formatting around them: made by recipients, accepted by the owner.
import { expect, test } from '@playwright/test'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { selectWords } from './select-words.ts'

const text = `# On proofs

A proof of **bold words** and more.

| Mark | Meaning |
| --- | --- |
| stet | let it stand |

- one item
- two items

> A quote that goes.

The end[^1] of it.

[^1]: A note word in it.
`
let galley: GalleyServer
test.beforeAll(async () => {
  galley = await startGalleyServer()
})
test.afterAll(async () => {
  await galley.stop()
})

const squeezed = (words: string) => words.replace(/\s+/g, '')

for (const { words, upTo, shown, instead, reads, accepted } of [
  {
    words: 'proof of',
    upTo: 'bold',
    shown: 'proof of **bold words**',
    instead: 'proof of **heavy words**',
    reads: 'A proof of heavy words and more.',
    accepted: text.replace('bold', 'heavy'),
  },
  {
    words: 'bold words',
    shown: 'bold words',
    instead: '',
    reads: 'A proof of and more.',
    accepted: text.replace('**bold words** ', ''),
  },
  {
    words: 'A proof',
    upTo: 'more.',
    shown: 'A proof of **bold words** and more.',
    instead: 'A proof of **bold words**  more.',
    reads: 'A proof of bold words more.',
    accepted: text.replace('and more', 'more'),
  },
  {
    words: 'and more.',
    shown: 'and more.',
    instead: '',
    reads: 'A proof of bold words',
    accepted: text.replace(' and more.', ''),
  },
  {
    words: 'let it stand',
    shown: 'let it stand',
    instead: 'let it|stand',
    reads: 'MarkMeaningstetlet it|stand',
    accepted: text.replace('let it stand', 'let it\\|stand'),
  },
  {
    words: 'Meaning',
    shown: 'Meaning',
    instead: 'What|it means',
    reads: 'MarkWhat|it meansstetlet it stand',
    accepted: text.replace('Meaning', 'What\\|it means'),
  },
  {
    words: 'two items',
    shown: 'two items',
    instead: '',
    reads: 'one item',
    accepted: text.replace('- two items\n', ''),
  },
  {
    words: 'A quote that goes.',
    shown: 'A quote that goes.',
    instead: '',
    reads: 'Nothing of it stays.',
    accepted: text.replace('> A quote that goes.\n\n', ''),
  },
  {
    words: 'stet',
    upTo: 'let it stand',
    shown: 'stet | let it stand',
    instead: '',
    reads: 'MarkMeaning',
    accepted: text.replace('| stet | let it stand |\n', ''),
  },
  {
    words: 'note',
    shown: 'note',
    instead: '',
    reads: 'A word in it.',
    accepted: text.replace('A note word', 'A word'),
  },
]) {
  test(`“${words}${upTo ? ` … ${upTo}` : ''}” as “${instead}” leaves no half markup`, async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    await page.goto(address)
    await selectWords(page, words, upTo)
    await page.getByRole('button', { name: 'Suggest a change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
    const field = dialog.getByRole('textbox', { name: 'The words, as they should be' })
    await expect(field).toHaveValue(shown)
    await field.fill(instead)
    // What is shown between cells is white space.
    const preview = dialog.getByRole('group', { name: 'How it will read' })
    await expect.poll(async () => squeezed((await preview.textContent()) ?? '')).toBe(squeezed(reads))
    await dialog.getByRole('button', { name: 'Send suggestion' }).click()
    await expect(dialog).toHaveCount(0)
    const [made] = await galley.call<{ id: string }[]>('GET', `/api/documents/${id}/suggestions`)
    await galley.call('POST', `/api/documents/${id}/suggestions/${made!.id}/accept`)
    expect((await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content).toBe(accepted)
    await context.close()
  })
}

for (const { words, upTo, problem } of [
  { words: 'more.', upTo: 'Mark', problem: 'Choose within one table cell' },
  { words: 'Meaning', upTo: 'stet', problem: 'Choose within one table cell' },
  { words: 'of it', upTo: 'A note', problem: 'Choose within the footnote, or within the text' },
  { words: 'A note', upTo: 'word in it.', problem: 'leave its number out' },
]) {
  test(`“${words} … ${upTo}” can’t be left out, but changed`, async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'edit')
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    await page.goto(address)
    await selectWords(page, words, upTo)
    await page.getByRole('button', { name: 'Suggest a change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
    const field = dialog.getByRole('textbox', { name: 'The words, as they should be' })
    await expect(field).not.toHaveValue('')
    const before = await field.inputValue()
    await field.fill('')
    await expect(dialog.getByLabel('The change')).toContainText(problem)
    const send = dialog.getByRole('button', { name: 'Send suggestion' })
    await expect(send).toBeDisabled()
    await field.press('Control+Enter')
    await field.fill(`${before}s`)
    await expect(dialog.getByLabel('The change')).not.toContainText(problem)
    await expect(send).toBeEnabled()
    expect(await galley.call('GET', `/api/documents/${id}/suggestions`)).toEqual([])
    await context.close()
  })
}
