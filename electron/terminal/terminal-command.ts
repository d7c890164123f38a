import { existsSync } from 'node:fs'
import type { TerminalCommand } from '../../server/contract/desktop.ts'
import { linkScript, type runAsAdministrator } from './administrator.ts'
import { findLink, putLink, removeLink } from './command-link.ts'
import type { CommandPlace } from './command-place.ts'

export interface TerminalCommandChoice {
  /** Null where the app has no say in it. */
  find(): TerminalCommand | null
  /** Puts the command in its place, or takes it away. @throws if that can’t be */
  set(isThere: boolean): Promise<void>
  /** Has the command lead here again if the AppImage that it led to has gone: an update gives it another name. */
  follow(): void
}

export interface TerminalCommandOptions {
  place: CommandPlace | undefined
  home: string
  /** Asks for rights that this account lacks; absent where there is no way to. */
  runPrivileged?: typeof runAsAdministrator | undefined
}

/** The command `galley` in terminals, where the app itself puts it there. */
export function createTerminalCommand({
  place,
  home,
  runPrivileged,
}: TerminalCommandOptions): TerminalCommandChoice {
  if (!place) return { find: () => null, set: () => Promise.reject(new Error(unavailable)), follow() {} }
  const { link, target, isSearched, isPassing } = place

  async function set(isThere: boolean) {
    if (isThere && isPassing) throw new Error(passing)
    const before = findLink(place!)
    try {
      if (isThere) putLink(place!)
      else removeLink(place!)
    } catch (error) {
      const isForbidden = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (!runPrivileged || !isForbidden || before.is === 'foreign') throw error
      const led = before.is === 'own' ? target : before.is === 'other-galley' ? before.target : undefined
      const script = linkScript({ link, before: led, target: isThere ? target : undefined })
      await runPrivileged(
        script,
        isThere ? `Galley puts the command “galley” into ${link}.` : `Galley removes ${link}.`,
      )
    }
  }

  return {
    find() {
      const { is } = findLink(place)
      return {
        file: link.startsWith(`${home}/`) ? `~${link.slice(home.length)}` : link,
        state: is === 'own' ? 'there' : is === 'foreign' ? 'taken' : is === 'absent' ? 'absent' : 'elsewhere',
        isSearched,
        isPassing,
      }
    },
    set,
    follow() {
      const now = findLink(place)
      if (now.is !== 'other-galley' || isPassing || existsSync(now.target)) return
      try {
        putLink(place)
      } catch (error) {
        console.warn(`${link} leads to an earlier Galley, and can’t be changed.`, error)
      }
    },
  }
}

const unavailable = 'The command “galley” comes with the package here.'
const passing = 'Move Galley to Applications and open it from there first.'
