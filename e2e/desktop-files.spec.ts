// Files that are opened with the desktop app: handed over by the system, chosen, opened again.
import { expect, test, type Page } from '@playwright/test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { appFolder, DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'
import { editor, expectSaved } from './owner.ts'

test.beforeAll(sayWhichElectron)

let files: string
test.beforeEach(() => {
  files = mkdtempSync(path.join(os.tmpdir(), 'galley-opened-'))
})
test.afterEach(() => rmSync(files, { recursive: true, force: true }))

function file(name: string, content: string | Buffer): string {
  const at = path.join(files, name)
  writeFileSync(at, content)
  return at
}

interface Stored {
  id: string
  title: string
  content: string
}
const list = (page: Page) =>
  page.evaluate(async () => ((await (await fetch('/api/documents')).json()) as { data: Stored[] }).data)
const stored = (page: Page) =>
  page.evaluate(async (id) => {
    const answer = await fetch(`/api/documents/${id}`)
    return ((await answer.json()) as { data: Stored }).data
  }, new URL(page.url()).pathname.split('/').at(-1))
const inDocument = (page: Page) => expect(page).toHaveURL(/\/documents\//)
const toLibrary = (page: Page) => page.getByRole('button', { name: 'All documents' }).click()

test('the app starts with the file it is opened with, and leaves that as it is', async () => {
  const notes = file('My notes.md', '\uFEFF# Notes\r\n\r\none\r\n')
  const before = statSync(notes)
  const folder = newFolder()
  const args = ['--port=0', '--share-port=0', path.relative(appFolder, notes)]
  const app = await DesktopApp.start({ folder, args })
  const page = await app.firstWindow()
  await inDocument(page)
  await expect(editor(page)).toContainText('one')
  await expect(page.getByText('Imported My notes.md')).toBeVisible()
  await expect(page.getByText('The file itself stays as it is.')).toBeVisible()
  expect(await stored(page)).toMatchObject({ title: 'Notes', content: '# Notes\r\n\r\none\r\n' })
  await editor(page).click()
  await page.keyboard.type('typed ')
  await expect.poll(async () => (await stored(page)).content).toContain('typed ')
  await expectSaved(page)
  expect(readFileSync(notes, 'utf8')).toBe('\uFEFF# Notes\r\n\r\none\r\n')
  expect(statSync(notes).mtimeMs).toBe(before.mtimeMs)

  await test.step('what became of a file is known after the next start too', async () => {
    await app.quit()
    const second = await DesktopApp.start({ folder, args })
    const again = await second.firstWindow()
    await expect(again.getByText('My notes.md was imported before')).toBeVisible()
    expect(await list(again)).toHaveLength(1)
    await second.remove()
  })
})

test.describe('with the app open', () => {
  let app: DesktopApp
  let early: string
  test.beforeAll(async () => {
    early = mkdtempSync(path.join(os.tmpdir(), 'galley-early-'))
    const words = path.join(early, 'early.md')
    writeFileSync(words, 'Early words.')
    const before = path.join(early, 'early.cjs')
    writeFileSync(
      before,
      `const { app } = require('electron')
       app.once('will-finish-launching', () => {
         let taken = false
         app.emit('open-file', { preventDefault: () => (taken = true) }, ${JSON.stringify(words)})
         if (!taken) throw new Error('nobody took it')
       })`,
    )
    app = await DesktopApp.start({ before })
  })
  test.afterAll(async () => {
    await app.remove()
    rmSync(early, { recursive: true, force: true })
  })

  test('files that the system hands over before the app is ready are opened when it is', async () => {
    const page = await app.firstWindow()
    await inDocument(page)
    await expect(editor(page)).toContainText('Early words.')
  })

  test('a second start with a file shows it in the first, and the same file is known again', async () => {
    const page = await app.page()
    const notes = file('again.md', 'First words.')
    expect(await app.startAgain(notes)).toBe(0)
    await inDocument(page)
    await expect(editor(page)).toContainText('First words.')
    const { pathname } = new URL(page.url())
    const { length } = await list(page)

    await toLibrary(page)
    expect(await app.startAgain(pathToFileURL(notes).href)).toBe(0)
    await expect(page).toHaveURL(new RegExp(`${pathname}$`))
    await expect(page.getByText('again.md was imported before')).toBeVisible()
    expect(await list(page)).toHaveLength(length)
    expect(app.electron.windows()).toHaveLength(1)
  })

  test('a file that changed since brings its document up to date, and that can be undone', async () => {
    const page = await app.page()
    const notes = file('changing.md', 'First words.')
    await app.startAgain(notes)
    await expect(editor(page)).toContainText('First words.')
    writeFileSync(notes, 'Second words.')
    await app.startAgain(notes)
    await expect(page.getByText('Brought up to date from changing.md')).toBeVisible()
    await expect(editor(page)).toContainText('Second words.')
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect(editor(page)).toContainText('First words.')
    expect(readFileSync(notes, 'utf8')).toBe('Second words.')
  })

  test('several files are chosen at once, and what can’t be read says why', async () => {
    const page = await app.page()
    const chosen = [
      file('one.md', '# One'),
      file('two.markdown', '# Two'),
      file('latin.md', Buffer.from([0xe4])),
      path.join(files, 'gone.md'),
      path.join(files, 'folder.md'),
    ]
    mkdirSync(chosen.at(-1)!)
    await app.electron.evaluate(({ dialog }, filePaths) => {
      const asked: unknown[] = []
      Object.assign(globalThis, { asked })
      dialog.showOpenDialog = (...args: unknown[]) => {
        asked.push(args.at(-1))
        return Promise.resolve({ canceled: false, filePaths })
      }
    }, chosen)
    await page.keyboard.press('Control+o')
    const card = page.getByRole('region', { name: 'Import' })
    await expect(card).toContainText('2 documents imported')
    await expect(card).toContainText('latin.md It isn’t text in UTF-8.')
    await expect(card).toContainText('gone.md It isn’t there any more.')
    await expect(card).toContainText('folder.md It is a folder.')
    expect((await list(page)).map(({ title }) => title)).toEqual(expect.arrayContaining(['One', 'Two']))
    const asked = await app.electron.evaluate(() => (globalThis as unknown as { asked: object[] }).asked)
    expect(asked).toEqual([expect.objectContaining({ properties: ['openFile', 'multiSelections'] })])
    await card.getByRole('button', { name: 'Close' }).click()
  })

  test('a page reads only what was handed to it', async () => {
    const page = await app.page()
    const secret = file('secret.md', 'Secret.')
    const tried = await page.evaluate(async (named) => {
      const { galley } = window as unknown as {
        galley: { files: { take(): Promise<unknown>; read(id: unknown): Promise<unknown> } }
      }
      const outcome = (one: Promise<unknown>) => one.catch((error: Error) => error.message)
      return [
        await outcome(galley.files.take()),
        await outcome(galley.files.read(99)),
        await outcome(galley.files.read(named)),
        await outcome(galley.files.read({ path: named })),
      ]
    }, secret)
    expect(tried).toEqual([
      [],
      { problem: 'unreadable' },
      expect.stringContaining('answered'),
      expect.stringContaining('answered'),
    ])
  })

  test('what one window was given another can’t read, and it isn’t lost with its page', async () => {
    const page = await app.page()
    await page.evaluate(() => void open('/settings', '_blank', 'noopener'))
    await expect.poll(() => app.electron.windows().length).toBe(2)
    const other = app.electron.windows().find((one) => one !== page)!
    await expect(other.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
    // A page that takes nothing by itself.
    await other.goto(`${app.facts().url}/sign-in#none`)
    await app.startAgain(file('given.md', 'Given.'))
    const take = () =>
      other.evaluate(async () => {
        const { galley } = window as unknown as {
          galley: { files: { take(): Promise<{ id: number; name: string }[]> } }
        }
        return galley.files.take()
      })
    const read = (from: Page, id: number) =>
      from.evaluate(async (wanted) => {
        const { galley } = window as unknown as {
          galley: { files: { read(id: number): Promise<{ bytes?: Uint8Array }> } }
        }
        const answer = await galley.files.read(wanted)
        return answer.bytes ? new TextDecoder().decode(answer.bytes) : null
      }, id)
    let taken: { id: number; name: string }[] = []
    await expect.poll(async () => (taken = await take()).length).toBe(1)
    const [{ id, name }] = taken as [{ id: number; name: string }]
    expect(name).toBe('given.md')
    expect(await read(page, id)).toBeNull()
    expect(await read(other, id)).toBe('Given.')

    await other.goto(app.facts().url)
    await inDocument(other)
    await expect(editor(other)).toContainText('Given.')
    expect(await read(other, id)).toBeNull()
    const window = await app.electron.browserWindow(other)
    await window.evaluate((one) => one.close())
    await expect.poll(() => app.electron.windows()).toEqual([page])
  })
})
