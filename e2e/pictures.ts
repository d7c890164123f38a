// Takes the README's pictures from the desktop app's window: `GALLEY_PICTURES=1 npm test -- e2e`, on
// Electron's own binary with GALLEY_REAL_ELECTRON=1, else on the fake. No test: it asserts nothing, and runs only when it is asked for.
import { expect, test, type Page } from '@playwright/test'
import path from 'node:path'
import { DesktopApp, sayWhichElectron } from './desktop-app.ts'

const folder = path.join(import.meta.dirname, '../docs/pictures')

const content = `# The galley proof

Long before a book was printed, its type was set in long trays called *galleys*, and a first impression was pulled from each: the **galley proof**. The margins were wide for a reason. They were where the author, the editor and the printer’s reader met.

## How it travelled

1. The compositor pulled a proof on a long sheet of cheap paper.
2. The reader compared it with the copy, line by line, and marked what was wrong.
3. The author got it with the words “please return within the week”.

> A proof that comes back in a week has been read. A proof that comes back the same day has been trusted.

- [x] type set by hand
- [ ] type set by machine

## What stayed

The word, and the wide margin.
`

/** Calls the API as the window’s page, which main has signed in; a recipient’s call leaves its session out. */
const call = <Data>(page: Page, url: string, body: object, as: 'owner' | 'recipient' = 'owner') =>
  page.evaluate(
    async ({ url, body, as }) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        credentials: as === 'owner' ? 'same-origin' : 'omit',
        body: JSON.stringify(body),
      })
      const envelope = (await response.json()) as { data: unknown; error: { message: string } | null }
      if (envelope.error) throw new Error(envelope.error.message)
      return envelope.data
    },
    { url, body, as },
  ) as Promise<Data>

const anchored = (exact: string) => {
  const start = content.indexOf(exact)
  return { exact, prefix: '', suffix: '', start, end: start + exact.length }
}

test('pictures for the README', async () => {
  sayWhichElectron()
  const app = await DesktopApp.start()
  try {
    const page = await app.page()
    const { id } = await call<{ id: string }>(page, '/api/documents', { title: 'The galley proof', content })
    const of = `/api/documents/${id}`
    const { token } = await call<{ token: string }>(page, `${of}/share`, { permission: 'edit' })
    const asReader = <Data>(what: string, body: object) =>
      call<Data>(page, `${of}/${what}?share_token=${token}`, { ...body, author_name: 'Reader' }, 'recipient')
    const first = await asReader<{ id: string }>('comments', {
      body: 'Is this the first use of the word? The shipping sense may be older.',
      anchor: anchored('long trays called *galleys*'),
    })
    await call(page, `${of}/comments`, { body: 'It is; I will say so in a note.', parent_id: first.id })
    await asReader('comments', { body: 'Lovely. Keep it.', anchor: anchored('has been trusted') })
    await asReader('suggestions', { original_text: 'cheap paper', suggested_text: 'the cheapest paper' })

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(new URL(`/documents/${id}`, page.url()).href)
    await page.getByRole('button', { name: /^Comments/ }).click()
    await expect(page.getByText('Lovely. Keep it.')).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.mouse.move(700, 850)
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      await expect(page.locator('html')).toHaveCSS('color-scheme', new RegExp(colorScheme))
      await page.screenshot({
        path: path.join(folder, `document-${colorScheme}.png`),
        animations: 'disabled',
      })
    }
  } finally {
    await app.remove()
  }
})
