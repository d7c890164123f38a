// Suggestions on words with formatting around them: made by recipients, accepted by the owner.
import { expect, test, type Browser } from '@playwright/test'
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

/** A page by a link of its own to `text`. */
async function open(browser: Browser) {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(address)
  const dialog = page.getByRole('dialog', { name: 'Suggest a change' })
  const field = dialog.getByRole('textbox', { name: 'The words, as they should be' })
  const choose = async (words: string, upTo?: string) => {
    await selectWords(page, words, upTo)
    await page.getByRole('button', { name: 'Suggest a change' }).click()
  }
  return { id, page, context, dialog, field, choose }
}

interface Change {
  words: string
  upTo?: string
  shown: string
  instead: string
  reads: string
  /** What it makes of the text, once it is accepted. */
  from: string
  to: string
}
/** Each is of other blocks than the others of its list. */
const changes: Change[][] = [
  [
    {
      words: 'proof of',
      upTo: 'bold',
      shown: 'proof of **bold words**',
      instead: 'proof of **heavy words**',
      reads: 'A proof of heavy words and more.',
      from: 'bold',
      to: 'heavy',
    },
    {
      words: 'let it stand',
      shown: 'let it stand',
      instead: 'let it|stand',
      reads: 'MarkMeaningstetlet it|stand',
      from: 'let it stand',
      to: 'let it\\|stand',
    },
    {
      words: 'two items',
      shown: 'two items',
      instead: '',
      reads: 'one item',
      from: '- two items\n',
      to: '',
    },
    {
      words: 'note',
      shown: 'note',
      instead: '',
      reads: 'A word in it.',
      from: 'A note word',
      to: 'A word',
    },
  ],
  [
    {
      words: 'bold words',
      shown: 'bold words',
      instead: '',
      reads: 'A proof of and more.',
      from: '**bold words** ',
      to: '',
    },
    {
      words: 'Meaning',
      shown: 'Meaning',
      instead: 'What|it means',
      reads: 'MarkWhat|it meansstetlet it stand',
      from: 'Meaning',
      to: 'What\\|it means',
    },
    {
      words: 'A quote that goes.',
      shown: 'A quote that goes.',
      instead: '',
      reads: 'Nothing of it stays.',
      from: '> A quote that goes.\n\n',
      to: '',
    },
  ],
  [
    {
      words: 'A proof',
      upTo: 'more.',
      shown: 'A proof of **bold words** and more.',
      instead: 'A proof of **bold words**  more.',
      reads: 'A proof of bold words more.',
      from: 'and more',
      to: 'more',
    },
    {
      words: 'stet',
      upTo: 'let it stand',
      shown: 'stet | let it stand',
      instead: '',
      reads: 'MarkMeaning',
      from: '| stet | let it stand |\n',
      to: '',
    },
  ],
  [
    {
      words: 'and more.',
      shown: 'and more.',
      instead: '',
      reads: 'A proof of bold words',
      from: ' and more.',
      to: '',
    },
  ],
]
for (const list of changes) {
  test(`no half markup is left by a suggestion on ${list.map(({ shown }) => `“${shown}”`).join(', ')}`, async ({
    browser,
  }) => {
    const { id, context, dialog, field, choose } = await open(browser)
    let accepted = text
    for (const { words, upTo, shown, instead, reads, from, to } of list)
      await test.step(`“${words}${upTo ? ` … ${upTo}` : ''}” as “${instead}” leaves no half markup`, async () => {
        await choose(words, upTo)
        await expect(field).toHaveValue(shown)
        await field.fill(instead)
        // What is shown between cells is white space.
        const preview = dialog.getByRole('group', { name: 'How it will read' })
        await expect.poll(async () => squeezed((await preview.textContent()) ?? '')).toBe(squeezed(reads))
        await dialog.getByRole('button', { name: 'Send suggestion' }).click()
        await expect(dialog).toHaveCount(0)
        accepted = accepted.replace(from, to)
      })
    const made = await galley.call<{ id: string }[]>('GET', `/api/documents/${id}/suggestions`)
    expect(made).toHaveLength(list.length)
    for (const { id: one } of made)
      await galley.call('POST', `/api/documents/${id}/suggestions/${one}/accept`)
    expect((await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content).toBe(accepted)
    await context.close()
  })
}

test('what holds no words together can’t be left out, but changed', async ({ browser }) => {
  const { id, page, context, dialog, field, choose } = await open(browser)
  for (const { words, upTo, problem } of [
    { words: 'more.', upTo: 'Mark', problem: 'Choose within one table cell' },
    { words: 'Meaning', upTo: 'stet', problem: 'Choose within one table cell' },
    { words: 'of it', upTo: 'A note', problem: 'Choose within the footnote, or within the text' },
    { words: 'A note', upTo: 'word in it.', problem: 'leave its number out' },
  ])
    await test.step(`“${words} … ${upTo}” can’t be left out, but changed`, async () => {
      await choose(words, upTo)
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
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    })
  await context.close()
})
