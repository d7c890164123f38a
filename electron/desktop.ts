import { app, nativeTheme, shell } from 'electron'
import { findOutside, isWithin } from './addresses.ts'
import { createAppWindows } from './app-windows.ts'
import { themeChannel } from './channels.ts'
import { createFailureNotice } from './failure-notice.ts'
import { receive } from './ipc.ts'
import type { ServerFacts, ServerOptions } from './messages.ts'
import { guardNavigation } from './navigation.ts'
import { signIn } from './partition.ts'
import { guardPermissions } from './permissions.ts'
import { forkServer } from './server-child.ts'
import { hostServer } from './server-host.ts'

export interface Desktop {
  /** Opens the first window and starts the server. Only after the app is ready. */
  start(path?: string): void
  /** Brings the app to the front, at this page if one is asked for. */
  show(path?: string): void
  /** Closes the server. */
  close(): Promise<void>
}

/** The parts of the desktop app, put together. Made before the app is ready, so that nothing is made unguarded. */
export function createDesktop(options: ServerOptions, dataFolder: string): Desktop {
  let facts: ServerFacts | undefined
  const isOwn = (url: string) => facts !== undefined && isWithin(new URL(facts.url).origin, url)
  const openOutside = (url: string) => {
    const outside = findOutside(url, facts?.shareUrl)
    if (outside !== undefined) void shell.openExternal(outside)
  }

  const server = hostServer({
    fork: forkServer,
    options,
    onReady(now) {
      facts = now
      windows.loadMissing()
      if (windows.count() === 0) windows.add()
      notice.hide()
    },
    onFailed(failure) {
      console.error(failure.message)
      notice.show(failure)
      // There is nothing in the windows as long as there never was a server.
      if (!facts) windows.closeAll()
    },
  })
  const windows = createAppWindows({
    isOwn,
    async addressOf(path) {
      if (!facts) return undefined
      await signIn(facts, await server.createSession())
      return facts.url + path
    },
  })
  const notice = createFailureNotice(dataFolder, () => server.start())

  app.on('session-created', (session) => guardPermissions(session, isOwn))
  app.on('web-contents-created', (_event, contents) =>
    guardNavigation(contents, {
      isOwn,
      openInside: (url) => windows.add(new URL(url).pathname),
      openOutside,
    }),
  )
  receive(themeChannel, isOwn, (_event, theme) => {
    nativeTheme.themeSource = theme
  })

  return {
    start(path) {
      windows.add(path)
      server.start()
    },
    show(path) {
      // As long as there is no server, the notice is all there is to see.
      if (!facts && notice.focus()) return
      windows.show(path)
      server.start()
    },
    close: () => server.close(),
  }
}
