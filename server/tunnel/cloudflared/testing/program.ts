/**
 * A program that stands in for cloudflared in tests and benchmarks: the same arguments, the same words in its log, and
 * a public port on loopback in the place of Cloudflare's network, from which it really carries HTTP and WebSocket to
 * the service. Run by a script that `cloudflared.ts` writes, with the file of its settings as first argument.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import type { FakeRun, TestSettings } from './cloudflared.ts'

const [settingsFile, ...argv] = process.argv.slice(2) as [string, ...string[]]
const settings = () => JSON.parse(readFileSync(settingsFile, 'utf8')) as TestSettings
const { mode, version } = settings()

if (argv[0] === '--version') {
  process.stdout.write(`${version}\n`)
  process.exit(0)
}

const option = (name: string) => {
  const at = argv.indexOf(name)
  return at < 0 ? undefined : argv[at + 1]
}
const config = JSON.parse(readFileSync(option('--config')!, 'utf8')) as { ingress: { service: string }[] }
// As with the real one, what the file of its settings says goes before `--url`.
const service = new URL(config.ingress[0]!.service)
const tokenFile = option('--token-file')
const run: FakeRun = {
  argv,
  env: process.env as Record<string, string>,
  pid: process.pid,
  token: tokenFile === undefined ? null : readFileSync(tokenFile, 'utf8'),
  home: existsSync(process.env['HOME'] ?? '') ? process.env['HOME']! : null,
}
const runs = path.join(path.dirname(settingsFile), 'runs.jsonl')
const earlier = existsSync(runs) ? readFileSync(runs, 'utf8').trim().split('\n').length : 0
appendFileSync(runs, `${JSON.stringify(run)}\n`)

const say = (level: 'info' | 'error' | 'warn', message: string, more: object = {}) =>
  process.stderr.write(`${JSON.stringify({ level, message, time: new Date().toISOString(), ...more })}\n`)
/** The last line comes as plain text, whatever was asked for. */
function die(words: string, code = 1): never {
  process.stderr.write(`${words}\n`)
  process.exit(code)
}

process.on('SIGTERM', () => {
  say('info', 'Initiating graceful shutdown due to signal terminated ...')
  if (!settings().ignoresTerm) process.exit(0)
})

if (mode === 'bad token')
  die("Provided Tunnel token is not valid.\nSee 'cloudflared tunnel run --help'.", 255)
if (mode === 'panic') die('panic: runtime error: invalid memory address or nil pointer dereference', 2)
/** The name of a quick tunnel, which leads people to the public port. */
const name = tokenFile === undefined ? beginQuick() : undefined

const metrics = http.createServer((_request, response) =>
  response.writeHead(mode === 'works' ? 200 : 503).end(),
)
await new Promise<void>((resolve) => void metrics.listen(0, '127.0.0.1', resolve))
say('info', `Starting metrics server on 127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`)

if (mode === 'works') await carry()
else if (mode === 'unauthorized')
  setInterval(() => {
    say('error', 'Register tunnel error from server side', { error: 'Unauthorized: Invalid tunnel secret' })
    say('info', 'Retrying connection in up to 1s')
  }, 20)
else if (mode === 'blocked') {
  for (let i = 0; i < 2; i++)
    say('error', 'Unable to establish connection with Cloudflare edge', {
      error: 'DialContext error: dial tcp 198.51.100.1:7844: i/o timeout',
    })
  say('error', 'no more connections active and exiting')
  process.exit(1)
} else setInterval(() => undefined, 1000)

function beginQuick(): string {
  say('info', 'Requesting new quick Tunnel on trycloudflare.com...')
  if (mode === 'rate limited') {
    say('error', 'Error unmarshaling QuickTunnel response: error code: 1015', {
      error: "invalid character 'e' looking for beginning of value",
      status_code: '429 Too Many Requests',
    })
    die("failed to unmarshal quick Tunnel: invalid character 'e' looking for beginning of value")
  }
  if (mode === 'offline')
    die(
      'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com: no such host',
    )
  const made = `made-up-words-${earlier + 1}.trycloudflare.com`
  const width = 92
  const framed = (words: string) => say('info', `|  ${words.padEnd(width - 4)}  |`)
  say('info', `+${'-'.repeat(width)}+`)
  framed('Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):')
  framed(`https://${made}`)
  say('info', `+${'-'.repeat(width)}+`)
  return made
}

async function carry() {
  /** Of what a browser sent, and what Cloudflare adds and doesn't let anybody else say. */
  const passedOn = (headers: http.IncomingHttpHeaders) => ({
    ...headers,
    host: headers.host === `localhost:${settings().port}` ? (name ?? headers.host) : headers.host,
    'cf-connecting-ip': settings().client,
    'cf-ray': '8f0000000000abcd-TST',
    'x-forwarded-for': [headers['x-forwarded-for'], settings().client].filter(Boolean).join(','),
    'x-forwarded-proto': 'https',
  })
  const to = { host: service.hostname, port: service.port }
  const agent = new http.Agent({ keepAlive: true })
  const edge = http.createServer((request, response) => {
    if (settings().halfOpen) return
    const passed = http.request(
      { ...to, agent, method: request.method, path: request.url, headers: passedOn(request.headers) },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    passed.on('error', (error) => {
      say('error', '', {
        error: `Unable to reach the origin service. The service may be down or it may not be responding to traffic from cloudflared: ${error.message}`,
      })
      if (!response.headersSent) response.writeHead(502)
      response.end()
    })
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  edge.on('upgrade', (request, socket: Socket, head) => {
    if (settings().halfOpen) return
    const passed = connect(Number(to.port), to.host, () => {
      const headers = Object.entries(passedOn(request.headers)).map(
        ([name, value]) => `${name}: ${String(value)}`,
      )
      passed.write([`GET ${request.url ?? '/'} HTTP/1.1`, ...headers, '', ''].join('\r\n'))
      passed.write(head)
      passed.pipe(socket).pipe(passed)
    })
    for (const [one, other] of [
      [passed, socket],
      [socket, passed],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => void edge.listen(settings().port, '127.0.0.1', resolve))
  say('info', 'Registered tunnel connection', { connIndex: 0, location: 'TST01', protocol: 'quic' })
}
