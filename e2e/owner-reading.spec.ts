// The reading view: its keys, its place in the text, and what is found in it.
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { findBarriers } from './accessible.ts'
import { editor, lookAgain, open, test } from './owner.ts'

const paragraphs = Array.from(
  { length: 120 },
  (_, i) => `Paragraph ${i + 1} says that a galley proof has wide margins, *for a reason*, and waits.`,
)
const text = `# On proofs\r\n\r\n${paragraphs.join('\r\n\r\n')}`
const frame = (page: Page) => page.getByTitle('On proofs, as it reads').contentFrame()
const paragraph = (where: FrameLocator | Page, number: number) =>
  where.getByText(`Paragraph ${number} says`, { exact: false })
const top = async (page: Page, number: number, reading: boolean) => {
  const where = reading ? frame(page) : editor(page)
  return (await where.getByText(`Paragraph ${number} says`).boundingBox())!.y
}
async function goTo(page: Page, number: number) {
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).fill(`Paragraph ${number} says`)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(editor(page)).toBeFocused()
}

test('keys are the app’s, and a place in the text is kept', async ({ page, server }) => {
  await test.step('keys that are pressed in it are the app’s', async () => {
    await open(page, await server.create(text))
    await page.keyboard.press('Control+Shift+E')
    await expect(frame(page).getByText('Paragraph 1 says')).toBeVisible()
    await expect(page.locator('iframe')).toBeFocused()
    await frame(page).getByText('Paragraph 2 says').click()
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Find a document or a command')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await frame(page).getByText('Paragraph 3 says').click()
    await page.keyboard.press('Control+f')
    const find = page.getByRole('search', { name: 'Find' })
    await expect(find.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('paragraph 7')
    await expect(find.getByRole('status')).toHaveText('1 of 11')
    await page.keyboard.press('Shift+Enter')
    await expect(find.getByRole('status')).toHaveText('11 of 11')
    await expect(paragraph(frame(page), 79)).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(find).toHaveCount(0)
    await expect(page.locator('iframe')).toBeFocused()

    await page.keyboard.press('Control+Shift+E')
    await expect(editor(page)).toBeFocused()
  })

  await test.step('keys that are pressed before it has come are the app’s, too', async () => {
    await open(page, await server.create(text))
    let give = () => {}
    const given = new Promise<void>((resolve) => (give = resolve))
    await page.route('**/preview/**', async (route) => {
      await given
      await route.continue()
    })
    await page.keyboard.press('Control+Shift+E')
    await expect(page.locator('iframe')).toHaveCount(1)
    await page.keyboard.press('Control+k')
    const palette = page.getByPlaceholder('Find a document or a command')
    await expect(palette).toBeFocused()
    give()
    await expect(page.locator('iframe')).toBeVisible()
    await expect(frame(page).getByText('Paragraph 1 says')).toBeVisible()
    // What is being typed in isn’t disturbed when it comes.
    await expect(palette).toBeFocused()
  })

  await test.step('it opens where the writer was, and writing goes on where it was read', async () => {
    await open(page, await server.create(text))
    await goTo(page, 60)
    const written = await top(page, 60, false)
    await page.keyboard.press('Control+Shift+E')
    await expect(paragraph(frame(page), 60)).toBeInViewport()
    expect(Math.abs((await top(page, 60, true)) - written)).toBeLessThan(40)

    // Back at once: everything is as it was left.
    await page.keyboard.press('Control+Shift+E')
    await expect(editor(page)).toBeFocused()
    await expect.poll(() => top(page, 60, false)).toBeCloseTo(written, 0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('New: ')
    await expect(editor(page)).toContainText('New: ')

    await page.keyboard.press('Control+Shift+E')
    await expect(paragraph(frame(page), 60)).toBeInViewport()
    await paragraph(frame(page), 100).evaluate((one) => one.scrollIntoView({ block: 'center' }))
    const read = await top(page, 100, true)
    await page.keyboard.press('Control+Shift+E')
    await expect(editor(page)).toBeFocused()
    await expect(editor(page).getByText('Paragraph 100 says')).toBeInViewport()
    await expect.poll(async () => Math.abs((await top(page, 100, false)) - read)).toBeLessThan(40)
    // And the cursor is somewhere in sight.
    await page.keyboard.type('Here.')
    await expect(editor(page).getByText('Here.')).toBeInViewport()
  })

  await test.step('a newer text is read on at the same place', async () => {
    const document = await server.create(text)
    await open(page, document)
    await page.keyboard.press('Control+Shift+E')
    // It may still be on its way to where the writer was.
    await expect(async () => {
      await paragraph(frame(page), 80).scrollIntoViewIfNeeded()
      await expect(paragraph(frame(page), 80)).toBeInViewport({ timeout: 500 })
    }).toPass()
    await server.change(document, `${text}\r\n\r\nA last one.`)
    await lookAgain(page)
    await page.getByRole('status').getByRole('button', { name: 'Show' }).click()
    await expect(frame(page).getByText('A last one.')).toBeAttached()
    await expect(paragraph(frame(page), 80)).toBeInViewport()
  })
})

test('it says that Galley isn’t answering, keeps what it showed, and shows the text once it can', async ({
  page,
  server,
}) => {
  const document = await server.create('# On proofs\n\nFirst words.\n')
  await open(page, document)
  await server.goAway()
  await page.keyboard.press('Control+Shift+E')
  await expect(page.getByRole('status').getByText('The text can’t be shown just now.')).toBeVisible()
  expect(await findBarriers(page, 'alone')).toEqual([])
  await server.comeBack()
  await expect(frame(page).getByText('First words.')).toBeVisible()
  await expect(page.locator('iframe')).toBeFocused()
  await expect(page.getByText('can’t be shown just now.')).toHaveCount(0)

  await server.change(document, '# On proofs\n\nSecond words.\n')
  const show = page.getByRole('status').getByRole('button', { name: 'Show' })
  await expect(show).toBeVisible()
  await server.goAway()
  await show.click()
  await expect(page.getByRole('status').getByText('The newer text can’t be shown just now.')).toBeVisible()
  await expect(frame(page).getByText('First words.')).toBeVisible()
  expect(await findBarriers(page, 'alone')).toEqual([])
  await server.comeBack()
  await expect(frame(page).getByText('Second words.')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(1)
})

test('what is read looks as it is written, and as what is accepted', async ({ page, server }) => {
  await test.step('what the reader accepts is shown at once', async () => {
    const document = await server.create('The cat sat on the mat.\n')
    await server.call('POST', `/api/documents/${document.id}/suggestions`, {
      original_text: 'cat',
      suggested_text: 'dog',
    })
    await open(page, document)
    await page.keyboard.press('Control+Shift+E')
    await expect(frame(page).getByText('The cat')).toBeVisible()
    await page.getByRole('button', { name: 'Comments and suggestions (1)' }).click()
    await page.getByRole('tab', { name: 'Suggestions' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    await expect(frame(page).getByText('The dog sat on the mat.')).toBeVisible()
    await expect(page.getByText('The text has changed.')).toHaveCount(0)
  })

  await test.step('quotes and tasks look while they are written as they read', async () => {
    await open(page, await server.create('First.\n\n> Quoted.\n\n- [x] Done\n- [ ] To do\n', 'On proofs'))
    const look = (part: Locator) =>
      part.evaluate((element) => {
        const { color, fontStyle, textDecorationLine } = getComputedStyle(element)
        return { color, fontStyle, textDecorationLine }
      })
    const box = (part: Locator) =>
      part.evaluate((element) => {
        const { appearance, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element)
        return { appearance, backgroundColor, borderTopColor, borderTopWidth }
      })
    const line = (words: string) => page.locator('.cm-line', { hasText: words })
    const written = {
      quote: await look(line('Quoted.')),
      done: await look(line('Done')),
      undone: await look(line('To do')),
      ticked: await box(page.getByRole('checkbox', { name: 'Done' })),
      empty: await box(page.getByRole('checkbox', { name: 'To do' })),
    }
    await page.keyboard.press('Control+Shift+E')
    const read = frame(page)
    await expect(read.getByText('Quoted.')).toBeVisible()
    expect({
      quote: await look(read.getByText('Quoted.')),
      done: await look(read.locator('li', { hasText: 'Done' })),
      undone: await look(read.locator('li', { hasText: 'To do' })),
      ticked: await box(read.locator('li', { hasText: 'Done' }).locator('input')),
      empty: await box(read.locator('li', { hasText: 'To do' }).locator('input')),
    }).toEqual(written)
  })
})
