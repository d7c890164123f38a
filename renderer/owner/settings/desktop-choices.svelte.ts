import type { DesktopChange, DesktopSettings, DesktopState } from '../../../server/contract/desktop.ts'

/** What was chosen of the desktop's own, as it stands. */
export class DesktopChoices {
  readonly #desktop: DesktopSettings
  state = $state.raw<DesktopState | null>(null)
  /** Why the last change, or looking, failed. */
  problem = $state<string | null>(null)

  constructor(desktop: DesktopSettings) {
    this.#desktop = desktop
  }

  /** Looks again: something may have been chosen in another window, or in the system's settings. */
  async look(): Promise<void> {
    try {
      this.state = await this.#desktop.find()
    } catch {
      this.problem = 'What was chosen here can’t be found out just now.'
    }
  }

  async change(wanted: DesktopChange): Promise<void> {
    this.problem = null
    try {
      const { state, problem } = await this.#desktop.change(wanted)
      this.state = state
      this.problem = problem
    } catch {
      this.problem = 'That wasn’t changed. Try again, or restart Galley.'
    }
  }
}
