// The command line in the desktop app: started with a command it runs that, beside the app and where there is no display.
import { expect, test } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { appFolder, DesktopApp, sayWhichElectron } from './desktop-app.ts'

test.beforeAll(sayWhichElectron)

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-command-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the program with a command, without any display. */
function start(...args: string[]) {
  const program = createRequire(import.meta.url)('electron') as unknown as string
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env
  // A root's program starts only without the sandbox, which a command has no use for.
  const flags = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return spawn(program, [appFolder, ...flags, ...args], {
    cwd: folder,
    // Its own home: whatever the app would keep would be in here.
    env: { ...env, HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'config') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function run(...args: string[]) {
  const child = start(...args)
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, out, error }
}

const data = () => ['--data', path.join(folder, 'data')]

test('commands run, with their exit code, and no app', async () => {
  // Each is a start of the program.
  test.slow()
  writeFileSync(path.join(folder, 'note.md'), '# Note\n\nKept.\n')
  expect(await run('import', 'note.md', ...data())).toMatchObject({ code: 0, error: '' })
  expect(await run('backup', 'copy.db', ...data())).toMatchObject({ code: 0 })
  const restored = await run(...data(), 'restore', 'copy.db')
  expect(restored).toMatchObject({ code: 0 })
  const checked = await run('check', ...data())
  expect(checked.out).toContain('1 document')
  const missing = await run('restore', 'x', ...data())
  expect(missing.code).toBe(1)
  expect(missing.error).toMatch(/^galley: /)
  const unknown = await run('restor', 'x')
  expect(unknown.code).toBe(2)
  expect(unknown.error).toContain('There is no command “restor”.')
  expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  // No window's profile was made.
  const config = path.join(folder, 'config')
  expect(existsSync(config) ? readdirSync(config).filter((name) => name === 'Galley Desktop') : []).toEqual(
    [],
  )
})

test('a server runs until it is told to stop, and goes with all that it started', async () => {
  test.skip(process.platform === 'win32', 'Windows has no such signals')
  const child = start('serve', '--port', '0', '--share-port', '0', ...data())
  const ended = once(child, 'close')
  const errors = text(child.stderr)
  const lines = createInterface(child.stdout)
  let url: string | undefined
  for await (const line of lines) {
    url ??= /ready at (\S+)/.exec(line)?.[1]
    if (line.includes('Ctrl+C stops')) break
  }
  expect((await fetch(url!)).status).toBe(200)
  expect((await fetch(new URL('/docs', url))).status).toBe(200)
  child.kill('SIGTERM')
  await ended
  expect({ code: child.exitCode, errors: await errors }).toEqual({ code: 0, errors: '' })
  expect(existsSync(path.join(folder, 'data', 'galley.db-wal'))).toBe(false)
})

test('a command works beside the app that is open, which opens nothing by it', async () => {
  const app = await DesktopApp.start()
  const page = await app.page()
  const { code, out } = await run('key', 'create', '--name', 'script', '--data', app.data)
  expect(code).toBe(0)
  const key = /gally_\S+/.exec(out)![0]
  const answer = await fetch(new URL('/api/documents', app.facts().url), {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(await answer.json()).toMatchObject({ data: [] })
  await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  await app.remove()
})
