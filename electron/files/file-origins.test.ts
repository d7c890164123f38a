import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openFileOrigins } from './file-origins.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-origins-'))
afterAll(() => rmSync(folder, { recursive: true }))

const document = '0f8fad5b-d9cb-469f-a165-70867728950e'
const origin = (digit: string) => ({ document, digest: digit.repeat(64) })

test('what became of a file is known after a start anew, as it was last', () => {
  const file = path.join(folder, 'one.json')
  const origins = openFileOrigins(file)
  expect(origins.find('/a.md')).toBeUndefined()
  origins.put('/a.md', origin('1'))
  origins.put('/b.md', origin('2'))
  origins.put('/a.md', origin('3'))
  const again = openFileOrigins(file)
  expect(again.find('/a.md')).toEqual(origin('3'))
  expect(again.find('/b.md')).toEqual(origin('2'))
  expect((JSON.parse(readFileSync(file, 'utf8')) as { files: unknown[] }).files).toHaveLength(2)
})

test('the files that were opened longest ago are forgotten first', () => {
  const file = path.join(folder, 'many.json')
  const files = Array.from({ length: 2000 }, (_, i) => ({ path: `/${i}.md`, ...origin('0') }))
  writeFileSync(file, JSON.stringify({ files }))
  const origins = openFileOrigins(file)
  origins.put('/new.md', origin('1'))
  expect(origins.find('/0.md')).toBeUndefined()
  expect(origins.find('/1.md')).toBeDefined()
  expect(origins.find('/new.md')).toEqual(origin('1'))
})

test('a file that holds something else counts as none', () => {
  const file = path.join(folder, 'broken.json')
  writeFileSync(file, JSON.stringify({ files: [{ path: '/a.md', document: '../settings', digest: 'x' }] }))
  const origins = openFileOrigins(file)
  expect(origins.find('/a.md')).toBeUndefined()
  origins.put('/a.md', origin('1'))
  expect(origins.find('/a.md')).toEqual(origin('1'))
})
