import { explain } from './explain.ts'

/** What the page says it did or couldn’t do: aloud, and shown for a while. */
export class Notices {
  current = $state.raw<{ text: string; error: boolean } | null>(null)

  say(text: string, error = false): void {
    this.current = { text, error }
  }

  /** `doing` completes “Couldn’t …”. */
  fail(error: unknown, doing: string): void {
    this.say(explain(error, doing), true)
  }

  dismiss(): void {
    this.current = null
  }
}
