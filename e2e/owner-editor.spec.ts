// Writing and reading in the owner's app: formatting, tasks, images, finding, headings, the reading view.
import { expect } from '@playwright/test'
import { editor, expectSaved, expectStored, lookAgain, open, test } from './owner.ts'

test('formats by keyboard, and takes it back', async ({ page, server }) => {
  const document = await server.create('some words\n')
  await open(page, document)
  await page.keyboard.press('Control+Home')
  // In the middle of a word it is about the word.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Control+Alt+2')
  await expectStored(server, document, '## **some** words\n')
  await page.keyboard.press('Control+Alt+2')
  await page.keyboard.press('Control+Shift+8')
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+b')
  await expectStored(server, document, '- **some words**\n')
  for (let i = 0; i < 5; i++) await page.keyboard.press('Control+z')
  await expectStored(server, document, 'some words\n')
})

test('ticks a task by a click', async ({ page, server }) => {
  const document = await server.create('- [ ] one\n- [x] two\n\nText.\n')
  await open(page, document)
  await page.keyboard.press('Control+End')
  await page.getByRole('checkbox', { name: 'To do' }).click()
  await expectStored(server, document, '- [x] one\n- [x] two\n\nText.\n')
})

test('asks another site for an image only after a click', async ({ page, server }) => {
  const asked: (string | undefined)[] = []
  await page.route('https://images.example/**', (route) => {
    asked.push(route.request().headers().referer)
    return route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>',
    })
  })
  const document = await server.create('Text.\n\n![A cat](https://images.example/cat.svg)\n\nMore.\n')
  await open(page, document)
  const show = page.getByRole('button', { name: 'Show the image A cat from images.example' })
  await expect(show).toBeVisible()
  await page.keyboard.type('Typed. ')
  await expectSaved(page)
  expect(asked).toEqual([])
  await show.click()
  await expect(page.getByRole('img', { name: 'A cat' })).toHaveJSProperty('naturalWidth', 40)
  expect(asked).toEqual([undefined])
})

test('finds and replaces', async ({ page, server }) => {
  const document = await server.create('proof of proof, Proofs\n')
  await open(page, document)
  await page.keyboard.press('Control+f')
  const search = page.getByRole('search', { name: 'Find and replace' })
  await search.getByRole('textbox', { name: 'Find' }).fill('proof')
  await expect(search.getByRole('status')).toHaveText(/3$/)
  await search.getByRole('button', { name: 'Match case' }).click()
  await expect(search.getByRole('status')).toHaveText(/2$/)
  await search.getByRole('textbox', { name: 'Replace with' }).fill('draft')
  await search.getByRole('button', { name: 'Replace all matches' }).click()
  await expectStored(server, document, 'draft of draft, Proofs\n')
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
})

test('jumps to headings and counts words as readers would', async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 860 })
  const body = 'Four [words](https://a.example/b/c) in here.\n\n'
  const document = await server.create(`# First\n\n${body.repeat(60)}## Last one\n\n${body.repeat(60)}`)
  await open(page, document)
  await expect(page.getByText('483 words')).toBeVisible()
  const last = page.locator('.cm-line', { hasText: 'Last one' })
  await expect(last).not.toBeInViewport()
  const outline = page.getByRole('navigation', { name: 'Outline' })
  await outline.getByRole('button', { name: 'Last one' }).click()
  await expect(last).toBeInViewport()
  await expect(outline.getByRole('button', { name: 'Last one' })).toHaveAttribute('aria-current', 'location')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('Shift+End')
  await expect(page.getByText(/2 of 483 words/)).toBeVisible()
})

test('the reading view shows hostile markdown safely, and newer text when asked', async ({
  page,
  server,
}) => {
  const evil = '<img src=x onerror="top.__hit=1"><script>top.__hit=1</script>'
  const document = await server.create(`# Proof ${evil}\n\n[link](javascript:top.__hit=1)\n\n${evil}\n`)
  await page.route('**/x', () => expect(false, 'no image is asked for').toBe(true))
  await open(page, document)
  await page.getByRole('combobox', { name: 'What you do in the text' }).selectOption('viewing')
  const frame = page.getByTitle('On proofs, as it reads')
  await expect(frame).toHaveAttribute(
    'sandbox',
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  const reading = frame.contentFrame()
  await expect(reading.getByRole('heading', { name: /Proof/ })).toBeVisible()
  await expect(reading.locator('script, [onerror], a[href^="javascript:"]')).toHaveCount(0)
  expect(await page.evaluate(() => '__hit' in window)).toBe(false)

  await server.change(document, '# Newer\n')
  await lookAgain(page)
  await page.getByRole('status').getByRole('button', { name: 'Show' }).click()
  await expect(reading.getByRole('heading', { name: 'Newer' })).toBeVisible()
  await page.keyboard.press('Control+Shift+e')
  await expect(editor(page)).toBeFocused()
})
