/** So many are drawn in one go. */
const part = 12

/**
 * Many cards take longer to draw than a page may stand still: those that matter most are drawn at once, the others part
 * by part, and what was drawn stays.
 */
export class DrawnInParts {
  #drawn = $state.raw<ReadonlySet<string>>(new Set())

  /** Those that are to be drawn by now, in the order given. */
  of(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => this.#drawn.has(id))
  }

  /** Draws the first of these that aren’t yet; the next once the page has had time for all else. Returns what stops it. */
  draw(ids: readonly string[]): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = () => {
      const left = ids.filter((id) => !this.#drawn.has(id))
      if (left.length === 0) return
      this.#drawn = new Set([...this.#drawn, ...left.slice(0, part)])
      timer = setTimeout(next)
    }
    next()
    return () => clearTimeout(timer)
  }
}
