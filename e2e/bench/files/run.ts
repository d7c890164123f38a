/**
 * `npm run bench -- --files`: how long uploads take and how many files are served beside bare Fastify and @fastify/static,
 * in turns in one run; whether memory stays flat with 2,000 pictures; and a text with a hundred of them in Chromium.
 * Prints tables; asserts nothing.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { galley as runGalley, residentMemory, startGalley } from '../processes.ts'
import { runWatched, writeLibrary } from './library.ts'
import { measurePage } from './page.ts'
import { pictureOf, send, serve, timeUploads, type Side } from './transfers.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    uploads: { type: 'string', default: '20' },
    pictures: { type: 'string', default: '2000' },
  },
})
const [rounds, seconds, uploads] = [values.rounds, values.seconds, values.uploads].map(Number) as [
  number,
  number,
  number,
]
const folder = mkdtempSync(path.join(tmpdir(), 'galley-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const print = (...cells: string[]) =>
  process.stdout.write(`${cells.map((cell, i) => (i ? cell.padStart(12) : cell.padEnd(28))).join('')}\n`)
const middle = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1]!
const ms = (time: number) => `${time.toFixed(1)} ms`
const mib = (size: number | undefined) => (size === undefined ? 'unknown' : `${size.toFixed(0)} MiB`)

async function startBare(): Promise<{ url: string; stop: () => void }> {
  const own = path.join(folder, 'bare')
  mkdirSync(own)
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare.ts'), own], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.on('exit', () => child.kill('SIGKILL'))
  const port = await new Promise<string>((resolve) => {
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('\n')) resolve(said.trim())
    })
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

async function compareTransfers(): Promise<void> {
  const data = path.join(folder, 'data')
  const bare = await startBare()
  const galley = await startGalley(data)
  const key = await runGalley(data, 'key', 'create', '--name', 'bench')
  const headers = { authorization: `Bearer ${key}` }
  const made = await fetch(`${galley.url}/api/documents`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Pictures.' }),
  })
  const { data: document } = (await made.json()) as { data: { id: string } }
  const at = `${galley.url}/api/documents/${document.id}/files`
  const sides: Side[] = [
    {
      upload: (name) => `${bare.url}/files?name=${name}`,
      served: (name) => `${bare.url}/files/${name}`,
      headers: {},
    },
    { upload: (name) => `${at}?name=${name}`, served: (name) => `${at}/${name}`, headers },
  ]
  print('', 'bare', 'Galley', 'ratio')
  for (const side of sides) for (let n = 0; n < 3; n++) await send(side, `warm-${n}.png`, pictureOf(100_000))
  for (const [words, bytes] of [
    ['100 KB', 100_000],
    ['5 MB', 5_000_000],
  ] as const) {
    const [a, b] = (await timeUploads(sides, bytes, uploads)).map(middle) as [number, number]
    print(`upload of ${words}, median`, ms(a), ms(b), (b / a).toFixed(2))
  }
  for (const [words, bytes] of [
    ['20 KB', 20_000],
    ['1 MB', 1_000_000],
  ] as const) {
    for (const side of sides) await send(side, `served-${bytes}.png`, pictureOf(bytes))
    const [a, b] = await serve(sides, `served-${bytes}.png`, { rounds, seconds })
    const ratio = (b!.perSecond / a!.perSecond).toFixed(2)
    print(`${words} served, per second`, a!.perSecond.toFixed(0), b!.perSecond.toFixed(0), ratio)
    print('  of 100 the worst', ms(a!.p99), ms(b!.p99))
  }
  print('  Galley’s memory then', '', mib(residentMemory(galley.process)))
  await galley.stop()
  bare.stop()
}

async function watchLibraries(): Promise<void> {
  const most = Number(values.pictures)
  print('', 'time', 'peak memory')
  for (const pictures of [most / 10, most]) {
    const source = path.join(folder, `source-${pictures}`)
    const data = path.join(folder, `library-${pictures}`)
    writeLibrary(source, pictures)
    const steps = [
      ['import', source],
      ['check'],
      ['backup', path.join(folder, `${pictures}.db`)],
      ['export', path.join(folder, `exported-${pictures}`)],
    ] as const
    for (const [command, ...rest] of steps) {
      const { seconds: taken, peak } = await runWatched(data, command, ...rest)
      print(`${command}, ${pictures} pictures`, `${taken.toFixed(1)} s`, mib(peak))
    }
    await listAll(data, pictures)
  }
}

async function listAll(data: string, pictures: number): Promise<void> {
  const galley = await startGalley(data)
  const key = await runGalley(data, 'key', 'create', '--name', 'bench')
  const get = async <Data>(url: string) => {
    const response = await fetch(galley.url + url, { headers: { authorization: `Bearer ${key}` } })
    return ((await response.json()) as { data: Data }).data
  }
  const started = performance.now()
  let found = 0
  for (const { id } of await get<{ id: string }[]>('/api/documents?limit=100'))
    found += (await get<unknown[]>(`/api/documents/${id}/files`)).length
  const taken = (performance.now() - started) / 1000
  if (found !== pictures) throw new Error(`${found} files are listed of ${pictures}`)
  print(`list, ${pictures} pictures`, `${taken.toFixed(1)} s`, mib(residentMemory(galley.process)))
  await galley.stop()
}

print(cpus()[0]!.model)
await compareTransfers()
print('')
await watchLibraries()
print('')
const { browser, figures } = await measurePage()
print(`100 pictures, Chromium ${browser}`)
print('', 'longest task', 'over 50 ms', 'layout shift')
for (const { name, longest, over50, shift } of figures)
  print(name, ms(longest), String(over50), shift.toFixed(4))
