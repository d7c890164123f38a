import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogFile } from './log-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-log-'))
  file = path.join(folder, 'logs', 'main.log')
})
afterEach(() => rmSync(folder, { recursive: true }))
const old = () => path.join(folder, 'logs', 'main.old.log')

test('lines are added to those of the last start, for this account only', () => {
  openLogFile(file).write('one\n')
  if (process.platform !== 'win32') chmodSync(file, 0o644)
  openLogFile(file).write('two\n')
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a full log begins anew, and of the older ones the last is kept', () => {
  const log = openLogFile(file, 10)
  for (const line of ['1234567\n', 'abcdefg\n', 'ABCDEFG\n']) log.write(line)
  expect(readFileSync(file, 'utf8')).toBe('ABCDEFG\n')
  expect(readFileSync(old(), 'utf8')).toBe('abcdefg\n')
  openLogFile(file, 10).write('next\n')
  expect(readFileSync(old(), 'utf8')).toBe('ABCDEFG\n')
})

test('a line that is longer than a log may be is kept, and only that one', () => {
  const log = openLogFile(file, 10)
  log.write('x'.repeat(50))
  expect(existsSync(old())).toBe(false)
  log.write('y')
  expect(readFileSync(file, 'utf8')).toBe('y')
})

test('where nothing can be written, nothing is thrown, and later lines are kept when they can be', () => {
  mkdirSync(path.dirname(file))
  mkdirSync(file)
  const log = openLogFile(file)
  log.write('lost\n')
  rmSync(file, { recursive: true })
  writeFileSync(file, '')
  log.write('kept\n')
  expect(readFileSync(file, 'utf8')).toBe('kept\n')
})
