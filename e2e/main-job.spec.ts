// The main job of Galley on real input, from a folder of markdown to a link that is gone, all through the pages.
import { expect, test, type Browser, type Page } from '@playwright/test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startGalley, type GalleyProcess } from './galley-process.ts'
import { selectWords } from './select-words.ts'

const root = path.resolve(import.meta.dirname, '..')
const most = 300

// The one that is looked for, wherever it stands among the dependencies.
const sought = path.join(root, 'node_modules', 'marked', 'README.md')

/** Markdown that others have written: the READMEs and changelogs of this project's own dependencies. */
function realMarkdown(): string[] {
  const found = [sought]
  const pending = [path.join(root, 'node_modules')]
  for (let folder = pending.shift(); folder !== undefined && found.length < most; folder = pending.shift()) {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.')) pending.push(file)
      else if (file === sought || found.length === most) continue
      else if (/\.(md|markdown)$/i.test(entry.name) && statSync(file).size > 200) found.push(file)
    }
  }
  return found
}

const paragraph = 'The compositor pulls a proof, and the reader marks it with a soft blue pencil.'
let galley: GalleyProcess
let data: string
test.beforeAll(async () => {
  data = mkdtempSync(path.join(tmpdir(), 'galley-main-job-'))
  galley = await startGalley(data)
})
test.afterAll(async () => {
  await galley.stop()
  rmSync(data, { recursive: true, force: true })
})

/** A recipient: a browser of their own that has nothing but the link. */
async function recipient(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  return page
}

test('a writer imports, finds, edits, shares, hears back, decides, restores and revokes', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const files = realMarkdown()
  expect(files.length, 'a few hundred files to import').toBeGreaterThan(200)
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(String(error)))

  await test.step('sign in by the link, which works once', async () => {
    await page.goto(galley.signInLink)
    await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
    expect(page.url()).not.toContain('#')
    const again = await recipient(browser, galley.signInLink)
    await expect(again.getByText('This sign-in link no longer works')).toBeVisible()
    await again.context().close()
  })

  await test.step(`import ${files.length} files`, async () => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import files…' }).click()
    await (await choosing).setFiles(files)
    const progress = page.getByRole('region', { name: 'Import' })
    await expect(progress.getByText(new RegExp(`${files.length} documents`))).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('list', { name: 'Documents' }).getByRole('link').first()).toBeVisible()
  })

  await test.step('find one among them and open it', async () => {
    await page.getByRole('textbox', { name: 'Search documents' }).fill('"low-level compiler" without cach')
    await expect(page.getByRole('heading', { name: 'Found' })).toBeVisible()
    await page
      .getByRole('list', { name: 'Documents' })
      .getByRole('link', { name: /^Marked/ })
      .first()
      .click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(/marked/i)
  })

  const editor = page.locator('.cm-content')
  const id = /documents\/([0-9a-f-]{36})/.exec(page.url())![1]!
  const stored = () =>
    page.evaluate(async (id) => {
      const response = await fetch(`/api/documents/${id}`)
      return ((await response.json()) as { data: { content: string; revision: number } }).data
    }, id)
  const imported = (await stored()).content
  expect(
    files.some((file) => readFileSync(file, 'utf8') === imported),
    'the text is exactly a file’s',
  ).toBe(true)

  await test.step('write in it, and see it saved', async () => {
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type(`${paragraph}\n\n`)
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await expect.poll(async () => (await stored()).content).toBe(`${paragraph}\n\n${imported}`)
  })

  const links = await test.step('share it three ways', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const made: Record<string, string> = {}
    for (const [permission, label] of [
      ['view', 'To read'],
      ['comment', 'To comment'],
      ['edit', 'To improve'],
    ] as const) {
      await page.getByRole('button', { name: /^(New|Create a) link$/ }).click()
      const form = page.getByRole('form', { name: 'New link' })
      await form.locator(`input[type=radio][value=${permission}]`).check()
      await form.getByRole('textbox', { name: /Name/ }).fill(label)
      await form.getByRole('button', { name: 'Create and copy' }).click()
      const address = page.getByRole('textbox', { name: `Address of ${label}` })
      made[permission] = await address.inputValue()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(made[permission])
    }
    return made as { view: string; comment: string; edit: string }
  })

  await test.step('one recipient reads', async () => {
    const reader = await recipient(browser, links.view)
    await expect(reader.getByText(paragraph)).toBeVisible()
    await expect(reader.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
    await expect(reader.getByRole('button', { name: 'Comment', exact: true })).toHaveCount(0)
    await reader.context().close()
  })

  await test.step('another comments, and the comment stands beside its words', async () => {
    const reader = await recipient(browser, links.comment)
    await selectWords(reader, 'soft blue pencil')
    await reader
      .getByRole('toolbar', { name: 'The selected words' })
      .getByRole('button', { name: 'Comment' })
      .click()
    await reader.getByRole('textbox', { name: 'Your comment' }).fill('Why blue?')
    await reader.getByRole('textbox', { name: 'Your name' }).fill('First reader')
    await reader.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
    await expect(reader.getByRole('article', { name: 'Comment by First reader' })).toBeVisible()
    await reader.context().close()

    await page.getByRole('tab', { name: /Comments/ }).click()
    const thread = page.getByRole('list', { name: 'Comments' }).getByRole('article')
    await expect(thread.getByText('Why blue?')).toBeVisible()
    await expect(thread.getByText('soft blue pencil')).toBeVisible()
    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByRole('textbox', { name: 'Your reply' }).fill('Cameras didn’t see it.')
    await page.keyboard.press('Control+Enter')
    await expect(thread.getByText('Cameras didn’t see it.')).toBeVisible()
  })

  await test.step('a third suggests twice and edits', async () => {
    const third = await recipient(browser, links.edit)
    for (const [words, better] of [
      ['pulls a proof', 'pulls a galley proof'],
      ['marks it', 'spoils it'],
    ] as const) {
      await selectWords(third, words)
      await third
        .getByRole('toolbar', { name: 'The selected words' })
        .getByRole('button', { name: /Suggest/ })
        .click()
      const dialog = third.getByRole('dialog', { name: 'Suggest a change' })
      await dialog.getByRole('textbox', { name: 'The words, as they should be' }).fill(better)
      await dialog.getByRole('button', { name: 'Send suggestion' }).click()
      await expect(dialog).toHaveCount(0)
    }
    await third.getByRole('button', { name: 'Edit', exact: true }).click()
    await third.locator('.cm-content').click()
    await third.keyboard.press('Control+End')
    await third.keyboard.type('\n\nA line from afar.')
    await expect.poll(async () => (await stored()).content).toContain('A line from afar.')
    await third.context().close()
  })

  await test.step('the writer sees the edit, accepts one suggestion and rejects the other', async () => {
    await page.getByRole('tab', { name: /Suggestions/ }).click()
    const cards = page.getByRole('list', { name: 'Suggestions' }).getByRole('article')
    await expect(cards).toHaveCount(2)
    await cards.filter({ hasText: 'galley' }).getByRole('button', { name: 'Accept' }).click()
    await expect(cards).toHaveCount(1)
    await cards.filter({ hasText: 'spoils' }).getByRole('button', { name: 'Reject' }).click()
    await expect(cards).toHaveCount(0)
    await expect
      .poll(async () => (await stored()).content)
      .toContain('pulls a galley proof, and the reader marks it')
    await expect(editor).toContainText('pulls a galley proof')
    expect((await stored()).content).toContain('A line from afar.')
    await page.getByRole('tab', { name: /Comments/ }).click()
    await expect(page.getByRole('list', { name: 'Comments' }).getByText('soft blue pencil')).toBeVisible()
  })

  await test.step('restore the text as it was imported', async () => {
    await page.getByRole('tab', { name: 'Versions' }).click()
    const panel = page.getByRole('tabpanel', { name: 'Versions' })
    await panel.getByRole('button').last().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(/change/).first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Restore this version' }).click()
    await expect.poll(async () => (await stored()).content).toBe(imported)
    await expect(editor).not.toContainText('A line from afar.')
    await page.keyboard.press('Escape')
  })

  await test.step('revoke a link and see it die', async () => {
    await page.getByRole('tab', { name: 'Share' }).click()
    const link = page.getByRole('article', { name: 'To improve' })
    await link.getByRole('button', { name: 'Revoke' }).click()
    await expect(link).toHaveCount(0)
    const late = await recipient(browser, links.edit)
    await expect(late.getByRole('heading', { name: 'This link doesn’t open anything' })).toBeVisible()
    await late.context().close()
    const token = links.edit.split('/').pop()!
    const refused = await fetch(`${galley.shareUrl}/api/documents/${id}?share_token=${token}`)
    expect([
      refused.status,
      ((await refused.json()) as { error: { message: string } }).error.message,
    ]).toEqual([401, 'Unauthorized'])
  })

  expect(troubles).toEqual([])
  await context.close()
})
