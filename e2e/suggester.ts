// Recipients who write in the text by a link: to suggest by typing, or to change it.
import { expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { galley } from './share-page.ts'

export const wide: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }
export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
  colorScheme: 'dark',
}

export const content = `# On proofs

A galley proof is the draft that goes out for review before print.

The margins are **very wide** for a [reason](https://example.org).

| Mark | Meaning |
| --- | --- |
| stet | let it stand |

The last paragrph.
`

export interface Suggestion {
  id: string
  original_text: string
  suggested_text: string
  note: string | null
  status: string
  range: object | null
}

export const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
export const way = (page: Page) => page.getByRole('combobox', { name: 'What you do in the text' })

/** Opens the text of a page that is read, and waits until one can type there. */
export async function begin(page: Page, what: 'Suggest' | 'Edit' = 'Suggest') {
  await page.getByRole('button', { name: what, exact: true }).click()
  await expect(text(page)).toBeFocused()
}

/** What is suggested for a document, as the server has it. */
export const suggestionsOf = (id: string) =>
  galley.call<Suggestion[]>('GET', `/api/documents/${id}/suggestions`)

export const storedOf = async (id: string) =>
  (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content

/** A link that lets one suggest, and no more. */
export async function linkToSuggest(document = content) {
  const { id } = await galley.createDocument(document)
  const made = await galley.call<{ token: string; id: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'edit',
    suggest_only: true,
  })
  return { id, linkId: made.id, address: `${galley.shareUrl}/share/${made.token}` }
}

/** Somebody who has begun to suggest by such a link. */
export async function suggester(browser: Browser, options: BrowserContextOptions, document = content) {
  const link = await linkToSuggest(document)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) throw new Error(message.text())
  })
  await page.goto(link.address)
  await begin(page)
  const all = () => suggestionsOf(link.id)
  const words = async () =>
    (await all()).map(({ original_text, suggested_text }) => [original_text, suggested_text])
  return { ...link, page, context, all, words, stored: () => storedOf(link.id) }
}

/** Somebody who has begun to write by a link that lets them. */
export async function editor(browser: Browser, options: BrowserContextOptions, document = content) {
  const { id } = await galley.createDocument(document)
  const { address } = await galley.share(id, 'edit')
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(address)
  await begin(page, 'Edit')
  return { page, context, id, all: () => suggestionsOf(id), stored: () => storedOf(id) }
}
