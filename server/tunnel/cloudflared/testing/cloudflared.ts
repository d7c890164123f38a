import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** How the fake of cloudflared behaves; those from `ignoresTerm` on may be changed while it runs. */
export interface TestSettings {
  mode: 'works' | 'rate limited' | 'offline' | 'bad token' | 'unauthorized' | 'blocked' | 'silent' | 'panic'
  /** What it says to `--version`. */
  version: string
  /** Of the public side, on loopback. */
  port: number
  ignoresTerm: boolean
  /** Whether the public side takes requests and never answers, while everything looks well from inside. */
  halfOpen: boolean
  /** The address that it says each request came from. */
  client: string
}

/** What one start of it saw. */
export interface FakeRun {
  argv: string[]
  env: Record<string, string>
  pid: number
  token: string | null
  /** Null if there is no such folder. */
  home: string | null
}

const program = fileURLToPath(new URL('program.ts', import.meta.url))

/** Writes a fake of cloudflared into `folder`, which is made if it isn't there. */
export async function createTestCloudflared(folder: string, wanted: Partial<TestSettings> = {}) {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'cloudflared')
  const settingsFile = path.join(folder, 'settings.json')
  let settings: TestSettings = {
    mode: 'works',
    version: 'cloudflared version 2026.10.0 (built 2026-10-01T00:00:00Z)',
    port: await freePort(),
    ignoresTerm: false,
    halfOpen: false,
    client: '203.0.113.7',
    ...wanted,
  }
  const change = (changes: Partial<TestSettings>) => {
    settings = { ...settings, ...changes }
    writeFileSync(settingsFile, JSON.stringify(settings))
  }
  change({})
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' '${settingsFile}' "$@"\n`)
  chmodSync(file, 0o700)
  return {
    file,
    /** Where people elsewhere would come in; never one of the names that Galley has for itself. */
    address: `http://localhost:${settings.port}`,
    port: settings.port,
    change,
    /** What each start of it saw, in order. */
    runs(): FakeRun[] {
      const kept = path.join(folder, 'runs.jsonl')
      if (!existsSync(kept)) return []
      return readFileSync(kept, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as FakeRun)
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
