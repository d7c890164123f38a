import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { explainWriting, writeFileWhole } from './file-writing.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-writing-'))
const at = (name: string) => path.join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))
const failure = (file: string) =>
  writeFileWhole(file, 'x').then(
    () => 'none',
    (error: unknown) => explainWriting(error),
  )

test('a file is written to the letter, new or in the place of another', async () => {
  await writeFileWhole(at('new.md'), 'Ünï\r\n')
  expect(readFileSync(at('new.md'), 'utf8')).toBe('Ünï\r\n')
  await writeFileWhole(at('new.md'), new Uint8Array([1, 2]))
  expect([...readFileSync(at('new.md'))]).toEqual([1, 2])
  expect(readdirSync(folder)).toEqual(['new.md'])
})

test.skipIf(process.platform === 'win32')('links and rights stay as they are', async () => {
  writeFileSync(at('real.md'), 'before')
  chmodSync(at('real.md'), 0o600)
  symlinkSync(at('real.md'), at('link.md'))
  await writeFileWhole(at('link.md'), 'after')
  expect(lstatSync(at('link.md')).isSymbolicLink()).toBe(true)
  expect(readFileSync(at('real.md'), 'utf8')).toBe('after')
  expect(statSync(at('real.md')).mode & 0o777).toBe(0o600)
})

test('a failure says what to do, and leaves what was there', async () => {
  mkdirSync(at('folder'))
  expect(await failure(at('folder'))).toContain('A folder has that name')
  expect(await failure(at('none/x.md'))).toContain('isn’t there any more')
  expect(readdirSync(at('folder'))).toEqual([])
  if (process.platform !== 'linux') return
  // A disk that is always full.
  expect(explainWriting(Object.assign(new Error('x'), { code: 'ENOSPC' }))).toContain('no room')
  expect(await failure('/proc/x.md')).not.toBe('none')
})
