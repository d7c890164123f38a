import { execFile } from 'node:child_process'
import type { DesktopState } from '../../server/contract/desktop.ts'

const name = 'org.kde.StatusNotifierWatcher'
const read = 'org.freedesktop.DBus.Properties.Get'
const property = 'IsStatusNotifierHostRegistered'

/** Programs that can ask on the session bus whether something shows icons; each desktop has at least one of them. */
const askers: [program: string, args: string[]][] = [
  [
    'gdbus',
    [
      ...['call', '--session', '--timeout', '2', '--dest', name, '--object-path', '/StatusNotifierWatcher'],
      ...['--method', read, name, property],
    ],
  ],
  [
    'dbus-send',
    [
      ...['--session', '--print-reply', '--reply-timeout=2000', `--dest=${name}`, '/StatusNotifierWatcher'],
      ...[read, `string:${name}`, `string:${property}`],
    ],
  ],
]

/** Whether the system shows the icons of what runs in the background. Some desktops on Linux don't. */
export async function findTrayHost(platform = process.platform): Promise<DesktopState['tray']> {
  if (platform !== 'linux') return 'yes'
  for (const [program, args] of askers) {
    const answer = await ask(program, args)
    if (answer !== undefined) return answer ? 'yes' : 'no'
  }
  return 'unknown'
}

/** Undefined where there is no such program. */
const ask = (program: string, args: string[]) =>
  new Promise<boolean | undefined>((resolve) => {
    execFile(program, args, { timeout: 3_000 }, (error, answer) => {
      if (error) resolve(error.code === 'ENOENT' ? undefined : false)
      else resolve(/\btrue\b/.test(answer))
    })
  })
