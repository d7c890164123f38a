/**
 * `npm run bench -- --tunnels`: requests per second at the share listener itself, and through a tunnel by a stand-in for
 * cloudflared on this machine, in turns. What the tunnel's own way costs, with nothing of a network in it.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measure, median, type Measured } from './load.ts'
import { galley as runGalley, startGalley } from './processes.ts'
import { prose } from './prose.ts'

const { values } = parseArgs({
  options: {
    tunnels: { type: 'boolean' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
  },
})
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]
const folder = mkdtempSync(path.join(tmpdir(), 'galley-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const galley = await startGalley(path.join(folder, 'data'))
const key = await runGalley(path.join(folder, 'data'), 'key', 'create', '--name', 'bench')
async function call<T>(method: string, url: string, body?: unknown): Promise<T> {
  const response = await fetch(`${galley.url}${url}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, error } = (await response.json()) as { data: T; error: { message: string } | null }
  if (error) throw new Error(`${method} ${url}: ${error.message}`)
  return data
}

const { id } = await call<{ id: string }>('POST', '/api/documents', { content: prose(1, 5 * 1024) })
const { token } = await call<{ token: string }>('POST', `/api/documents/${id}/share`, { permission: 'view' })

const server = createServer()
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
await new Promise((resolve) => server.close(resolve))
const standIn = path.resolve(import.meta.dirname, '../../server/tunnel/cloudflared/test-program.ts')
const [program, settings] = [path.join(folder, 'cloudflared'), path.join(folder, 'settings.json')]
const behaviour = { mode: 'works', version: 'cloudflared version 2026.10.0', port, client: '203.0.113.7' }
writeFileSync(settings, JSON.stringify(behaviour))
writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${standIn}' '${settings}' "$@"\n`)
chmodSync(program, 0o700)
await call('PATCH', '/api/tunnel', {
  on: true,
  provider: 'cloudflared',
  cloudflared: { named: true, public_address: `http://localhost:${port}`, program },
  secrets: { 'cloudflared-token': 'played' },
})
for (let i = 0; (await call<{ state: string }>('GET', '/api/tunnel')).state !== 'online'; i++) {
  if (i > 300) throw new Error('the tunnel doesn’t come online')
  await new Promise((resolve) => setTimeout(resolve, 100))
}

const print = (cells: string[]) =>
  process.stdout.write(`${cells.map((cell, i) => (i ? cell.padStart(13) : cell.padEnd(30))).join('')}\n`)
print(['work', 'connections', 'direct/s', 'tunnel/s', 'ratio'])
const work = { 'share page': `/share/${token}`, 'read by token': `/api/documents/${id}?share_token=${token}` }
for (const [name, target] of Object.entries(work))
  for (const connections of [1, 32]) {
    const direct = { url: galley.shareUrl + target }
    const through = { url: `http://127.0.0.1:${port}${target}`, headers: { host: `localhost:${port}` } }
    const [here, there]: [Measured[], Measured[]] = [[], []]
    await measure(direct, connections, 1)
    await measure(through, connections, 1)
    for (let i = 0; i < rounds; i++) {
      here.push(await measure(direct, connections, seconds))
      there.push(await measure(through, connections, seconds))
    }
    const [a, b] = [median(here).perSecond, median(there).perSecond]
    print([name, String(connections), a.toFixed(0), b.toFixed(0), (b / a).toFixed(2)])
  }
await galley.stop()
