import { ipcRenderer } from 'electron'
import type { DesktopFiles, FileReading, OpenedFile } from '../../server/contract/desktop.ts'
import {
  chooseFilesChannel,
  filesChannel,
  filesWantedChannel,
  finishFileChannel,
  readFileChannel,
  takeFilesChannel,
} from './channels.ts'
import { listen } from './preload-listen.ts'

export const files: DesktopFiles = {
  onOpened(listener) {
    const stop = listen(filesChannel, () => listener())
    ipcRenderer.send(filesWantedChannel)
    return stop
  },
  take: () => ipcRenderer.invoke(takeFilesChannel) as Promise<OpenedFile[]>,
  read: (id) => ipcRenderer.invoke(readFileChannel, id) as Promise<FileReading>,
  finish: (id, origin) => ipcRenderer.send(finishFileChannel, id, origin),
  choose: () => ipcRenderer.send(chooseFilesChannel),
}
