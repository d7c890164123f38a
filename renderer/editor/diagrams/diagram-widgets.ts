import { WidgetType, type EditorView } from '@codemirror/view'
import type { Drawing } from '../../diagrams/messages.ts'
import { heavyMessages } from '../../diagrams/weight.ts'

/** A diagram in the place of its source. A click goes to the source. */
export class DrawnDiagram extends WidgetType {
  readonly drawing: Drawing

  constructor(drawing: Drawing) {
    super()
    this.drawing = drawing
  }

  override eq({ drawing }: DrawnDiagram): boolean {
    return drawing === this.drawing
  }

  override get estimatedHeight(): number {
    return this.drawing.height
  }

  override toDOM(): HTMLElement {
    const { svg, width, height, title } = this.drawing
    const frame = document.createElement('div')
    frame.className = 'md-diagram'
    const image = document.createElement('img')
    image.alt = title
    // Its room is there before it has loaded. In a picture nothing runs, and nothing is asked for.
    image.style.width = `min(${width}px, ${(tallest * width) / height}rem)`
    image.style.aspectRatio = `${width} / ${height}`
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
    frame.append(image)
    return frame
  }

  override ignoreEvent(): boolean {
    return false
  }
}

/** No picture is taller in the text, in rem. */
const tallest = 32

/** Why the source above isn't drawn. */
export class DiagramProblem extends WidgetType {
  readonly message: string

  constructor(message: string) {
    super()
    this.message = message
  }

  override eq({ message }: DiagramProblem): boolean {
    return message === this.message
  }

  override toDOM(): HTMLElement {
    const note = document.createElement('div')
    note.className = 'md-diagram-problem'
    note.setAttribute('role', 'note')
    note.textContent = `This diagram can’t be drawn. ${this.message}`
    return note
  }
}

/** Stands above the source of a diagram that may take long, and has it drawn when it is asked for. */
export class HeavyDiagram extends WidgetType {
  readonly #source: string
  readonly #ask: (view: EditorView) => void

  constructor(source: string, ask: (view: EditorView) => void) {
    super()
    this.#source = source
    this.#ask = ask
  }

  override eq(other: HeavyDiagram): boolean {
    return other.#source === this.#source
  }

  override toDOM(view: EditorView): HTMLElement {
    const row = document.createElement('div')
    row.className = 'diagram-ask'
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = heavyMessages.button
    button.addEventListener('click', () => this.#ask(view))
    const note = document.createElement('span')
    note.textContent = heavyMessages.note
    row.append(button, note)
    return row
  }
}
