import { isolateHistory } from '@codemirror/commands'
import { Prec, StateEffect, StateField, type Extension } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { ApiError } from '../../api/client-of.ts'
import { attachments, type Attachments } from './attachments.ts'
import { prepared, type PreparedFile } from './prepared-picture.ts'

/** A file on its way into the text. */
class Arriving {
  readonly name: string
  drawn: ImageBitmap | null = null
  fraction = 0
  failure: string | null = null
  /** Whether it would be refused again. */
  isFinal = false
  #listener: () => void = () => {}
  readonly #controller = new AbortController()
  readonly send: (arriving: Arriving) => Promise<void>

  constructor(name: string, send: (arriving: Arriving) => Promise<void>) {
    this.name = name
    this.send = send
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  stop(): void {
    this.#controller.abort()
  }

  follow(listener: () => void): void {
    this.#listener = listener
  }

  changed(): void {
    this.#listener()
  }
}

/** Files on their way, and where in the text they will stand. */
interface Place {
  at: number
  arriving: Arriving
}

const arrive = StateEffect.define<{ at: number; files: readonly Arriving[] }>({
  map: ({ at, files }, changes) => ({ at: changes.mapPos(at, -1), files }),
})
/** One is no longer on its way; those that wait behind it where it stood go on behind what was put in for it. */
const leave = StateEffect.define<{ gone: Arriving; behind?: number }>()

/** In the order they will stand. What is typed at a place goes behind it. */
const underWay = StateField.define<readonly Place[]>({
  create: () => [],
  update(places, { changes, effects }) {
    let now = changes.empty ? places : places.map((one) => ({ ...one, at: changes.mapPos(one.at, -1) }))
    for (const effect of effects) {
      if (effect.is(arrive)) {
        const { at, files } = effect.value
        const added = files.map((arriving) => ({ at, arriving }))
        now = [...now.filter((one) => one.at <= at), ...added, ...now.filter((one) => one.at > at)]
      }
      if (effect.is(leave)) now = without(now, effect.value)
    }
    return now
  },
  // In the view only.
  provide: (field) => EditorView.decorations.from(field, (places) => drawn(places)),
})

function without(places: readonly Place[], { gone, behind }: { gone: Arriving; behind?: number }) {
  const index = places.findIndex(({ arriving }) => arriving === gone)
  const place = places[index]
  if (!place) return places
  return places.toSpliced(index, 1).map((one, i) => {
    const waits = behind !== undefined && i >= index && one.at === place.at
    return waits ? { ...one, at: behind } : one
  })
}

const drawn = (places: readonly Place[]): DecorationSet =>
  Decoration.set(
    places.map(({ at, arriving }) =>
      Decoration.widget({ widget: new ArrivingWidget(arriving), side: -1 }).range(at),
    ),
  )

const placeOf = ({ state }: EditorView, arriving: Arriving): number | null =>
  state.field(underWay).find((one) => one.arriving === arriving)?.at ?? null

class ArrivingWidget extends WidgetType {
  readonly arriving: Arriving
  constructor(arriving: Arriving) {
    super()
    this.arriving = arriving
  }

  override eq(other: ArrivingWidget): boolean {
    return other.arriving === this.arriving
  }

  override toDOM(view: EditorView): HTMLElement {
    const { arriving } = this
    const frame = document.createElement('span')
    frame.className = 'md-arriving'
    const canvas = document.createElement('canvas')
    const words = document.createElement('span')
    words.className = 'md-image-name'
    const progress = document.createElement('progress')
    progress.setAttribute('aria-label', `Adding ${arriving.name}`)
    const again = button('Try again', () => void arriving.send(arriving))
    const away = button('Put away', () => {
      arriving.stop()
      view.dispatch({ effects: leave.of({ gone: arriving }) })
      view.focus()
    })
    frame.append(canvas, words, progress, again, away)
    let isDrawn = false
    const show = () => {
      const { drawn, failure, fraction, name, isFinal } = arriving
      canvas.hidden = drawn === null
      if (drawn && !isDrawn) {
        isDrawn = true
        canvas.width = drawn.width
        canvas.height = drawn.height
        canvas.getContext('2d')?.drawImage(drawn, 0, 0)
      }
      frame.classList.toggle('failed', failure !== null)
      words.textContent = failure === null ? name : `${name}: ${failure}`
      words.setAttribute('role', failure === null ? 'none' : 'alert')
      progress.hidden = failure !== null
      if (fraction > 0) progress.value = fraction
      else progress.removeAttribute('value')
      again.hidden = failure === null || isFinal
      away.textContent = failure === null ? 'Stop' : 'Put away'
      view.requestMeasure()
    }
    arriving.follow(show)
    show()
    return frame
  }

  override ignoreEvent(): boolean {
    return true
  }
}

function button(label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = label
  made.onclick = act
  return made
}

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
