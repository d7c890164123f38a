import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findTrayHost } from './tray-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-tray-'))
  // Only what a test puts there can be found.
  vi.stubEnv('PATH', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** A program that answers so, if it was asked for the right thing. */
function put(program: string, answer: string, code = 0) {
  const file = path.join(folder, program)
  writeFileSync(
    file,
    `#!/bin/sh
case "$*" in *IsStatusNotifierHostRegistered*) echo '${answer}'; exit ${code};; esac
exit 7
`,
  )
  chmodSync(file, 0o755)
}

test('Windows and macOS always show icons', async () => {
  expect(await findTrayHost('win32')).toBe('yes')
  expect(await findTrayHost('darwin')).toBe('yes')
})

test.skipIf(process.platform === 'win32')('on Linux the desktop is asked', async () => {
  expect(await findTrayHost('linux')).toBe('unknown')
  put('dbus-send', '   variant       boolean true')
  expect(await findTrayHost('linux')).toBe('yes')
  put('gdbus', '(<false>,)')
  expect(await findTrayHost('linux')).toBe('no')
  put('gdbus', '(<true>,)')
  expect(await findTrayHost('linux')).toBe('yes')
  put('gdbus', 'Error: GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown', 1)
  expect(await findTrayHost('linux')).toBe('no')
})
