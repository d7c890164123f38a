import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createGalley } from './app.ts'
import type { TunnelStatus } from './contract/tunnel.ts'
import { testFolder } from './store/test-store.ts'

const page = readFileSync(new URL('../docs/people-elsewhere.md', import.meta.url), 'utf8')
/** The example that people copy, on a port of this machine and without a certificate. */
const example = (heading: string) =>
  new RegExp(`## ${heading}\\n[^#]*?\`\`\`\\w*\\n([^]*?)\`\`\``).exec(page)![1]!

const proxies = {
  caddy: (folder: string, port: number, share: number) => {
    const text = example('Caddy').replace('galley.example.org', `http://localhost:${port}`)
    const file = path.join(folder, 'Caddyfile')
    writeFileSync(file, `{\n\tadmin off\n}\n${text.replace('4781', String(share))}`)
    return ['run', '--config', file, '--adapter', 'caddyfile']
  },
  nginx: (folder: string, port: number, share: number) => {
    const text = example('nginx')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace(/\s+ssl_certificate.*;/g, '')
      .replace('galley.example.org', 'localhost')
      .replace('4781', String(share))
    for (const name of ['body', 'proxy']) mkdirSync(path.join(folder, name))
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `daemon off; master_process off; error_log stderr; pid ${folder}/pid; events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
${text}}`,
    )
    return ['-p', folder, '-c', path.join(folder, 'nginx.conf')]
  },
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.each(Object.entries(proxies))('the example for %s', (name, configure) => {
  const missing = spawnSync(name, ['-h'], { stdio: 'ignore' }).error !== undefined
  if (missing) console.warn(`Skipped: ${name} isn’t installed here, so its example isn’t tried.`)

  test.skipIf(missing)(
    'brings share links to people elsewhere, and large texts back',
    { timeout: 60_000 },
    async () => {
      const folder = testFolder()
      const port = await freePort()
      const address = `http://localhost:${port}`
      const galley = await createGalley({
        dataFolder: testFolder(),
        port: 0,
        sharePort: 0,
        logLevel: 'silent',
        tunnel: { provider: 'url', url: { public_address: address } },
      })
      onTestFinished(() => galley.close())
      const child = spawn(name, configure(folder, port, Number(new URL(galley.shareUrl).port)), {
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], HOME: folder },
      })
      const gone = new Promise((resolve) => child.once('exit', resolve))
      onTestFinished(async () => {
        child.kill('SIGTERM')
        await gone
      })

      const headers = {
        cookie: Object.values(galley.createSession()).join('='),
        'content-type': 'application/json',
      }
      const call = async <T>(method: string, url: string, json?: unknown): Promise<T> => {
        const body = json === undefined ? {} : { body: JSON.stringify(json) }
        return ((await (await fetch(galley.url + url, { method, headers, ...body })).json()) as { data: T })
          .data
      }
      await vi.waitFor(
        async () => expect((await call<TunnelStatus>('GET', '/api/tunnel')).state).toBe('online'),
        { timeout: 40_000, interval: 100 },
      )

      const { id } = await call<{ id: string }>('POST', '/api/documents', {
        title: 'Proof',
        content: 'Read me.',
      })
      const { token } = await call<{ token: string }>('POST', `/api/documents/${id}/share`, {
        permission: 'edit',
      })
      const shared = `${address}/api/documents/${id}?share_token=${token}`
      expect(await (await fetch(shared)).text()).toContain('Read me.')
      // Each character takes six in JSON; a proxy left as it comes refuses far less.
      const content = '\u0001'.repeat(1024 * 1024)
      const saved = await fetch(shared, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content }),
      })
      expect(saved.status).toBe(200)
      expect((await fetch(`${address}/api/documents`, { headers })).status).toBe(404)
    },
  )
})
