// Galley without a window: going on sharing by choice, the icon beside the clock, starting at login.
import { expect, test, type Page } from '@playwright/test'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { closeAllWindows, DesktopApp, newFolder, openWindows, sayWhichElectron } from './desktop-app.ts'
import { chooseInTray, clickTray, notifications, trayMenu, watchOutside } from './desktop-outside.ts'

let folder: string
let app: DesktopApp
const usual = ['--port=0', '--share-port=0']
const start = async (...args: string[]) => {
  app = await DesktopApp.start({ folder, args: [...usual, ...args], before: watchOutside(folder) })
}
test.beforeAll(sayWhichElectron)
test.beforeEach(() => {
  folder = newFolder()
  // The account's autostart folder is in there.
  process.env.XDG_CONFIG_HOME = path.join(folder, 'config')
})
test.afterEach(async () => {
  await app.remove()
  delete process.env.XDG_CONFIG_HOME
  rmSync(folder, { recursive: true, force: true })
})

const switchNamed = (page: Page, name: RegExp) => page.getByRole('switch', { name })
const keepSharing = /Keep sharing/
/** A switch moves at once, and back if it must; what is so is known when it has been answered. */
async function turn(page: Page, name: RegExp, outcome: 'on' | 'off') {
  await switchNamed(page, name).click()
  await expect(switchNamed(page, name)).toHaveAttribute('aria-busy', 'false')
  await expect(switchNamed(page, name)).toBeChecked({ checked: outcome === 'on' })
}
async function settings(page: Page) {
  await page.goto(`${app.facts().url}/settings`)
  await expect(switchNamed(page, keepSharing)).toBeVisible()
}
async function chooseToKeepSharing() {
  const page = await app.page()
  await settings(page)
  await turn(page, keepSharing, 'on')
  return page
}
async function shareDocument(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const post = async (url: string, json: object) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(json) })
      return ((await response.json()) as { data: { id: string; token: string } }).data
    }
    const { id } = await post('/api/documents', { title: 'On proofs', content: 'Read me.' })
    const { token } = await post(`/api/documents/${id}/share`, { permission: 'view' })
    return token
  })
}

test('by choice links work without a window, until all sharing is stopped from the icon’s menu', async () => {
  await start()
  let page = await chooseToKeepSharing()
  const lastTold = async () => (await notifications(app)).at(-1)?.title
  await expect
    .poll(() => trayMenu(app))
    .toEqual(['No share link works', 'Open Galley', 'New Document', 'Quit Galley'])
  const link = `${app.facts().shareUrl}/share/${await shareDocument(page)}`
  await expect.poll(async () => (await trayMenu(app))?.[0]).toBe('1 share link works')

  await test.step('by choice links work without a window, and the icon leads back to where one was', async () => {
    await closeAllWindows(app)
    expect((await fetch(link)).status).toBe(200)

    const back = app.electron.waitForEvent('window')
    await clickTray(app)
    page = await back
    await expect(switchNamed(page, keepSharing)).toBeChecked()
    expect(await openWindows(app)).toBe(1)
  })

  await test.step('all sharing is stopped from the icon’s menu, which says so and takes it back', async () => {
    const status = async () => (await fetch(link)).status
    const further = ['Open Galley', 'New Document', 'Quit Galley']
    const menu = () => trayMenu(app)
    await expect.poll(menu).toEqual(['1 share link works', 'Stop Sharing Everything', ...further])
    await page.goto(app.facts().url)
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    const stopped = page.getByText('You have stopped sharing.')
    await expect(stopped).toHaveCount(0)

    await chooseInTray(app, 'Stop Sharing Everything')
    await expect.poll(status).toBe(404)
    await expect.poll(menu).toEqual(['You have stopped sharing', 'Start Sharing Again', ...further])
    await expect.poll(lastTold).toBe('Nothing is shared any more')
    await expect(stopped).toBeVisible()

    await closeAllWindows(app)
    await chooseInTray(app, 'Start Sharing Again')
    await expect.poll(status).toBe(200)
    await expect.poll(async () => (await menu())?.[1]).toBe('Stop Sharing Everything')

    // Stopped in a window, it is started again there or here.
    await chooseInTray(app, 'Open Galley')
    await expect.poll(() => app.electron.windows().length).toBe(1)
    const back = app.electron.windows()[0]!
    await expect(back.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    await back.keyboard.press('ControlOrMeta+k')
    await back.keyboard.type('stop shar')
    await back.keyboard.press('Enter')
    await expect(back.getByText('You have stopped sharing.')).toBeVisible()
    await expect.poll(async () => (await menu())?.[1]).toBe('Start Sharing Again')
    await chooseInTray(app, 'Start Sharing Again')
    await expect(back.getByText('You have stopped sharing.')).toHaveCount(0)
    expect(await status()).toBe(200)
  })

  await test.step('sharing that couldn’t be stopped is said', async () => {
    await expect.poll(async () => (await trayMenu(app))?.[1]).toBe('Stop Sharing Everything')
    // It hangs, and then it is gone.
    const { pid } = app.facts()
    process.kill(pid, 'SIGSTOP')
    await chooseInTray(app, 'Stop Sharing Everything')
    process.kill(pid, 'SIGKILL')
    await expect.poll(lastTold).toBe('Sharing wasn’t stopped')
    await expect.poll(async () => (await trayMenu(app))?.[0]).toBe('1 share link works')
  })
})

test('where Galley went is said once, quietly; from there a new document can be begun, and Galley be ended', async () => {
  await start()
  await chooseToKeepSharing()
  await closeAllWindows(app)
  const told = () => notifications(app)
  await expect.poll(told).toMatchObject([{ title: 'Galley goes on sharing', silent: true }])
  await chooseInTray(app, 'Open Galley')
  await expect.poll(() => openWindows(app)).toBe(1)
  await closeAllWindows(app)
  expect(await app.startAgain()).toBe(0)
  await expect.poll(() => openWindows(app)).toBe(1)
  expect(await told()).toHaveLength(1)

  // Without a window a new document can be begun, and Galley be ended.
  await closeAllWindows(app)
  await chooseInTray(app, 'New Document')
  // A window that was closed may be told of only now.
  await expect
    .poll(() => app.electron.windows().map((one) => one.url()))
    .toEqual([expect.stringMatching(/\/documents\//)])
  await closeAllWindows(app)
  const closed = app.electron.waitForEvent('close')
  await chooseInTray(app, 'Quit Galley')
  await closed
  expect(existsSync(path.join(app.data, 'server.json'))).toBe(false)
})

test('the last window closes: whoever wants Galley gets another; switched off again, that ends Galley', async () => {
  await start()
  let page = await chooseToKeepSharing()

  await test.step('while the last window still closes, whoever wants Galley gets another', async () => {
    await page.evaluate(() => {
      setTimeout(() => {
        for (;;);
      })
    })
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
    const opened = app.electron.waitForEvent('window')
    await chooseInTray(app, 'Open Galley')
    page = await opened
    await expect(switchNamed(page, keepSharing)).toBeVisible()
    await expect.poll(() => openWindows(app)).toBe(1)
    await expect(switchNamed(page, keepSharing)).toBeVisible()
  })

  await test.step('switched off again there is no icon, and the last window ends Galley', async () => {
    // On macOS an app stays without windows.
    if (process.platform === 'darwin') return
    await turn(page, keepSharing, 'off')
    expect(await trayMenu(app)).toBeUndefined()
    const closed = app.electron.waitForEvent('close')
    await (await app.electron.browserWindow(page)).evaluate((window) => window.close())
    await closed
  })
})

test('started by the system it has no window until somebody wants one, or its server can’t come up', async () => {
  await start()
  await chooseToKeepSharing()
  await app.quit()

  await test.step('started by the system it has no window until somebody wants one', async () => {
    await start('--background')
    await expect.poll(async () => (await trayMenu(app))?.[0]).toBe('No share link works')
    expect(await openWindows(app)).toBe(0)
    // The system may start it once more, somebody who starts it wants to see it.
    expect(await app.startAgain()).toBe(0)
    expect(await openWindows(app)).toBe(0)
    const opened = app.electron.waitForEvent('window')
    await chooseInTray(app, 'Open Galley')
    await expect(switchNamed(await opened, keepSharing)).toBeVisible()
  })

  await test.step('a server that can’t come up is said, and nothing goes on without it', async () => {
    // On macOS an app stays without windows.
    if (process.platform === 'darwin') return
    await app.quit()
    rmSync(path.join(folder, 'data'), { recursive: true })
    writeFileSync(path.join(folder, 'data'), '')
    await start('--background')
    const notice = await app.firstWindow()
    await expect(notice.getByRole('alert')).toBeVisible()
    expect((await trayMenu(app))?.[0]).toBe('Not sharing just now')
    const closed = app.electron.waitForEvent('close')
    await (await app.electron.browserWindow(notice)).evaluate((window) => window.close())
    await closed
  })
})

test('started by the system where nobody chose to keep sharing, its windows open; there one chooses starting at login', async () => {
  await start('--background')
  const page = await app.page()
  expect(await trayMenu(app)).toBeUndefined()

  await test.step('starting at login is written where the desktop looks, believed when it is refused, and taken back', async () => {
    // Elsewhere the system keeps it.
    if (process.platform !== 'linux') return
    await settings(page)
    const startAtLogin = /Start when you log in/
    const atLogin = switchNamed(page, startAtLogin)
    const file = path.join(folder, 'config/autostart/galley.desktop')
    await expect(atLogin).not.toBeChecked()
    expect(existsSync(file)).toBe(false)
    await turn(page, startAtLogin, 'on')
    const exec = /^Exec=(.*)$/m.exec(readFileSync(file, 'utf8'))![1]!
    expect(exec).toContain(`"--data=${path.join(folder, 'data')}"`)
    expect(exec).toMatch(/ "--background"$/)

    appendFileSync(file, 'Hidden=true\n')
    await page.reload()
    await expect(atLogin).not.toBeChecked()
    await expect(atLogin).toHaveAccessibleDescription(/switched off in the system’s own settings/)
    await turn(page, startAtLogin, 'on')
    await turn(page, startAtLogin, 'off')
    expect(existsSync(file)).toBe(false)

    // Where it can't be written, that is said, and the switch shows what is so.
    rmSync(path.dirname(file), { recursive: true })
    mkdirSync(path.join(folder, 'config'), { recursive: true })
    writeFileSync(path.dirname(file), '')
    await turn(page, startAtLogin, 'off')
    await expect(page.getByRole('alert')).toContainText('The system didn’t take it')
  })
})

/** Blocks are numbered from the first on. */
const isKeptAwake = () =>
  app.electron.evaluate(({ powerSaveBlocker }) =>
    [...Array(20).keys()].some((id) => powerSaveBlocker.isStarted(id)),
  )

test('by choice the machine is kept awake, from the first link that works to the last; pages can choose nothing else', async () => {
  await start()
  const page = await app.page()
  const refused = await page.evaluate(async () => {
    const { settings } = (window as unknown as Bridged).galley
    const wrong = [{ keepSharing: 'yes' }, { path: '/bin/sh' }, null, 'keepSharing', []]
    const outcomes = await Promise.allSettled(wrong.map((one) => settings.change(one)))
    return outcomes.map(({ status }) => status)
  })
  expect(new Set(refused)).toEqual(new Set(['rejected']))
  expect(await trayMenu(app)).toBeUndefined()
  await settings(page)
  const keepAwake = /Keep awake while sharing/
  await expect(switchNamed(page, keepAwake)).not.toBeChecked()
  await shareDocument(page)
  await turn(page, keepAwake, 'on')
  await expect.poll(isKeptAwake).toBe(true)
  await page.evaluate(async () => {
    const answer = await fetch('/api/documents')
    const { data } = (await answer.json()) as { data: { id: string }[] }
    await fetch(`/api/documents/${data[0]!.id}`, { method: 'DELETE' })
  })
  await expect.poll(isKeptAwake).toBe(false)
  await shareDocument(page)
  await expect.poll(isKeptAwake).toBe(true)
  await turn(page, keepAwake, 'off')
  expect(await isKeptAwake()).toBe(false)

  await test.step('once the machine has woken up it is looked whether people elsewhere still get here', async () => {
    let asked = 0
    const to = { port: '' }
    const proxy = http.createServer(({ url, headers }, response) => {
      asked += 1
      const passed = http.get({ host: '127.0.0.1', port: to.port, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => response.writeHead(502).end())
    })
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
    const address = `http://localhost:${(proxy.address() as AddressInfo).port}`
    try {
      to.port = new URL(app.facts().shareUrl).port
      await page.evaluate(async (public_address) => {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ on: true, provider: 'url', url: { public_address } })
        await fetch('/api/tunnel', { method: 'PATCH', headers, body })
      }, address)
      const state = () =>
        page.evaluate(async () => {
          const answer = await fetch('/api/tunnel')
          return ((await answer.json()) as { data: { state: string } }).data.state
        })
      await expect.poll(state).toBe('online')
      // By itself it would be looked again only after a minute.
      const before = asked
      await app.electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'))
      await expect.poll(() => asked).toBeGreaterThan(before)
      expect(await state()).toBe('online')
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

interface Bridged {
  galley: { settings: { change(change: unknown): Promise<unknown> } }
}
