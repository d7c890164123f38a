import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-launcher-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  // npm goes to the checkout and says where it was called, to whatever it starts there.
  ['by npm, from another folder', () => ({ cwd: root, INIT_CWD: folder, npm_lifecycle_event: 'galley' })],
  ['by itself', () => ({ cwd: folder, INIT_CWD: undefined, npm_lifecycle_event: undefined })],
  ['by itself, by a script of npm’s', () => ({ cwd: folder, INIT_CWD: root, npm_lifecycle_event: 'test' })],
])('started %s, it finds files from where its caller is', { timeout: 120_000 }, (_, place) => {
  writeFileSync(path.join(folder, 'note.md'), '# A note')
  const { cwd, ...env } = place()
  const launcher = path.join(root, 'build', 'galley.mjs')
  execFileSync(process.execPath, [launcher, 'import', 'note.md', '--data', 'data'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  })
  expect(existsSync(path.join(folder, 'data', 'galley.db'))).toBe(true)
})
