import { dialog } from 'electron'
import type { Preferences } from '../preferences/preferences.ts'

/**
 * Whether the launcher in an AppImage has taken the sandbox away: it adds the switch by itself where the system gives
 * programs no user namespaces, as Ubuntu does from 24.04 on, and says nothing.
 */
export const lostSandbox = (argv: readonly string[], env: NodeJS.ProcessEnv): boolean =>
  env.APPIMAGE !== undefined && env.APPDIR !== undefined && argv.includes('--no-sandbox')

/**
 * Whether Galley may start without the sandbox that keeps a page, should something in a text ever take it over, from
 * this account's other files. A person decides, and can have it remembered.
 */
export async function agreesToNoSandbox(preferences: Preferences): Promise<boolean> {
  if (preferences.find('withoutSandbox')) return true
  const { response, checkboxChecked } = await dialog.showMessageBox({
    type: 'warning',
    message: 'This system doesn’t let Galley’s AppImage shut its pages in',
    detail:
      'Pages run in a sandbox, so that whatever a text from elsewhere may hold, it can’t reach your other files. ' +
      'For that an AppImage needs unprivileged user namespaces, which this system refuses it.\n\n' +
      'The deb and rpm packages bring what the system asks for. Or allow user namespaces for this AppImage.',
    buttons: ['Quit', 'Start without the sandbox'],
    defaultId: 0,
    cancelId: 0,
    checkboxLabel: 'Start without it from now on',
  })
  if (response !== 1) return false
  if (checkboxChecked) preferences.set('withoutSandbox', true)
  return true
}
