import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Part } from './parts.mjs'
import { findStale, fingerprint, isStale, writeStamp } from './stale.mjs'

const part: Part = {
  name: 'page',
  label: 'the page',
  output: 'out/page',
  entries: ['src/page.ts'],
  sources: ['src', 'lock.json'],
  except: ['src/other'],
}
let root: string

function write(file: string, content: string) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), content)
}

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'galley-stale-'))
  write('src/page.ts', 'one')
  write('lock.json', '{}')
  write('out/page/page.js', 'built')
  writeStamp(root, part, fingerprint(root, part))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a part that was just built is not stale', () => {
  expect(isStale(root, part)).toBe(false)
})

test('a changed, an added and a deleted source each make a part stale', () => {
  write('src/page.ts', 'two')
  expect(isStale(root, part)).toBe(true)
  write('src/page.ts', 'one')
  expect(isStale(root, part)).toBe(false)
  write('src/deep/added.ts', '')
  expect(isStale(root, part)).toBe(true)
  rmSync(path.join(root, 'src/deep'), { recursive: true })
  expect(isStale(root, part)).toBe(false)
  rmSync(path.join(root, 'lock.json'))
  expect(isStale(root, part)).toBe(true)
})

test('a source that only got a new date does not make a part stale', () => {
  utimesSync(path.join(root, 'src/page.ts'), new Date(), new Date(Date.now() + 60_000))
  expect(isStale(root, part)).toBe(false)
})

test('tests, what they share, and folders that the part is not made of do not make it stale', () => {
  write('src/page.test.ts', 'a test')
  write('src/testing/page.ts', 'for tests')
  write('src/other/file.ts', 'elsewhere')
  expect(isStale(root, part)).toBe(false)
})

test('a part is stale when what was built has gone, or was never built', () => {
  rmSync(path.join(root, 'out/page/page.js'))
  expect(isStale(root, part)).toBe(true)
  rmSync(path.join(root, 'out'), { recursive: true })
  expect(isStale(root, part)).toBe(true)
})

test('a part without its entries is never up for building', () => {
  rmSync(path.join(root, 'out'), { recursive: true })
  expect(findStale(root, [part])).toEqual([part])
  rmSync(path.join(root, 'src/page.ts'))
  expect(findStale(root, [part])).toEqual([])
})
