import { WidgetType, type EditorView } from '@codemirror/view'
import type { Arriving } from './arriving.ts'
import { saveToDisk } from './save-to-disk.ts'

/** What can be done with a file that is on its way. */
export interface ArrivingActs {
  again(view: EditorView, arriving: Arriving): void
  putAway(view: EditorView, arriving: Arriving): void
}

/** Shows a file where it will stand: what it is, and how far. */
export class ArrivingWidget extends WidgetType {
  readonly arriving: Arriving
  readonly #acts: ArrivingActs

  constructor(arriving: Arriving, acts: ArrivingActs) {
    super()
    this.arriving = arriving
    this.#acts = acts
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
    const again = button('Try again', () => this.#acts.again(view, arriving))
    const save = button(
      'Save to disk',
      () => arriving.ready && saveToDisk(arriving.ready.blob, arriving.name),
    )
    const away = button('Put away', () => {
      this.#acts.putAway(view, arriving)
      view.focus()
    })
    frame.append(canvas, words, progress, again, save, away)
    let isDrawn = false
    const show = () => {
      const { drawn, failure, fraction, isFinal, isSending, waits } = arriving
      canvas.hidden = drawn === null
      if (drawn && !isDrawn) {
        isDrawn = true
        canvas.width = drawn.width
        canvas.height = drawn.height
        canvas.getContext('2d')?.drawImage(drawn, 0, 0)
      }
      const isComing = isSending && fraction > 0
      const isUnderWay = failure === null && (waits === null || isComing)
      frame.classList.toggle('failed', failure !== null)
      frame.classList.toggle('waits', failure === null && !isUnderWay)
      const told = isUnderWay ? arriving.name : tell(arriving)
      if (words.textContent !== told) words.textContent = told
      words.setAttribute('role', failure !== null ? 'alert' : isUnderWay ? 'none' : 'status')
      progress.hidden = !isUnderWay
      if (fraction > 0) progress.value = fraction
      else progress.removeAttribute('value')
      again.hidden = isUnderWay || isFinal
      save.hidden = failure === null || waits === null
      away.textContent = isUnderWay ? 'Stop' : waits === null ? 'Put away' : 'Discard'
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

function tell({ name, failure, waits }: Arriving): string {
  if (failure !== null) return `${name}: ${failure}`
  if (waits === 'kept') return `${name} waits here, and is added once there is a connection.`
  if (waits === 'on the page')
    return `${name} waits for a connection. This browser keeps nothing: leave this page open until then.`
  return name
}

function button(label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = label
  made.onclick = act
  return made
}
