import { BrowserWindow } from 'electron'
import { listeningChannel, openChannel } from './channels.ts'
import { receive } from './ipc.ts'
import { createAppWindow } from './window.ts'

interface AppWindow {
  window: BrowserWindow
  /** Where it is, or is to be, as a path of the app. */
  path: string
  /** Whether a page of the app's is in it, or on its way there. */
  loaded: boolean
  /** Paths that its page will be told when it listens. */
  waiting: string[]
  listening: boolean
}

export interface AppWindowsOptions {
  isOwn: (url: string) => boolean
  /** The address of a path, once its page will find itself signed in; undefined as long as there is no server. */
  addressOf: (path: string) => Promise<string | undefined>
}

/** The windows that show the app's pages. */
export function createAppWindows({ isOwn, addressOf }: AppWindowsOptions) {
  const open = new Set<AppWindow>()
  const find = (contents: unknown) => [...open].find(({ window }) => window.webContents === contents)

  receive(listeningChannel, isOwn, (event) => {
    const page = find(event.sender)
    if (!page) return
    page.listening = true
    for (const path of page.waiting.splice(0)) event.sender.send(openChannel, path)
  })

  async function load(page: AppWindow) {
    if (page.loaded) return
    page.loaded = true
    try {
      const address = await addressOf(page.path)
      if (address === undefined || page.window.isDestroyed()) page.loaded = false
      else await page.window.loadURL(address)
    } catch {
      // The server has gone meanwhile; when it is back, the window is loaded again.
      page.loaded = false
    }
  }

  function add(path = '/') {
    const window = createAppWindow()
    const page: AppWindow = { window, path, loaded: false, waiting: [], listening: false }
    open.add(page)
    const { webContents: contents } = window
    window.on('closed', () => open.delete(page))
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) page.listening = false
    })
    contents.on('did-navigate', (_event, url) => {
      if (isOwn(url)) page.path = new URL(url).pathname
    })
    contents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      if (isMainFrame && isOwn(url)) page.path = new URL(url).pathname
    })
    // A page that was reloaded while the server was away is an error page now.
    contents.on('did-fail-load', (_event, code, _text, _url, isMainFrame) => {
      if (isMainFrame && code !== aborted) page.loaded = false
    })
    // What was typed is in the page's storage, and comes back with it.
    contents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return
      page.loaded = false
      void load(page)
    })
    void load(page)
  }

  return {
    /** Opens a further window. */
    add,
    /** Brings the app to the front, at this page if one is asked for. */
    show(path?: string) {
      const focused = BrowserWindow.getFocusedWindow()
      const page = [...open].find(({ window }) => window === focused) ?? [...open].at(-1)
      if (!page) return add(path)
      if (page.window.isMinimized()) page.window.restore()
      page.window.show()
      page.window.focus()
      if (path === undefined) return
      if (page.listening) page.window.webContents.send(openChannel, path)
      else if (page.loaded) page.waiting.push(path)
      else page.path = path
    },
    /** Loads the windows that have no page yet. Those that have one are left alone: words may be in it. */
    loadMissing() {
      for (const page of open) void load(page)
    },
    count: () => open.size,
    closeAll() {
      for (const { window } of [...open]) window.close()
    },
  }
}

/** Chromium's code for a navigation that was called off, for instance by the guard. */
const aborted = -3
