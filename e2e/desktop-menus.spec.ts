// The application menu: what it offers, and that what is chosen there happens in the window in front.
import { expect, test, type Page } from '@playwright/test'
import { DesktopApp, sayWhichElectron } from './desktop-app.ts'
import { editor } from './owner.ts'

let app: DesktopApp
test.beforeAll(async () => {
  sayWhichElectron()
  app = await DesktopApp.start()
})
test.afterAll(() => app.remove())

interface Item {
  label: string
  enabled: boolean
  checked: boolean
  /** Whether the menu itself takes its shortcut, instead of only showing it. */
  takesKey: boolean
}

/** Every entry of the application menu, by its words. */
const items = () =>
  app.electron.evaluate(({ Menu }) => {
    type Menus = ReturnType<typeof Menu.getApplicationMenu>
    const all = (menu: Menus): Item[] =>
      menu!.items.flatMap((item) => [
        {
          label: item.label,
          enabled: item.enabled,
          checked: item.checked,
          takesKey: item.registerAccelerator,
        },
        ...(item.submenu ? all(item.submenu) : []),
      ])
    return all(Menu.getApplicationMenu()).filter(({ label }) => label !== '')
  })
const item = async (label: string) => (await items()).find((one) => one.label === label)

const choose = (label: string) => app.choose(label)

const openDocument = async (page: Page) => {
  await choose('New Document')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
}

test('an entry can be chosen where its page can do it', async () => {
  const page = await app.page()
  await expect.poll(async () => (await item('Documents'))?.enabled).toBe(true)
  expect(await item('Save Now')).toMatchObject({ enabled: false })
  await openDocument(page)
  await expect.poll(async () => (await item('Save Now'))?.enabled).toBe(true)
  // A page that covers what is below takes its commands away.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect.poll(async () => (await item('Save Now'))?.enabled).toBe(false)
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await item('Save Now'))?.enabled).toBe(true)
})

test('what is chosen happens in the page, and what is on is ticked', async () => {
  const page = await app.page()
  await openDocument(page)
  const outline = page.getByRole('button', { name: 'Outline' })
  const before = (await outline.getAttribute('aria-pressed')) === 'true'
  await expect.poll(async () => (await item('Outline'))?.checked).toBe(before)
  await choose('Outline')
  await expect(outline).toHaveAttribute('aria-pressed', String(!before))
  await expect.poll(async () => (await item('Outline'))?.checked).toBe(!before)
  await choose('Outline')
  await expect(outline).toHaveAttribute('aria-pressed', String(before))

  await editor(page).click()
  await page.keyboard.type('word')
  await page.keyboard.press('Control+a')
  await choose('Bold')
  await expect(editor(page)).toHaveText('**word**')
  // While the title is written, formatting the text would surprise.
  await page.getByRole('textbox', { name: 'Title' }).click()
  await choose('Bold')
  await choose('Documents')
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  await page.goBack()
  // The signs show while their words are being written.
  await editor(page).click()
  await expect(editor(page)).toHaveText('**word**')
})

test('a shortcut runs once, whether the page listens for it or only the menu does', async () => {
  const page = await app.page()
  await openDocument(page)
  const outline = page.getByRole('button', { name: 'Outline' })
  const before = await outline.getAttribute('aria-pressed')
  await page.keyboard.press('Control+Shift+O')
  await expect(outline).not.toHaveAttribute('aria-pressed', before!)
  await page.waitForTimeout(300)
  await expect(outline).not.toHaveAttribute('aria-pressed', before!)
  for (const label of ['Outline', 'Bold', 'Save Now'])
    expect(await item(label), label).toMatchObject({ takesKey: false })
  expect(await item('New Document')).toMatchObject({ takesKey: true })
  const { pathname } = new URL(page.url())
  await page.keyboard.press('Control+n')
  await expect.poll(() => new URL(page.url()).pathname).not.toBe(pathname)
  expect(app.electron.windows()).toHaveLength(1)
})

test('every command of a document’s page that the menu names is there', async () => {
  const page = await app.page()
  await openDocument(page)
  // Disabled would be an entry whose command no page knows by that name.
  await expect.poll(async () => (await items()).filter(({ enabled }) => !enabled)).toEqual([])
})

test('everything can be made larger and smaller, with the keys and the wheel, and stays so', async () => {
  const page = await app.page()
  const window = await app.electron.browserWindow(page)
  const level = () => window.evaluate((one) => one.webContents.zoomLevel)
  const start = await level()
  await page.keyboard.press('Control++')
  await expect.poll(level).toBe(start + 0.5)
  await page.keyboard.press('Control+=')
  await expect.poll(level).toBe(start + 1)
  await page.keyboard.press('Control+-')
  await expect.poll(level).toBe(start + 0.5)
  await window.evaluate((one) => one.webContents.emit('zoom-changed', {}, 'in'))
  await expect.poll(level).toBe(start + 1)
  await page.goto(`${app.facts().url}/settings`)
  expect(await level()).toBe(start + 1)
  for (let i = 0; i < 30; i++) await choose('Zoom Out')
  expect(await level()).toBe(-4)
  await page.keyboard.press('Control+0')
  await expect.poll(level).toBe(0)
})

test('settings, and a second window', async () => {
  const page = await app.page()
  await choose('Settings…')
  await expect(page).toHaveURL(/\/settings$/)
  const opened = app.electron.waitForEvent('window')
  await choose('New Window')
  const second = await opened
  await expect(second.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  // The new window is in front now.
  await choose('Settings…')
  await expect(second).toHaveURL(/\/settings$/)
  const window = await app.electron.browserWindow(second)
  await window.evaluate((one) => one.close())
  await expect.poll(() => app.electron.windows()).toEqual([page])
})
