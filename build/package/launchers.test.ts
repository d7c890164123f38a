// The commands that packages bring, run with a program that says what it is given.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandNames } from '../../server/contract/command-names.ts'
import { readCommand } from '../../electron/start/command-line.ts'
import { root } from './configuration.ts'
import { writeLinuxScripts } from './linux-scripts.ts'

function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley launcher '))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Puts a launcher and a program that answers to it where a package has them. */
function install(launcher: string, bin: string, program: string) {
  const folder = newFolder()
  const place = (name: string) => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    return file
  }
  const command = place(bin)
  copyFileSync(path.join(root, 'build/package/bin', launcher), command)
  chmodSync(command, 0o755)
  writeFileSync(place(program), `#!/bin/sh\nprintf '%s\\n' "$@"\nprintf 'seen\\n' >&2\nexit 3\n`, {
    mode: 0o755,
  })
  return { folder, command }
}

function run(command: string, args: string[], shell?: string, cwd = path.dirname(command)) {
  const [program, ...before] = shell === undefined ? [command] : [shell, command]
  const { status, stdout, stderr } = spawnSync(program, [...before, ...args], { cwd, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 3, stderr: 'seen\n' })
  return stdout.split('\n').slice(0, -1)
}

const flags = ['--no-sandbox', '--ozone-platform=headless', '--disable-gpu', '--command']

describe.skipIf(process.platform === 'win32')('the command of deb and rpm packages', () => {
  const lay = () => install('galley-linux.sh', 'opt/Galley/resources/bin/galley', 'opt/Galley/galley')

  test('decides as the app does, and opens no window without its sandbox', () => {
    const { folder, command } = lay()
    const files = path.join(folder, 'files')
    mkdirSync(files)
    for (const name of ['notes', 'restore', 'a b']) writeFileSync(path.join(files, name), '')
    const isThere = (file: string) => ['notes', 'restore', 'a b'].includes(file)
    const expected = (args: string[]) => (readCommand(args, isThere) ? [...flags, ...args] : args)
    const words = fc.constantFrom(
      ...commandNames,
      ...['-h', '--help', '-v', '--version', '--data', '--data=x', '--', '--background', '--port=0', '-'],
      ...[
        'notes',
        'missing',
        'missing.md',
        './restore',
        'a b',
        '/tmp',
        'Serve',
        'é',
        '*',
        '$(x)',
        'file:///a',
      ],
    )
    const each = commandNames.map((word): [string[]] => [[word, 'x']])
    fc.assert(
      fc.property(fc.array(words, { maxLength: 4 }), (args) => {
        // Nothing at all is printed as one empty line.
        expect(run(command, args, 'sh', files)).toEqual(args.length === 0 ? [''] : expected(args))
      }),
      { numRuns: 60, examples: each },
    )
  })

  test('is found through the links that lead to it, and hands on its exit code', () => {
    const { folder, command } = lay()
    symlinkSync(command, path.join(folder, 'alternative'))
    symlinkSync('alternative', path.join(folder, 'galley'))
    expect(run(path.join(folder, 'galley'), ['check'])).toEqual([...flags, 'check'])
    expect(run(path.join(folder, 'galley'), ['a note.md'])).toEqual(['a note.md'])
  })
})

test.skipIf(process.platform === 'win32')('the command of macOS’s app is found through links', () => {
  const { folder, command } = install(
    'galley-mac.sh',
    'Galley.app/Contents/Resources/bin/galley',
    'Galley.app/Contents/MacOS/Galley',
  )
  mkdirSync(path.join(folder, 'bin'))
  symlinkSync('../Galley.app/Contents/Resources/bin/galley', path.join(folder, 'bin/relative'))
  symlinkSync(path.join(folder, 'bin/relative'), path.join(folder, 'bin/galley'))
  for (const one of [command, path.join(folder, 'bin/relative'), path.join(folder, 'bin/galley')])
    expect(run(one, ['restore', 'my backup.db'])).toEqual(['restore', 'my backup.db'])
})

test('the command of Windows has the line ends that its labels need', () => {
  const script = readFileSync(path.join(root, 'build/package/bin/galley.cmd'), 'latin1')
  expect(script).not.toMatch(/[^\r]\n/)
  expect(script).toContain('"%~dp0..\\..\\Galley.exe" %*')
})

describe.skipIf(process.platform !== 'linux')('installing deb and rpm packages', () => {
  /** Runs a script below a folder in place of the system, with programs that change nothing. */
  function runScript(template: string, ...args: string[]) {
    const folder = newFolder()
    const system = path.join(folder, 'system')
    mkdirSync(path.join(system, 'usr/bin'), { recursive: true })
    mkdirSync(path.join(folder, 'bin'))
    const program = (name: string, does: string) =>
      writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
    program('update-alternatives', 'echo "$@"')
    for (const name of ['unshare', 'update-mime-database', 'update-desktop-database']) program(name, ':')
    program('apparmor_status', 'exit 1')
    const script = readFileSync(template, 'utf8')
      .replaceAll('${executable}', 'galley')
      .replaceAll('${sanitizedProductName}', 'Galley')
      .replaceAll(/'\/(opt|usr|etc)\//g, `'${system}/$1/`)
    const { status, stdout } = spawnSync('bash', ['-c', script, 'script', ...args], {
      encoding: 'utf8',
      env: { PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` },
    })
    return { status, said: stdout.replaceAll(system, '') }
  }

  test('/usr/bin/galley leads to the command', () => {
    const { afterInstall, afterRemove } = writeLinuxScripts(newFolder())
    const command = '/opt/Galley/resources/bin/galley'
    expect(runScript(afterInstall, 'configure').said).toContain(
      `--install /usr/bin/galley galley ${command} 100\n`,
    )
    expect(runScript(afterRemove, 'remove').said).toBe(`--remove galley ${command}\n`)
    expect(runScript(afterRemove, '0').said).toBe(`--remove galley ${command}\n`)
  })

  test.each(['upgrade', '1'])('and does so still after an update (%s)', (why) => {
    const { afterRemove } = writeLinuxScripts(newFolder())
    expect(runScript(afterRemove, why)).toEqual({ status: 0, said: '' })
  })
})
