/** Safari tells nobody of what happens in a page without scripts. */
export function isHeard(page: Window): boolean {
  let heard = false
  const hear = () => (heard = true)
  page.addEventListener('galley-hears', hear, { once: true })
  page.dispatchEvent(new Event('galley-hears'))
  return heard
}

/** A stretch of a page in a frame, from the beginning of that page. */
type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>

/**
 * What lies above the marks in such a page and is pressed instead of them. Elsewhere words are selected, and links followed, as
 * in any page.
 */
export class PressedInstead {
  readonly #layer = document.createElement('div')

  /** @param above what stands above the frame, and scrolls with the page in it */
  constructor(above: HTMLElement, onPress: (event: MouseEvent) => void) {
    // Whoever doesn’t see them has the cards.
    this.#layer.ariaHidden = 'true'
    this.#layer.addEventListener('click', onPress)
    above.prepend(this.#layer)
  }

  lay(boxes: readonly Box[]): void {
    const elements = boxes.map(({ left, top, width, height }) => {
      const element = document.createElement('div')
      element.className = 'pressed-instead'
      const [x, y, wide, high] = [left, top, width, height].map((length) => `${length}px`)
      Object.assign(element.style, { left: x, top: y, width: wide, height: high })
      return element
    })
    this.#layer.replaceChildren(...elements)
  }

  end(): void {
    this.#layer.remove()
  }
}
