/** The page’s own keys, while what hears them is still being loaded. */
export class EarlyKeys {
  readonly #pressed: KeyboardEvent[] = []
  readonly #note = (event: KeyboardEvent) => {
    if (event.altKey || event.key === 'F8') this.#pressed.push(event)
  }

  constructor() {
    document.addEventListener('keydown', this.#note)
  }

  /** Has them pressed again. */
  giveBack(): void {
    document.removeEventListener('keydown', this.#note)
    for (const event of this.#pressed.splice(0))
      (event.target ?? document).dispatchEvent(new KeyboardEvent(event.type, event))
  }
}
