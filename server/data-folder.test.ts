import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataFolder, defaultDataFolder, openDataFolder } from './data-folder.ts'
import { OpenError } from './store/open-error.ts'
import { testFolder } from './testing/cli.ts'

describe('the usual folder', () => {
  test.each<[string, Record<string, string>, NodeJS.Platform, string, string]>([
    ['Linux', {}, 'linux', '/home/ann', '/home/ann/.local/share/galley'],
    ['Linux with XDG_DATA_HOME', { XDG_DATA_HOME: '/data' }, 'linux', '/home/ann', '/data/galley'],
    [
      'Linux with a relative one, which the standard says to ignore',
      { XDG_DATA_HOME: 'data' },
      'linux',
      '/home/ann',
      '/home/ann/.local/share/galley',
    ],
    ['Linux with an empty one', { XDG_DATA_HOME: '' }, 'linux', '/home/ann', '/home/ann/.local/share/galley'],
    [
      'macOS',
      { XDG_DATA_HOME: '/data' },
      'darwin',
      '/Users/ann',
      '/Users/ann/Library/Application Support/Galley',
    ],
    ['Windows', { APPDATA: 'D:\\Roaming' }, 'win32', 'C:\\Users\\ann', 'D:\\Roaming\\Galley'],
    ['Windows without APPDATA', {}, 'win32', 'C:\\Users\\ann', 'C:\\Users\\ann\\AppData\\Roaming\\Galley'],
    ['FreeBSD', {}, 'freebsd', '/home/ann', '/home/ann/.local/share/galley'],
    [
      'any system with GALLEY_DATA',
      { GALLEY_DATA: '/srv/galley', XDG_DATA_HOME: '/data' },
      'linux',
      '/home/ann',
      '/srv/galley',
    ],
    [
      'Windows with GALLEY_DATA',
      { GALLEY_DATA: 'E:\\galley', APPDATA: 'D:\\Roaming' },
      'win32',
      'C:\\Users\\ann',
      'E:\\galley',
    ],
  ])('of %s', (_system, env, platform, home, folder) => {
    expect(defaultDataFolder(env, platform, home)).toBe(folder)
  })
})

test('what a running server says of itself is private, whole, and gone once removed', () => {
  const files = openDataFolder(path.join(testFolder(), 'data'))
  expect(files.readServer()).toBeUndefined()
  const facts = { url: 'http://127.0.0.1:1', shareUrl: 'http://127.0.0.1:2', pid: 3, version: '4' }
  files.writeServer({ ...facts, pid: 2 })
  files.writeServer(facts)
  expect(files.readServer()).toEqual(facts)
  expect(readdirSync(files.folder).sort()).toEqual(['backups', 'server.json'])
  if (process.platform !== 'win32') {
    expect(statSync(path.join(files.folder, 'server.json')).mode & 0o777).toBe(0o600)
  }
  expect(files.describeHolder()).toBe(
    `${files.folder} is in use by Galley 4 (process 3) at http://127.0.0.1:1.`,
  )
  files.removeServer()
  files.removeServer()
  expect(files.readServer()).toBeUndefined()
  expect(files.describeHolder()).toBe(`${files.folder} is in use by another Galley.`)
})

test('half a file of facts is none', () => {
  const files = openDataFolder(testFolder())
  writeFileSync(path.join(files.folder, 'server.json'), '{"url": "http://')
  expect(files.readServer()).toBeUndefined()
})

test('a folder that can’t be made says so; looking at its paths makes nothing', () => {
  const folder = testFolder()
  writeFileSync(path.join(folder, 'file'), '')
  expect(() => openDataFolder(path.join(folder, 'file'))).toThrow(OpenError)
  dataFolder(path.join(folder, 'later'))
  expect(readdirSync(folder)).toEqual(['file'])
  mkdirSync(path.join(folder, 'there'))
  openDataFolder(path.join(folder, 'there'))
  openDataFolder(path.join(folder, 'there'))
})
