/**
 * `npm run bench -- --tunnels`: requests per second at the share listener itself, and through a tunnel by a fake of
 * cloudflared or by OpenSSH's own server on this machine, in turns. What the tunnel's own way costs, with nothing of a
 * network in it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fakeCloudflared } from '../fake-cloudflared.ts'
import { freePort, sshdMissing, startSshd } from '../sshd.ts'
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

/** An address through which people elsewhere reach it, once `open` is done. */
interface Way {
  name: string
  port: number
  open: () => Promise<void>
  close: () => Promise<void>
}

function cloudflaredWay(port: number): Way {
  const { file: program } = fakeCloudflared(folder, port)
  return {
    name: 'a fake cloudflared',
    port,
    open: () =>
      call('PATCH', '/api/tunnel', {
        on: true,
        provider: 'cloudflared',
        cloudflared: { named: true, public_address: `http://localhost:${port}`, program },
        secrets: { 'cloudflared-token': 'fake' },
      }),
    close: () => Promise.resolve(),
  }
}

async function sshWay(port: number): Promise<Way> {
  const sshd = await startSshd()
  return {
    name: 'OpenSSH’s own server',
    port,
    async open() {
      await call('POST', '/api/tunnel/ssh-key')
      const { ssh_public_key: line } = await call<{ ssh_public_key: string }>('GET', '/api/tunnel')
      sshd.authorize(line)
      await call('PATCH', '/api/tunnel', {
        on: true,
        provider: 'ssh',
        ssh: {
          host: '127.0.0.1',
          port: sshd.port,
          user: sshd.user,
          bind_address: '127.0.0.1',
          bind_port: port,
          behind_proxy: false,
          public_address: `http://localhost:${port}`,
        },
      })
      await call('PATCH', '/api/tunnel', { ssh: { host_key: sshd.fingerprint } })
    },
    close: () => sshd.stop(),
  }
}

async function untilOnline() {
  for (let i = 0; (await call<{ state: string }>('GET', '/api/tunnel')).state !== 'online'; i++) {
    if (i > 300) throw new Error('the tunnel doesn’t come online')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const print = (cells: string[]) =>
  process.stdout.write(`${cells.map((cell, i) => (i ? cell.padStart(13) : cell.padEnd(30))).join('')}\n`)
const work = { 'share page': `/share/${token}`, 'read by token': `/api/documents/${id}?share_token=${token}` }

async function compare({ name, port, open, close }: Way) {
  await open()
  await untilOnline()
  print([name, 'connections', 'direct/s', 'tunnel/s', 'ratio'])
  for (const [what, target] of Object.entries(work))
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
      print([`  ${what}`, String(connections), a.toFixed(0), b.toFixed(0), (b / a).toFixed(2)])
    }
  await call('PATCH', '/api/tunnel', { on: false })
  await close()
}

await compare(cloudflaredWay(await freePort()))
if (sshdMissing === undefined) await compare(await sshWay(await freePort()))
else print([`The SSH way isn’t measured: ${sshdMissing}.`])
await galley.stop()
