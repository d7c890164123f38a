import { readAnswer, type Drawing, type DrawingOrder } from './messages.ts'
import { tooLarge } from './weight.ts'

/**
 * So long one diagram may take, with what is loaded for its kind, and so long the program that draws them may take to
 * come, in milliseconds.
 */
const patience = { drawing: 20_000, coming: 60_000 }
/** After so many that took too long none is drawn any more. */
const mostTooLong = 3
/** A frame that has had nothing to do for so long goes. */
const rest = 60_000
const kept = 200

/** Why a diagram isn’t drawn. `lasting` says that asking again would bring the same. */
export class NotDrawn extends Error {
  readonly lasting: boolean

  constructor(message: string, lasting: boolean) {
    super(message)
    this.lasting = lasting
  }
}

/**
 * Has diagrams drawn, one after the other, by a frame that has no origin. One that takes too long ends with its frame,
 * and the next one gets another. What was drawn is remembered.
 */
export class DiagramDrawer {
  readonly #address: string
  readonly #drawn = new Map<string, Promise<Drawing>>()
  #last: Promise<unknown> = Promise.resolve()
  #frame: HTMLIFrameElement | null = null
  #resting: ReturnType<typeof setTimeout> | undefined
  #count = 0
  #tooLong = 0

  /** @param address of the frame’s page, from the page that shows it */
  constructor(address: string) {
    this.#address = address
  }

  draw(source: string, dark: boolean): Promise<Drawing> {
    const key = `${dark ? 'dark' : 'light'} ${source}`
    const known = this.#drawn.get(key)
    if (known) return known
    const refusal = tooLarge(source)
    if (refusal !== null) return Promise.reject(new NotDrawn(refusal, true))
    const drawing = this.#last.then(() => this.#drawNow(source, dark))
    this.#last = drawing.catch(() => undefined)
    this.#drawn.set(key, drawing)
    if (this.#drawn.size > kept) this.#drawn.delete(this.#drawn.keys().next().value!)
    drawing.catch((error: unknown) => {
      if (!(error instanceof NotDrawn && error.lasting)) this.#drawn.delete(key)
    })
    return drawing
  }

  async #drawNow(source: string, dark: boolean): Promise<Drawing> {
    clearTimeout(this.#resting)
    if (this.#tooLong >= mostTooLong) throw new NotDrawn('Other diagrams took too long.', true)
    try {
      const frame = (this.#frame ??= await this.#open())
      return await this.#ask(frame, { id: ++this.#count, source, dark })
    } finally {
      this.#resting = setTimeout(() => this.#close(), rest)
    }
  }

  #close(): void {
    this.#frame?.remove()
    this.#frame = null
  }

  async #open(): Promise<HTMLIFrameElement> {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.src = this.#address
    frame.title = 'Draws diagrams'
    frame.ariaHidden = 'true'
    frame.tabIndex = -1
    // It has to be laid out, for what is drawn in it is measured; but nobody sees it.
    Object.assign(frame.style, {
      position: 'fixed',
      top: '0',
      left: '0',
      width: '1000px',
      height: '1000px',
      border: '0',
      opacity: '0',
      pointerEvents: 'none',
      zIndex: '-1',
      contain: 'strict',
    })
    try {
      const ready = answerOf(frame, patience.coming, (answer) => answer.kind === 'ready')
      document.body.append(frame)
      await ready
      return frame
    } catch {
      frame.remove()
      throw new NotDrawn('Diagrams can’t be drawn just now.', false)
    }
  }

  async #ask(frame: HTMLIFrameElement, order: DrawingOrder): Promise<Drawing> {
    const answered = answerOf(frame, patience.drawing, (one) => one.kind !== 'ready' && one.id === order.id)
    frame.contentWindow!.postMessage(order, '*')
    const answer = await answered.catch(() => {
      this.#close()
      this.#tooLong++
      throw new NotDrawn('Drawing it takes too long.', true)
    })
    if (answer.kind === 'drawn') return answer
    throw new NotDrawn(answer.kind === 'failed' ? answer.message : '', true)
  }
}

type Answer = NonNullable<ReturnType<typeof readAnswer>>

/** What the frame says next that is asked for. Rejects where it doesn’t in time. */
function answerOf(
  frame: HTMLIFrameElement,
  milliseconds: number,
  isIt: (answer: Answer) => boolean,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('message', hear)
    }
    const timer = setTimeout(() => {
      end()
      reject(new Error('too late'))
    }, milliseconds)
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      const answer = source === frame.contentWindow ? readAnswer(data) : null
      if (!answer || !isIt(answer)) return
      end()
      resolve(answer)
    }
    addEventListener('message', hear)
  })
}

/** The address of a picture that holds a drawing: in a picture nothing runs, and nothing is asked for. */
export const pictureOf = ({ svg }: Drawing) => `data:image/svg+xml,${encodeURIComponent(svg)}`

let shared: DiagramDrawer | undefined

/** The one that all parts of a page have their diagrams drawn by. */
export const sharedDrawer = (address: string) => (shared ??= new DiagramDrawer(address))
