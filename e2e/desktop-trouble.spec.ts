// Pages that crash, keep crashing, or don't answer: what was typed comes back, and a person decides where it matters.
import { expect, test } from '@playwright/test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'
import { newDocument } from './owner.ts'

let app: DesktopApp
let words: string
test.beforeAll(sayWhichElectron)
test.beforeEach(async () => {
  const folder = newFolder()
  words = path.join(folder, 'profile', 'words')
  app = await DesktopApp.start({ folder })
})
test.afterEach(() => app.remove())

interface Asked {
  message: string
  buttons: string[]
  aborted: () => boolean
}
interface Watched {
  asked: Asked[]
  reply: (button: number) => void
}

/** Keeps dialogs until they are answered. */
const watch = () =>
  app.electron.evaluate(({ dialog }) => {
    const seen = globalThis as unknown as Watched
    seen.asked = []
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, buttons, signal } = args.at(-1) as Electron.MessageBoxOptions
      seen.asked.push({ message, buttons: buttons ?? [], aborted: () => signal?.aborted ?? false })
      return new Promise((resolve) => {
        seen.reply = (response) => resolve({ response, checkboxChecked: false })
        signal?.addEventListener('abort', () => seen.reply(0))
      })
    }
  })
const asked = () =>
  app.electron.evaluate(() =>
    (globalThis as unknown as Watched).asked.map(({ message, aborted }) => ({ message, aborted: aborted() })),
  )
const reply = (label: string) =>
  app.electron.evaluate((_, wanted) => {
    const seen = globalThis as unknown as Watched
    seen.reply(seen.asked.at(-1)!.buttons.indexOf(wanted))
  }, label)

/** Until the page is gone: for a moment it still answers as if nothing were, and a second crash of it would be none. */
const crash = () =>
  app.electron.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!
    const gone = new Promise((resolve) => webContents.once('render-process-gone', resolve))
    webContents.forcefullyCrashRenderer()
    await gone
  })
/** Playwright gives a crashed page up; what is in its window now is asked for through the app. */
const inWindow = (expression: string) =>
  app.electron.evaluate(
    ({ BrowserWindow }, text) =>
      BrowserWindow.getAllWindows()[0]
        ?.webContents.executeJavaScript(text)
        .catch(() => undefined) as Promise<string | undefined>,
    expression,
  )
const text = `document.querySelector('.cm-content')?.innerText`

/** What was typed, of a draft: what was being sent, which may end anywhere, and what came after it. */
const lettersIn = (draft: string) => {
  const { sending, unsent } = JSON.parse(draft) as Partial<Record<'sending' | 'unsent', unknown[] | null>>
  return [sending, unsent]
    .flat(2)
    .filter((one) => typeof one === 'string')
    .join('')
}

test('a page that crashes while it is typed in comes back with every word', async () => {
  const page = await app.page()
  // Nothing reaches the server; what there is, the desktop has.
  await page.evaluate(() => {
    const send = window.fetch
    window.fetch = (input, init) =>
      String(input).includes('/changes') ? Promise.reject(new TypeError('held back')) : send(input, init)
    Object.assign(window, { WebSocket: undefined })
  })
  await newDocument(page, 'Only just typed.')
  const kept = () =>
    readdirSync(words)
      // What is being written has no name yet that stays.
      .filter((name) => !name.startsWith('.'))
      .map(
        (name) => JSON.parse(readFileSync(path.join(words, name), 'utf8')) as Record<'key' | 'text', string>,
      )
      .some(({ key, text }) => key.startsWith('text:') && lettersIn(text) === 'Only just typed.')
  await expect.poll(() => existsSync(words) && kept()).toBe(true)
  await crash()
  await expect.poll(() => inWindow(text)).toBe('Only just typed.')
})

test('a page that keeps crashing is asked about, and left if one likes', async () => {
  await watch()
  const page = await app.page()
  await newDocument(page, 'Kept.')
  await expect(page.locator('[data-save-state="saved"]')).toBeVisible()
  for (let i = 0; i < 3; i++) {
    await expect.poll(() => inWindow(text)).toBe('Kept.')
    await crash()
    if (i < 2) await expect.poll(() => inWindow(text)).toBe('Kept.')
  }
  await expect.poll(asked).toEqual([{ message: 'This page keeps crashing', aborted: false }])
  await reply('Show all documents')
  await expect.poll(() => inWindow(`document.querySelector('h1')?.innerText`)).toBe('Documents')
})

test('a page that keeps crashing can be closed with its window', async () => {
  test.skip(process.platform === 'darwin', 'on macOS an app stays without windows')
  await watch()
  await app.page()
  for (let i = 0; i < 3; i++) {
    await expect.poll(() => inWindow(`document.querySelector('h1')?.innerText`)).toBe('Documents')
    await crash()
  }
  await expect.poll(asked).toHaveLength(1)
  const closed = app.electron.waitForEvent('close')
  await reply('Close the window')
  await closed
})

test('a window that doesn’t answer is asked about until it does, and loaded anew if one likes', async () => {
  await watch()
  const page = await app.page()
  await newDocument(page, 'Still here.')
  await expect(page.locator('[data-save-state="saved"]')).toBeVisible()
  const tell = (event: 'responsive' | 'unresponsive') =>
    app.electron.evaluate(
      ({ BrowserWindow }, name) => void BrowserWindow.getAllWindows()[0]!.emit(name),
      event,
    )
  await tell('unresponsive')
  await tell('unresponsive')
  const question = { message: 'This window isn’t answering', aborted: false }
  expect(await asked()).toEqual([question])
  await tell('responsive')
  expect(await asked()).toEqual([{ ...question, aborted: true }])
  await page.evaluate(() => ((window as unknown as { marked: boolean }).marked = true))
  await tell('unresponsive')
  await expect.poll(asked).toHaveLength(2)
  await reply('Wait')
  await tell('unresponsive')
  await expect.poll(asked).toHaveLength(3)
  expect(await inWindow('String(window.marked)')).toBe('true')
  await reply('Load anew')
  await expect.poll(() => inWindow(text)).toBe('Still here.')
  expect(await inWindow('String(window.marked)')).toBe('undefined')
})
