/** So far around a place is looked for a line break. */
const near = 10_000

export const breaks = /\r\n|\r|\n/g

/** How the lines of a text end, near one place or another. A text with longer lines isn't read anew for each. */
export class LineBreaks {
  readonly #content: string
  #any: string | undefined

  constructor(content: string) {
    this.#content = content
  }

  /** The line break that follows a place, or else the one before it, or else any. */
  near(at: number): string {
    const [after] = /\r\n|\r|\n/.exec(this.#content.slice(at, at + near)) ?? []
    return (
      after ??
      this.#content
        .slice(Math.max(0, at - near), at)
        .match(breaks)
        ?.at(-1) ??
      this.#first()
    )
  }

  #first(): string {
    return (this.#any ??= /\r\n|\r|\n/.exec(this.#content)?.[0] ?? '\n')
  }
}
