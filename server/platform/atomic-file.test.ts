import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { canHaveSmallDisk, smallDisk } from '../testing/small-disk.ts'
import {
  draftBeside,
  putInPlace,
  removeAbandonedDrafts,
  writeFileAtomic,
  writeFileAtomicSync,
} from './atomic-file.ts'
import { spawnSync } from 'node:child_process'

let folder: string
const at = (name: string) => path.join(folder, name)
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'galley-files-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  ['at once', async (...args: Parameters<typeof writeFileAtomicSync>) => writeFileAtomicSync(...args)],
  ['meanwhile', writeFileAtomic],
])('a file that is written %s', (_when, write) => {
  test('has what it was given, and is its account’s own', async () => {
    await write(at('a.json'), 'Ünï\r\n')
    expect(readFileSync(at('a.json'), 'utf8')).toBe('Ünï\r\n')
    if (process.platform !== 'win32') expect(statSync(at('a.json')).mode & 0o777).toBe(0o600)
    await write(at('a.json'), new Uint8Array([1, 2]))
    expect([...readFileSync(at('a.json'))]).toEqual([1, 2])
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  test('may be for others, too', async () => {
    await write(at('a.md'), 'text', { mode: 0o640 })
    if (process.platform !== 'win32') expect(statSync(at('a.md')).mode & 0o777).toBe(0o640)
  })

  test('takes the place of the one before, which is never written into', async () => {
    writeFileSync(at('a'), 'before')
    linkSync(at('a'), at('b'))
    await write(at('a'), 'after')
    expect(readFileSync(at('b'), 'utf8')).toBe('before')
  })

  test('that can’t get its name leaves nothing behind', async () => {
    mkdirSync(at('a'))
    await expect(write(at('a'), 'text')).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['a'])
    await expect(write(at('none/a'), 'text')).rejects.toThrow('ENOENT')
  })

  test.skipIf(!canHaveSmallDisk)('that the disk has no room for leaves the one before', async () => {
    const disk = await smallDisk(1)
    const file = path.join(disk.at, 'a')
    await write(file, 'before')
    await expect(write(file, 'x'.repeat(2 * 1024 * 1024))).rejects.toThrow('ENOSPC')
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(readdirSync(disk.at)).toEqual(['a'])
  })
})

test('a draft replaces a file only where it may', () => {
  writeFileSync(at('a'), 'before')
  const draft = draftBeside(at('a'))
  writeFileSync(draft, 'after')
  expect(putInPlace(draft, at('a'), false)).toBe(false)
  expect(readFileSync(at('a'), 'utf8')).toBe('before')
  expect(putInPlace(draft, at('a'), true)).toBe(true)
  expect(readFileSync(at('a'), 'utf8')).toBe('after')
  expect(readdirSync(folder)).toEqual(['a'])
})

test('a draft that replaces nothing gets a free name', () => {
  const draft = draftBeside(at('a'))
  writeFileSync(draft, 'text')
  expect(putInPlace(draft, at('a'), false)).toBe(true)
  expect(readdirSync(folder)).toEqual(['a'])
})

test('drafts of processes that have ended are removed, with what stands beside them; others’ and other files stay', () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const own = path.basename(draftBeside(at('a')))
  const left = own.replace(`-${process.pid}-`, `-${ended}-`)
  for (const name of [own, left, `${left}-journal`, 'a.db', '.galley-notes.part']) writeFileSync(at(name), '')
  removeAbandonedDrafts(folder)
  expect(readdirSync(folder).sort()).toEqual(['.galley-notes.part', 'a.db', own].sort())
  removeAbandonedDrafts(at('missing'))
})
