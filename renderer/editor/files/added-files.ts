import { isolateHistory } from '@codemirror/commands'
import { Prec, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { ApiError } from '../../api/client-of.ts'
import { attachments, type Attachments } from './attachments.ts'
import { Arriving, arrive, leave, placeOf, underWay } from './files-under-way.ts'
import { prepared, type PreparedFile } from './prepared-picture.ts'

/** Adds files where the cursor is, or at a place: they are seen at once, and stand in the text once they are stored. */
export function addFiles(
  view: EditorView,
  files: readonly File[],
  at = view.state.selection.main.head,
): boolean {
  const beside = view.state.facet(attachments)
  if (!beside || files.length === 0 || view.state.readOnly) return false
  const refusal = beside.refusal()
  if (refusal !== null) {
    beside.onRefused({ name: files[0]!.name, message: refusal })
    return true
  }
  const arriving = files.map((file) => {
    let ready: PreparedFile | undefined
    return new Arriving(file.name, async (one) => {
      one.failure = null
      one.fraction = 0
      one.changed()
      // One that the browser can't read any more is sent as it is, and refused then.
      ready ??= await prepared(file).catch(() => ({
        blob: file,
        name: file.name,
        drawn: null,
        original: null,
      }))
      one.drawn = ready.drawn
      one.changed()
      await send(view, beside, one, ready)
    })
  })
  view.dispatch({ effects: arrive.of({ at, files: arriving }), scrollIntoView: true })
  void inTurn(arriving)
  return true
}

/** One after the other, so that they stand in the text in their order. */
async function inTurn(all: readonly Arriving[]): Promise<void> {
  for (const one of all) await one.send(one)
}

async function send(
  view: EditorView,
  beside: Attachments,
  arriving: Arriving,
  { blob, name, original }: PreparedFile,
): Promise<void> {
  if (arriving.signal.aborted) return
  try {
    const progress = (fraction: number) => {
      arriving.fraction = fraction
      arriving.changed()
    }
    const stored = await beside.add(blob, name, progress, arriving.signal)
    const at = placeOf(view, arriving)
    // Put away meanwhile, or the editor is gone.
    if (at === null) return beside.drop(stored)
    if (original) beside.originals.add(stored, original)
    const insert = apart(view, at, markdownOf(stored))
    const changes = view.state.changes({ from: at, insert })
    view.dispatch({
      changes,
      // Whoever waited there goes on behind it.
      selection: view.state.selection.map(changes, 1),
      effects: leave.of({ gone: arriving, behind: at + insert.length }),
      annotations: isolateHistory.of('full'),
      userEvent: 'input.paste',
    })
  } catch (error) {
    if (arriving.signal.aborted) return
    arriving.failure = error instanceof Error ? error.message : String(error)
    arriving.isFinal = error instanceof ApiError && error.code === 'UNSUPPORTED_TYPE'
    arriving.changed()
  }
}

/** With a space where words would touch it. */
function apart(view: EditorView, at: number, words: string): string {
  const before = view.state.sliceDoc(Math.max(0, at - 1), at)
  const after = view.state.sliceDoc(at, at + 1)
  return `${/\S/.test(before) && before !== '(' ? ' ' : ''}${words}${/[^\s.,;:!?)]/.test(after) ? ' ' : ''}`
}

/** A picture has its name as its words, unless that says nothing; so have sound and film, which play in place. Another file is a link that says what it is. */
export function markdownOf({ name, path, type, size }: StoredFile): string {
  const stem = name.replace(/\.[^.]*$/, '')
  if (/^(?:audio|video)\//.test(type)) return `![${stem}](${path})`
  if (!type.startsWith('image/')) return `[${name} (${sizeOf(size)})](${path})`
  const says = /^(?:image|img|file|photo|picture|screenshot|dsc|pxl|signal)?[-_ \d.:]*(?:-\d+)?$/i.test(stem)
    ? ''
    : stem
  return `![${says.replace(/[-_]+/g, ' ')}](${path})`
}

export function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

const filesOf = (data: DataTransfer | null) => [...(data?.files ?? [])]

/** Files that are pasted or dropped into the text are added to it. */
export const addedFiles: Extension = [
  underWay,
  Prec.high(
    EditorView.domEventHandlers({
      paste(event, view) {
        const data = event.clipboardData
        // Programs put a picture of what was copied beside its words: those are meant.
        if (!data || data.types.some((type) => type === 'text/html' || type === 'text/plain')) return false
        const added = addFiles(view, filesOf(data))
        if (added) event.preventDefault()
        return added
      },
      drop(event, view) {
        const files = filesOf(event.dataTransfer)
        if (files.length === 0) return false
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
        const added = addFiles(view, files, at)
        if (added) event.preventDefault()
        return added
      },
    }),
  ),
]
