// The only bridge between the app's pages and the desktop. It is sandboxed: one file that requires nothing but `electron`.
import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge } from '../server/contract/desktop.ts'
import { listeningChannel, openChannel, themeChannel } from './channels.ts'

const bridge: DesktopBridge = {
  onOpen(listener) {
    const hear = (_event: unknown, path: string) => listener(path)
    ipcRenderer.on(openChannel, hear)
    ipcRenderer.send(listeningChannel)
    return () => void ipcRenderer.off(openChannel, hear)
  },
  setTheme: (theme) => ipcRenderer.send(themeChannel, theme),
}

contextBridge.exposeInMainWorld('galley', bridge)
