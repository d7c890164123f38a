import { app, BrowserWindow, clipboard, ClipboardItem, dialog, shell } from 'electron'
import path from 'node:path'
import type { ExportOutcome } from '../../server/contract/desktop.ts'
import { copyChannel, exportChannel, printChannel, showExportChannel } from '../bridge/channels.ts'
import { explainWriting, writeFileWhole } from './file-writing.ts'
import { answer, receive } from '../bridge/ipc.ts'
import type { Paper } from './paper.ts'

const kinds = { md: 'Markdown', html: 'Web Page', docx: 'Word Document', pdf: 'PDF' } as const

/** Lets pages hand documents out: as files where the person says, on paper, over the clipboard. */
export function handOutDocuments(isOwn: (url: string) => boolean, paper: Paper): void {
  /** What was exported, by the number that its page has; a page names no path. */
  const exported = new Map<number, string>()
  let lastId = 0
  let folder: string | undefined

  answer(exportChannel, isOwn, async ({ sender }, what): Promise<ExportOutcome> => {
    const { format, name, source } = what
    // It is set while the person chooses, who then waits less.
    const making =
      what.format === 'pdf'
        ? paper.pdf(source, what.diagrams)
        : Promise.resolve(what.format === 'docx' ? Buffer.from(source, 'base64') : source)
    making.catch(() => {})
    const options = {
      defaultPath: path.join(folder ?? app.getPath('documents'), `${name}.${format}`),
      filters: [{ name: kinds[format], extensions: [format] }],
    }
    const window = BrowserWindow.fromWebContents(sender)
    const { canceled, filePath } = await (window
      ? dialog.showSaveDialog(window, options)
      : dialog.showSaveDialog(options))
    if (canceled || !filePath) return { outcome: 'cancelled' }
    let content: string | Uint8Array
    try {
      content = await making
    } catch (error) {
      return { outcome: 'failed', message: (error as Error).message }
    }
    try {
      await writeFileWhole(filePath, content)
    } catch (error) {
      return { outcome: 'failed', message: explainWriting(error) }
    }
    folder = path.dirname(filePath)
    exported.set(++lastId, filePath)
    return { outcome: 'saved', id: lastId, name: path.basename(filePath) }
  })
  receive(showExportChannel, isOwn, (_event, id) => {
    const file = exported.get(id)
    if (file !== undefined) shell.showItemInFolder(file)
  })
  answer(printChannel, isOwn, (_event, document, diagrams) =>
    paper.print(document, diagrams ?? undefined).then(
      () => null,
      (error: unknown) => (error as Error).message,
    ),
  )
  answer(copyChannel, isOwn, (_event, { html, text }) =>
    clipboard.write([new ClipboardItem({ 'text/html': html, 'text/plain': text })]),
  )
}
