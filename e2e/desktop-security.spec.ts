// What pages in the desktop app can’t do, whatever their content tries.
import { expect, test, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { appFolder, DesktopApp, Elsewhere, holdBack, sayWhichElectron } from './desktop-app.ts'

let app: DesktopApp
let elsewhere: Elsewhere
let left: () => Promise<string[]>

test.beforeAll(async () => {
  sayWhichElectron()
  app = await DesktopApp.start()
  elsewhere = await Elsewhere.start()
  await app.page()
  left = await holdBack(app)
})
test.afterAll(async () => {
  await app.remove()
  elsewhere.stop()
})

async function closeAllBut(page: Page) {
  const kept = await app.electron.browserWindow(page)
  const id = await kept.evaluate((window) => window.id)
  await app.electron.evaluate(({ BrowserWindow }, first) => {
    for (const window of BrowserWindow.getAllWindows()) if (window.id !== first) window.close()
  }, id)
  // The app's own count first: a window that was still opening isn't among Playwright's yet.
  const open = () => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  await expect.poll(open).toBe(1)
  await expect.poll(() => app.electron.windows()).toEqual([page])
}

/** Long enough for a navigation or a message to have happened. */
const aMoment = (page: Page) => page.waitForTimeout(400)
/** Waits until everything that a page has said so far was heard: what it asks after that is answered later. */
const inOrder = (page: Page) =>
  page.evaluate(() => (window as unknown as Bridged).galley.drafts.list('nothing.is.called.so'))
const built = (name: string) => readFileSync(path.join(appFolder, 'out/electron', name), 'utf8')

test.describe('a page', () => {
  test('has nothing of Node’s or Electron’s but the bridge, which it can’t change', async () => {
    const page = await app.page()
    const found = await page.evaluate(() => {
      const world = window as unknown as Record<string, unknown>
      const bridge = world.galley as Record<string, unknown>
      const tryTo = (change: () => void) => {
        try {
          change()
        } catch {
          // Whether it throws is not what counts.
        }
      }
      tryTo(() => (world.galley = 'changed'))
      tryTo(() => (bridge.setTheme = 'changed'))
      return {
        absent: ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
          (name) => typeof world[name] !== 'undefined',
        ),
        bridge: Object.fromEntries(
          Object.entries(world.galley as object).map(([name, member]) => [name, typeof member]),
        ),
      }
    })
    expect(found).toEqual({
      absent: [],
      bridge: {
        chooseProgram: 'function',
        exports: 'object',
        facts: 'object',
        files: 'object',
        actOnNotice: 'function',
        onCommand: 'function',
        onFlushBeforeClose: 'function',
        onNotice: 'function',
        onOpen: 'function',
        recent: 'object',
        settings: 'object',
        setCommands: 'function',
        setTheme: 'function',
        drafts: 'object',
      },
    })
  })

  test('is isolated and sandboxed, in the partition that is the app’s', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => {
        const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
        return contents.getLastWebPreferences()
      }),
    )
    expect(preferences).toHaveLength(1)
    for (const one of preferences) {
      expect(one).toMatchObject({
        contextIsolation: true,
        sandbox: true,
        webSecurity: true,
        spellcheck: true,
      })
      for (const name of [
        'nodeIntegration',
        'nodeIntegrationInSubFrames',
        'nodeIntegrationInWorker',
        'webviewTag',
      ])
        expect(one[name] ?? false, name).toBe(false)
    }
    const isApps = await app.electron.evaluate(
      ({ BrowserWindow, session }) =>
        BrowserWindow.getAllWindows()[0]!.webContents.session === session.fromPartition('persist:galley'),
    )
    expect(isApps).toBe(true)
  })

  test('has a preload that requires nothing but Electron', () => {
    for (const name of ['preload.cjs', 'failure-preload.cjs']) {
      const required = [...built(name).matchAll(/require\(([^)]*)\)/g)].map((call) => call[1])
      expect(required, name).toEqual(['"electron"'])
      expect(built(name), name).not.toMatch(/\bimport\b|\bprocess\b/)
    }
  })

  test('comes with a policy that allows no script but the app’s own', async () => {
    const page = await app.page()
    const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'))
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    const ran = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.head.append(script)
      return (window as unknown as { ran?: boolean }).ran === true
    })
    expect(ran).toBe(false)
  })
})

test.describe('the session', () => {
  test('is in a cookie that no page can read, and nowhere else', async () => {
    const page = await app.page()
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const { url } = app.facts()
    const [mine, others] = await app.electron.evaluate(async ({ session }) => {
      const isSession = ({ name }: { name: string }) => name.startsWith('galley_session_')
      return [
        (await session.fromPartition('persist:galley').cookies.get({})).filter(isSession),
        (await session.defaultSession.cookies.get({})).filter(isSession),
      ] as const
    })
    expect(mine).toHaveLength(1)
    expect(mine[0]).toMatchObject({
      httpOnly: true,
      sameSite: 'strict',
      hostOnly: true,
      domain: '127.0.0.1',
    })
    expect(others).toEqual([])

    const secret = mine[0]!.value
    expect(secret.length).toBeGreaterThan(30)
    const visible = await page.evaluate(() =>
      JSON.stringify([
        location.href,
        document.referrer,
        { ...localStorage },
        { ...sessionStorage },
        document.documentElement.outerHTML,
        performance.getEntriesByType('navigation').map((entry) => entry.name),
        performance.getEntriesByType('resource').map((entry) => entry.name),
      ]),
    )
    expect(visible).not.toContain(secret)
    expect(page.url()).toBe(`${url}/`)
  })

  test('is so from the moment in which a window is given it', async () => {
    const page = await app.page()
    // The server writes the cookie anew with its first answers; here it is looked at before.
    await app.electron.evaluate(({ session }) => {
      const { cookies } = session.fromPartition('persist:galley')
      const set = cookies.set.bind(cookies)
      const given: unknown[] = []
      ;(globalThis as { given?: unknown[] }).given = given
      cookies.set = async (details) => {
        await set(details)
        given.push(...(await cookies.get({ name: details.name! })))
      }
    })
    await page.evaluate(() => void open('/settings', '_blank', 'noopener'))
    const given = () => app.electron.evaluate(() => (globalThis as { given?: unknown[] }).given!)
    await expect.poll(given).toMatchObject([{ httpOnly: true, sameSite: 'strict', hostOnly: true }])
    await closeAllBut(page)
  })
})

test.describe('a page can’t be led away', () => {
  const stays = async (page: Page) => {
    await aMoment(page)
    expect(page.url()).toBe(`${app.facts().url}/`)
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    expect(app.electron.windows()).toHaveLength(1)
    expect(elsewhere.asked).toEqual([])
  }

  test('by its own script', async () => {
    const page = await app.page()
    for (const url of [
      `${elsewhere.url}/landed`,
      'file:///etc/passwd',
      'chrome://version',
      'data:text/html,x',
    ]) {
      await page.evaluate((to) => {
        location.href = to
      }, url)
      await stays(page)
    }
    expect(await left()).toEqual([])
  })

  test('by a link to elsewhere, which opens in the person’s browser instead', async () => {
    const page = await app.page()
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), {
        href: 'https://example.com/a b',
        textContent: 'Example',
        style: 'position: fixed; z-index: 99; top: 0',
      })
      document.body.append(link)
    })
    await page.getByRole('link', { name: 'Example' }).click()
    await expect.poll(left).toEqual(['https://example.com/a%20b'])
    await stays(page)
    await app.electron.evaluate(() => ((globalThis as { left?: string[] }).left!.length = 0))
  })

  test('by a server that redirects', async () => {
    const page = await app.page()
    await app.electron.evaluate(
      ({ BrowserWindow }, to) =>
        BrowserWindow.getAllWindows()[0]!
          .loadURL(to)
          .catch(() => {}),
      `${elsewhere.url}/redirect`,
    )
    await aMoment(page)
    expect(elsewhere.asked.splice(0)).toEqual(['/redirect'])
    await page.goto(app.facts().url)
    await stays(page)
  })

  test('by a frame', async () => {
    const page = await app.page()
    await page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }))
    }, `${elsewhere.url}/landed`)
    await stays(page)
  })

  test('by a web view, which doesn’t exist', async () => {
    const page = await app.page()
    await page.evaluate((src) => {
      const view = document.createElement('webview')
      view.setAttribute('src', src)
      document.body.append(view)
    }, `${elsewhere.url}/landed`)
    await stays(page)
    const prevented = await app.electron.evaluate(({ BrowserWindow }) => {
      let asked = false
      const event = { preventDefault: () => (asked = true) }
      BrowserWindow.getAllWindows()[0]!.webContents.emit('will-attach-webview', event, {}, {})
      return asked
    })
    expect(prevented).toBe(true)
  })

  test('by a new window; of those only web pages, mail and share links leave', async () => {
    const page = await app.page()
    const share = `${app.facts().shareUrl}/share/abc`
    const leaving = ['https://example.com/', 'mailto:someone@example.com', share]
    const refused = [
      `${elsewhere.url}/landed`,
      `${elsewhere.url}/share/abc`,
      `${app.facts().shareUrl}/api/me`,
      'file:///etc/passwd',
      'javascript:alert(1)',
      'about:blank',
      'vscode://file/etc/passwd',
    ]
    for (const url of [...refused, ...leaving])
      await page.evaluate((to) => void open(to, '_blank', 'noopener'), url)
    await expect.poll(left).toEqual(leaving)
    await expect.poll(() => app.electron.windows().length).toBe(1)
    await stays(page)
  })
})

test.describe('permissions', () => {
  const asked = ['geolocation', 'notifications', 'camera', 'microphone', 'midi', 'clipboard-read']

  test('are denied but for copying, asked for or not', async () => {
    const page = await app.page()
    for (const name of asked) {
      const state = await page.evaluate(
        async (one) => (await navigator.permissions.query({ name: one as PermissionName })).state,
        name,
      )
      expect(state, name).toBe('denied')
    }
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
    const place = await page.evaluate(
      () =>
        new Promise((resolve) =>
          navigator.geolocation.getCurrentPosition(
            () => resolve('found'),
            ({ code }) => resolve(code),
          ),
        ),
    )
    expect(place).toBe(1)
    await page.bringToFront()
    await page.evaluate(() => navigator.clipboard.writeText('copied'))
  })

  test('are denied in every other session too', async () => {
    const states = await app.electron.evaluate(async ({ BrowserWindow }, url) => {
      const window = new BrowserWindow({ show: false })
      await window.loadURL(url)
      const found = (await window.webContents.executeJavaScript(
        `Promise.all(['geolocation', 'notifications'].map(async (name) =>
            (await navigator.permissions.query({ name })).state))`,
      )) as string[]
      window.close()
      return found
    }, `${app.facts().shareUrl}/`)
    expect(states).toEqual(['denied', 'denied'])
  })
})

test.describe('messages to the main process', () => {
  const theme = () => app.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource)

  test('count only from the app’s own page', async () => {
    const page = await app.page()
    await page.evaluate(() => (window as unknown as Bridged).galley.setTheme('light'))
    await expect.poll(theme).toBe('light')
    // The same preload on a page from elsewhere: the bridge is there, but nobody listens to it.
    await app.electron.evaluate(async ({ BrowserWindow, app: own }, url) => {
      const window = new BrowserWindow({
        show: false,
        webPreferences: { preload: `${own.getAppPath()}/out/electron/preload.cjs`, partition: 'elsewhere' },
      })
      await window.loadURL(url)
      await window.webContents.executeJavaScript(`galley.setTheme('dark')`)
    }, `${elsewhere.url}/page`)
    await aMoment(page)
    expect(elsewhere.asked.splice(0)).toContain('/page')
    expect(await theme()).toBe('light')
    await closeAllBut(page)
  })

  test('don’t count from a frame', async () => {
    const page = await app.page()
    await page.evaluate(() => (window as unknown as Bridged).galley.setTheme('light'))
    await expect.poll(theme).toBe('light')
    await app.electron.evaluate(({ BrowserWindow, ipcMain }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents
      const frame = { url: contents.mainFrame.url, parent: contents.mainFrame }
      ipcMain.emit('galley:theme', { sender: contents, senderFrame: frame }, 'dark')
      ipcMain.emit('galley:theme', { sender: contents, senderFrame: null }, 'dark')
    })
    expect(await theme()).toBe('light')
  })

  test('don’t count when they hold anything else than they should', async () => {
    const page = await app.page()
    await page.evaluate(() => (window as unknown as Bridged).galley.setTheme('light'))
    await expect.poll(theme).toBe('light')
    await page.evaluate(() => {
      const { galley } = window as unknown as Bridged
      for (const value of ['purple', '', 1, null, {}, ['dark']]) galley.setTheme(value)
    })
    await inOrder(page)
    expect(await theme()).toBe('light')
    await page.evaluate(() => (window as unknown as Bridged).galley.setTheme('system'))
    await expect.poll(theme).toBe('system')
  })

  test('name commands, and so many that a menu could have them', async () => {
    const page = await app.page()
    const chosen = () =>
      app.electron.evaluate(({ Menu }) => {
        const view = Menu.getApplicationMenu()!.items.find(({ label }) => label === '&View')!
        return view.submenu!.items.find(({ label }) => label === 'Outline')!.enabled
      })
    const say = (commands: unknown) =>
      page.evaluate((all) => (window as unknown as Bridged).galley.setCommands(all), commands)
    await say([{ id: 'outline' }])
    await expect.poll(chosen).toBe(true)
    await say([])
    await expect.poll(chosen).toBe(false)
    const outline = { id: 'outline' }
    for (const wrong of [
      'outline',
      [outline, { id: '../x' }],
      [outline, { id: 1 }],
      [outline, { id: 'x', run: 'y' }],
      [outline, { id: 'x', checked: 'yes' }],
      Array.from({ length: 201 }, () => outline),
    ])
      await say(wrong)
    await inOrder(page)
    expect(await chosen()).toBe(false)
    await page.reload()
  })
})

interface Bridged {
  galley: {
    setTheme(theme: unknown): void
    setCommands(commands: unknown): void
    drafts: { list(prefix: string): Promise<unknown> }
  }
}
