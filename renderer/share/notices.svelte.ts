import type { Notice } from '../ui/notice.ts'
import { explain } from './explain.ts'

/** What can be done about it right away. */
interface Action {
  label: string
  act: () => unknown
}

/** What the page says it did or couldn’t do: aloud, and shown for a while. */
export class Notices {
  current = $state.raw<{ text: string; error: boolean; action?: Action | undefined } | null>(null)

  #timer: ReturnType<typeof setTimeout> | undefined

  say(text: string, error = false, action?: Action): void {
    this.current = { text, error, action }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.dismiss(), error || action ? 12_000 : 4_000)
  }

  show({ kind, text, action }: Notice): void {
    this.say(text, kind === 'error', action && { label: action.label, act: action.run })
  }

  /** `doing` completes “Couldn’t …”. */
  fail(error: unknown, doing: string): void {
    this.say(explain(error, doing), true)
  }

  dismiss(): void {
    this.current = null
  }
}
