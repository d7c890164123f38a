/**
 * Cards stand where they are while something on one of them is pressed, whatever comes beside them meanwhile: a button
 * that moves away under the pointer isn’t pressed.
 */
export class StillCards {
  #tops = $state.raw<ReadonlyMap<string, number> | null>(null)

  /** Where a card has to stand; null where it stands where it belongs. What has come since has no place yet. */
  topOf(id: string): number | undefined | null {
    return this.#tops && this.#tops.get(id)
  }

  /** Follows what is pressed on the cards in an element; returns what ends that. */
  readonly follow = (margin: HTMLElement): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hold = () => {
      clearTimeout(timer)
      const cards = [...margin.querySelectorAll<HTMLElement>('[data-place]:not(.away)')]
      this.#tops = new Map(cards.map((card) => [card.dataset['place']!, card.offsetTop]))
    }
    const release = () => {
      clearTimeout(timer)
      this.#tops = null
    }
    // Once the press was one, and before what it does: that may go to a card that has no place yet.
    const end = () => (timer = setTimeout(release))
    const ends = [
      ['click', release],
      ['pointerup', end],
      ['pointercancel', end],
    ] as const
    margin.addEventListener('pointerdown', hold)
    for (const [kind, listener] of ends) addEventListener(kind, listener, true)
    return () => {
      clearTimeout(timer)
      margin.removeEventListener('pointerdown', hold)
      for (const [kind, listener] of ends) removeEventListener(kind, listener, true)
    }
  }
}
