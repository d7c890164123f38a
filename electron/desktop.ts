import { app, nativeTheme, powerMonitor, powerSaveBlocker, shell } from 'electron'
import path from 'node:path'
import { createAppWindows } from './windows/app-windows.ts'
import { createAwake } from './background/awake.ts'
import { createBackground } from './background/background.ts'
import { createBackups } from './backups/backups.ts'
import { themeChannel } from './bridge/channels.ts'
import { showCreditsTo } from './windows/credits.ts'
import { offerSettings } from './desktop-settings.ts'
import { logsFolder } from './diagnostics/diagnostics.ts'
import { createFailureNotice } from './server/failure-notice.ts'
import { handOutDocuments } from './files/exports.ts'
import { createFeedbackNotifications } from './notifications/feedback-notifications.ts'
import { openFileOrigins } from './files/file-origins.ts'
import { receive } from './bridge/ipc.ts'
import { flushBeforeClose } from './windows/flush-before-close.ts'
import { findLoginItem } from './background/login-item.ts'
import { createMenus } from './menus/menus.ts'
import { guardNavigation } from './windows/navigation.ts'
import type { OpenRequest } from './start/open-request.ts'
import type { DesktopOptions } from './start/options.ts'
import { createFileOpener } from './files/opened-files.ts'
import { createOwnServer } from './server/own-server.ts'
import { createPaper } from './files/paper.ts'
import { createWindowNotices } from './notifications/notices.ts'
import { guardPermissions } from './windows/permissions.ts'
import type { Preferences } from './preferences/preferences.ts'
import { keepRecentDocuments } from './menus/recent-documents.ts'
import { findTerminalCommand } from './terminal/this-program.ts'
import { createDesktopUpdates } from './updates/desktop-updates.ts'
import { keepPageDrafts } from './windows/page-drafts.ts'
import { zoomByWheel, zoomWindow } from './windows/zoom.ts'
import { offerProgram } from './server/tunnel-program.ts'

export interface DesktopPlace {
  /** What the person asked for. */
  options: DesktopOptions
  dataFolder: string
  profile: string
  preferences: Preferences
}

export interface Desktop {
  /** Opens the first window, with what is asked for in it, and starts the server. Only after the app is ready. */
  start(asked: OpenRequest): void
  /** Brings the app to the front. */
  show(): void
  /** Brings the app to the front with what is asked for: before it has started, when it does. */
  open(asked: OpenRequest): void
  /** Has every page save what isn't saved yet. */
  flush(): Promise<void>
  /** Closes the server. */
  close(): Promise<void>
  /** Ends the app when all is closed. */
  leave(): void
}

/** The parts of the desktop app, put together. Made before the app is ready, so that nothing is made unguarded. */
export function createDesktop({ options, dataFolder, profile, preferences }: DesktopPlace): Desktop {
  const server = createOwnServer({
    options: options.server,
    dataFolder,
    profile,
    preferences,
    onReady() {
      windows.loadMissing()
      // What the notice stood for can be shown now; an app that has no window for another reason stays without.
      if (windows.count() === 0 && notice.isShown()) windows.restore()
      notice.hide()
    },
    onMigrating: (progress) => windows.showMigration(progress),
    onFailed(failure) {
      notice.show(failure)
      // There is nothing in the windows as long as there never was a server.
      if (!server.wasUp()) windows.closeAll()
    },
    onSharing(sharing) {
      background.showSharing(sharing)
      awake.showLinks(sharing?.links)
    },
    onFeedback: (feedback) => feedbackNotifications.hear(feedback),
  })
  const { isOwn, addressOf, findOutside, openOutside } = server
  const openInside = (url: string) => void windows.add(new URL(url).pathname)
  const windows = createAppWindows({ isOwn, addressOf, preferences })
  const notice = createFailureNotice(dataFolder, {
    tryAgain: () => server.start(),
    restore: () => void backups.restore(),
  })

  const pages = flushBeforeClose(isOwn)
  const notices = createWindowNotices(isOwn)
  const updates = createDesktopUpdates({
    notices,
    preferences,
    openOutside,
    onChange: () => menus.rebuild(),
  })
  const backups = createBackups({
    dataFolder,
    notices,
    async makeWay() {
      await pages.flushAll()
      await server.pause()
    },
    comeBack(isRestored) {
      if (isRestored) windows.outdate()
      server.resume()
    },
  })
  const awake = createAwake({ preferences, blocker: powerSaveBlocker })
  const background = createBackground({
    preferences,
    isUp: server.isUp,
    setSharing: server.setSharing,
    open: () => show(),
    newDocument: () => menus.run('new'),
  })
  const feedbackNotifications = createFeedbackNotifications({
    preferences,
    isLookedAt: (id) => windows.isLookedAt(`/documents/${id}`),
    open: (page) => show(page),
  })
  offerProgram({ isOwn, dataFolder })
  const command = findTerminalCommand()
  offerSettings({
    ...{ isOwn, background, awake, preferences, updates, command },
    loginItem: () => findLoginItem(options),
    onCommand: () => menus.rebuild(),
  })
  // Existing profiles have the folder under this name.
  const drafts = keepPageDrafts(path.join(profile, 'words'), isOwn)

  app.on('session-created', (session) => guardPermissions(session, isOwn))
  app.on('web-contents-created', (_event, contents) =>
    guardNavigation(contents, { isOwn, openInside, openOutside }),
  )
  zoomByWheel()
  receive(themeChannel, isOwn, (_event, theme) => {
    nativeTheme.themeSource = theme
    preferences.set('theme', theme)
  })

  const recent = keepRecentDocuments({
    isOwn,
    file: path.join(profile, 'recent.json'),
    open: (page) => show(page),
    onChange: () => menus.rebuild(),
  })
  const menus = createMenus({
    isOwn,
    findOutside,
    openInside,
    openOutside,
    front: () => windows.front(),
    bringUp: () => windows.bringUp(),
    actions: {
      newWindow: () => void windows.add(),
      backUp: () => void backups.backUp(),
      restore: () => void backups.restore(),
      revealData: () => void shell.openPath(dataFolder),
      revealLogs: () => void shell.openPath(logsFolder(profile)),
      zoom: zoomWindow,
    },
    recent: () => recent.entries(),
    updates: () => updates.entries(),
    command: () => command.find(),
    preferences,
  })

  function show(page?: string) {
    // As long as there is no server, the notice is all there is to see.
    if (!server.wasUp() && notice.focus()) return
    windows.show(page)
    server.start()
  }
  handOutDocuments(isOwn, createPaper({ addressOf }))
  showCreditsTo(isOwn)
  const files = createFileOpener({
    isOwn,
    origins: openFileOrigins(path.join(profile, 'opened-files.json')),
    show() {
      show()
      return windows.front()
    },
  })

  let early: OpenRequest[] | undefined = []

  function open(asked: OpenRequest) {
    if (early) return void early.push(asked)
    if (asked.background) return
    if (asked.page !== undefined || asked.files.length === 0) show(asked.page)
    files.open(asked.files)
  }

  return {
    start(asked) {
      const all = [asked, ...(early ?? [])]
      early = undefined
      command.follow()
      menus.show()
      background.start()
      powerMonitor.on('resume', () => server.wake())
      updates.start()
      // Somebody who asks for it meanwhile is shown it.
      const isHidden = background.isKept() && all.every((one) => one.background)
      if (!isHidden) windows.restore(all.map(({ page }) => page).findLast((page) => page !== undefined))
      server.start()
      files.open(all.flatMap((one) => one.files))
    },
    show: () => show(),
    open,
    flush: () => pages.flushAndLetGo(),
    close: async () => {
      awake.close()
      await backups.done()
      await Promise.all([server.close(), drafts.settled()])
    },
    leave: () => updates.leave(),
  }
}
