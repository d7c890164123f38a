import { app, BrowserWindow } from 'electron'
import type { WebContents } from 'electron'
import { flushedChannel, flushChannel, willFlushChannel } from '../bridge/channels.ts'
import { receive } from '../bridge/ipc.ts'
import { pagesListening } from '../bridge/pages-listening.ts'

/** A page that hasn't answered after this long is closed without its answer; its drafts are kept. */
const patience = 5_000
/** So long Chromium may take to close a page that didn't answer; then its window goes all the same. */
const closingPatience = 2_000

export interface WindowFlush {
  /** Lets every page save what it has. */
  flushAll(): Promise<void>
  /** Lets every page save what it has, and its window close then without being asked again. */
  flushAndLetGo(): Promise<void>
}

/**
 * Before a window closes, its page is asked to save what isn't saved yet, and the window waits for that: what a page
 * sends while it goes away may come to nobody any more.
 */
export function flushBeforeClose(isOwn: (url: string) => boolean): WindowFlush {
  /** Windows that may close now. */
  const flushed = new Set<BrowserWindow>()
  const waiting = new Map<number, { contents: WebContents; resolve: (answered: boolean) => void }>()
  let lastId = 0

  /** Pages that answer when they are asked. */
  const willing = pagesListening(willFlushChannel, isOwn, {
    onGone(contents) {
      for (const one of waiting.values()) if (one.contents === contents) one.resolve(false)
    },
  })
  receive(flushedChannel, isOwn, ({ sender }, id) => {
    if (waiting.get(id)?.contents === sender) waiting.get(id)!.resolve(true)
  })

  /** Whether the page has nothing left to save. */
  async function flush(contents: WebContents): Promise<boolean> {
    if (!willing.has(contents)) return true
    const id = ++lastId
    let end: NodeJS.Timeout | undefined
    const answered = await new Promise<boolean>((resolve) => {
      waiting.set(id, { contents, resolve })
      end = setTimeout(() => resolve(false), patience)
      contents.send(flushChannel, id)
    })
    clearTimeout(end)
    waiting.delete(id)
    return answered
  }

  /** Lets the window close; one whose page doesn't answer, and so can't object either, is not waited for again. */
  function letGo(window: BrowserWindow, answered: boolean) {
    flushed.add(window)
    if (answered) return
    const end = setTimeout(() => {
      if (!window.isDestroyed()) window.destroy()
    }, closingPatience)
    window.webContents.once('will-prevent-unload', () => clearTimeout(end))
    window.once('closed', () => clearTimeout(end))
  }

  app.on('browser-window-created', (_event, window) => {
    const { webContents: contents } = window
    contents.on('will-prevent-unload', (event) => {
      // Where a person chooses to stay, nothing quits, and everyone is asked anew the next time.
      queueMicrotask(() => {
        if (!event.defaultPrevented) flushed.clear()
      })
    })
    let asking = false
    window.on('close', (event) => {
      if (flushed.delete(window)) return
      event.preventDefault()
      if (asking) return
      asking = true
      void flush(contents).then((answered) => {
        asking = false
        if (window.isDestroyed()) return
        letGo(window, answered)
        window.close()
      })
    })
    window.on('closed', () => flushed.delete(window))
  })

  const flushEach = (then: (window: BrowserWindow, answered: boolean) => void) =>
    Promise.all(
      BrowserWindow.getAllWindows().map(async (window) => {
        const answered = await flush(window.webContents)
        if (!window.isDestroyed()) then(window, answered)
      }),
    )

  return {
    async flushAll() {
      await flushEach(() => {})
    },
    async flushAndLetGo() {
      await flushEach(letGo)
    },
  }
}
