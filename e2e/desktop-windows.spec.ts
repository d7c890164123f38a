// The desktop's windows: where they are, which come back, and one document in two of them.
import { expect, test, type Page } from '@playwright/test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'
import { editor, expectSaved, newDocument } from './owner.ts'

test.beforeAll(sayWhichElectron)

let app: DesktopApp
let folder: string
test.beforeEach(async () => {
  folder = newFolder()
  app = await DesktopApp.start({ folder })
})
test.afterEach(() => app.remove())

const restart = async () => {
  await app.quit()
  app = await DesktopApp.start({ folder })
  return app.firstWindow()
}
const preferences = () => path.join(folder, 'profile', 'preferences.json')

async function newSaved(page: Page, words: string): Promise<string> {
  const path = await newDocument(page, words)
  await expectSaved(page)
  return path
}
async function openFurther(page: Page, to: string): Promise<Page> {
  await page.evaluate((url) => void open(url, '_blank', 'noopener'), to)
  const find = () =>
    app.electron.windows().find((one) => one !== page && URL.parse(one.url())?.pathname === to)
  await expect.poll(find).toBeDefined()
  return find()!
}
const bounds = async (page: Page) =>
  (await app.electron.browserWindow(page)).evaluate((window) => window.getBounds())
const paths = () =>
  app.electron
    .windows()
    .map((page) => URL.parse(page.url())?.pathname)
    .sort()

test('a window comes back where it was and as large as it was, or within reach', async () => {
  const page = await app.page()
  const place = { x: 120, y: 90, width: 900, height: 640 }
  const window = await app.electron.browserWindow(page)
  await window.evaluate((one, to) => one.setBounds(to), place)
  await expect.poll(() => bounds(page)).toEqual(place)
  const again = await restart()
  await expect.poll(() => bounds(again)).toEqual(place)

  // Where no screen is any more it comes back within reach.
  await (
    await app.electron.browserWindow(again)
  ).evaluate((one) => one.setBounds({ x: 9000, y: 7000, width: 800, height: 600 }))
  await expect.poll(async () => (await bounds(again)).x).toBe(9000)
  const back = await restart()
  const seen = await app.electron.evaluate(({ BrowserWindow, screen }) => {
    const one = BrowserWindow.getAllWindows()[0]!.getBounds()
    return screen.getAllDisplays().some(({ workArea }) => {
      const right = Math.min(one.x + one.width, workArea.x + workArea.width)
      const bottom = Math.min(one.y + one.height, workArea.y + workArea.height)
      // Enough of its title bar to take hold of.
      return right - Math.max(one.x, workArea.x) >= 50 && bottom - one.y >= 30 && one.y >= workArea.y
    })
  })
  expect(seen, JSON.stringify(await bounds(back))).toBe(true)

  await test.step('a window comes back as large as the screen', async () => {
    const window = await app.electron.browserWindow(back)
    await window.evaluate((one) => one.maximize())
    const maximized = () => window.evaluate((one) => one.isMaximized())
    await expect
      .poll(maximized, { timeout: 3000 })
      .toBe(true)
      .catch((failure: unknown) => {
        // Electron's program asks the system's window manager, and a bare display has none. The fake always can.
        test.skip(!!process.env.GALLEY_REAL_ELECTRON, 'nothing here makes windows as large as the screen')
        throw failure
      })
    const again = await restart()
    const large = await app.electron.browserWindow(again)
    await expect.poll(() => large.evaluate((one) => one.isMaximized())).toBe(true)
  })
})

test('the windows that were open come back, each with its document; one that was closed stays closed', async () => {
  const page = await app.page()
  const first = await newSaved(page, 'The first one.')
  const second = await openFurther(page, '/settings')
  await second.goto(app.facts().url)
  const other = await newSaved(second, 'The other one.')
  await restart()
  await expect.poll(paths).toEqual([first, other].sort())
  for (const window of app.electron.windows())
    await expect(editor(window)).toContainText(/The (first|other) one\./)

  await test.step('a window that was closed stays closed; the last one comes back', async () => {
    const second = app.electron.windows().find((one) => URL.parse(one.url())?.pathname === other)!
    const window = await app.electron.browserWindow(second)
    await window.evaluate((one) => one.close())
    await expect.poll(() => app.electron.windows().length).toBe(1)
    await restart()
    await expect.poll(paths).toEqual([first])
  })

  await test.step('one document in two windows is in step, however both are typed in', async () => {
    const page = app.electron.windows()[0]!
    const second = await openFurther(page, first)
    await expect(editor(second)).toHaveText('The first one.')
    await editor(second).click()
    await second.keyboard.press('Control+End')
    await second.keyboard.type(' two')
    await expect(editor(page)).toHaveText('The first one. two')
    await editor(page).click()
    await page.keyboard.press('Control+Home')
    for (let i = 0; i < 4; i++) {
      await page.keyboard.type(`a${i} `)
      await second.keyboard.type(` b${i}`)
    }
    for (const window of [page, second])
      await expect(editor(window)).toHaveText('a0 a1 a2 a3 The first one. two b0 b1 b2 b3')
  })
})

test('what was open is asked for once more at the front, and something else gets a window of its own', async () => {
  const page = await app.page()
  const document = await newSaved(page, 'Asked for.')
  await app.quit()
  const id = document.split('/')[2]!
  app = await DesktopApp.start({ folder, args: ['--port=0', '--share-port=0', `galley://documents/${id}`] })
  await app.firstWindow()
  await expect.poll(paths).toEqual([document])
  await app.quit()
  const unknown = '00000000-0000-4000-8000-000000000000'
  app = await DesktopApp.start({
    folder,
    args: ['--port=0', '--share-port=0', `galley://documents/${unknown}`],
  })
  await app.firstWindow()
  await expect.poll(paths).toEqual([document, `/documents/${unknown}`].sort())
})

test('a damaged memory of windows is as good as none, and a dark window is dark before its page is there', async () => {
  await app.page()

  await test.step('a damaged memory of windows is as good as none', async () => {
    await app.quit()
    writeFileSync(preferences(), '{"windows": [{"slot": -1, "path": "https://evil.test"}]}')
    app = await DesktopApp.start({ folder })
    const page = await app.firstWindow()
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    expect(app.electron.windows()).toHaveLength(1)
  })

  await test.step('a dark window is dark before its page is there', async () => {
    const page = app.electron.windows()[0]!
    await page.goto(`${app.facts().url}/settings`)
    await page.getByText('Dark', { exact: true }).click()
    await expect.poll(() => readFileSync(preferences(), 'utf8')).toContain('"theme": "dark"')
    await app.quit()
    // Without a server there is no page that could say so.
    rmSync(path.join(folder, 'data'), { recursive: true })
    writeFileSync(path.join(folder, 'data'), '')
    app = await DesktopApp.start({ folder })
    await app.firstWindow()
    const colors = await app.electron.evaluate(({ BrowserWindow, nativeTheme }) => ({
      theme: nativeTheme.themeSource,
      windows: BrowserWindow.getAllWindows().map((window) => window.getBackgroundColor()),
    }))
    expect(colors.theme).toBe('dark')
    expect(new Set(colors.windows)).toEqual(new Set(['#111214']))
  })
})
