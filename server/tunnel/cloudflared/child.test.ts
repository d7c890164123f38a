import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from './testing/cloudflared.ts'

// On every system, Windows included, where no script can stand in for cloudflared.
test('a program goes with the process that started it, however that went', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [starter, program] = ['starter.ts', 'program.mjs'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]
  writeFileSync(program, 'console.error(process.pid); setInterval(() => undefined, 1000)')
  writeFileSync(
    starter,
    `import { startChild } from ${JSON.stringify(new URL('child.ts', import.meta.url).href)}
startChild({
  file: process.execPath,
  args: [${JSON.stringify(program)}],
  env: process.env,
  onLine: (line) => console.log(line),
  grace: 1000,
})`,
  )
  const server = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  const pid = Number(await new Promise((resolve) => server.stdout.once('data', resolve)))
  expect(isAlive(pid)).toBe(true)
  server.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})
