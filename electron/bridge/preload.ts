// The only bridge between the app's pages and the desktop. It is sandboxed: one file that requires nothing but `electron`.
import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, DesktopSettings } from '../../server/contract/desktop.ts'
import {
  changeSettingsChannel,
  chooseProgramChannel,
  commandsChannel,
  creditsChannel,
  forgetChannel,
  forgetRecentChannel,
  heardChannel,
  keepChannel,
  keptChannel,
  lastWordsChannel,
  listeningChannel,
  noteRecentChannel,
  noticeActedChannel,
  noticeChannel,
  noticesWantedChannel,
  openChannel,
  runChannel,
  settingsChannel,
  themeChannel,
  willSayChannel,
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
  onLastWords(say) {
    listen(lastWordsChannel, (id: number) => {
      void say().finally(() => ipcRenderer.send(heardChannel, id))
    })
    ipcRenderer.send(willSayChannel)
  },
  onCommand: (listener) => listen(runChannel, listener),
  setCommands: (commands) => ipcRenderer.send(commandsChannel, commands),
  words: {
    keep: (key, text) => ipcRenderer.invoke(keepChannel, key, text) as Promise<void>,
    forget: (key) => ipcRenderer.invoke(forgetChannel, key) as Promise<void>,
    list: (prefix) => ipcRenderer.invoke(keptChannel, prefix) as Promise<[string, string][]>,
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
