import { app, BrowserWindow, dialog } from 'electron'
import type { WebContents } from 'electron'
import path from 'node:path'
import type { FileReading, OpenedFile } from '../../server/contract/desktop.ts'
import {
  chooseFilesChannel,
  filesChannel,
  filesWantedChannel,
  finishFileChannel,
  readFileChannel,
  takeFilesChannel,
} from '../bridge/channels.ts'
import type { FileOrigins } from './file-origins.ts'
import { readDocumentFile } from './file-reading.ts'
import { answer, receive } from '../bridge/ipc.ts'

export interface FileOpenerOptions {
  isOwn: (url: string) => boolean
  origins: FileOrigins
  /** Brings the app to the front; the page there, if there is one already. */
  show: () => WebContents | undefined
}

export interface FileOpener {
  /** Opens files that the system or the person named; nothing else is ever read. */
  open(paths: readonly string[]): void
}

/** Files on their way from whoever opened them to a page that makes documents of them. */
export function createFileOpener({ isOwn, origins, show }: FileOpenerOptions): FileOpener {
  let waiting: string[] = []
  /** What pages have taken, until they say what became of it. */
  const taken = new Map<number, { file: string; page: WebContents }>()
  let lastId = 0
  const find = (id: number, page: WebContents) => {
    const one = taken.get(id)
    return one?.page === page ? one : undefined
  }

  function open(paths: readonly string[]) {
    if (paths.length === 0) return
    waiting.push(...paths)
    show()?.send(filesChannel)
  }

  async function choose(window: BrowserWindow | null) {
    const options: Electron.OpenDialogOptions = {
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: 'Text', extensions: ['md', 'markdown', 'mdown', 'mkd', 'mkdn', 'txt'] },
        { name: 'All Files', extensions: ['*'] },
      ],
    }
    const { filePaths } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options))
    open(filePaths)
  }

  receive(filesWantedChannel, isOwn, ({ sender }) => {
    // A page that begins anew never came to say what became of what it took.
    for (const [id, { file, page }] of taken) {
      if (page !== sender && !page.isDestroyed()) continue
      taken.delete(id)
      waiting.push(file)
    }
    if (waiting.length > 0) sender.send(filesChannel)
  })
  answer(takeFilesChannel, isOwn, ({ sender }): OpenedFile[] => {
    const files = waiting
    waiting = []
    return files.map((file) => {
      taken.set(++lastId, { file, page: sender })
      return { id: lastId, name: path.basename(file) }
    })
  })
  answer(readFileChannel, isOwn, async ({ sender }, id): Promise<FileReading> => {
    const one = find(id, sender)
    if (!one) return { problem: 'unreadable' }
    const read = await readDocumentFile(one.file)
    if ('problem' in read) return read
    one.file = read.path
    return { bytes: read.bytes, origin: origins.find(read.path) ?? null }
  })
  receive(finishFileChannel, isOwn, ({ sender }, id, origin) => {
    const one = find(id, sender)
    if (!one) return
    taken.delete(id)
    if (!origin) return
    origins.put(one.file, origin)
    if (process.platform === 'darwin' || process.platform === 'win32') app.addRecentDocument(one.file)
  })
  receive(chooseFilesChannel, isOwn, ({ sender }) => {
    void choose(BrowserWindow.fromWebContents(sender))
  })

  return { open }
}
