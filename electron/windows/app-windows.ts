import type { BrowserWindow, WebContents } from 'electron'
import { listeningChannel, openChannel } from '../bridge/channels.ts'
import { receive } from '../bridge/ipc.ts'
import type { MigrationProgress } from '../../server/index.ts'
import { migrationPage, migrationUpdate } from './migration-page.ts'
import { plainPageUrl } from './plain-page.ts'
import { watchForTrouble } from './page-trouble.ts'
import type { OpenWindow, Preferences } from '../preferences/preferences.ts'
import { rememberWindows } from './window-memory.ts'
import { createAppWindow } from './window.ts'

/** Its `path` is where it is, or is to be. */
interface AppWindow extends OpenWindow {
  window: BrowserWindow
  /** Whether a page of the app's is in it, or on its way there. */
  loaded: boolean
  /** How many servers there had been when its page was asked for. */
  server: number
  /** What in the page is asked for, such as `#comment-…`. */
  hash: string
  /** Paths that its page will be told when it listens. */
  waiting: string[]
  listening: boolean
  /** Whether it is on its way out; its page may still be saving. */
  closing: boolean
  /** Fulfilled once it says that documents are brought up to date; undefined where that isn't so. */
  migration: Promise<unknown> | undefined
}

export interface AppWindowsOptions {
  isOwn: (url: string) => boolean
  /** The address of a path, once its page will find itself signed in; undefined as long as there is no server. */
  addressOf: (path: string) => Promise<string | undefined>
  /** Where the open windows are kept for the next start. */
  preferences: Preferences
}

/** The windows that show the app's pages. */
export function createAppWindows({ isOwn, addressOf, preferences }: AppWindowsOptions) {
  /** In the order in which they were in front, the one that was last at the end. */
  const open = new Set<AppWindow>()
  const front = () => [...open].at(-1)
  /** Where something can be shown: what is shown in a window that closes goes with it. */
  const staying = () => [...open].filter(({ closing }) => !closing)
  /** How many servers there have been. */
  let servers = 0
  const memory = rememberWindows(preferences, () => [...open])
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
      const address = await addressOf(page.path + page.hash)
      if (address === undefined || page.window.isDestroyed()) page.loaded = false
      else {
        if (page.migration) page.window.setProgressBar(-1)
        page.migration = undefined
        await page.window.loadURL(address)
      }
    } catch {
      // The server has gone meanwhile; when it is back, the window is loaded again.
      page.loaded = false
    }
  }

  /** In a window that has no page yet, and stays without until the server is there. */
  async function tellMigration(page: AppWindow, progress: MigrationProgress) {
    const { window } = page
    window.setProgressBar(progress.done / progress.of)
    page.migration ??= window.loadURL(plainPageUrl(migrationPage(progress))).catch(() => {})
    await page.migration
    if (!page.loaded && !window.isDestroyed())
      await window.webContents.executeJavaScript(migrationUpdate(progress))
  }

  function freeSlot(): number {
    const taken = new Set([...open].map(({ slot }) => slot))
    let slot = 1
    while (taken.has(slot)) slot++
    return slot
  }

  function add(wanted = '/', slot = freeSlot()) {
    const { path, hash } = split(wanted)
    const window = createAppWindow({ slot, beside: front()?.window })
    const page: AppWindow = {
      window,
      slot,
      path,
      hash,
      loaded: false,
      server: 0,
      waiting: [],
      listening: false,
      closing: false,
      migration: undefined,
    }
    open.add(page)
    memory.thaw()
    memory.note()
    const { webContents: contents } = window
    window.on('close', () => (page.closing = true))
    window.on('closed', () => {
      open.delete(page)
      memory.note()
    })
    window.on('focus', () => {
      open.delete(page)
      open.add(page)
      memory.note()
    })
    contents.on('will-prevent-unload', (event) =>
      // Where somebody chooses to stay, nothing closes.
      queueMicrotask(() => {
        if (event.defaultPrevented) return
        page.closing = false
        memory.thaw()
      }),
    )
    const moved = (url: string) => {
      if (!isOwn(url)) return
      page.path = new URL(url).pathname
      page.hash = ''
      memory.note()
    }
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (!isMainFrame || isSameDocument) return
      page.listening = false
      page.server = servers
    })
    contents.on('did-navigate', (_event, url) => moved(url))
    contents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      if (isMainFrame) moved(url)
    })
    // A page that was reloaded while the server was away is an error page now.
    contents.on('did-fail-load', (_event, code, _text, _url, isMainFrame) => {
      if (!isMainFrame || code === aborted) return
      page.loaded = false
      // The server may have come back before that was known.
      if (page.server < servers) void load(page)
    })
    const reload = () => {
      page.loaded = false
      void load(page)
    }
    watchForTrouble({
      window,
      reload,
      leave() {
        page.path = '/'
        reload()
      },
    })
    void load(page)
    return page
  }

  function bringToFront({ window }: AppWindow) {
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  const at = (path: string | undefined) => staying().findLast((page) => page.path === path)

  /** Opens the windows that were open last, and this page if one is asked for. */
  function restore(path?: string) {
    for (const one of memory.last()) add(one.path, one.slot)
    const there = at(path)
    if (there) bringToFront(there)
    else if (open.size === 0 || path !== undefined) add(path)
  }

  return {
    /** Opens a further window. */
    add,
    /** The page of the window that is in front, or was last. */
    front: () => front()?.window.webContents,
    restore,
    /** Brings the app to the front, at this page if one is asked for. */
    show(path?: string) {
      if (path === undefined) {
        const page = staying().at(-1)
        if (page) return bringToFront(page)
        return open.size === 0 ? restore() : void add(front()?.path)
      }
      const { path: pathname, hash } = split(path)
      const there = at(pathname)
      const page = there ?? staying().at(-1)
      if (!page) return void add(path)
      bringToFront(page)
      if (there && hash === '') return
      if (page.listening) page.window.webContents.send(openChannel, path)
      else if (page.loaded) page.waiting.push(path)
      else Object.assign(page, { path: pathname, hash })
    },
    /** The page of a window that is in front now, whether one was open or not. */
    bringUp(): WebContents {
      const page = front() ?? add()
      bringToFront(page)
      return page.window.webContents
    },
    /** Loads the windows that have no page yet. Those that have one are left alone: words may be in it. */
    loadMissing() {
      servers++
      for (const page of open) void load(page)
    },
    /** Says how far the documents have been brought up to date, wherever there is nothing else to see yet. */
    showMigration(progress: MigrationProgress) {
      // A window that closes or gets its page meanwhile needs it no more.
      for (const page of open) if (!page.loaded) tellMigration(page, progress).catch(() => {})
    },
    /** From now on, and as soon as there is a server, every window loads its page anew. */
    outdate() {
      for (const page of open) page.loaded = false
    },
    count: () => open.size,
    /** Whether a window with this page has the focus. */
    isLookedAt: (path: string) => [...open].some((page) => page.path === path && page.window.isFocused()),
    closeAll() {
      memory.freeze()
      for (const { window } of [...open]) window.close()
    },
  }
}

function split(wanted: string) {
  const [path = '/', hash] = wanted.split('#', 2)
  return { path, hash: hash === undefined ? '' : `#${hash}` }
}

/** Chromium's code for a navigation that was called off, for instance by the guard. */
const aborted = -3
