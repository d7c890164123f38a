// What the installer for Windows does to Path. Needs makensis (NSIS); to be run it needs Wine, too, named by GALLEY_WINE.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './configuration.ts'

const hasNsis = spawnSync('makensis', ['-VERSION']).status === 0
const wine = process.env.GALLEY_WINE
if (!hasNsis) console.log('Skipped: the installer’s script, which takes makensis (NSIS) to be compiled.')
if (!wine) console.log('Skipped: running the installer’s script, which takes Wine (GALLEY_WINE names it).')

const processor = wine ? 'amd64' : 'x86'
const script = `Unicode true
!include LogicLib.nsh
!include WinMessages.nsh
!include FileFunc.nsh
!define APP_EXECUTABLE_FILENAME "Galley.exe"
!define INSTALL_REGISTRY_KEY "Software\\galley-test"
Var installMode
Var appExe
!include "${path.join(root, 'build/package/installer.nsh')}"
Name Galley
OutFile "program.exe"
SilentInstall silent
RequestExecutionLevel user
Section
  \${GetParameters} $0
  \${GetOptions} $0 "/MODE=" $installMode
  StrCpy $appExe "$INSTDIR\\\${APP_EXECUTABLE_FILENAME}"
  ReadEnvStr $INSTDIR GALLEY_FOLDER
  \${GetOptions} $0 "/DO=" $1
  \${If} $1 == "install"
    !insertmacro customInstall
  \${Else}
    !insertmacro customUnInstall
  \${EndIf}
SectionEnd
`

function compile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-installer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(path.join(folder, 'program.nsi'), script)
  const args = ['-WX', '-INPUTCHARSET', 'UTF8', `-XTarget ${processor}-unicode`, 'program.nsi']
  const { status, stdout } = spawnSync('makensis', args, { cwd: folder, encoding: 'utf8' })
  expect({ status, stdout }).toMatchObject({ status: 0 })
  return folder
}

test.skipIf(!hasNsis || wine)('the installer’s script compiles without a warning', () => {
  compile()
})

test.skipIf(!hasNsis || !wine)(
  'the installer adds its folder to Path once, cuts nothing off, and removes what it added',
  { timeout: 300_000 },
  () => {
    const folder = compile()
    const runWine = (args: string[], env: NodeJS.ProcessEnv = {}) =>
      expect(spawnSync(wine!, args, { cwd: folder, env: { ...process.env, ...env } }).status).toBe(0)
    const keys = {
      user: String.raw`HKEY_CURRENT_USER\Environment`,
      all: String.raw`HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Session Manager\Environment`,
    }
    type Mode = keyof typeof keys
    /** Values as bytes: what a terminal prints would be cut off and taken apart. */
    const write = (mode: Mode, kind: number, value: string | null) => {
      const bytes = Buffer.from(`${value ?? ''}\0`, 'utf16le')
        .toString('hex')
        .match(/../g)!
        .join(',')
      const line = value === null ? '"Path"=-' : `"Path"=hex(${kind}):${bytes}`
      const text = `Windows Registry Editor Version 5.00\r\n\r\n[${keys[mode]}]\r\n${line}\r\n`
      writeFileSync(path.join(folder, 'in.reg'), `\uFEFF${text}`, 'utf16le')
      runWine(['regedit', '/S', 'in.reg'])
    }
    const read = (mode: Mode) => {
      runWine(['regedit', '/E', 'out.reg', keys[mode]])
      const text = readFileSync(path.join(folder, 'out.reg'), 'utf16le').replaceAll(/\\\r\n\s*/g, '')
      const [, value] = /^"Path"=(.*)\r$/im.exec(text) ?? []
      if (value === undefined) return null
      if (value.startsWith('"')) return `1:${JSON.parse(value) as string}`
      const [, kind, hex] = /^hex\((\d)\):(.*)$/.exec(value)!
      return `${kind}:${Buffer.from(hex!.replaceAll(',', ''), 'hex').toString('utf16le').replace(/\0$/, '')}`
    }
    const run = (does: string, mode: Mode = 'user', at = String.raw`C:\Prö grams\Galley`) =>
      runWine(['program.exe', `/DO=${does}`, `/MODE=${mode}`], { GALLEY_FOLDER: at })
    const own = String.raw`C:\Prö grams\Galley\resources\bin`
    const long = Array.from(
      { length: 180 },
      (_, at) => String.raw`C:\tools\number ${at}\%SOMETHING%\bin`,
    ).join(';')
    expect(long.length).toBeGreaterThan(6000)

    for (const mode of ['user', 'all'] as const)
      for (const [kind, before, after] of [
        [2, String.raw`%USERPROFILE%\bin;C:\a`, String.raw`%USERPROFILE%\bin;C:\a;${own}`],
        [1, 'C:\\a', `C:\\a;${own}`],
        [2, 'C:\\a;', `C:\\a;${own}`],
        [2, long, `${long};${own}`],
      ] as const) {
        write(mode, kind, before)
        run('install', mode)
        expect(read(mode)).toBe(`${kind}:${after}`)
        run('install', mode)
        expect(read(mode)).toBe(`${kind}:${after}`)
        run('uninstall', mode)
        expect(read(mode)).toBe(`${kind}:${before.replace(/;$/, '')}`)
        run('uninstall', mode)
        expect(read(mode)).toBe(`${kind}:${before.replace(/;$/, '')}`)
      }

    // In the middle, and none that only begins so.
    write('user', 2, 'C:\\a')
    run('install')
    write('user', 2, `${own}2;C:\\a;${own.toUpperCase()};${own}\\x;C:\\b`)
    run('uninstall')
    expect(read('user')).toBe(`2:${own}2;C:\\a;${own}\\x;C:\\b`)

    // None at all.
    write('user', 2, null)
    run('install')
    expect(read('user')).toBe(`2:${own}`)
    run('uninstall')
    expect(read('user')).toBeNull()

    // What somebody has put there by hand stays; so does all where it is too long, or in doubt.
    for (const [kind, before] of [
      [2, `C:\\a;${own}\\;C:\\b`],
      [2, `${own};C:\\b`],
      [2, `${long};${long}`],
      [2, `C:\\a;\0C:\\hidden`],
      [7, 'C:\\a\0'],
    ] as const) {
      write('user', kind, before)
      const exact = read('user')
      run('install')
      expect(read('user')).toBe(exact)
      run('uninstall')
      expect(read('user')).toBe(exact)
    }
    write('user', 2, 'C:\\a')
    run('install', 'user', String.raw`C:\50%;x\Galley`)
    expect(read('user')).toBe('2:C:\\a')
  },
)
