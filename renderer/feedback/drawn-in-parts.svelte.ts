/**
 * Many cards take longer to draw than a page may stand still: those that matter most are drawn at once, the others part
 * by part, and what was drawn stays as long as it is wanted.
 */
export class DrawnInParts {
  #drawn = $state.raw<ReadonlySet<string>>(new Set())
  readonly #part: number

  /** @param part so many of those that aren’t drawn right away are drawn in one go */
  constructor(part: number) {
    this.#part = part
  }

  /** Whether it is to be drawn by now. */
  has(id: string): boolean {
    return this.#drawn.has(id)
  }

  /**
   * Draws the first of these right away, and the others part by part, each once the page has had time for all else. What
   * isn’t among them is drawn no longer. Returns what stops it.
   */
  draw(ids: readonly string[], atOnce: number): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (drawn: readonly string[]) => {
      this.#drawn = new Set(drawn)
      const left = ids.filter((id) => !this.#drawn.has(id))
      if (left.length > 0) timer = setTimeout(() => show([...drawn, ...left.slice(0, this.#part)]))
    }
    show(ids.filter((id, i) => i < atOnce || this.#drawn.has(id)))
    return () => clearTimeout(timer)
  }
}
