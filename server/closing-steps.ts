/** What has to be closed, in the order in which it was opened. */
export class ClosingSteps {
  readonly #steps: (() => unknown)[] = []

  push(...steps: readonly (() => unknown)[]): void {
    this.#steps.push(...steps)
  }

  /** Closes the last first, each once. What fails keeps nothing else open. */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (const step of this.#steps.splice(0).reverse())
      try {
        await step()
      } catch (error) {
        // What is behind it is closed all the same: the listeners, the database, the folder's lock.
        errors.push(error)
      }
    if (errors.length > 0)
      throw new AggregateError(errors, `Galley could not close all: ${errors.join('; ')}`)
  }
}
