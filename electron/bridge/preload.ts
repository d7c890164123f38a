// The only bridge between the app's pages and the desktop. It is sandboxed: one file that requires nothing but `electron`.
import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, DesktopSettings } from '../../server/contract/desktop.ts'
import {
  changeSettingsChannel,
  chooseProgramChannel,
  commandsChannel,
  creditsChannel,
  forgetDraftChannel,
  forgetRecentChannel,
  flushedChannel,
  keepDraftChannel,
  listDraftsChannel,
  flushChannel,
  listeningChannel,
  noteRecentChannel,
  noticeActedChannel,
  noticeChannel,
  noticesWantedChannel,
  openChannel,
  runChannel,
  settingsChannel,
  themeChannel,
  willFlushChannel,
} from './channels.ts'
import { exports } from './preload-exports.ts'
import { files } from './preload-files.ts'
import { listen } from './preload-listen.ts'

const bridge: DesktopBridge = {
  onOpen(listener) {
    const stop = listen(openChannel, listener)
    ipcRenderer.send(listeningChannel)
    return stop
  },
  onFlushBeforeClose(flush) {
    listen(flushChannel, (id: number) => {
      void flush().finally(() => ipcRenderer.send(flushedChannel, id))
    })
    ipcRenderer.send(willFlushChannel)
  },
  onCommand: (listener) => listen(runChannel, listener),
  setCommands: (commands) => ipcRenderer.send(commandsChannel, commands),
  drafts: {
    keep: (key, text) => ipcRenderer.invoke(keepDraftChannel, key, text) as Promise<void>,
    forget: (key) => ipcRenderer.invoke(forgetDraftChannel, key) as Promise<void>,
    list: (prefix) => ipcRenderer.invoke(listDraftsChannel, prefix) as Promise<[string, string][]>,
  },
  files,
  exports,
  chooseProgram: (own) => ipcRenderer.invoke(chooseProgramChannel, own) as Promise<boolean>,
  recent: {
    note: (document) => ipcRenderer.send(noteRecentChannel, document),
    forget: (id) => ipcRenderer.send(forgetRecentChannel, id),
  },
  facts: { showCredits: () => ipcRenderer.invoke(creditsChannel) as Promise<string | null> },
  settings: {
    find: () => ipcRenderer.invoke(settingsChannel) as ReturnType<DesktopSettings['find']>,
    change: (change) =>
      ipcRenderer.invoke(changeSettingsChannel, change) as ReturnType<DesktopSettings['change']>,
  },
  onNotice(listener) {
    listen(noticeChannel, listener)
    ipcRenderer.send(noticesWantedChannel)
  },
  actOnNotice: (id, chosen) => ipcRenderer.send(noticeActedChannel, id, chosen),
  setTheme: (theme) => ipcRenderer.send(themeChannel, theme),
}

contextBridge.exposeInMainWorld('galley', bridge)
