import type { DesktopExports } from '../../../server/contract/desktop.ts'
import { fileNameOf } from '../../../server/domain/file-name.ts'
import type { OwnerApp } from '../app.ts'
import { sayFailure } from '../say-failure.ts'
import { desktop } from '../desktop.ts'
import { toast } from '../../ui/toast.ts'
import { drawForWindow, withDiagrams } from './drawn-diagrams.ts'
import type { ExportFormat } from './export-formats.ts'
import { printInFrame } from './print-in-frame.ts'

export interface ExportedDocument {
  id: string
  title: string
  /** Its text, where it is at hand: it may be ahead of the server’s. */
  content?: string
}

const types = { md: 'text/markdown', html: 'text/html' } as const
const extensionOf = (format: Exclude<ExportFormat, 'pdf'>): 'md' | 'html' =>
  format.startsWith('html') ? 'html' : 'md'

/** Hands a document out as a file; says so where that fails. */
export async function exportDocument(
  app: OwnerApp,
  document: ExportedDocument,
  format: ExportFormat,
): Promise<void> {
  try {
    if (desktop) return await saveByDesktop(app, desktop.exports, document, format)
    if (format === 'pdf') return await printInFrame(document)
    const text = await textAs(app, document, format)
    const extension = extensionOf(format)
    download(`${fileNameOf(document.title)}.${extension}`, new Blob([text], { type: types[extension] }))
  } catch (error) {
    sayFailure('The document wasn’t exported', error)
  }
}

/** Opens the system’s window for printing a document. */
export async function printDocument(document: ExportedDocument): Promise<void> {
  try {
    if (!desktop) return await printInFrame(document)
    const problem = await desktop.exports.print(
      document.id,
      await drawForWindow(document.id).catch(() => null),
    )
    if (problem !== null) toast.error('The document can’t be printed', { description: problem })
  } catch (error) {
    sayFailure('The document can’t be printed', error)
  }
}

async function saveByDesktop(
  app: OwnerApp,
  exports: DesktopExports,
  document: ExportedDocument,
  format: ExportFormat,
): Promise<void> {
  const name = fileNameOf(document.title)
  const done = await exports.save(
    format === 'pdf'
      ? { format, name, source: document.id, ...(await diagramsOf(document)) }
      : { format: extensionOf(format), name, source: await textAs(app, document, format) },
  )
  if (done.outcome === 'failed') toast.error('The document wasn’t exported', { description: done.message })
  if (done.outcome !== 'saved') return
  toast.success(`Saved ${done.name}`, {
    action: { label: 'Show in folder', onClick: () => exports.showInFolder(done.id) },
  })
}

async function diagramsOf({ id }: ExportedDocument): Promise<{ diagrams?: string }> {
  const diagrams = await drawForWindow(id).catch(() => null)
  return diagrams === null ? {} : { diagrams }
}

async function textAs(
  { account: { api } }: OwnerApp,
  { id, content }: ExportedDocument,
  format: Exclude<ExportFormat, 'pdf'>,
): Promise<string> {
  if (format === 'md-feedback' || format === 'html-feedback') {
    const query = { format: extensionOf(format), feedback: 'true' } as const
    const text = await api.call('exportDocument', { params: { id }, query })
    return query.format === 'html' ? withDiagrams(text) : text
  }
  if (format === 'html')
    return withDiagrams(await api.call('exportDocument', { params: { id }, query: { format } }))
  return content ?? (await api.call('getDocument', { params: { id } })).content
}

function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the file a moment after it was asked to.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
