import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

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

const isThere = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Its own launcher, and npm, which runs that in a shell. */
const serve = ['serve', '--port', '0', '--share-port', '0', '--data']
test.skipIf(process.platform === 'win32').each([
  ['the launcher', (data: string) => [process.execPath, path.join(root, 'build/galley.mjs'), ...serve, data]],
  ['npm', (data: string) => ['npm', 'run', '--silent', 'galley', '--', ...serve, data]],
])('%s that is killed takes the server with it', { timeout: 180_000 }, async (_, commandOf) => {
  const data = path.join(folder, 'data')
  const [command, ...args] = commandOf(data) as [string, ...string[]]
  // In a group of its own, so that nothing outlives a test that fails.
  const launcher = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  onTestFinished(() => {
    try {
      process.kill(-launcher.pid!, 'SIGKILL')
    } catch {
      // All of it is gone, as it should be.
    }
  })
  let said = ''
  launcher.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (!said.includes('Ctrl+C')) await once(launcher.stdout, 'data')
  const facts = path.join(data, 'server.json')
  const { pid } = JSON.parse(readFileSync(facts, 'utf8')) as { pid: number }
  expect(isThere(pid)).toBe(true)
  launcher.kill('SIGKILL')
  while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 100))
  // It stopped as cleanly as if it had been told to.
  expect(existsSync(facts)).toBe(false)
})
