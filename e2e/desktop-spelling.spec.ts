// Spelling, and the menu of what is clicked in a page.
import { expect, test } from '@playwright/test'
import { DesktopApp, holdBack, newFolder, sayWhichElectron } from './desktop-app.ts'
import { editor, newDocument } from './owner.ts'

const mac = process.platform === 'darwin'
let app: DesktopApp
let folder: string
test.beforeAll(sayWhichElectron)
const start = async () => {
  folder = newFolder()
  app = await DesktopApp.start({ folder })
  await watch()
}

interface Watched {
  popped?: Electron.Menu
  asked: Electron.MessageBoxOptions[]
  answer: number
}

/** Keeps menus and dialogs instead of showing them. */
const watch = () =>
  app.electron.evaluate(({ dialog, Menu }) => {
    const seen = globalThis as unknown as Watched
    seen.asked = []
    seen.answer = 0
    Menu.prototype.popup = function (this: Electron.Menu) {
      seen.popped = this
    }
    dialog.showMessageBox = async (...args: unknown[]) => {
      seen.asked.push(args.at(-1) as Electron.MessageBoxOptions)
      return { response: seen.answer, checkboxChecked: false }
    }
  })
const asked = () =>
  app.electron.evaluate(() =>
    (globalThis as unknown as Watched).asked.splice(0).map(({ message, detail }) => ({ message, detail })),
  )
const answer = (button: number) =>
  app.electron.evaluate((_, to) => void ((globalThis as unknown as Watched).answer = to), button)

/** What the menu that was opened last offers. */
const offered = () =>
  app.electron.evaluate(() =>
    (globalThis as unknown as Watched).popped?.items.map(({ label, role, type }) =>
      type === 'separator' ? '—' : (role ?? label),
    ),
  )
const choose = (label: string) =>
  app.electron.evaluate((_, wanted) => {
    const { popped } = globalThis as unknown as Watched
    popped!.items.find((item) => item.label === wanted)!.click()
  }, label)

const spelling = () =>
  app.electron.evaluate(({ session }) => session.fromPartition('persist:galley').getSpellCheckerLanguages())
/** The application menu's languages, and which of them are ticked. */
const languages = () =>
  app.electron.evaluate(({ Menu }) => {
    const edit = Menu.getApplicationMenu()!.items.find(({ label }) => label === '&Edit')!
    const menu = edit.submenu!.items.find(({ label }) => label === 'Spelling')!.submenu!
    return Object.fromEntries(
      menu.items.filter(({ label }) => label !== '').map(({ label, checked }) => [label, checked]),
    )
  })
const chooseLanguage = (label: string) =>
  app.electron.evaluate(({ Menu }, wanted) => {
    const edit = Menu.getApplicationMenu()!.items.find((item) => item.label === '&Edit')!
    const menu = edit.submenu!.items.find((item) => item.label === 'Spelling')!.submenu!
    menu.items.find((item) => item.label === wanted)!.click()
  }, label)

test.describe('languages', () => {
  test.skip(mac, 'macOS has dictionaries of its own and knows the language')
  test.beforeEach(start)
  test.afterEach(() => app.remove())

  test('nothing is checked, and no dictionary fetched, before somebody asks for it and was said where it comes from; from then on it is', async () => {
    await app.page()
    expect(await spelling()).toEqual([])
    const all = await app.electron.evaluate(({ session }) => [
      session.defaultSession.getSpellCheckerLanguages(),
      session.fromPartition('failure').getSpellCheckerLanguages(),
    ])
    expect(all).toEqual([[], []])
    expect((await languages())['Check Spelling While Typing']).toBe(false)
    expect(await asked()).toEqual([])

    await answer(1)
    await chooseLanguage('German')
    let question: { message: string; detail?: string | undefined } | undefined
    await expect.poll(async () => ([question] = await asked())).toHaveLength(1)
    expect(question!.message).toBe('Fetch the dictionary for German?')
    expect(question!.detail).toContain('redirector.gvt1.com')
    expect(await spelling()).toEqual([])
    expect((await languages()).German).toBe(false)

    await answer(0)
    await chooseLanguage('German')
    await expect.poll(spelling).toEqual(['de'])
    await chooseLanguage('English (United Kingdom)')
    await expect.poll(spelling).toEqual(['de', 'en-GB'])
    expect(await asked()).toHaveLength(2)
    expect(await languages()).toMatchObject({
      'Check Spelling While Typing': true,
      German: true,
      'English (United Kingdom)': true,
      French: false,
    })
    // Agreed to once, it isn't asked again.
    await chooseLanguage('German')
    await expect.poll(spelling).toEqual(['en-GB'])
    await chooseLanguage('German')
    await expect.poll(spelling).toEqual(['en-GB', 'de'])
    await chooseLanguage('Check Spelling While Typing')
    await expect.poll(spelling).toEqual([])
    await chooseLanguage('Check Spelling While Typing')
    await expect.poll(spelling).toEqual(['en-GB', 'de'])
    expect(await asked()).toEqual([])

    await app.quit()
    app = await DesktopApp.start({ folder })
    await app.page()
    expect(await spelling()).toEqual(['en-GB', 'de'])
  })

  test('switching it on takes the system’s language, whose dictionary may not come', async () => {
    await app.page()
    await app.electron.evaluate(({ app: own }) => (own.getPreferredSystemLanguages = () => ['ja', 'fr-CH']))
    await chooseLanguage('Check Spelling While Typing')
    await expect.poll(spelling).toEqual(['fr'])
    expect((await asked())[0]!.message).toBe('Fetch the dictionary for French?')

    // Where it can’t be fetched that is told, once, and it can be asked for again.
    const fail = () =>
      app.electron.evaluate(({ session }) =>
        session.fromPartition('persist:galley').emit('spellcheck-dictionary-download-failure', {}, 'fr'),
      )
    await fail()
    await fail()
    expect((await asked()).map(({ message }) => message)).toEqual([
      'The dictionary for French could not be fetched',
    ])
    expect(await spelling()).toEqual([])
    expect((await languages()).French).toBe(false)
    await chooseLanguage('French')
    await expect.poll(spelling).toEqual(['fr'])
  })
})

test.describe('the menu of what is clicked', () => {
  test.beforeAll(start)
  test.afterAll(() => app.remove())

  test('has what one writes with, and comments on what is selected', async () => {
    const page = await app.page()
    await newDocument(page, 'Some words.')
    await editor(page).click({ button: 'right' })
    await expect
      .poll(offered)
      .toEqual([
        'cut',
        'copy',
        'paste',
        expect.stringMatching(/^pasteandmatchstyle$/i),
        expect.stringMatching(/^selectall$/i),
        '—',
        'Spelling',
      ])
    await editor(page).click()
    await page.keyboard.press('Control+a')
    await editor(page).click({ button: 'right', position: { x: 60, y: 55 } })
    await expect.poll(offered).toContain('Comment on the Selection')
    await choose('Comment on the Selection')
    await expect(page.getByRole('textbox', { name: 'Your comment' })).toBeFocused()
  })

  test('copies links that are safe and opens them outside', async () => {
    const left = await holdBack(app)
    const page = await app.page()
    await page.evaluate(() => {
      for (const [i, href] of ['https://example.com/a', 'javascript:alert(1)', '/settings'].entries()) {
        const link = Object.assign(document.createElement('a'), { href, textContent: `Link ${i}` })
        Object.assign(link.style, { position: 'fixed', top: `${i * 30}px`, zIndex: 99 })
        document.body.append(link)
      }
    })
    await page.getByRole('link', { name: 'Link 0' }).click({ button: 'right' })
    await expect.poll(offered).toEqual(['Open Link', 'Copy Link'])
    await choose('Copy Link')
    expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toBe('https://example.com/a')
    await choose('Open Link')
    await expect.poll(left).toEqual(['https://example.com/a'])
    await app.electron.evaluate(() => delete (globalThis as unknown as Watched).popped)
    await page.getByRole('link', { name: 'Link 1' }).click({ button: 'right' })
    await page.waitForTimeout(300)
    expect(await offered()).toBeUndefined()
    await page.getByRole('link', { name: 'Link 2' }).click({ button: 'right' })
    await expect.poll(offered).toEqual(['Open in New Window'])
    await choose('Open in New Window')
    await expect.poll(() => app.electron.windows().some((one) => one.url().endsWith('/settings'))).toBe(true)
  })

  test('puts a word right, or learns it', async () => {
    const page = await app.page()
    await newDocument(page, 'wrod')
    const window = await app.electron.browserWindow(page)
    // No dictionary can be fetched in tests; what Chromium says of a word is said here.
    await window.evaluate((one) => {
      const seen = globalThis as unknown as { replaced?: string }
      one.webContents.replaceMisspelling = (word: string) => void (seen.replaced = word)
      const params = {
        x: 1,
        y: 1,
        frame: null,
        misspelledWord: 'wrod',
        dictionarySuggestions: ['word', 'rod'],
        linkURL: '',
        selectionText: 'wrod',
        isEditable: true,
        mediaType: 'none',
        hasImageContents: false,
        menuSourceType: 'mouse',
        editFlags: {},
      }
      one.webContents.emit('context-menu', {}, params)
    })
    expect((await offered())!.slice(0, 4)).toEqual(['word', 'rod', 'Add to Dictionary', '—'])
    await choose('word')
    expect(await app.electron.evaluate(() => (globalThis as unknown as { replaced?: string }).replaced)).toBe(
      'word',
    )
    await choose('Add to Dictionary')
    const learnt = () =>
      app.electron.evaluate(({ session }) =>
        session.fromPartition('persist:galley').listWordsInSpellCheckerDictionary(),
      )
    await expect.poll(learnt).toContain('wrod')
  })
})
