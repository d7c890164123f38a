// The owner's app as its owner meets it: signing in, the library, the editor, review, settings, keys, and that everyone
// can use it on any screen.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import {
  editor,
  expectSaved,
  expectStored,
  lookAgain,
  open,
  test,
  write,
  type OwnerServer,
  type StoredDocument,
} from './owner.ts'

const rows = (page: Page) => page.getByRole('list', { name: 'Documents' }).getByRole('link')
const row = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Documents' }).getByRole('link', { name })

test.describe('signing in', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('a sign-in link works once, and leaves no secret in the address bar', async ({
    page,
    browser,
    server,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await server.goAway()
    await server.comeBack()
    await page.goto(server.signInLink)
    await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
    expect(page.url()).toBe(`${server.url}/`)
    const stranger = await browser.newContext()
    const late = await stranger.newPage()
    await late.goto(server.signInLink)
    await expect(late.getByRole('heading', { name: 'This sign-in link no longer works' })).toBeVisible()
    await late.getByRole('link', { name: 'I am signed in already' }).click()
    await expect(late.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await stranger.close()
  })
})

test.describe('the library', () => {
  test.beforeEach(({ server }) => server.deleteAll())

  test('finds words in texts and shows where they are', async ({ page, server }) => {
    await server.create('The harbour froze in the winter of the great frost.', 'Chapter one')
    await server.create('Nothing to see.', 'Chapter two')
    await page.goto('/')
    await expect(rows(page)).toHaveCount(2)
    await page.keyboard.press('/')
    await page.keyboard.type('great fro')
    await expect(page.getByRole('heading', { name: 'Found' })).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    await expect(row(page, /Chapter one/)).toContainText('winter of the great frost')
    await page.keyboard.press('ArrowDown')
    await expect(rows(page)).toBeFocused()
    await page.getByRole('textbox', { name: 'Search documents' }).fill('nowhere')
    await expect(page.getByRole('heading', { name: 'No document has these words' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all documents' }).click()
    await expect(rows(page)).toHaveCount(2)
  })

  test('sorts by title, by age and by what was changed last', async ({ page, server }) => {
    const first = await server.create('', 'Beta')
    await server.create('', 'Alpha')
    await server.create('', 'Gamma')
    await server.change(first, 'changed')
    const titles = () => rows(page).allInnerTexts()
    await page.goto('/')
    await expect.poll(titles).toEqual(['Beta', 'Gamma', 'Alpha'])
    for (const [from, to, order] of [
      ['Last changed', 'Title', ['Alpha', 'Beta', 'Gamma']],
      ['Title', 'Newest', ['Gamma', 'Alpha', 'Beta']],
    ] as const) {
      await page.getByRole('button', { name: from }).click()
      await page.getByRole('menuitemcheckbox', { name: to }).click()
      await expect.poll(titles).toEqual(order)
    }
  })

  test('renames in place', async ({ page, server }) => {
    const document = await server.create('text', 'Old name')
    await page.goto('/')
    await row(page, 'Old name').focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('New name')
    await page.keyboard.press('Enter')
    await expect(row(page, 'New name')).toBeFocused()
    await expect.poll(async () => (await server.get(document)).title).toBe('New name')
    await page.keyboard.press('F2')
    await page.keyboard.type('Never mind')
    await page.keyboard.press('Escape')
    await expect(row(page, 'New name')).toBeVisible()
  })

  test('deletes once there has been time to undo', async ({ page, server }) => {
    const kept = await server.create('', 'To keep')
    const gone = await server.create('', 'To delete')
    await page.clock.install()
    await page.goto('/')
    await row(page, 'To keep').focus()
    await page.keyboard.press('Delete')
    await expect(row(page, 'To keep')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'To keep')).toBeVisible()
    await row(page, 'To delete').focus()
    await page.keyboard.press('Delete')
    await expect(row(page, 'To delete')).toHaveCount(0)
    expect(await server.has(gone)).toBe(true)
    await page.clock.fastForward(9000)
    await expect.poll(() => server.has(gone)).toBe(false)
    expect(await server.has(kept)).toBe(true)
  })

  test('deletes what was deleted when its page is left', async ({ page, server }) => {
    const document = await server.create('', 'To delete')
    await page.goto('/')
    await row(page, 'To delete').focus()
    await page.keyboard.press('Delete')
    await expect(row(page, 'To delete')).toHaveCount(0)
    await page.goto('about:blank')
    await expect.poll(() => server.has(document)).toBe(false)
  })

  test('imports what is dropped, shows how far it is, and says what it can’t read', async ({
    page,
    server,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
    const files = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['# Dropped one\r\n'], 'one.md'))
      data.items.add(new File(['Dropped two\n'], 'two.markdown'))
      data.items.add(new File([new Uint8Array([0x23, 0x20, 0xff, 0xfe])], 'latin.md'))
      data.items.add(new File(['x'], 'picture.png'))
      return data
    })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/api/documents', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await page.dispatchEvent('body', 'dragover', { dataTransfer: files })
    await expect(page.getByText('Drop to import')).toBeVisible()
    await page.dispatchEvent('body', 'drop', { dataTransfer: files })
    const card = page.getByRole('region', { name: 'Import' })
    await expect(card.getByRole('progressbar', { name: 'Import' })).toBeVisible()
    await expect(card.getByText(/Importing 1 of 3 files/)).toBeVisible()
    letGo()
    await expect(card.getByText('2 documents imported')).toBeVisible()
    await expect(card.getByRole('listitem')).toHaveText([
      /picture\.png It isn’t a .md, .markdown or .txt file\./,
      /latin\.md It isn’t text in UTF-8\./,
    ])
    await expect(rows(page)).toHaveCount(2)
    const all = await server.call<StoredDocument[]>('GET', '/api/documents')
    const one = await server.get(all.find(({ title }) => title === 'Dropped one')!)
    expect(one.content).toBe('# Dropped one\r\n')
  })

  test('starts a document from an empty desk', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'A clean desk' })).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'New document' }).click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
    await page.keyboard.type('A title')
    await page.keyboard.press('Enter')
    await expect(editor(page)).toBeFocused()
    await page.keyboard.type('and a text')
    await expectSaved(page)
    await page.getByRole('button', { name: 'All documents' }).click()
    await expect(row(page, 'A title')).toBeVisible()
  })

  test('says when the server can’t be reached, and recovers', async ({ page, server }) => {
    await server.create('', 'Still here')
    await page.goto('/')
    await expect(rows(page)).toHaveCount(1)
    await server.goAway()
    await lookAgain(page)
    await expect(page.getByText('Galley can’t be reached; this list may be out of date.')).toBeVisible()
    await expect(row(page, 'Still here')).toBeVisible()
    await server.comeBack()
    await server.create('', 'New here')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'New here')).toBeVisible()
    await expect(page.getByText('this list may be out of date')).toHaveCount(0)

    await page.route('**/api/documents?*', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('heading', { name: 'The documents can’t be shown' })).toBeVisible()
    await page.unroute('**/api/documents?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page)).toHaveCount(2)
  })
})

test.describe('the editor', () => {
  test('formats by keyboard, and takes it back', async ({ page, server }) => {
    const document = await server.create('some words\n')
    await open(page, document)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Control+Alt+2')
    await expectStored(server, document, '## **some** words\n')
    await page.keyboard.press('Control+Alt+2')
    await page.keyboard.press('Control+Shift+8')
    await page.keyboard.press('Shift+End')
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
    await expect(outline.getByRole('button', { name: 'Last one' })).toHaveAttribute(
      'aria-current',
      'location',
    )
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
    await page.getByRole('button', { name: 'Reading view' }).click()
    const frame = page.getByTitle('On proofs, as it reads')
    await expect(frame).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox')
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
})

test.describe('by keyboard alone', () => {
  test('the palette opens a document and runs a command', async ({ page, server }) => {
    await server.create('Its text.', 'An unusual name')
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('unusual')
    await expect(page.getByRole('option', { name: /An unusual name/ })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('An unusual name')
    await expect(editor(page)).toBeFocused()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('versions')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'Versions' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nothing is called so')
    await expect(page.getByText('Nothing found.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('“?” lists the shortcuts', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(help.getByText('Reading view')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(help).toHaveCount(0)
  })
})

test.describe('settings and keys', () => {
  test('a theme is there before anything is drawn', async ({ page }) => {
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return
        observer.disconnect()
        Object.assign(window, { themeAtFirst: document.documentElement.dataset.theme ?? 'none' })
      }).observe(document, { childList: true, subtree: true })
    })
    const atFirst = () => page.evaluate(() => (window as { themeAtFirst?: string }).themeAtFirst)
    await page.goto('/settings')
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    expect(await atFirst()).toBe('dark')
    await page.getByRole('radio', { name: 'System' }).check({ force: true })
    await page.reload()
    await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
    expect(await atFirst()).toBe('none')
  })

  test('a name stays', async ({ page }) => {
    await page.goto('/settings')
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Ada')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Name saved')).toBeVisible()
    await page.reload()
    await expect(name).toHaveValue('Ada')
  })

  test('a key is shown once, works, and ends when it is deleted', async ({ page, server }) => {
    await page.goto('/keys')
    await page.getByRole('button', { name: /^(New|Create a) key$/ }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Backup')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy the key now' })
    const key = await dialog.getByRole('region', { name: 'The key' }).innerText()
    const status = async (method = 'GET') =>
      (await fetch(`${server.url}/api/documents`, { method, headers: { authorization: `Bearer ${key}` } }))
        .status
    expect(await status()).toBe(200)
    expect(await status('POST'), 'it may only read').toBe(403)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    const one = page.getByRole('article', { name: 'Backup' })
    await expect(one).toContainText('Read only')
    await expect(page.getByText(key)).toHaveCount(0)
    await one.getByRole('button', { name: 'Delete Backup' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click()
    await expect(one).toHaveCount(0)
    expect(await status()).toBe(401)
  })
})

test.describe('review', () => {
  test('a version is compared and restored, and that can be undone', async ({ page, server }) => {
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
    await page.getByRole('listitem').filter({ hasText: 'Version restored.' }).getByRole('button').click()
    await expectStored(server, document, 'The second words.\n')
    await expect(editor(page)).toHaveText('The second words.')
  })

  test('a comment is made on the selection, answered and resolved', async ({ page, server }) => {
    const document = await server.create('A soft blue pencil.\n')
    await open(page, document)
    await page
      .locator('.cm-line')
      .getByText('A soft blue')
      .dblclick({ position: { x: 40, y: 10 } })
    await page.keyboard.press('Control+Alt+m')
    await page.keyboard.type('Why soft?')
    await page.keyboard.press('Control+Enter')
    const thread = page.getByRole('list', { name: 'Comments' }).getByRole('article')
    await expect(thread).toContainText('Why soft?')
    const comments = () =>
      server.call<{ body: string; anchor: { exact: string } | null; resolved: boolean }[]>(
        'GET',
        `/api/documents/${document.id}/comments`,
      )
    expect((await comments())[0]?.anchor?.exact).toBe('soft')
    await expect(page.getByRole('tab', { name: 'Comments 1' })).toBeVisible()
    await thread.getByRole('button', { name: 'Reply' }).click()
    await page.keyboard.type('Cameras didn’t see it.')
    await page.keyboard.press('Control+Enter')
    await expect(thread.getByRole('list', { name: 'Replies' })).toContainText('Cameras didn’t see it.')
    await thread.getByRole('button', { name: 'Resolve thread' }).click()
    await expect(page.getByText('Everything is resolved')).toBeVisible()
    await expect(page.locator('.g-mark')).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Show 1 resolved' }).check()
    await thread.getByRole('button', { name: 'Reopen' }).click()
    await expect(page.locator('.g-mark')).toHaveText('soft')
  })

  test('all suggestions are accepted at once', async ({ page, server }) => {
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
    await expect(page.getByText('Accept 2 suggestions?')).toBeVisible()
    await page.getByRole('button', { name: 'Accept all' }).click()
    await expectStored(server, document, 'The dog sat on the rug.\nMore.')
    await expect(editor(page)).toContainText('The dog sat on the rug.')
    await expect(page.getByText('Nothing to decide')).toBeVisible()
  })
})

test.describe('everyone can use it', () => {
  const long =
    'A galley proof is the long sheet that goes out for review before print, with margins for marks. '
  const text = `# Heading\n\n**Bold**, \`code\`, [a link](https://a.example) and ~~struck~~.\n\n- [x] done\n- [ ] to do\n\n> Quoted\n\n\`\`\`js\nconst x = 1\n\`\`\`\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n![A cat](https://images.example/cat.png)\n\n${long.repeat(20)}\n`

  async function prepare(server: OwnerServer) {
    const document = await server.create(text)
    await server.change(document, `${text}\nMore.\n`)
    await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'Is this the word?' })
    await server.call('POST', `/api/documents/${document.id}/suggestions`, {
      original_text: 'Quoted',
      suggested_text: 'Cited',
    })
    await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'comment' })
    return document
  }

  /** Shows each page, panel and dialog in turn. */
  async function visit(page: Page, document: StoredDocument, look: (where: string) => Promise<void>) {
    const panel = async (name: string) => {
      await page.getByRole('tab', { name }).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
    }
    await page.goto('/')
    await expect(rows(page).first()).toBeVisible()
    await look('library')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('option').first()).toBeVisible()
    await look('palette')
    await page.keyboard.press('Escape')
    await page.goto(`/documents/${document.id}`)
    await expect(page.locator('.g-mark').or(page.locator('.cm-line')).first()).toBeVisible()
    await look('document')
    await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
    await expect(page.getByText('Is this the word?')).toBeVisible()
    await look('comments')
    await panel('Suggestions')
    await look('suggestions')
    await panel('Share')
    await expect(page.getByRole('tabpanel').getByRole('article')).toBeVisible()
    await look('share')
    await panel('Versions')
    await page.getByRole('tabpanel').getByRole('listitem').first().getByRole('button').click()
    await expect(page.getByText(/^\d+ changes?$/)).toBeVisible()
    await look('version')
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    await look('settings')
    await page.goto('/keys')
    await expect(page.getByRole('article').first()).toBeVisible()
    await look('keys')
    await page
      .getByRole('article')
      .first()
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await look('dialog')
    await page.keyboard.press('Escape')
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing, in ${colorScheme}`, async ({ page, server }) => {
      test.setTimeout(120_000)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const found: string[] = []
      await visit(page, await prepare(server), async (where) => {
        const { violations } = await new AxeBuilder({ page }).analyze()
        for (const { id, nodes } of violations) {
          found.push(
            `${where}: ${id}: ${nodes.map(({ html, failureSummary }) => html + failureSummary).join(' ')}`,
          )
        }
      })
      expect(found).toEqual([])
    })
  }

  test('nothing scrolls sideways on a screen 360 pixels wide', async ({ page, server }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const over: string[] = []
    await visit(page, await prepare(server), async (where) => {
      const wide = await page.evaluate(
        () => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth,
      )
      if (wide > 0) over.push(`${where}: ${wide} pixels`)
    })
    expect(over).toEqual([])
  })

  test('lines stay readable on a screen 2560 pixels wide', async ({ page, server }) => {
    await page.setViewportSize({ width: 2560, height: 1300 })
    const document = await server.create(`${long.repeat(20)}\n`)
    await open(page, document)
    const perLine = (element: Element) => {
      const range = element.ownerDocument.createRange()
      range.selectNodeContents(element)
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)))
      return element.textContent.length / lines.size
    }
    const written = await page.locator('.cm-line').first().evaluate(perLine)
    expect(written).toBeGreaterThan(45)
    expect(written).toBeLessThan(90)
    await page.getByRole('button', { name: 'Reading view' }).click()
    const read = page.getByTitle('On proofs, as it reads').contentFrame().getByRole('paragraph')
    await expect(read).toBeVisible()
    const shown = await read.evaluate(perLine)
    expect(shown).toBeGreaterThan(45)
    expect(shown).toBeLessThan(90)
  })
})
