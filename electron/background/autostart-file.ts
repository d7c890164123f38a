import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Starting at login as Linux desktops know it: an entry in the account's autostart folder. */
export function autostartFile(folder: string, command: readonly string[]) {
  const file = path.join(folder, 'galley.desktop')
  const entry = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Galley',
    'Comment=Goes on sharing your documents',
    `Exec=${command.map(quoted).join(' ')}`,
    'Icon=galley',
    'Terminal=false',
    '',
  ].join('\n')

  return {
    find(): 'on' | 'off' | 'refused' {
      const found = read(file)
      if (found === undefined) return 'off'
      // How the desktops' own settings switch an entry off.
      return /^(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(found) ? 'refused' : 'on'
    },
    set(on: boolean) {
      if (!on) return rmSync(file, { force: true })
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, entry)
    },
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // What can't be read starts nothing.
    return undefined
  }
}

/** An argument as the Desktop Entry Specification quotes it, and then escapes the whole value. */
const quoted = (argument: string) =>
  `"${argument.replace(/["`$\\]/g, '\\$&')}"`.replaceAll('\\', '\\\\').replaceAll('%', '%%')
