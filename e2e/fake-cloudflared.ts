// A fake cloudflared: a program with its arguments and words, whose public side is a port of this machine.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

interface Behaviour {
  mode: 'works' | 'bad token' | 'rate limited'
  version: string
  /** Of the public side. */
  port: number
  /** The address that it says each request came from. */
  client: string
}

const program = path.resolve(import.meta.dirname, '../server/tunnel/cloudflared/testing/program.ts')

/** Writes it into `folder`. */
export function fakeCloudflared(folder: string, port: number) {
  const [file, settings] = [path.join(folder, 'cloudflared'), path.join(folder, 'settings.json')]
  const behaviour: Behaviour = {
    mode: 'works',
    version: 'cloudflared version 2026.10.0',
    port,
    client: '203.0.113.7',
  }
  /** How it behaves from its next start on. */
  const change = (changes: Partial<Behaviour>) =>
    writeFileSync(settings, JSON.stringify(Object.assign(behaviour, changes)))
  change({})
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' '${settings}' "$@"\n`)
  chmodSync(file, 0o700)
  return {
    file,
    change,
    /** The token that each start of it was given, in order. */
    tokens(): (string | null)[] {
      const runs = path.join(folder, 'runs.jsonl')
      if (!existsSync(runs)) return []
      const lines = readFileSync(runs, 'utf8').trim().split('\n')
      return lines.map((line) => (JSON.parse(line) as { token: string | null }).token)
    },
  }
}
