import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { version } from '../version.ts'
import { cacheFolder } from './compile-cache.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'galley-cache-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** In a process of its own, since a process has one such cache, and writes it when it ends. */
const keep = (where = folder) =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { keepCompiled } = await import(${JSON.stringify(new URL('compile-cache.ts', import.meta.url).href)})
       process.stdout.write(String(keepCompiled(process.argv[1])))
       await import(${JSON.stringify(new URL('command.ts', import.meta.url).href)})`,
      where,
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: undefined, NODE_COMPILE_CACHE: undefined },
    },
  )

const mine = () => path.join(folder, 'compiled', version)
const kept = () => readdirSync(mine(), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())

describe('what is compiled', () => {
  it('is kept for the next start, in a folder for this account alone', () => {
    expect(keep()).toContain(mine())
    expect(kept().length).toBeGreaterThan(0)
    if (process.platform !== 'win32') expect(statSync(mine()).mode & 0o777).toBe(0o700)
  })

  it('goes when the version or the build is gone', () => {
    mkdirSync(path.join(folder, 'compiled/0.0.1/v24'), { recursive: true, mode: 0o700 })
    mkdirSync(path.join(mine(), 'v24'), { recursive: true, mode: 0o700 })
    for (let i = 0; i <= 300; i++) writeFileSync(path.join(mine(), 'v24', `old-${i}`), '')
    keep()
    expect(readdirSync(path.join(folder, 'compiled'))).toEqual([version])
    expect(kept().filter(({ name }) => name.startsWith('old'))).toEqual([])
  })

  it('is neither taken from nor put where others may write', (test) => {
    if (process.platform === 'win32') return test.skip('Windows has no such permissions')
    keep()
    chmodSync(path.join(folder, 'compiled'), 0o777)
    expect(keep()).toBe('undefined')
  })

  it('is done without where it can’t be kept', () => {
    writeFileSync(path.join(folder, 'file'), '')
    expect(keep(path.join(folder, 'file'))).toBe('undefined')
  })
})

it('the folder is the one the system has for caches', () => {
  expect(cacheFolder({}, 'linux', '/home/ada')).toBe('/home/ada/.cache/galley')
  expect(cacheFolder({ XDG_CACHE_HOME: '/caches' }, 'linux', '/home/ada')).toBe('/caches/galley')
  expect(cacheFolder({ XDG_CACHE_HOME: 'relative' }, 'linux', '/home/ada')).toBe('/home/ada/.cache/galley')
  expect(cacheFolder({}, 'darwin', '/Users/ada')).toBe('/Users/ada/Library/Caches/Galley')
  expect(cacheFolder({ LOCALAPPDATA: 'C:\\L' }, 'win32', 'C:\\Users\\ada')).toBe('C:\\L\\Galley\\cache')
  expect(cacheFolder({}, 'win32', 'C:\\Users\\ada')).toBe('C:\\Users\\ada\\AppData\\Local\\Galley\\cache')
})
