import { isolateHistory } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { ApiError } from '../../api/client-of.ts'
import { stretchesOf } from '../suggesting/own-suggestions.ts'
import { toDocument } from '../suggesting/stretches.ts'
import type { Arriving } from './arriving.ts'
import { attachments, FileTooLarge, type Attachments } from './attachments.ts'
import { leave, placeOf } from './files-under-way.ts'
import { apart, markdownOf } from './file-markdown.ts'
import { isPassing } from './passing.ts'

/** After so many milliseconds without an answer a file is kept: the page may go before one comes. */
const patience = 4_000

/** Sends a file and writes it into the text where it stands by then; without a connection it waits. */
export async function sendFile(view: EditorView, arriving: Arriving): Promise<void> {
  const beside = view.state.facet(attachments)
  const { ready, signal } = arriving
  if (!beside || !ready || arriving.isSending || signal.aborted) return
  arriving.isSending = true
  if (arriving.waits && arriving.failure !== null) await beside.waiting.change(arriving.id, { refusal: null })
  arriving.failure = null
  arriving.fraction = 0
  arriving.changed()
  const slow = setTimeout(() => void keepFile(view, arriving).catch(() => {}), patience)
  try {
    const progress = (fraction: number) => {
      arriving.fraction = fraction
      arriving.changed()
    }
    const stored = await beside.add(ready.blob, ready.name, progress, signal)
    clearTimeout(slow)
    // From here on it might be written twice, where the page goes before it is known that it was written.
    const isOurs = !arriving.waits || (await beside.waiting.claim(arriving.id, stored.path, beside.text()))
    const place = placeOf(view, arriving)
    // Put away meanwhile.
    if (place === null) return beside.drop(stored)
    // The editor is gone: whoever takes it up finds these bytes.
    if (signal.aborted) return
    if (!isOurs) {
      beside.waiting.leave(arriving.id)
      return view.dispatch({ effects: leave.of({ gone: arriving }) })
    }
    if (ready.original) beside.originals.add(stored, ready.original)
    const { at, to } = place
    const insert = apart(view.state, place, markdownOf(stored))
    const changes = view.state.changes({ from: at, to, insert })
    view.dispatch({
      changes,
      // Whoever waited there goes on behind it.
      selection: view.state.selection.map(changes, 1),
      effects: leave.of({ gone: arriving, behind: at + insert.length }),
      annotations: isolateHistory.of('full'),
      userEvent: 'input.paste',
    })
    if (arriving.waits) void beside.settle().then(() => beside.waiting.discard(arriving.id))
  } catch (error) {
    clearTimeout(slow)
    if (!signal.aborted) await fail(view, beside, arriving, error)
  } finally {
    arriving.isSending = false
    arriving.changed()
  }
}

async function fail(
  view: EditorView,
  beside: Attachments,
  arriving: Arriving,
  error: unknown,
): Promise<void> {
  if (isPassing(error, beside.refusal() === null)) {
    try {
      return await keepFile(view, arriving)
    } catch (refusal) {
      error = refusal
    }
  }
  arriving.failure = error instanceof Error ? error.message : String(error)
  arriving.isFinal =
    error instanceof FileTooLarge || (error instanceof ApiError && error.code === 'UNSUPPORTED_TYPE')
  if (arriving.waits) await beside.waiting.change(arriving.id, { refusal: arriving.failure })
}

/** Has a file wait. Rejects where there is no room for that. */
export async function keepFile(view: EditorView, arriving: Arriving): Promise<void> {
  const beside = view.state.facet(attachments)
  const anchor = anchorOf(view, arriving)
  const { id, ready } = arriving
  if (!beside || !anchor || !ready || arriving.waits) return
  const { name, blob } = ready
  const isKept = await beside.waiting.keep({ id, way: beside.way, name, anchor }, blob)
  // It has come into the text meanwhile, or was put away.
  if (!placeOf(view, arriving)) return beside.waiting.discard(id)
  arriving.waits = isKept ? 'kept' : 'on the page'
  arriving.changed()
}

/** Where a file is to stand, in the document’s text. */
export function anchorOf(view: EditorView, arriving: Arriving) {
  const place = placeOf(view, arriving)
  const beside = view.state.facet(attachments)
  if (!place || !beside) return null
  const [from, to] = [place.at, place.to].map((at) => toDocument(stretchesOf(view.state), at))
  return anchorAt(beside.text(), from!, to!)
}
