import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { canUseApt, unpackWithApt } from './apt.mjs'

if (!canUseApt())
  console.warn('Skipped: this isn’t root on Debian, so nothing is unpacked from its packages.')

describe.skipIf(!canUseApt())('a program from a package of Debian’s', () => {
  /** A folder, and an apt-get of which one can say what it does in place of fetching. */
  function setUp(fetching: string) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-apt-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(path.join(folder, 'apt-get'), `#!/bin/sh\ncase "$*" in *download*) ${fetching};; esac\n`, {
      mode: 0o755,
    })
    vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env['PATH']}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    return { folder, target: path.join(folder, 'programs', 'shouter') }
  }

  test('is unpacked into a folder, and nothing else is left', () => {
    const { folder, target } = setUp(`cp ../../shouter.deb . && touch beside`)
    const tree = path.join(folder, 'tree')
    mkdirSync(path.join(tree, 'DEBIAN'), { recursive: true })
    writeFileSync(
      path.join(tree, 'DEBIAN', 'control'),
      'Package: shouter\nVersion: 1\nArchitecture: all\nMaintainer: Galley <galley@example.org>\nDescription: A test\n',
    )
    writeFileSync(path.join(tree, 'shout'), 'Ahoy.')
    execFileSync('dpkg-deb', ['-b', tree, path.join(folder, 'shouter.deb')], { stdio: 'ignore' })

    expect(unpackWithApt('shouter', target)).toBe(true)
    expect(readFileSync(path.join(target, 'shout'), 'utf8')).toBe('Ahoy.')
    expect(readdirSync(path.dirname(target))).toEqual(['shouter'])
  })

  test.each([
    ['can’t be fetched', 'exit 100'],
    ['isn’t there although apt-get says so', 'true'],
    ['comes damaged', 'echo half > shouter.deb'],
  ])('that %s leaves nothing that looks like it', (_how, fetching) => {
    const { target } = setUp(fetching)
    expect(unpackWithApt('shouter', target)).toBe(false)
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(path.dirname(target))).toEqual([])
  })
})
