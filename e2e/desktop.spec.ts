// The desktop app as a person has it: windows, its server, starting twice, quitting.
import { expect, test, type Page } from '@playwright/test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'
import { editor, expectSaved, newDocument } from './owner.ts'

test.beforeAll(sayWhichElectron)

/** A new document of this text; its id. */
async function write(page: Page, content: string): Promise<string> {
  const made = await page.evaluate(async (text) => {
    const response = await fetch('/api/documents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'On proofs', content: text }),
    })
    return (await response.json()) as { data: { id: string } }
  }, content)
  return made.data.id
}

/** Marks what is loaded; whether the mark is still there tells whether it was loaded anew. */
const mark = (page: Page) => page.evaluate(() => void ((window as unknown as Marked).marked = true))
const isMarked = (page: Page) => page.evaluate(() => (window as unknown as Marked).marked === true)

test.describe('one app', () => {
  let app: DesktopApp
  test.beforeAll(async () => {
    app = await DesktopApp.start()
  })
  test.afterAll(() => app.remove())

  test('its window opens on the documents, signed in, in the colour of its page', async () => {
    const page = await app.page()
    expect(page.url()).toBe(`${app.facts().url}/`)
    const window = await app.electron.browserWindow(page)
    const seen = await window.evaluate((one) => ({ shown: one.isVisible(), color: one.getBackgroundColor() }))
    expect(seen.shown).toBe(true)
    const painted = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const channels = [1, 3, 5].map((at) => parseInt(seen.color.slice(at, at + 2), 16))
    expect(painted).toBe(`rgb(${channels.join(', ')})`)
  })

  test('the window’s frame, menus and dialogs follow the theme of the app', async () => {
    const page = await app.page()
    const themeIs = (theme: string) =>
      expect.poll(() => app.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe(theme)
    const window = await app.electron.browserWindow(page)
    for (const [theme, color] of [
      ['dark', '#111214'],
      ['light', '#F5F3EE'],
    ] as const) {
      await page.evaluate((name) => (window as unknown as Bridged).galley.setTheme(name), theme)
      await themeIs(theme)
      await expect.poll(() => window.evaluate((one) => one.getBackgroundColor())).toBe(color)
    }
    await page.evaluate(() => (window as unknown as Bridged).galley.setTheme('system'))
    await themeIs('system')
  })

  test('starting it again brings its window to the front, at the document that was asked for', async () => {
    const page = await app.page()
    const id = await write(page, 'First words.')
    await mark(page)
    const window = await app.electron.browserWindow(page)
    await window.evaluate((one) => one.minimize())
    expect(await app.startAgain(`galley://documents/${id}`)).toBe(0)
    await expect(page).toHaveURL(`${app.facts().url}/documents/${id}`)
    await expect(editor(page)).toContainText('First words.')
    expect(await window.evaluate((one) => one.isMinimized())).toBe(false)
    expect(app.electron.windows()).toHaveLength(1)
    // The page was told; it was not loaded anew.
    expect(await isMarked(page)).toBe(true)
  })

  test('when its server crashes, what is typed stays and is saved when the server is back', async () => {
    const page = await app.page()
    const id = await write(page, 'First words.')
    await page.goto(`${app.facts().url}/documents/${id}`)
    await editor(page).click()
    await mark(page)
    const before = app.facts()
    await app.crashServer()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Typed without a server.')
    // The server may be back before it was missed.
    await app.newServer(before.pid)
    await expectSaved(page)
    expect(app.facts()).toMatchObject({ url: before.url, shareUrl: before.shareUrl })
    await expect(editor(page)).toContainText('First words. Typed without a server.')
    expect(await isMarked(page)).toBe(true)
    const stored = () =>
      page.evaluate(async (url) => {
        const { data } = (await (await fetch(url)).json()) as { data: { content: string } }
        return data.content
      }, `/api/documents/${id}`)
    await expect.poll(stored).toBe('First words. Typed without a server.')
  })

  test('a window that was reloaded while the server was away is filled when it is back', async () => {
    const page = await app.page()
    const { pid } = app.facts()
    await app.crashServer()
    await page.reload().catch(() => {})
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    // A page that looks for its server again by itself may find it before the server has said where it is.
    await app.newServer(pid)
  })

  test('a reload that is known to have failed only when the server is back is made again', async () => {
    const page = await app.page()
    await mark(page)
    const { pid } = app.facts()
    const tell = (name: string, ...args: unknown[]) =>
      app.electron.evaluate(
        ({ BrowserWindow }, [event, rest]) => {
          const { webContents } = BrowserWindow.getAllWindows()[0]!
          webContents.emit(event, ...(rest as []))
        },
        [name, args] as const,
      )
    await tell('did-start-navigation', { isMainFrame: true, isSameDocument: false })
    await app.crashServer()
    await app.newServer(pid)
    // What the main process knows it has told the windows before it answers this.
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    expect(await isMarked(page)).toBe(true)
    await tell('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', page.url(), true)
    await expect.poll(() => isMarked(page).catch(() => true)).toBe(false)
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    // A failure that no server has come after doesn't load for ever.
    await mark(page)
    await tell('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', page.url(), true)
    expect(await isMarked(page)).toBe(true)
  })

  test('a page of the app’s own that opens apart gets a window like the first', async () => {
    const page = await app.page()
    await page.evaluate(() => void open('/settings', '_blank', 'noopener'))
    const find = () => app.electron.windows().find((one) => one.url().endsWith('/settings'))
    await expect.poll(find).toBeDefined()
    const second = find()!
    await expect(second.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
    expect(await second.evaluate(() => typeof (window as unknown as Bridged).galley.onOpen)).toBe('function')
    const window = await app.electron.browserWindow(second)
    await window.evaluate((one) => one.close())
    await expect.poll(() => app.electron.windows()).toEqual([page])
  })

  test('a page that crashes comes back', async () => {
    const page = await app.page()
    const window = await app.electron.browserWindow(page)
    await window.evaluate((one) => one.webContents.forcefullyCrashRenderer())
    await expect
      .poll(() =>
        window.evaluate((one) =>
          one.webContents
            .executeJavaScript('document.querySelector("h1, h2")?.textContent')
            .catch(() => undefined),
        ),
      )
      .toBe('Documents')
  })
})

interface Marked {
  marked?: boolean
}
interface Held {
  letServerStart(): void
}
interface Bridged {
  galley: { setTheme(theme: string): void; onOpen: unknown }
}

test('its window is there before there is a server, and is filled when there is one', async () => {
  const folder = newFolder()
  const script = path.join(folder, 'hold-server.cjs')
  // The server's process is there, and isn't told to start.
  writeFileSync(
    script,
    `const { utilityProcess } = require('electron')
     const fork = utilityProcess.fork
     utilityProcess.fork = (...all) => {
       const child = fork.apply(utilityProcess, all)
       const say = child.postMessage.bind(child)
       const held = []
       child.postMessage = (message) => held.push(message)
       globalThis.letServerStart = () => {
         child.postMessage = say
         held.forEach(say)
       }
       return child
     }`,
  )
  const app = await DesktopApp.start({ folder, before: script })
  const page = await app.firstWindow()
  const isShown = () =>
    app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible()))
  await expect.poll(isShown).toEqual([true])
  expect(existsSync(path.join(app.data, 'server.json'))).toBe(false)
  await app.electron.evaluate(() => (globalThis as unknown as Held).letServerStart())
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  await app.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('quitting closes the server cleanly, and the next start finds the last words typed', async () => {
  const folder = newFolder()
  const first = await DesktopApp.start({ folder })
  const page = await first.page()
  const pathname = await newDocument(page, 'The last words.')
  await first.quit()
  expect(existsSync(path.join(first.data, 'server.json'))).toBe(false)

  const second = await DesktopApp.start({ folder })
  const again = await second.page()
  await again.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
  await expect(again).toHaveURL(new RegExp(`${pathname}$`))
  await expect(editor(again)).toContainText('The last words.')
  await second.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('closing the last window ends the app, where that is the custom', async () => {
  test.skip(process.platform === 'darwin', 'on macOS an app stays without windows')
  const app = await DesktopApp.start()
  const page = await app.page()
  const closed = app.electron.waitForEvent('close')
  const window = await app.electron.browserWindow(page)
  await window.evaluate((one) => one.close())
  await closed
  expect(existsSync(path.join(app.data, 'server.json'))).toBe(false)
  await app.remove()
})
