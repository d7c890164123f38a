import type { PowerSaveBlocker } from 'electron'
import type { Preferences } from '../preferences/preferences.ts'

export interface AwakeOptions {
  preferences: Preferences
  /** Electron's own. */
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>
}

export interface Awake {
  isKept(): boolean
  /** Whether the machine is kept awake while links work. */
  keep(on: boolean): void
  /** So many share links work; undefined while there is no server. */
  showLinks(links: number | undefined): void
  /** Lets the machine sleep from now on. */
  close(): void
}

/**
 * Keeps the machine from falling asleep by itself, by choice, as long as a link works: a sleeping machine answers
 * nobody. Its display may go dark, and closing a lid or choosing to sleep works as ever.
 */
export function createAwake({ preferences, blocker }: AwakeOptions): Awake {
  let links: number | undefined
  let block: number | undefined
  let closed = false
  const isKept = () => preferences.find('keepAwake') ?? false

  function decide() {
    const wanted = !closed && isKept() && links !== undefined && links > 0
    if (wanted) block ??= blocker.start('prevent-app-suspension')
    else if (block !== undefined) {
      blocker.stop(block)
      block = undefined
    }
  }

  return {
    isKept,
    keep(on) {
      preferences.set('keepAwake', on)
      decide()
    },
    showLinks(now) {
      links = now
      decide()
    },
    close() {
      closed = true
      decide()
    },
  }
}
