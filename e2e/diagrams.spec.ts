// What a rendered text can do where script runs: code is copied, pictures are enlarged, diagrams are drawn.
import { expect, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { editor, expectSaved, open, test, type OwnerServer, type StoredDocument } from './owner.ts'
import { selectWords } from './select-words.ts'

test.describe.configure({ timeout: 120_000 })

const fence = '```'
const flow = 'flowchart LR\n  accTitle: How a proof travels\n  A[Draft] -->|sent| B(Review)\n  B --> C{Done?}'
const text = `# Boats

${fence}js
const answer = 42
const more = answer + 1
${fence}

${fence}mermaid
${flow}
${fence}

${fence}mermaid
flowchart LR
  A --> --> B
${fence}

![A red square](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAGAAAABgCAIAAABt+uBvAAAAdElEQVR42u3QQQ0AAAgEIL9/6NMYPpwIBUp1YyIgQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBAhQoQIESJEiBDhewsxwgFh1z+r5wAAAABJRU5ErkJggg==)
`
const drawn = 'img[alt="How a proof travels"]'

async function shareOf(server: OwnerServer, { id }: StoredDocument, permission = 'comment'): Promise<string> {
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${id}/share`, { permission })
  return `${server.url}/share/${token}`
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('the reading view draws diagrams, says what is wrong with one, and copies code', async ({
  page,
  server,
}) => {
  const document = await server.create(text)
  await open(page, document)
  await page.keyboard.press('Control+Shift+E')
  const frame = page.frameLocator('iframe[title$="as it reads"]')
  const picture = frame.locator(drawn)
  await expect(picture).toBeVisible({ timeout: 60_000 })
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  // What stands on its edges, too.
  expect(decodeURIComponent((await picture.getAttribute('src'))!)).toMatch(/>sent</)
  await expect(frame.getByText('accTitle')).toBeHidden()
  await frame.getByRole('button', { name: 'Source of the diagram' }).focus()
  await page.keyboard.press('Enter')
  await expect(frame.getByText('accTitle')).toBeVisible()
  await expect(frame.getByRole('note')).toHaveAttribute(
    'aria-label',
    /can’t be drawn\.\s+Parse error on line 2/,
  )
  await expect(frame.getByText('A --> --> B')).toBeVisible()

  await frame.getByRole('button', { name: 'Copy the code' }).first().focus()
  await page.keyboard.press('Enter')
  await expect(frame.getByRole('status')).toHaveText('Copied')
  expect(await clipboard(page)).toBe('const answer = 42\nconst more = answer + 1')

  await frame.getByRole('button', { name: 'A red square, enlarge' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveAccessibleName('Picture 2 of 2')
  await expect(dialog).toContainText('A red square')
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('img', { name: 'How a proof travels' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('the editor draws a diagram where nobody writes in its source, and says what is wrong with one', async ({
  page,
  server,
}) => {
  const document = await server.create(text)
  await open(page, document)
  await page.keyboard.press('Control+Home')
  const written = editor(page)
  const picture = written.locator(drawn)
  await expect(picture).toBeVisible({ timeout: 60_000 })
  await expect(written.getByText('accTitle')).toHaveCount(0)
  await expect(written.getByRole('note')).toContainText('can’t be drawn. Parse error on line 2')
  await expectAccessible(page)
  // Its source is there as soon as somebody goes to it, and it is drawn anew once they have left.
  await picture.click()
  await expect(written.getByText('accTitle')).toBeVisible()
  await expect(picture).toHaveCount(0)
  await written.getByText('accTitle').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' twice')
  await page.keyboard.press('Control+Home')
  const again = written.getByRole('img', { name: 'How a proof travels twice' })
  await expect(again).toBeVisible()
  // By keyboard, too.
  for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowDown')
  await expect(written.getByText('accTitle')).toBeVisible()
  await page.keyboard.press('Control+Home')
  await expect(again).toBeVisible()
  // What somebody said about it is said of its words.
  await expectSaved(page)
  const { content } = await server.get(document)
  const start = content.indexOf('sent')
  const anchor = { exact: 'sent', start, end: start + 4 }
  await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'Why?', anchor })
  await expect(written.locator('.g-mark', { hasText: 'sent' })).toBeVisible()
})

test('a diagram that may take seconds is drawn when it is asked for, where it is read and where it is written', async ({
  page,
  server,
}) => {
  const edges = Array.from({ length: 120 }, (_, i) => `  a${i % 12} --> b${i}`).join('\n')
  const source = `flowchart LR\n  accTitle: Large\n${edges}`
  const document = await server.create(
    `# Boats\n\n${fence}mermaid\n${flow}\n${fence}\n\n${fence}mermaid\n${source}\n${fence}\n`,
  )
  await open(page, document)
  await page.keyboard.press('Control+Home')
  const written = editor(page)
  await expect(written.locator(drawn)).toBeVisible({ timeout: 60_000 })
  await expect(written.getByText('accTitle: Large')).toBeVisible()
  await expectAccessible(page)
  await written.getByRole('button', { name: 'Draw the diagram' }).click()
  await expect(written.getByRole('img', { name: 'Large' })).toBeVisible({ timeout: 60_000 })
  // Another source is asked for anew.
  await server.change(document, (await server.get(document)).content.replace('a0', 'other'))
  await expect(written.getByRole('button', { name: 'Draw the diagram' })).toBeVisible()

  await page.goto(await shareOf(server, document))
  await expect(page.locator(drawn)).toBeVisible({ timeout: 60_000 })
  const ask = page.getByRole('button', { name: 'Draw the diagram' })
  await expect(page.getByText('accTitle: Large')).toBeVisible()
  await expectAccessible(page)
  await ask.press('Enter')
  await expect(page.locator('img[alt="Large"]')).toBeVisible({ timeout: 60_000 })
  await expect(ask).toHaveCount(0)
})

test('a page that the app exports has its diagrams as pictures, and what can’t be drawn as it is written', async ({
  page,
  server,
}) => {
  await open(page, await server.create(text))
  const downloading = page.waitForEvent('download', { timeout: 90_000 })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('export as a web page')
  await page.keyboard.press('Enter')
  const file = await (await downloading).path()
  const html = readFileSync(file, 'utf8')
  expect(html).toContain('language-mermaid">flowchart LR\n  A --&gt; --&gt; B')
  await page.goto('about:blank')
  await page.setContent(html)
  const picture = page.locator(drawn)
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
})

test('the share page does the same, and comments on the source of a diagram stand there', async ({
  browser,
  server,
}) => {
  const document = await server.create(text)
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(await shareOf(server, document))
  await expect(page.locator(drawn)).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Source of the diagram' }).click()

  // What is chosen and copied is the text alone.
  await selectWords(page, ' answer = ', 'A[Draft]')
  expect(await page.evaluate(() => getSelection()!.toString())).not.toMatch(/Copy|Source/)
  await selectWords(page, 'A[Draft] -->|sent| B(Review)')
  await page
    .getByRole('toolbar', { name: 'The selected words' })
    .getByRole('button', { name: 'Comment' })
    .click()
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Why sent?')
  await page.locator('form.composer').getByRole('button', { name: 'Comment' }).click()
  const anchors = async () =>
    (await server.call<{ anchor: { exact: string } }[]>('GET', `/api/documents/${document.id}/comments`)).map(
      ({ anchor }) => anchor.exact,
    )
  await expect.poll(anchors).toEqual(['A[Draft] -->|sent| B(Review)'])

  await page.getByRole('button', { name: 'Copy the code' }).first().click()
  await expect(page.getByText('Copied', { exact: true })).toBeAttached()
  expect(await clipboard(page)).toBe('const answer = 42\nconst more = answer + 1')
  await page.locator(drawn).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('How a proof travels')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator(drawn)).toBeFocused()
  expect(complaints).toEqual([])
  await context.close()
})

test('a hostile diagram runs nothing, asks nobody, and holds nobody up', async ({ browser, server }) => {
  const hostile = [
    'flowchart LR\n  A["<img src=https://elsewhere.example/a.png onerror=parent.hit=1>"] --> B["<script>parent.hit=1</script>"]\n  click A href "javascript:parent.hit=1"\n  click B call hit()',
    '%%{init: {"securityLevel": "loose", "themeCSS": "*{background:url(https://elsewhere.example/b)}", "htmlLabels": true}}%%\nflowchart LR\n  A["<iframe src=https://elsewhere.example/c></iframe>"]:::x\n  classDef x fill:url(https://elsewhere.example/d)',
    `flowchart LR\n${Array.from({ length: 500 }, (_, i) => `  a${i} --> b${i}`).join('\n')}`,
    `flowchart LR\n  A[${'x'.repeat(40_000)}]`,
    'pie\n  "After" : 1',
  ]
  const document = await server.create(hostile.map((one) => `${fence}mermaid\n${one}\n${fence}\n`).join('\n'))
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(await shareOf(server, document, 'view'))
  await page.mouse.wheel(0, 40_000)
  await expect(page.locator('img[alt="Pie chart"]')).toBeVisible({ timeout: 60_000 })
  await page.mouse.wheel(0, -40_000)
  // One isn’t right, one has too many connections, one is too long, which nobody has to ask for.
  await expect(page.getByRole('note')).toHaveCount(3)
  for (const reason of ['It has more than 400 connections.', 'It is longer than 30,000 characters.'])
    await expect(page.getByRole('note', { name: `This diagram can’t be drawn. ${reason}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Draw the diagram' })).toHaveCount(0)
  expect(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual([])
  expect(await page.evaluate(() => 'hit' in window)).toBe(false)
  for (const frame of page.frames().slice(1)) {
    expect(new URL(frame.url()).pathname).toBe('/share/diagrams')
    expect(await frame.evaluate(() => origin)).toBe('null')
  }
  // However it is opened, it has no origin and reaches nobody.
  const answer = await page.request.get(`${server.url}/share/diagrams`)
  expect(answer.headers()['content-security-policy']).toMatch(/default-src 'none'; sandbox allow-scripts;/)
  await context.close()
})
