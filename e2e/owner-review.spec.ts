// What comes back in review: versions, comments, suggestions.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { editor, expectStored, open, test, write, type OwnerServer } from './owner.ts'

test('versions are compared, restored and named', async ({ page, server }) => {
  await test.step('a version is compared and restored, and that can be undone', async () => {
    const document = await server.create('The first words.\n')
    await server.change(document, 'The second words.\n')
    await open(page, document)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('versions')
    await page.keyboard.press('Enter')
    await page.getByRole('tabpanel', { name: 'Versions' }).getByRole('button').last().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Compared with now').click()
    await expect(dialog.getByText('1 change')).toBeVisible()
    await expect(dialog.locator('del')).toHaveText(/first$/)
    await expect(dialog.locator('ins')).toHaveText(/second$/)
    await dialog.getByRole('button', { name: 'Restore this version' }).click()
    await expectStored(server, document, 'The first words.\n')
    await expect(editor(page)).toHaveText('The first words.')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Version restored.' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await expectStored(server, document, 'The second words.\n')
    await expect(editor(page)).toHaveText('The second words.')
  })

  await test.step('versions say who is a guest, and are named by keyboard alone', async () => {
    const document = await server.create('The first words.\n')
    await asGuest(server, document, 'The second words.\n', 'Owner')
    await server.change(document, 'The third words.\n')
    await open(page, document)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('versions')
    await page.keyboard.press('Enter')
    const list = page.getByRole('tabpanel', { name: 'Versions' }).getByRole('list')
    const guests = list.getByRole('button').nth(1)
    await expect(guests).toContainText(/Edited\s*\u2068Owner\u2069\s*guest/)
    await expect(list.getByRole('button').first()).not.toContainText('guest')

    await guests.focus()
    await page.keyboard.press('Enter')
    // Not the palette, which may still be closing.
    const dialog = page.getByRole('dialog').filter({ hasNotText: 'Find a document or a command' })
    await expect(dialog.getByRole('heading')).toContainText('(guest)')
    await dialog.getByRole('button', { name: 'Name this version' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('textbox', { name: 'Name of this version' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog.getByRole('button', { name: 'Name this version' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('As sent to the printer')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('heading')).toHaveText('As sent to the printer')
    await expect(dialog.getByRole('button', { name: 'Change the name' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(guests.locator('.flag'), 'told from the others at a glance').toBeVisible()
    await expect(list.locator('.flag')).toHaveCount(1)
    await expect(guests).toContainText(/As sent to the printer\s*Edited by\s*\u2068Owner\u2069\s*guest/)
    await expect(guests).toBeFocused()
    const versions = await server.call<{ name: string | null }[]>(
      'GET',
      `/api/documents/${document.id}/versions`,
    )
    expect(versions.map(({ name }) => name)).toEqual([null, 'As sent to the printer', null])

    // What somebody looks at stays, though its author goes on.
    await list.getByRole('button').first().click()
    await server.call('PATCH', `/api/documents/${document.id}`, { title: 'Named' })
    await expect(list.getByRole('button').first()).toContainText('Renamed')
    await expect(dialog).toBeVisible()
  })
})

/** What somebody writes by a link, as whom they like. */
async function asGuest(server: OwnerServer, { id }: { id: string }, content: string, author_name: string) {
  const link = await server.call<{ token: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'edit',
  })
  await fetch(`${server.url}/api/documents/${id}?share_token=${link.token}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content, author_name }),
  })
}

test('comments and suggestions are made and decided on beside the text', async ({ page, server }) => {
  await test.step('a comment is made on the selection, answered and resolved', async () => {
    const document = await server.create('A soft blue pencil.\n')
    await open(page, document)
    await page
      .locator('.cm-line')
      .getByText('A soft blue')
      .dblclick({ position: { x: 40, y: 10 } })
    await page.keyboard.press('Control+Alt+m')
    await page.keyboard.type('Why soft?')
    await page.keyboard.press('Control+Enter')
    const thread = page.getByRole('complementary', { name: 'Beside the text' }).getByRole('article')
    await expect(thread).toContainText('Why soft?')
    await expect(thread, 'the keyboard goes on to what was sent').toBeFocused()
    const comments = () =>
      server.call<{ body: string; anchor: { exact: string } | null; resolved: boolean }[]>(
        'GET',
        `/api/documents/${document.id}/comments`,
      )
    expect((await comments())[0]?.anchor?.exact).toBe('soft')
    await thread.getByRole('button', { name: 'Reply' }).click()
    await page.keyboard.type('Cameras didn’t see it.')
    await page.keyboard.press('Control+Enter')
    await expect(thread.getByRole('list', { name: 'Replies' })).toContainText('Cameras didn’t see it.')
    await thread.getByRole('button', { name: 'Resolve thread' }).click()
    await expect(thread).toHaveCount(0)
    await page.keyboard.press('Control+\\')
    await expect(page.getByText('Everything is resolved')).toBeVisible()
    await expect(page.locator('.g-mark')).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Show 1 resolved' }).check()
    await page.getByRole('article').getByRole('button', { name: 'Reopen' }).click()
    await expect(page.locator('.g-mark')).toHaveText('soft')
  })

  await test.step('all suggestions are accepted at once', async () => {
    const document = await server.create('The cat sat on the mat.\n')
    for (const [original_text, suggested_text] of [
      ['cat', 'dog'],
      ['mat', 'rug'],
    ]) {
      await server.call('POST', `/api/documents/${document.id}/suggestions`, {
        original_text,
        suggested_text,
      })
    }
    await write(page, document, 'More.')
    await page.getByRole('button', { name: 'Comments and suggestions (2)' }).click()
    await expect(page.getByRole('tab', { name: 'Share' }), 'every tab fits').toBeInViewport({ ratio: 1 })
    await page.getByRole('tab', { name: 'Suggestions' }).click()
    await page.getByRole('button', { name: 'Accept all' }).click()
    await expectStored(server, document, 'The dog sat on the rug.\nMore.')
    await expect(editor(page)).toContainText('The dog sat on the rug.')
    await expect(page.getByText('Nothing to decide')).toBeVisible()
  })

  await test.step('what is to be put in is shown just there, and accepted there', async () => {
    const document = await server.create('The cat sat.\n')
    await server.call('POST', `/api/documents/${document.id}/suggestions`, {
      original_text: '',
      suggested_text: ' on the mat',
      anchor: { exact: '', prefix: 'sat', suffix: '.', start: 11 },
    })
    await open(page, document)
    await page.getByRole('button', { name: 'Comments and suggestions (1)' }).click()
    await page.getByRole('tab', { name: 'Suggestions' }).click()
    const card = page.getByRole('article', { name: /“on the mat” is put in/ })
    await expect(card.getByText('on the mat')).toBeVisible()
    await expect(page.locator('.g-mark')).toHaveCount(0)
    await expect(editor(page).locator('ins')).toHaveText(' on the mat')
    await expect(editor(page)).toHaveText('The cat sat on the mat.')
    await card.getByRole('button', { name: 'Accept' }).click()
    await expectStored(server, document, 'The cat sat on the mat.\n')
    await expect(page.getByText('Suggestion accepted.')).toBeVisible()
    await page.keyboard.press('Control+z')
    await expectStored(server, document, 'The cat sat.\n')
  })

  await test.step('lists in how a suggestion will read have the marks they have in the text', async () => {
    const document = await server.create('- One\n- Two\n')
    const suggestion = { original_text: '- Two', suggested_text: '- Two, **too**\n  - Nested' }
    await server.call('POST', `/api/documents/${document.id}/suggestions`, suggestion)
    await open(page, document)
    await page.getByRole('button', { name: 'Comments and suggestions' }).click()
    await page.getByRole('tab', { name: /Suggestions/ }).click()
    await page.getByRole('list', { name: 'Suggestions' }).getByRole('article').click()
    const reads = page.getByRole('group', { name: 'How it will read' })
    await expect(reads.getByText('too', { exact: true })).toBeVisible()
    await expect(reads.locator('ul').first()).toHaveCSS('list-style-type', 'disc')
    await expect(reads.locator('ul ul')).toHaveCSS('list-style-type', 'circle')
  })
})

test('a decision is undone by itself: what others have written since stays, as does what can’t be undone', async ({
  page,
  server,
}) => {
  const document = await server.create('The cat sat on the mat.\n')
  const at = `/api/documents/${document.id}`
  const { token } = await server.call<{ token: string }>('POST', `${at}/share`, { permission: 'edit' })
  for (const [original_text, suggested_text] of [
    ['cat', 'dog'],
    ['mat', 'rug'],
  ])
    await fetch(`${server.url}${at}/suggestions?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ original_text, suggested_text, author_name: 'Ada' }),
    })
  await open(page, document)
  await page.getByRole('button', { name: 'Comments and suggestions (2)' }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  const cards = page.getByRole('list', { name: 'Suggestions' }).getByRole('article')
  const cat = cards.filter({ hasText: 'cat' })
  const toast = page.locator('[data-sonner-toast]')

  await cat.getByRole('button', { name: 'Accept' }).click()
  await expectStored(server, document, 'The dog sat on the mat.\n')
  await expect(toast.getByText('Suggestion accepted.')).toBeVisible()
  await server.call('PATCH', at, { content: 'The dog sat on the old mat.\n' })
  await expect(editor(page)).toContainText('old mat')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expectStored(server, document, 'The cat sat on the old mat.\n')
  await expect(cat, 'it is what one goes on with').toBeFocused()
  await expect(editor(page).locator('del')).toHaveText(['cat', 'mat'])

  // By the key, too, where one isn't writing.
  await cat.getByRole('button', { name: 'Reject' }).click()
  await expect(cat).toHaveCount(0)
  await expect(toast.getByText('Suggestion rejected.')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(cat).toBeVisible()

  // Later, from the card.
  await cat.getByRole('button', { name: 'Accept' }).click()
  await expectStored(server, document, 'The dog sat on the old mat.\n')
  await page.getByText('Accepted', { exact: true }).click()
  await cat.getByRole('button', { name: 'Reopen' }).click()
  await expectStored(server, document, 'The cat sat on the old mat.\n')

  await page.getByText(/^Pending/).click()
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expectStored(server, document, 'The dog sat on the old rug.\n')
  await server.call('PATCH', at, { content: 'The dog sat on the old rag.\n' })
  await expect(editor(page)).toContainText('rag')
  await expect(toast.getByText('2 suggestions accepted.')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expectStored(server, document, 'The cat sat on the old rag.\n')
  await expect(toast.getByText(/1 suggestion pending again\. One stays as it is/)).toBeVisible()
})

test('what is undone again and again is told in one toast', async ({ page, server }) => {
  const content = 'One two.\n\nThree four.\n'
  const document = await server.create(content)
  const at = `/api/documents/${document.id}`
  for (const words of ['One', 'Three'])
    await server.call('POST', `${at}/suggestions`, { original_text: words, suggested_text: 'Some' })
  await open(page, document)
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
  await page.getByRole('tab', { name: 'Suggestions' }).click()
  const toasts = page.locator('[data-sonner-toast]')
  for (let i = 0; i < 2; i++) {
    await page.getByRole('button', { name: 'Accept all' }).click()
    await expectStored(server, document, 'Some two.\n\nSome four.\n')
    await toasts.getByRole('button', { name: 'Undo' }).click()
    await expectStored(server, document, content)
    await expect(page.getByRole('button', { name: 'Accept all' })).toBeVisible()
  }
  await expect(toasts.filter({ hasText: '2 suggestions pending again' })).toBeVisible()
  await expect(toasts).toHaveCount(1)
})

test('beside words that are selected stands a button that begins a comment on them', async ({
  page,
  server,
}) => {
  const document = await server.create('One two three.\n\nA second paragraph, of which nothing is said.\n')
  await open(page, document)
  const here = page.getByRole('button', { name: 'Comment on these words' })
  const word = await placeOfWord(page, 'two')
  await expect(here).toBeHidden()
  await page.mouse.move(word.left + 1, word.middle)
  await page.mouse.down()
  await page.mouse.move(word.right, word.middle, { steps: 4 })
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('two')
  // Whoever still drags isn't disturbed.
  await expect(here).toBeHidden()
  await page.mouse.up()
  const column = (await editor(page).boundingBox())!
  const at = (await here.boundingBox())!
  expect(Math.abs(at.y + at.height / 2 - word.middle)).toBeLessThan(8)
  expect(at.x).toBeGreaterThan(column.x + column.width - 48)
  const before = (await placeOfWord(page, 'two')).left
  await here.click()
  const composer = page.getByRole('region', { name: 'New comment' })
  await expect(composer.getByRole('textbox')).toBeFocused()
  // The text stays where it was.
  expect((await placeOfWord(page, 'two')).left).toBeCloseTo(before, 1)
  await page.keyboard.type('Why two?')
  await page.keyboard.press('Control+Enter')
  await expect(editor(page).locator('.g-mark-comment')).toHaveText('two')
  await page.mouse.click(word.left - 2, word.middle)
  await expect(here).toBeHidden()
  // It stands between the words and the cards beside them.
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 860 })
    // Once all stands where the new width has it.
    await expect(page.getByRole('article', { name: /on “two”/ })).toBeVisible()
    await expect(async () => {
      const three = await placeOfWord(page, 'three')
      await page.mouse.dblclick((three.left + three.right) / 2, three.middle)
      await expect(here).toBeVisible({ timeout: 2_000 })
    }).toPass()
    const bar = (await page.getByRole('toolbar', { name: 'The selected words' }).boundingBox())!
    const card = (await page.getByRole('article', { name: /on “two”/ }).boundingBox())!
    const text = (await editor(page).boundingBox())!
    expect(bar.y).toBeLessThan(card.y + card.height)
    expect(bar.x + bar.width).toBeLessThanOrEqual(card.x)
    expect(bar.x).toBeGreaterThan(text.x + text.width - 24)
    await page.keyboard.press('ArrowLeft')
  }
})

test('a comment told of a text that has changed since is marked on its own words, not on others like them', async ({
  page,
  server,
}) => {
  const document = await server.create('fox fox fox fox.\n')
  await server.call('POST', `/api/documents/${document.id}/comments`, {
    body: 'Which?',
    anchor: { exact: 'fox', prefix: 'fox ', suffix: ' fox fox.\n', start: 4 },
  })
  const { promise: changed, resolve: hasChanged } = Promise.withResolvers<void>()
  let isFirst = true
  await page.route(/\/comments(\?|$)/, async (route) => {
    // What is asked for once it has changed would say it anyway.
    if (!isFirst) return
    isFirst = false
    const response = await route.fetch()
    await changed
    await route.fulfill({ response })
  })
  const asked = page.waitForRequest(/\/comments(\?|$)/)
  await open(page, document)
  await asked
  await server.call('PATCH', `/api/documents/${document.id}`, { content: 'One fox, fox fox fox fox.\n' })
  await expect(editor(page)).toContainText('One fox, fox')
  hasChanged()
  const mark = editor(page).locator('.g-mark-comment')
  await expect(mark).toHaveText('fox')
  const before = await mark.evaluate((element) => {
    const range = new Range()
    range.setStart(element.closest('.cm-line')!, 0)
    range.setEndBefore(element)
    return range.toString()
  })
  expect(before).toBe('One fox, fox ')
})

/** Where a word of the text is in the window. */
const placeOfWord = (page: Page, word: string) =>
  editor(page).evaluate((content, word) => {
    const walker = globalThis.document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.nodeValue!.indexOf(word)
      if (at < 0) continue
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + word.length)
      const { left, right, top, bottom } = range.getBoundingClientRect()
      return { left, right, middle: (top + bottom) / 2 }
    }
    throw new Error(`the text doesn't show ${word}`)
  }, word)

test('any two versions are compared, and one passage comes back while somebody else writes', async ({
  page,
  server,
}) => {
  const first = '# On proofs\n\nA red house.\n\nIt stands by the sea.\n'
  const document = await server.create(first)
  const now = first.replace('red', 'blue').replace('by the sea', 'on a hill')
  await server.change(document, now)
  await open(page, document)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('tabpanel', { name: 'Versions' })
  await panel.getByText('Named only').click()
  await expect(panel.getByText('No version has a name yet')).toBeVisible()
  await panel.getByText('All', { exact: true }).click()
  await panel.getByRole('listitem').last().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('With another').click()
  await expect(dialog.getByRole('combobox', { name: 'Compare with this version' })).toBeVisible()
  await expect(dialog.getByText('2 changes')).toBeVisible()
  await dialog.getByText('Side by side').click()
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await expect(dialog.getByRole('status')).toHaveText('Change 1 of 2. “blue” instead of “red”')
  await expectAccessible(page)
  await server.edit(document, (text) => text.replace('# On proofs', '# On proofs and drafts'))
  await dialog.getByRole('button', { name: 'Bring this back' }).click()
  await expectStored(
    server,
    document,
    now.replace('On proofs', 'On proofs and drafts').replace('blue', 'red'),
  )
  await expect(page.getByText('Brought back.')).toBeVisible()

  // The place of the other change is another by now.
  await server.edit(document, (text) => text.replace('on a hill', 'under a bridge'))
  await expect(editor(page)).toContainText('under a bridge')
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await dialog.getByRole('button', { name: 'Bring this back' }).click()
  await expect(page.getByText(/has changed since, so nothing was written/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy the words' })).toBeVisible()

  // What was brought back is undone as what was typed is.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await editor(page).focus()
  await page.keyboard.press('Control+z')
  const end = now.replace('On proofs', 'On proofs and drafts').replace('on a hill', 'under a bridge')
  await expectStored(server, document, end)
})

test('two versions are compared as they read, and a passage is brought back from there', async ({
  page,
  server,
}) => {
  const first =
    '# On proofs\n\nA **red** house <img src=x onerror="document.title=1">.\n\n- one\n- two\n- three\n\n' +
    '| a | b |\n| - | - |\n| 1 | 2 |\n\n![A map](files/map.png)\n\n[x]: http://a.b\n'
  const now = first
    .replace('red', 'blue')
    .replace('- two\n', '')
    .replace('| 2 |', '| 4 |')
    .replace('map.png', 'plan.png')
    .replace('a.b', 'c.d')
  const document = await server.create(first)
  await server.change(document, now)
  await open(page, document)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('tabpanel', { name: 'Versions' })
  await panel.getByRole('listitem').first().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Rendered', { exact: true }).click()
  const changes = dialog.getByRole('region', { name: 'The changes, as the text reads' })
  await expect(changes.locator('strong', { hasText: 'blue' })).toBeVisible()
  await expect(changes.getByRole('deletion')).toHaveText([/red$/, /two$/, /2$/, /^Removed/, /a$/, /b$/])
  await expect(changes.getByRole('insertion')).toHaveText([/blue$/, /4$/, /^Added/, /c$/, /d$/])
  await expect(changes.getByText('A map is missing')).toHaveCount(2)
  await expectAccessible(page)

  await dialog.getByText('Side by side').click()
  await expect(changes.getByRole('heading', { name: 'On proofs' })).toHaveCount(2)
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await expect(changes.locator('.now')).toHaveText([/red$/, /blue$/])
  await dialog.getByRole('button', { name: 'Bring this back' }).click()
  await expectStored(server, document, now.replace('blue', 'red'))
  await expectAccessible(page)

  // It is remembered, and a narrow screen shows both as one.
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, document)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  await panel.getByRole('listitem').last().getByRole('button').click()
  await dialog.getByText('With now').click()
  await expect(changes.getByRole('deletion').first()).toHaveText(/two$/)
  await expect(changes.getByRole('heading', { name: 'On proofs' })).toHaveCount(1)
  await expectAccessible(page)
})
