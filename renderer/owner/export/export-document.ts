import type { DesktopExports } from '../../../server/contract/desktop.ts'
import { fileNameOf } from '../../../server/domain/file-name.ts'
import { ApiError, readEnvelope } from '../../api/client-of.ts'
import type { OwnerApp } from '../app.ts'
import { sayFailure } from '../say-failure.ts'
import { desktop } from '../desktop.ts'
import { toast } from '../../ui/toast.ts'
import { drawForWindow, withDiagrams } from './drawn-diagrams.ts'
import type { OfferedFormat } from './export-formats.ts'
import { printInFrame } from './print-in-frame.ts'
import { sayingSilence } from '../say-silence.svelte.ts'

export interface ExportedDocument {
  id: string
  title: string
  /** Its text, where it is at hand: it may be ahead of the server’s. */
  content?: string
}

const types = { md: 'text/markdown', html: 'text/html' } as const
type TextFormat = Exclude<OfferedFormat, 'pdf' | 'docx'>
const extensionOf = (format: TextFormat): 'md' | 'html' => (format.startsWith('html') ? 'html' : 'md')

/** Hands a document out as a file; says so where that fails. */
export async function exportDocument(
  app: OwnerApp,
  document: ExportedDocument,
  format: OfferedFormat,
): Promise<void> {
  try {
    if (desktop) return await saveByDesktop(app, desktop.exports, document, format)
    if (format === 'pdf') return await printInFrame(app, document, 'The export')
    const name = fileNameOf(document.title)
    if (format === 'docx') return download(`${name}.docx`, await wordFile(app, document))
    const text = await textAs(app, document, format)
    const extension = extensionOf(format)
    download(`${name}.${extension}`, new Blob([text], { type: types[extension] }))
  } catch (error) {
    sayFailure('The document wasn’t exported', error)
  }
}

/** Opens the system’s window for printing a document. */
export async function printDocument(app: OwnerApp, document: ExportedDocument): Promise<void> {
  try {
    if (!desktop) return await printInFrame(app, document, 'Printing')
    const problem = await desktop.exports.print(document.id, await diagramsFor(app, document, 'Printing'))
    if (problem !== null) toast.error('The document can’t be printed', { description: problem })
  } catch (error) {
    sayFailure('The document can’t be printed', error)
  }
}

async function saveByDesktop(
  app: OwnerApp,
  exports: DesktopExports,
  document: ExportedDocument,
  format: OfferedFormat,
): Promise<void> {
  const name = fileNameOf(document.title)
  const done = await exports.save(
    format === 'pdf'
      ? { format, name, source: document.id, ...(await diagramsOf(app, document)) }
      : format === 'docx'
        ? { format, name, source: await base64Of(await wordFile(app, document)) }
        : { format: extensionOf(format), name, source: await textAs(app, document, format) },
  )
  if (done.outcome === 'failed') toast.error('The document wasn’t exported', { description: done.message })
  if (done.outcome !== 'saved') return
  toast.success(`Saved ${done.name}`, {
    action: { label: 'Show in folder', onClick: () => exports.showInFolder(done.id) },
  })
}

async function diagramsOf(app: OwnerApp, document: ExportedDocument): Promise<{ diagrams?: string }> {
  const diagrams = await diagramsFor(app, document, 'The export')
  return diagrams === null ? {} : { diagrams }
}

/** By which key the window that is printed gets the document’s diagrams; null where there are none. */
function diagramsFor(
  { account: { answers } }: OwnerApp,
  { id }: ExportedDocument,
  waiting: 'The export' | 'Printing',
): Promise<string | null> {
  return sayingSilence(answers, () => drawForWindow(id, answers.fetch), waiting).catch(() => null)
}

async function textAs(
  { account: { answers, api } }: OwnerApp,
  { id, content }: ExportedDocument,
  format: TextFormat,
): Promise<string> {
  const params = { id }
  if (format === 'md')
    return content ?? (await sayingSilence(answers, () => api.call('getDocument', { params }))).content
  const query = {
    format: extensionOf(format),
    ...(format.endsWith('-feedback') && { feedback: 'true' as const }),
  }
  const text = await sayingSilence(answers, () => api.call('exportDocument', { params, query }))
  return query.format === 'html' ? withDiagrams(text) : text
}

async function wordFile({ account: { answers, api } }: OwnerApp, { id }: ExportedDocument): Promise<Blob> {
  const query = { format: 'docx', feedback: 'true' } as const
  const address = api.url('exportDocument', { params: { id }, query })
  const answer = await sayingSilence(answers, () => answers.fetch(address)).catch(() => null)
  if (!answer) throw new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')
  if (answer.ok) return answer.blob()
  readEnvelope(await answer.json().catch(() => null), answer.status, answer.headers.get('retry-after'))
  throw new ApiError('BAD_ANSWER', answer.status, 'Something other than Galley answered.')
}

/** What can be said to the desktop’s main process is text. */
async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
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
