import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'

/** A file on its way into the text. */
export class Arriving {
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

export const arrive = StateEffect.define<{ at: number; files: readonly Arriving[] }>({
  map: ({ at, files }, changes) => ({ at: changes.mapPos(at, -1), files }),
})
/** One is no longer on its way; those that wait behind it where it stood go on behind what was put in for it. */
export const leave = StateEffect.define<{ gone: Arriving; behind?: number }>()

/** In the order they will stand. What is typed at a place goes behind it. */
export const underWay = StateField.define<readonly Place[]>({
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

export const placeOf = ({ state }: EditorView, arriving: Arriving): number | null =>
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
