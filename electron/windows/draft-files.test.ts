import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDraftFiles } from './draft-files.ts'

let parent: string
const folder = () => path.join(parent, 'words')
beforeEach(() => void (parent = mkdtempSync(path.join(tmpdir(), 'galley-drafts-'))))
afterEach(() => rmSync(parent, { recursive: true }))

test('what was kept is there after the next start, under its own beginning only', async () => {
  const drafts = openDraftFiles(folder())
  await drafts.keep('draft:one:a', 'Half a thought')
  await drafts.keep('draft:one:b', 'Another\ud800 “thought”\n')
  await drafts.keep('draft:two:a', 'Elsewhere')
  const found = await openDraftFiles(folder()).list('draft:one:')
  expect(found.sort()).toEqual([
    ['draft:one:a', 'Half a thought'],
    ['draft:one:b', 'Another\ud800 “thought”\n'],
  ])
  expect(await drafts.list('draft:')).toHaveLength(3)
})

test('nothing was kept before anything was', async () => {
  expect(await openDraftFiles(folder()).list('')).toEqual([])
})

test('things happen in the order in which they were asked for', async () => {
  const drafts = openDraftFiles(folder())
  void drafts.keep('a', 'x'.repeat(1_000_000))
  void drafts.forget('a')
  void drafts.keep('b', 'first')
  void drafts.keep('b', 'second')
  await drafts.settled()
  expect(await drafts.list('')).toEqual([['b', 'second']])
})

test('forgetting what was never kept is no error', async () => {
  await openDraftFiles(folder()).forget('a')
})

test('only its own account may read it, and nothing half written is left', async () => {
  await openDraftFiles(folder()).keep('a', 'words')
  const [file, ...others] = readdirSync(folder())
  expect(others).toEqual([])
  if (process.platform === 'win32') return
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(folder(), file!)).mode & 0o777).toBe(0o600)
})

test('a damaged file hides no other, and stays', async () => {
  const drafts = openDraftFiles(folder())
  await drafts.keep('a', 'words')
  writeFileSync(path.join(folder(), 'damaged.json'), '{"key": "b", "te')
  writeFileSync(path.join(folder(), 'other.json'), '[]')
  expect(await drafts.list('')).toEqual([['a', 'words']])
  expect(readdirSync(folder())).toContain('damaged.json')
})

test('where nothing can be written, whoever asked is told, and the next one is tried anew', async () => {
  writeFileSync(folder(), '')
  const drafts = openDraftFiles(folder())
  await expect(drafts.keep('a', 'words')).rejects.toThrow()
  rmSync(folder())
  await drafts.keep('a', 'words')
  expect(await drafts.list('')).toEqual([['a', 'words']])
})
