import { ipcRenderer } from 'electron'
import type { DesktopExports, ExportOutcome } from '../../server/contract/desktop.ts'
import { copyChannel, exportChannel, printChannel, showExportChannel } from './channels.ts'

export const exports: DesktopExports = {
  save: (what) => ipcRenderer.invoke(exportChannel, what) as Promise<ExportOutcome>,
  showInFolder: (id) => ipcRenderer.send(showExportChannel, id),
  print: (document, diagrams) =>
    ipcRenderer.invoke(printChannel, document, diagrams) as Promise<string | null>,
  copy: (rich) => ipcRenderer.invoke(copyChannel, rich) as Promise<void>,
}
