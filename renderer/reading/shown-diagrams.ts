import { NotDrawn, pictureOf, type DiagramDrawer } from '../diagrams/drawer.ts'
import { heavyMessages, isHeavy } from '../diagrams/weight.ts'
import { button, sourcePath } from './icon.ts'

/** So many of one text are drawn. */
const most = 100
export const diagramSelector = 'pre > code[class="language-mermaid" i]'

/** The diagrams of one rendered text. Each is drawn in front of its source once it comes near to where one reads. */
export class ShownDiagrams {
  readonly #content: HTMLElement
  readonly #drawer: DiagramDrawer
  readonly #onDrawn: (image: HTMLImageElement) => void
  readonly #near: IntersectionObserver
  readonly #dark: MediaQueryList
  #count = 0

  constructor(content: HTMLElement, drawer: DiagramDrawer, onDrawn: (image: HTMLImageElement) => void) {
    this.#content = content
    this.#onDrawn = onDrawn
    this.#drawer = drawer
    const view = content.ownerDocument.defaultView!
    this.#near = new view.IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries)
          if (isIntersecting) this.#begin(target as HTMLElement)
      },
      { rootMargin: '100% 0px' },
    )
    this.#dark = view.matchMedia('(prefers-color-scheme: dark)')
    this.#dark.addEventListener('change', this.#redraw)
  }

  /** Looks for diagrams that aren’t drawn yet. */
  look(): void {
    for (const code of this.#content.querySelectorAll(diagramSelector)) {
      const pre = code.parentElement!
      if (pre.dataset.diagram !== undefined || this.#count++ >= most) continue
      pre.dataset.diagram = ''
      this.#near.observe(pre)
    }
  }

  /** Has all of them drawn, wherever they stand. */
  async drawAll(): Promise<void> {
    this.look()
    await Promise.all(this.#sources().map((pre) => this.#draw(pre)))
  }

  end(): void {
    this.#near.disconnect()
    this.#dark.removeEventListener('change', this.#redraw)
  }

  #sources = () => [...this.#content.querySelectorAll<HTMLElement>('pre[data-diagram]')]

  #begin(pre: HTMLElement): void {
    this.#near.unobserve(pre)
    if (isHeavy(sourceOf(pre))) offer(pre, () => void this.#draw(pre))
    else void this.#draw(pre)
  }

  readonly #redraw = () => {
    for (const pre of this.#sources()) if (figureOf(pre)) void this.#draw(pre)
  }

  get #isDark(): boolean {
    const { theme } = this.#content.ownerDocument.documentElement.dataset
    return theme === undefined ? this.#dark.matches : theme === 'dark'
  }

  async #draw(pre: HTMLElement): Promise<void> {
    const dark = this.#isDark
    try {
      const drawing = await this.#drawer.draw(sourceOf(pre), dark)
      if (!pre.isConnected || dark !== this.#isDark) return
      const figure = figureOf(pre) ?? put(pre)
      const image = pre.ownerDocument.createElement('img')
      image.alt = drawing.title
      image.width = drawing.width
      image.height = drawing.height
      image.src = pictureOf(drawing)
      await image.decode()
      figure.querySelector('img')?.remove()
      figure.prepend(image)
      this.#onDrawn(image)
    } catch (error) {
      if (pre.isConnected)
        fail(pre, error instanceof NotDrawn ? error.message : 'The browser didn’t take the picture.')
    }
  }
}

const sourceOf = (pre: HTMLElement) => pre.querySelector('code')?.textContent ?? ''

/** Above the source of a diagram that may take long: a button by which it is drawn, without text of its own. */
function offer(pre: HTMLElement, draw: () => void): void {
  const page = pre.ownerDocument
  const row = page.createElement('div')
  row.className = 'diagram-ask'
  row.dataset.note = heavyMessages.note
  const ask = page.createElement('button')
  ask.type = 'button'
  ask.ariaLabel = ask.dataset.label = heavyMessages.button
  ask.ariaDescription = heavyMessages.note
  ask.addEventListener('click', () => {
    row.remove()
    draw()
  })
  row.append(ask)
  pre.before(row)
}

/** The picture of a diagram whose source this is. */
const figureOf = (pre: HTMLElement): HTMLElement | null => {
  const before = pre.previousElementSibling
  return before instanceof pre.ownerDocument.defaultView!.HTMLElement && before.matches('.diagram')
    ? before
    : null
}

function put(pre: HTMLElement): HTMLElement {
  const page = pre.ownerDocument
  const figure = page.createElement('div')
  figure.className = 'diagram'
  const toggle = button(page, 'show-source', 'Source of the diagram', sourcePath)
  const fold = (isFolded: boolean) => {
    pre.hidden = isFolded
    toggle.ariaExpanded = String(!isFolded)
  }
  toggle.addEventListener('click', () => fold(!pre.hidden))
  figure.append(toggle)
  pre.before(figure)
  fold(true)
  return figure
}

/** The source stays, with what is wrong with it above. */
function fail(pre: HTMLElement, message: string): void {
  figureOf(pre)?.remove()
  pre.hidden = false
  const note = pre.ownerDocument.createElement('div')
  note.className = 'diagram diagram-problem'
  note.setAttribute('role', 'note')
  note.dataset.message = note.ariaLabel = `This diagram can’t be drawn.\n${message}`
  pre.before(note)
}
