// What is saved when windows close, the app quits or the system ends, and what can’t keep them from it.
import { expect, test, type Page } from '@playwright/test'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DesktopApp, newFolder, makeDocument, openWindows, sayWhichElectron } from './desktop-app.ts'
import { storedTexts } from './galley-process.ts'
import { editor } from './owner.ts'

test.beforeAll(sayWhichElectron)

let app: DesktopApp
let folder: string
test.beforeEach(async () => {
  folder = newFolder()
  app = await DesktopApp.start({ folder })
})
test.afterEach(async () => {
  await app.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** More than a browser sends for a page that is going away. */
const long = 'A line that was there before.\n'.repeat(4_000)
const lastTyped = 'The last words.'

/** Opens a long document in a window and types at its end, without waiting for anything to be saved. */
async function typeLast(page: Page) {
  const id = await makeDocument(page, long)
  await page.goto(`${app.facts().url}/documents/${id}`)
  await editor(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(lastTyped)
}

/** What the database holds, once the app has ended. */
function stored(): string {
  expect(existsSync(path.join(app.data, 'server.json'))).toBe(false)
  const [text, ...others] = storedTexts(app.data)
  expect(others).toEqual([])
  return text!
}

const hang = (page: Page) =>
  page.evaluate(() => {
    setTimeout(() => {
      for (;;);
    })
  })

test('quitting: words typed a moment before are in the database', async () => {
  await typeLast(await app.page())
  await app.quit()
  expect(stored()).toBe(long + lastTyped)
})

test('closing the last window: words typed a moment before are in the database', async () => {
  test.skip(process.platform === 'darwin', 'on macOS an app stays without windows')
  const page = await app.page()
  await typeLast(page)
  const closed = app.electron.waitForEvent('close')
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
  await closed
  expect(stored()).toBe(long + lastTyped)
})

test('the system shutting down: it is delayed until the last words are in the database', async () => {
  test.skip(process.platform === 'win32', 'Windows tells windows')
  await typeLast(await app.page())
  const closed = app.electron.waitForEvent('close')
  const delayed = await app.electron.evaluate(({ powerMonitor }) => {
    let prevented = false
    powerMonitor.emit('shutdown', { preventDefault: () => (prevented = true) })
    return prevented
  })
  expect(delayed).toBe(true)
  await closed
  expect(stored()).toBe(long + lastTyped)
})

test('a person logging off Windows: it is delayed until the last words are in the database', async () => {
  await typeLast(await app.page())
  const closed = app.electron.waitForEvent('close')
  const delayed = await app.electron.evaluate(({ BrowserWindow }) => {
    let prevented = false
    const event = { preventDefault: () => (prevented = true), reasons: ['logoff'] }
    BrowserWindow.getAllWindows()[0]!.emit('query-session-end', event)
    return prevented
  })
  expect(delayed).toBe(true)
  await closed
  expect(stored()).toBe(long + lastTyped)
})

test('a page that hangs and one that crashed keep nobody from quitting, nor another page’s words from being saved', async () => {
  const page = await app.page()
  for (const [index, fate] of ['hangs', 'crashes'].entries()) {
    await page.evaluate(() => void open('/settings', '_blank', 'noopener'))
    await expect.poll(() => app.electron.windows().length).toBe(index + 2)
    const other = app.electron.windows().at(-1)!
    await expect(other.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
    if (fate === 'hangs') await hang(other)
    else
      await app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().at(-1)!.webContents.forcefullyCrashRenderer(),
      )
  }
  await typeLast(page)
  await app.quit()
  expect(stored()).toBe(long + lastTyped)
})

test('a page that would lose words stops the quitting; the next attempt saves again before it quits', async () => {
  const page = await app.page()
  // Somebody who listens keeps the test’s own driver from answering the question.
  page.on('dialog', () => {})
  await objectToClosing(page)
  await app.electron.evaluate(({ app: own, dialog }) => {
    const asked: string[] = []
    ;(globalThis as { asked?: string[] }).asked = asked
    dialog.showMessageBoxSync = ((_window: unknown, { message }: { message: string }) => {
      asked.push(message)
      return 0
    }) as never
    own.quit()
  })
  const asked = () => app.electron.evaluate(() => (globalThis as { asked?: string[] }).asked!)
  await expect.poll(asked).toEqual(['Your last words are not saved yet'])
  // What stays is where Galley is shown, as before.
  expect(await app.startAgain()).toBe(0)
  expect(await openWindows(app)).toBe(1)
  await page.evaluate(() => void (window as unknown as Objecting).yields())
  await typeLast(page)
  await app.quit()
  expect(stored()).toBe(long + lastTyped)
})

/** A page that objects to being closed, as one does whose words are kept nowhere. */
async function objectToClosing(page: Page) {
  await page.getByRole('heading', { name: 'Documents', exact: true }).click()
  await page.evaluate(() => {
    const object = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', object)
    ;(window as unknown as Objecting).yields = () => removeEventListener('beforeunload', object)
  })
}

interface Objecting {
  yields(): void
}
