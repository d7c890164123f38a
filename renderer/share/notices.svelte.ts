import { explain } from './explain.ts'

/** What can be done about it right away. */
interface Action {
  label: string
  act: () => unknown
}

/** What the page says it did or couldn’t do: aloud, and shown for a while. */
export class Notices {
  current = $state.raw<{ text: string; error: boolean; action?: Action | undefined } | null>(null)

  say(text: string, error = false, action?: Action): void {
    this.current = { text, error, action }
  }

  /** `doing` completes “Couldn’t …”. */
  fail(error: unknown, doing: string): void {
    this.say(explain(error, doing), true)
  }

  dismiss(): void {
    this.current = null
  }
}
