// What the owner's hands do all day: undo, emphasis, lists, pasting.
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import {
  editor,
  expectSaved,
  expectStored,
  lookAgain,
  neverLookByItself,
  open,
  test,
  write,
  type StoredDocument,
} from './owner.ts'

test('a title that a program has given stays when the heading is changed, one that the app took from it doesn’t', async ({
  page,
  server,
}) => {
  const meant = await server.create('# Plan\n\nWords.', 'Plan')
  const taken = await server.call<StoredDocument>('POST', '/api/documents', { content: '' })
  const title = page.getByRole('textbox', { name: 'Title' })
  const extend = async (document: StoredDocument, words: string) => {
    await page.goto(`/documents/${document.id}`)
    await editor(page).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    await page.keyboard.type(words)
  }
  await extend(meant, ' of ours')
  await expectStored(server, meant, '# Plan of ours\n\nWords.')
  await expect(title).toHaveValue('Plan')
  expect((await server.get(meant)).title).toBe('Plan')

  await extend(taken, '# Plan')
  await expect(title).toHaveValue('Plan')
  await expectStored(server, taken, '# Plan')
  // Also when it is opened again: the app has named it.
  await extend(taken, ' of ours')
  await expect(title).toHaveValue('Plan of ours')
})

test('undo takes back what was typed, not suggestions that were accepted, which have an undo of their own', async ({
  page,
  server,
}) => {
  const document = await server.create('The cat sat on the mat.\n')
  const at = `/api/documents/${document.id}/suggestions`
  for (const [original_text, suggested_text] of [
    ['cat', 'dog'],
    ['mat', 'rug'],
    ['sat', 'lay'],
    ['sat', 'slept'],
  ])
    await server.call('POST', at, { original_text, suggested_text })
  await open(page, document)
  const undo = page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Undo' })
  await expect(undo).toBeDisabled()
  await write(page, document, 'My last words.')
  await page.getByRole('button', { name: 'Comments and suggestions (4)' }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  // Nobody chooses for the owner.
  await expect(page.getByText('One place has alternatives: choose one')).toBeVisible()
  await page.getByRole('button', { name: 'Accept 2 of 4' }).click()
  const toast = page.getByRole('listitem').filter({ hasText: '2 suggestions accepted. One place has' })
  await expect(toast).toBeVisible()
  await editor(page).focus()
  await page.keyboard.press('Control+z')
  // It is said beside the Undo of the decision, which stays.
  await expect(toast).toContainText('undo takes back only what you typed')
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(1)
  await expectStored(server, document, 'The dog sat on the rug.\nMy last words.')
  await undo.click()
  await expectStored(server, document, 'The dog sat on the rug.\n')
  await expect(undo).toBeDisabled()
  await page.keyboard.press('Control+Shift+z')
  await expectStored(server, document, 'The dog sat on the rug.\nMy last words.')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expectStored(server, document, 'The cat sat on the mat.\nMy last words.')
})

test('undo of a deleted paragraph that came back doesn’t put it there twice', async ({ page, server }) => {
  await neverLookByItself(page)
  const document = await server.create('First.\n\nSomebody writes in here.\n\nLast.\n')
  await open(page, document)
  await page.locator('.cm-line', { hasText: 'Somebody' }).click({ clickCount: 3 })
  await page.keyboard.press('Delete')
  await expectSaved(page)
  // The other writer’s page had the paragraph still, and kept it with what was typed in it.
  await server.change(document, 'First.\n\nSomebody else writes in here.\n\nLast.\n')
  await lookAgain(page)
  await expect(editor(page)).toContainText('Somebody else writes in here.')
  await editor(page).focus()
  await page.keyboard.press('Control+z')
  await expect(editor(page)).toHaveText(/^First\.\s*Somebody else writes in here\.\s*Last\.\s*$/)
  await expectSaved(page)
  const { content } = await server.get(document)
  expect(content.match(/Somebody/g)).toHaveLength(1)
})

test('emphasis, lists, quotes and tables by keyboard', async ({ page, server }) => {
  await test.step('lists and quotes are left by Enter, and items moved by Tab', async () => {
    const document = await server.create('')
    await open(page, document)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await editor(page).focus()
    await page.keyboard.type('1. one')
    await press('Enter')
    await page.keyboard.type('in it')
    await press('Tab', 'Enter')
    await press('Shift+Tab')
    await page.keyboard.type('two')
    await press('Enter', 'Enter')
    await page.keyboard.type('- [ ] task')
    await press('Enter', 'Enter')
    await page.keyboard.type('> said')
    await press('Enter', 'Enter')
    await page.keyboard.type('Done.')
    await expectStored(server, document, '1. one\n   1. in it\n2. two\n\n- [ ] task\n\n> said\n\nDone.')
    await expect(editor(page)).toBeFocused()
    await press('Control+Shift+ArrowLeft', 'Escape', 'Tab')
    await expect(editor(page), 'Escape and Tab leave the text').not.toBeFocused()
    await expectStored(server, document, '1. one\n   1. in it\n2. two\n\n- [ ] task\n\n> said\n\nDone.')
  })

  await test.step('Tab goes from cell to cell of a table and makes new rows', async () => {
    const document = await server.create('')
    await open(page, document)
    await page.keyboard.type('| a | b |\n| --- | --- |\n| c | d')
    await page.keyboard.press('Tab')
    await page.keyboard.type('e')
    await page.keyboard.press('Tab')
    await page.keyboard.type('f')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('g')
    await expectStored(server, document, '| a   | b   |\n| --- | --- |\n| c   | d   |\n| g   | f   |')
    await expect(editor(page)).toBeFocused()
  })

  await test.step('Home goes to the words, Backspace takes their mark away, and Enter leaves a table', async () => {
    const document = await server.create('1. a\n2. b\n3. c\n\n- [ ] task\n\n## h\n\n| a |\n| --- |\n| b |')
    await open(page, document)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Control+Home', 'ArrowDown', 'End', 'Shift+Home', 'Backspace')
    await page.keyboard.type('x')
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'Home')
    await page.keyboard.type('my ')
    await press('ArrowDown', 'ArrowDown', 'End', 'Home', 'Backspace')
    await press('Control+End', 'Enter')
    await page.keyboard.type('| c |')
    await press('Enter', 'Enter')
    await page.keyboard.type('done')
    await expectStored(
      server,
      document,
      '1. a\n2. x\n3. c\n\n- [ ] my task\n\nh\n\n| a   |\n| --- |\n| b   |\n| c   |\n\ndone',
    )
  })

  await test.step('emphasis ends where it is ended, and the bar shows what is on', async () => {
    const document = await server.create('Some \n')
    await open(page, document)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    const bold = page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bold' })
    const italic = page.getByRole('button', { name: 'Italic' })
    await expect(bold).toHaveAttribute('aria-pressed', 'false')
    await page.keyboard.press('Control+b')
    await expect(bold).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.type('bold words')
    await expect(bold).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Control+b')
    await expect(bold).toHaveAttribute('aria-pressed', 'false')
    await page.keyboard.type(' and ')
    await italic.click()
    await page.keyboard.type('slanted ')
    await expect(italic).toHaveAttribute('aria-pressed', 'true')
    await italic.click()
    await page.keyboard.type('ones')
    await expectStored(server, document, 'Some **bold words** and *slanted* ones\n')
  })

  await test.step('emphasis that ends with punctuation is emphasis for readers too', async () => {
    const document = await server.create('')
    await open(page, document)
    await page.keyboard.press('Control+b')
    await page.keyboard.type('"hi!"')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('and un')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('believ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('able')
    await expectStored(server, document, '"**hi!**"and un**believ**able')
  })

  await test.step('emphasis ends with its line', async () => {
    const document = await server.create('')
    await open(page, document)
    await page.keyboard.type('x ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('one\n\ntwo\n\n- item\n\nout')
    await expectStored(server, document, 'x **one**\n\ntwo\n\n- item\n\nout')
  })

  await test.step('a selected word leaves others like it alone, until it is looked for', async () => {
    const document = await server.create('A word, another word, the last word.')
    await open(page, document)
    await page.getByText('A word').dblclick({ position: { x: 30, y: 8 } })
    await expect(page.locator('.cm-selectionBackground')).toHaveCount(1)
    await expect(page.locator('.cm-selectionMatch')).toHaveCount(0)
    await page.keyboard.press('Control+f')
    await expect(page.locator('.cm-searchMatch')).toHaveCount(3)
  })
})

test('a slash opens a menu of what can be inserted, and a table has a bar', async ({ page, server }) => {
  const document = await server.create('Boats')
  await open(page, document)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' /')
  const menu = page.getByRole('listbox', { name: 'Insert' })
  const marked = menu.getByRole('option', { selected: true })
  await expect(marked).toHaveText('Table')
  await expect(editor(page)).toHaveAttribute('aria-activedescendant', 'insert-menu-table')
  await page.keyboard.press('ArrowUp')
  await expect(marked).toHaveText('Heading 3')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expectStored(server, document, 'Boats /')
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Insert…' }).click()
  await menu.getByRole('option', { name: 'Table' }).click()
  await page.keyboard.type('a')
  await page.keyboard.press('Tab')
  await page.keyboard.type('b')
  const bar = page.getByRole('toolbar', { name: 'Table' })
  await bar.getByRole('button', { name: 'Align the column right' }).click()
  await page.keyboard.press('Alt+F10')
  await expect(bar.getByRole('button', { name: 'Add a row below' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(editor(page)).toBeFocused()
  const empty = '|     |     |     |'
  const table = `| a   |   b |     |\n| --- | --: | --- |\n${empty}\n${empty}`
  await expectStored(server, document, `Boats\n\n${table}`)

  // On a phone it stands beside the other bar, covers none of this, and fades where there is more of it.
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(bar.locator('.more-after')).toBeVisible()
  const edge = async (place: Locator, side: 'y' | 'end') => {
    const { y, height } = (await place.boundingBox())!
    return side === 'y' ? y : y + height
  }
  const last = editor(page).locator('.cm-line').last()
  expect(await edge(bar, 'y')).toBeGreaterThan(await edge(last, 'end'))
  const formatting = page.getByRole('toolbar', { name: 'Formatting' })
  expect(await edge(bar, 'end')).toBeLessThanOrEqual(await edge(formatting, 'y'))
})

/** Puts a text on the clipboard with its look, as another program would. */
const copyHtml = (page: Page, html: string, text: string) =>
  page.evaluate(
    ([html, text]) =>
      navigator.clipboard.write([
        new ClipboardItem({
          'text/html': new Blob([html!], { type: 'text/html' }),
          'text/plain': new Blob([text!], { type: 'text/plain' }),
        }),
      ]),
    [html, text],
  )

test('what is pasted', async ({ page, server }) => {
  await test.step('what is pasted keeps its look as markdown, or comes in plain', async () => {
    const document = await server.create('')
    await open(page, document)
    await editor(page).focus()
    const html =
      '<h2>Title</h2><p>Some <b>bold</b> and <i>slanted</i> words, <a href="https://a.example/">linked</a>.</p>' +
      '<ol><li>one<ul><li>in it</li></ul></li><li>two</li></ol>' +
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'
    await copyHtml(page, html, 'Title\n\nplain')
    await page.keyboard.press('Control+v')
    const markdown =
      '## Title\n\nSome **bold** and *slanted* words, [linked](https://a.example/).\n\n' +
      '1. one\n   - in it\n2. two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |'
    await expectStored(server, document, markdown)
    await page.keyboard.press('Control+z')
    await expectStored(server, document, '')
    await page.keyboard.press('Control+Shift+v')
    await expectStored(server, document, 'Title\n\nplain')
    // One right after the other: each comes in as it is asked for.
    await page.keyboard.press('Control+a')
    await copyHtml(page, '<p><em>few</em> words</p>', 'few words')
    await page.keyboard.press('Control+Shift+v')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+v')
    await expectStored(server, document, '*few* words')
  })

  await test.step('what Galley copied with its look is pasted as the markdown it was', async () => {
    const markdown = 'A __bold__ word[^1] and $a^2$.\n\n[^1]: A note.'
    const document = await server.create(markdown)
    await open(page, document)
    await page.keyboard.press('Control+Shift+C')
    await expect(page.getByText('The whole document is copied')).toBeVisible()
    const html = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      return (await item!.getType('text/html')).text()
    })
    expect(html).toContain('<strong')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Before ')
    await page.keyboard.press('Control+v')
    await expectStored(server, document, `Before ${markdown}`)
  })

  await test.step('nothing of what is pasted runs or is asked for', async () => {
    const document = await server.create('')
    await open(page, document)
    await editor(page).focus()
    const asked: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) asked.push(request.url())
    })
    const html = `<p><b>Words</b><img src="https://a.example/x.png" onerror="window.ran=1"><script>window.ran=1</script>
    <a href="javascript:window.ran=1">here</a><link rel="stylesheet" href="https://a.example/x.css">
    <svg onload="window.ran=1"></svg><iframe src="https://a.example/"></iframe><style>@import "https://a.example/y.css"</style></p>`
    // As a program gives it, which the browser’s own clipboard would have cleaned.
    for (let i = 0; i < 2; i++) {
      await editor(page).evaluate((content, html) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', html)
        clipboardData.setData('text/plain', 'Words here')
        content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, html)
      await expect(editor(page)).toContainText('here')
    }
    await expectSaved(page)
    const { content } = await server.get(document)
    expect(content).toContain('**Words**![](https://a.example/x.png)')
    expect(content).not.toMatch(/javascript|script|iframe|svg/)
    expect(asked).toEqual([])
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
})

test('nothing moves beside one who types', async ({ page, server }) => {
  const document = await server.create('Words.\n')
  await open(page, document)
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = () => {
      for (const { effect } of globalThis.document.getAnimations()) {
        const { target } = effect as KeyframeEffect
        if (!target?.closest('.cm-editor')) seen.push(target?.className ?? '')
      }
      const status = globalThis.document.querySelector('[data-save-state]')!.textContent.trim()
      if (status !== 'Saved') seen.push(status)
      requestAnimationFrame(look)
    }
    look()
  })
  const typing = 'Somebody writes on, pauses, and writes on.'
  await page.keyboard.type(typing.slice(0, 20), { delay: 20 })
  await expectSaved(page)
  await page.keyboard.type(typing.slice(20), { delay: 20 })
  await expectStored(server, document, `${typing}Words.\n`)
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})
