import { Prec, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { Arriving } from './arriving.ts'
import { attachments } from './attachments.ts'
import { arrive, leave, seenUnderWay, underWay } from './files-under-way.ts'
import { NotShowable, prepared } from './prepared-picture.ts'
import { sendFile } from './send-file.ts'
import { resumedFiles } from './waiting/resumed-files.ts'

/**
 * Adds files where the cursor is, in place of what is selected, or at a place: they are seen at once, and stand in the
 * text once they are stored. What is selected stays until then.
 */
export function addFiles(view: EditorView, files: readonly File[], at?: number): boolean {
  const beside = view.state.facet(attachments)
  if (!beside || files.length === 0 || view.state.readOnly) return false
  const refusal = beside.refusal()
  if (refusal !== null) {
    beside.onRefused({ name: files[0]!.name, message: refusal })
    return true
  }
  const { from, to } = at === undefined ? view.state.selection.main : { from: at, to: at }
  const arriving = files.map((file) => new Arriving(file.name))
  view.dispatch({
    effects: arrive.of({ at: from, to, files: arriving }),
    // What is typed meanwhile goes behind it.
    ...(from < to ? { selection: { anchor: to } } : {}),
    scrollIntoView: true,
  })
  void inTurn(view, arriving, files)
  return true
}

/** One after the other, so that they stand in the text in their order. */
async function inTurn(view: EditorView, all: readonly Arriving[], files: readonly File[]): Promise<void> {
  for (const [i, one] of all.entries()) {
    await prepare(one, files[i]!)
    await sendFile(view, one)
  }
}

async function prepare(one: Arriving, file: File): Promise<void> {
  try {
    one.ready = await prepared(file)
    one.drawn = one.ready.drawn
  } catch (error) {
    if (error instanceof NotShowable) {
      one.failure = error.message
      one.isFinal = true
    }
    // One that the browser can’t read any more is sent as it is, and refused then.
    else one.ready = { blob: file, name: file.name, drawn: null, original: null }
  }
  one.changed()
}

const acts = {
  again: (view: EditorView, one: Arriving) => void sendFile(view, one),
  putAway(view: EditorView, one: Arriving) {
    one.stop()
    view.dispatch({ effects: leave.of({ gone: one }) })
    if (one.waits) void view.state.facet(attachments)?.waiting.discard(one.id)
  },
}

const filesOf = (data: DataTransfer | null) => [...(data?.files ?? [])]

/** Files that are pasted or dropped into the text are added to it. */
export const addedFiles: Extension = [
  underWay,
  seenUnderWay(acts),
  resumedFiles,
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
