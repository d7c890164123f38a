// Writing and reading in the owner's app: formatting, tasks, images, finding, headings, the reading view.
import { expect } from '@playwright/test'
import { editor, expectSaved, expectStored, lookAgain, open, test } from './owner.ts'

test('formatting, tasks, finding and headings', async ({ page, server }) => {
  await test.step('formats by keyboard, and takes it back', async () => {
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

  await test.step('ticks a task by a click', async () => {
    const document = await server.create('- [ ] one\n- [x] two\n\nText.\n')
    await open(page, document)
    await page.keyboard.press('Control+End')
    await page.getByRole('checkbox', { name: 'To do' }).click()
    await expectStored(server, document, '- [x] one\n- [x] two\n\nText.\n')
  })

  await test.step('finds and replaces', async () => {
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

  await test.step('the mouse selects the words that stood under it, though signs come to be seen there', async () => {
    const document = await server.create(
      'Text.\n\n# The Long Walk\n\n> It never finished.\n\nSome **bold** words.\n',
    )
    await open(page, document)
    const edges = (word: string) =>
      page.evaluate((text) => {
        const walker = window.document.createTreeWalker(
          window.document.querySelector('.cm-content')!,
          NodeFilter.SHOW_TEXT,
        )
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.nodeValue!.indexOf(text)
          if (at < 0) continue
          const range = window.document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + text.length)
          const { left, right, top, bottom } = range.getBoundingClientRect()
          return { left, right, middle: (top + bottom) / 2 }
        }
        throw new Error(`${text} isn’t shown`)
      }, word)
    const selected = () => page.evaluate(() => getSelection()!.toString())
    for (const word of ['Long', 'finished', 'bold']) {
      await page.keyboard.press('Control+Home')
      const { left, right, middle } = await edges(word)
      await page.mouse.dblclick(left + 3, middle, { delay: 40 })
      expect(await selected()).toBe(word)
      await page.keyboard.press('Control+Home')
      await page.mouse.move(left + 1, middle)
      await page.mouse.down()
      await page.mouse.move(right - 1, middle, { steps: 4 })
      expect(await selected()).toBe(word)
      await page.mouse.up()
      await expect.poll(selected).toBe(word)
    }
    // And once it is let go the signs are there to write in.
    await expect(page.getByText('**bold**')).toBeVisible()
  })

  await test.step('jumps to headings and counts words as readers would', async () => {
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
    await expect(outline.getByRole('button', { name: 'Last one' })).toHaveAttribute(
      'aria-current',
      'location',
    )
    await expect(editor(page)).toBeFocused()
    await page.keyboard.press('Shift+End')
    await expect(page.getByText(/2 of 483 words/)).toBeVisible()
  })

  await test.step('of very many headings the outline has those that are near', async () => {
    await page.setViewportSize({ width: 1440, height: 860 })
    await open(page, await server.create('# One\n'.repeat(1_999) + '# Last one\n'))
    const outline = page.getByRole('navigation', { name: 'Outline' })
    await expect(outline.getByText('500 more below')).toBeAttached()
    await expect(outline.getByRole('button')).toHaveCount(1_500)
    await page.keyboard.press('Control+End')
    await expect(outline.getByText('1,000 more above')).toBeAttached()
    await outline.getByRole('button', { name: 'Last one' }).click()
    await expect(editor(page)).toBeFocused()
  })
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

// Each of these once hung or crashed the editor, before the next key or for good.
const poison = [
  'a' + '\u0301'.repeat(20_000),
  'b' + '🏽'.repeat(5_000),
  '*'.repeat(20_000) + 'a' + '*'.repeat(20_000),
  '- '.repeat(4_000) + 'x',
  '>'.repeat(10_000),
  '[a](b'.repeat(8_000),
]

/** What the page’s editor consists of, reached as by nobody. */
interface View {
  state: { doc: { toString(): string } }
  update: (transactions: unknown) => void
  dispatch: (spec: unknown) => void
}

test('whatever stands in a text, it is shown and written in', async ({ page, server }) => {
  const troubles: string[] = []
  page.on('pageerror', ({ message }) => troubles.push(message))
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()))
  const document = await server.create('Here: \n')
  await open(page, document)
  const text = `Here: \n\n${poison.join('\n\n')}\n\n*End*\n`
  await server.change(document, text)
  await lookAgain(page)
  await expect(editor(page).getByText('20,000 combining marks')).toBeVisible()
  await expect(editor(page).getByText('5,000 combining marks')).toBeVisible()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
  await page.keyboard.type('mine')
  await expectStored(server, document, text.replace('Here: ', 'Here: mine'))
  await page.reload()
  await expect(editor(page).getByText('Here: mine')).toBeVisible()
  await editor(page).focus()
  await page.keyboard.press('Control+End')
  await expect(editor(page).locator('.md-emphasis', { hasText: 'End' })).toBeVisible()
  expect(troubles).toEqual([])
})

test('an editor that throws shows what has changed, or says that it doesn’t', async ({ page, server }) => {
  const document = await server.create('# One\n')
  await open(page, document)
  const inEditor = (act: (view: View) => unknown) =>
    editor(page).evaluate((element, does) => {
      const { cmTile } = element as unknown as { cmTile: { view: View } }
      return (0, eval)(`(${does})`)(cmTile.view)
    }, act.toString())
  // It doesn’t take a change, by whatever way.
  await inEditor((view) => {
    const { dispatch } = view
    Object.assign(window, { mend: () => (view.dispatch = dispatch) })
    view.dispatch = () => {
      throw new Error('No')
    }
  })
  await server.change(document, '# One\n\nTwo\n')
  await lookAgain(page)
  const state = page.locator('[data-save-state]').first()
  await expect(state).toHaveAttribute('data-save-state', 'failed')
  await expect(page.getByText(/isn’t what is stored/).first()).toBeVisible()
  await page.evaluate('mend()')
  await expect(editor(page).getByText('Two')).toBeVisible()
  await expect(state).toHaveAttribute('data-save-state', 'saved')

  // Its markdown can’t be read: the text is all the same.
  await inEditor((view) => {
    const { update } = view
    view.update = () => {
      view.update = update
      throw new Error('No')
    }
  })
  await server.change(document, '# One\n\nTwo\n\nThree\n')
  await lookAgain(page)
  await expect(editor(page).getByText('Three')).toBeVisible()
  await expect(page.getByText('The text is shown plain')).toBeVisible()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Four')
  await expectStored(server, document, '# One\n\nTwo\n\nThree\nFour')
})
