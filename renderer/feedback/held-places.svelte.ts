/**
 * Cards stand where they are while something on one of them is pressed, whatever comes beside them meanwhile: a button
 * that moves away under the pointer isn’t pressed.
 */
export class HeldPlaces {
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
    // Once the press was one.
    const release = () => (timer = setTimeout(() => (this.#tops = null)))
    margin.addEventListener('pointerdown', hold)
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release)
    return () => {
      clearTimeout(timer)
      margin.removeEventListener('pointerdown', hold)
      for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, release)
    }
  }
}
