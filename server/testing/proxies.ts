// The web servers that the documentation has examples for, set up as it says, for tests.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { testFolder } from '../store/testing/store.ts'
import { freePort, listens } from '../tunnel/ssh/testing/sshd.ts'

const page = readFileSync(new URL('../../docs/people-elsewhere.md', import.meta.url), 'utf8')

/** The first example after a sentence or heading, as people copy it. */
function exampleAfter(words: string): string {
  const [, example] = page.slice(page.indexOf(words)).match(/```\w*\n([^]*?)```/) ?? []
  if (!page.includes(words) || example === undefined) throw new Error(`No example after “${words}”.`)
  return example.replace(/^ {3}/gm, '')
}

/** The examples, for a port of this machine and without a certificate: each writes its files and says how to start. */
const configure = {
  caddy: (example: string, folder: string, port: number) => {
    const file = path.join(folder, 'Caddyfile')
    const here = example.replace('galley.example.org', `http://localhost:${port}`)
    // Nothing that a test starts is open to the network.
    writeFileSync(file, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${here}`)
    return ['run', '--config', file, '--adapter', 'caddyfile']
  },
  nginx: (example: string, folder: string, port: number) => {
    const here = example
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace(/\s+ssl_certificate.*;/g, '')
      .replace('galley.example.org', 'localhost')
    for (const name of ['body', 'proxy']) mkdirSync(path.join(folder, name))
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `daemon off; master_process off; error_log stderr; pid ${folder}/pid; events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
${here}}`,
    )
    return ['-p', folder, '-c', path.join(folder, 'nginx.conf')]
  },
}
export type Proxy = keyof typeof configure
export const proxies = Object.keys(configure) as Proxy[]

/** Why there can be none here, for the line that says what was skipped; undefined if there can be one. */
export const proxyMissing = (name: Proxy): string | undefined =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)))
    ? undefined
    : `${name} isn’t on the PATH.`

/** Starts one with the example after some words, in front of a port. Returns the address to give to people. */
export async function startProxy(name: Proxy, words: string, to: number): Promise<string> {
  const folder = testFolder()
  const port = await freePort()
  const example = exampleAfter(words).replace('4781', String(to))
  const child = spawn(name, configure[name](example, folder, port), {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    // Caddy would first wait for connections that are kept open.
    child.kill('SIGKILL')
    await gone
  })
  await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} doesn’t take the example.`)
      return listens(port)
    },
    { timeout: 20_000, interval: 20 },
  )
  return `http://localhost:${port}`
}
