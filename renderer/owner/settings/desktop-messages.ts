import type { DesktopState, TerminalCommand } from '../../../server/contract/desktop.ts'

/** What going on without a window means on this system. */
export function keepSharingWords({ system, tray }: DesktopState): string {
  if (system === 'mac')
    return 'On a Mac Galley goes on until you quit it. This gives it an icon in the menu bar, too, which says how many links work.'
  const off = 'Otherwise Galley ends with its last window, and links stop working until it runs again.'
  if (tray === 'no')
    return `${off} This desktop doesn’t show icons of what runs without a window: to come back, start Galley again, and to end it, choose Quit in its File menu.`
  const icon = 'It goes on behind an icon beside the clock, which opens it again.'
  if (tray === 'unknown') return `${off} ${icon} If your desktop shows no such icon, start Galley again.`
  return `${off} ${icon}`
}

/** What keeping the machine awake can do, and what it can't. */
export const keepAwakeWords =
  'While this machine sleeps, links don’t open. With this it doesn’t fall asleep by itself as long as a link works; its screen may still go dark. That takes power, on battery too, and a laptop whose lid is closed sleeps all the same.'

/** What starting at login means, or why it doesn't happen. */
export function openAtLoginWords({ system, openAtLogin, keepSharing }: DesktopState): string {
  if (openAtLogin === 'impossible')
    return 'Only an installed Galley can be started by the system; this one was started from its source.'
  if (openAtLogin === 'refused')
    return system === 'mac'
      ? 'macOS wants you to allow it first: System Settings, General, Login Items.'
      : 'It was switched off in the system’s own settings. Switch it on there, or here once more.'
  return keepSharing
    ? 'Links work from then on. No window opens until you want one.'
    : 'Its windows open as they were.'
}

/** Where the command for terminals is, or would be, and what is left to do. */
export function terminalCommandWords({ file, state, isSearched, isPassing }: TerminalCommand): string {
  if (state === 'taken')
    return `There is a ${file} already, and it isn’t Galley’s, so it stays as it is. Move it away to have the command there.`
  const search = isSearched ? '' : ` ${notSearchedWords(file)}`
  if (state === 'there')
    return `It is at ${file}. ${isSearched ? 'Type “galley --help” in a new terminal.' : search.trim()}`
  if (isPassing)
    return 'Galley runs from a disk image, or from where macOS puts what was just downloaded. Move it to Applications and open it from there; then the command can be installed.'
  if (state === 'elsewhere')
    return `${file} leads to another Galley. Install it here to have it lead to this one.`
  return `It would be put at ${file}, so that terminals and scripts can say “galley”.${search}`
}

function notSearchedWords(file: string): string {
  const folder = file.slice(0, file.lastIndexOf('/'))
  return `Terminals don’t look in ${folder} here. Many systems do once it exists, from the next login on; otherwise add the line export PATH="${folder.replace(/^~/, '$HOME')}:$PATH" to ~/.profile.`
}
