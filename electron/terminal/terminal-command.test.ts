import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { linkScript, runAsAdministrator } from './administrator.ts'
import { findCommandPlace, type CommandPlace, type ProgramFacts } from './command-place.ts'
import { createTerminalCommand } from './terminal-command.ts'

const facts: ProgramFacts = {
  platform: 'linux',
  isPackaged: true,
  appImage: '/home/me/Galley-1.0.0-linux-x64.AppImage',
  resources: '/tmp/.mount_x/resources',
  home: '/home/me',
  searchPath: '/home/me/.local/bin/:/usr/bin',
  systemPaths: undefined,
  isReadOnly: () => false,
}

describe('where the command is put', () => {
  const onMac = (resources: string, more: Partial<ProgramFacts> = {}) =>
    findCommandPlace({ ...facts, platform: 'darwin', appImage: undefined, resources, ...more })

  test('an AppImage is linked to from ~/.local/bin, and it is known whether terminals look there', () => {
    expect(findCommandPlace(facts)).toMatchObject({
      link: '/home/me/.local/bin/galley',
      target: '/home/me/Galley-1.0.0-linux-x64.AppImage',
      isSearched: true,
    })
    for (const searchPath of ['/usr/bin:/home/me/.local/bin2', '', undefined])
      expect(findCommandPlace({ ...facts, searchPath })?.isSearched).toBe(false)
  })

  test('on macOS the app’s own command is linked to, but not where the app won’t stay', () => {
    expect(onMac('/Applications/Galley.app/Contents/Resources')).toMatchObject({
      link: '/usr/local/bin/galley',
      target: '/Applications/Galley.app/Contents/Resources/bin/galley',
      isSearched: true,
      isPassing: false,
    })
    expect(
      onMac('/private/var/folders/x/AppTranslocation/Y/d/Galley.app/Contents/Resources')?.isPassing,
    ).toBe(true)
    const isReadOnly = (folder: string) => folder === '/Volumes/Galley 1.0.0'
    const mounted = '/Volumes/Galley 1.0.0/Galley.app/Contents/Resources'
    expect(onMac(mounted, { isReadOnly })?.isPassing).toBe(true)
    expect(onMac(mounted)?.isPassing).toBe(false)
    expect(onMac('/x', { systemPaths: '/usr/bin\n/bin\n' })?.isSearched).toBe(false)
  })

  test('the app has no say in it on Windows, for deb and rpm, and from its source', () => {
    expect(findCommandPlace({ ...facts, appImage: undefined })).toBeUndefined()
    expect(findCommandPlace({ ...facts, platform: 'win32' })).toBeUndefined()
    expect(onMac('/x', { isPackaged: false })).toBeUndefined()
  })
})

// Other systems have no such links.
describe.skipIf(process.platform === 'win32')('the command', () => {
  let home: string
  let place: CommandPlace
  const put = () => createTerminalCommand({ place, home })
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'galley terminal '))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    place = findCommandPlace({ ...facts, home, appImage: path.join(home, "It's Galley.AppImage") })!
  })

  test('is put there, twice as once, and taken away', async () => {
    expect(put().find()).toMatchObject({ file: '~/.local/bin/galley', state: 'absent' })
    await put().set(true)
    await put().set(true)
    expect(put().find()).toMatchObject({ state: 'there' })
    expect(readlinkSync(place.link)).toBe(place.target)
    await put().set(false)
    await put().set(false)
    expect(put().find()).toMatchObject({ state: 'absent' })
  })

  test('takes the place of another Galley’s, and of nothing else', async () => {
    mkdirSync(path.dirname(place.link), { recursive: true })
    symlinkSync('/elsewhere/Galley-0.9.0.AppImage', place.link)
    expect(put().find()).toMatchObject({ state: 'elsewhere' })
    await put().set(true)
    expect(put().find()).toMatchObject({ state: 'there' })

    for (const make of [
      () => writeFileSync(place.link, 'a script of mine'),
      () => symlinkSync('/usr/bin/true', place.link),
      () => mkdirSync(place.link),
    ]) {
      rmSync(place.link, { recursive: true })
      make()
      const { mtimeMs } = lstatSync(place.link)
      expect(put().find()).toMatchObject({ state: 'taken' })
      for (const wanted of [true, false]) await expect(put().set(wanted)).rejects.toThrow('something else’s')
      put().follow()
      expect(lstatSync(place.link).mtimeMs).toBe(mtimeMs)
    }
  })

  test('follows an AppImage that was replaced, and leaves one that is there', () => {
    mkdirSync(path.dirname(place.link), { recursive: true })
    const other = path.join(home, 'Galley-0.9.0.AppImage')
    writeFileSync(other, '')
    symlinkSync(other, place.link)
    put().follow()
    expect(readlinkSync(place.link)).toBe(other)
    rmSync(other)
    put().follow()
    expect(readlinkSync(place.link)).toBe(place.target)
  })

  test('isn’t put anywhere by an app that won’t stay where it is', async () => {
    const passing = createTerminalCommand({ place: { ...place, isPassing: true }, home })
    await expect(passing.set(true)).rejects.toThrow('Move Galley to Applications')
    expect(existsSync(place.link)).toBe(false)
  })

  test('is asked of nobody where this account may put it there', async () => {
    const runPrivileged = vi.fn<typeof runAsAdministrator>(() => Promise.resolve(true))
    await createTerminalCommand({ place, home, runPrivileged }).set(true)
    expect(runPrivileged).not.toHaveBeenCalled()
  })

  // To root nothing is forbidden.
  test.skipIf(process.getuid?.() === 0)(
    'is asked of an administrator where this account may not',
    async () => {
      chmodSync(home, 0o555)
      onTestFinished(() => chmodSync(home, 0o755))
      const runPrivileged = vi.fn<typeof runAsAdministrator>(() => Promise.resolve(true))
      await createTerminalCommand({ place, home, runPrivileged }).set(true)
      expect(runPrivileged.mock.calls[0]![0]).toContain(`ln -s '${home}/It'\\''s Galley.AppImage'`)
      await expect(put().set(true)).rejects.toThrow('EACCES')
    },
  )

  test('is changed by a script that quotes what it is given, and leaves what came meanwhile', () => {
    const run = (change: Parameters<typeof linkScript>[0]) =>
      spawnSync('sh', ['-c', linkScript(change)], { encoding: 'utf8' })
    const link = path.join(home, 'usr/$(touch evil)/bin/galley')
    const target = `${home}/It's "a" $HOME \`touch evil\`.app`
    expect(run({ link, before: undefined, target })).toMatchObject({ status: 0, stderr: '' })
    expect(readlinkSync(link)).toBe(target)
    expect(run({ link, before: undefined, target: '/other' }).status).toBe(7)
    expect(run({ link, before: '/other', target: '/other' }).status).toBe(7)
    expect(readlinkSync(link)).toBe(target)
    expect(run({ link, before: target, target: '/other' }).status).toBe(0)
    expect(readlinkSync(link)).toBe('/other')
    expect(run({ link, before: '/other', target: undefined }).status).toBe(0)
    writeFileSync(link, 'mine')
    expect(run({ link, before: undefined, target }).status).toBe(7)
    expect(readFileSync(link, 'utf8')).toBe('mine')
  })

  test('hands an administrator’s words over as arguments, and hears who declines', async () => {
    const program = path.join(home, 'osascript')
    const says = (line: string) => writeFileSync(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    says(`printf '%s\\n' "$@" > "${home}/args"`)
    expect(await runAsAdministrator("ln 'a \"b'", 'Galley “asks”', program)).toBe(true)
    expect(readFileSync(`${home}/args`, 'utf8').trim().split('\n').slice(-2)).toEqual([
      "ln 'a \"b'",
      'Galley “asks”',
    ])
    says('echo "0:93: execution error: Vom Benutzer abgebrochen. (-128)" >&2; exit 1')
    expect(await runAsAdministrator('x', 'y', program)).toBe(false)
    says('echo "0:93: execution error: The command exited with a non-zero status. (7)" >&2; exit 1')
    await expect(runAsAdministrator('x', 'y', program)).rejects.toThrow('come there meanwhile')
    says('echo "0:93: execution error: No such file (1)" >&2; exit 1')
    await expect(runAsAdministrator('x', 'y', program)).rejects.toThrow(/^No such file/)
  })
})
