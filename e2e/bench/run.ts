/**
 * `npm run bench`: the built Galley and bare Fastify + better-sqlite3 side by side in one run, on the same texts and
 * with the same durability. Each figure is the median of rounds in which the two take turns. Prints a table; asserts
 * nothing, since times belong to the machine they were taken on.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measure, median, type Load, type Measured } from './load.ts'
import { benchLargeWrites } from './large-writes.ts'
import { benchLongWork } from './long-work.ts'
import { galley as runGalley, residentMemory, startBare, startGalley } from './processes.ts'
import { prose } from './prose.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    documents: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const count = Number(values.documents)
const size = 5 * 1024
const print = (line = '') => process.stdout.write(`${line}\n`)

const folder = mkdtempSync(path.join(tmpdir(), 'galley-bench-'))
const data = path.join(folder, 'data')
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Whether a part of it was asked for; all is, unless a name says otherwise. */
const wants = (name: string) => name.includes(values.only)

const coldStarts = { galley: [] as number[], bare: [] as number[] }
for (let i = 0; wants('start') && i < 5; i++) {
  const one = await startGalley(data)
  coldStarts.galley.push(one.readyAfter)
  await one.stop()
  const other = await startBare(path.join(folder, 'bare.db'))
  coldStarts.bare.push(other.readyAfter)
  await other.stop()
}

const galley = await startGalley(data)
const bare = await startBare(path.join(folder, 'bare.db'))
await new Promise((resolve) => setTimeout(resolve, 1000))
const idle = { galley: residentMemory(galley.process), bare: residentMemory(bare.process) }

const key = await runGalley(data, 'key', 'create', '--name', 'bench')
const authorization = `Bearer ${key}`
async function call<T = { id: string; token: string }>(
  method: string,
  url: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${galley.url}${url}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const envelope = (await response.json()) as { data: T; error: { message: string } | null }
  if (envelope.error) throw new Error(`${method} ${url}: ${envelope.error.message}`)
  return envelope.data
}

print(`Writing ${count} documents of ${size} bytes to each …`)
const texts = path.join(folder, 'texts')
mkdirSync(texts)
for (let at = 0; at < count; at++) writeFileSync(path.join(texts, `${at}.md`), prose(at, size))
const imported = JSON.parse(await runGalley(data, 'import', '--json', texts)) as {
  id: string
  title: string
  file: string
}[]
const ids: string[] = []
for (const { id, file } of imported) ids[Number.parseInt(path.basename(file))] = id
for (let at = 0; at < count; at += 500) {
  const documents = imported
    .slice(at, at + 500)
    .map(({ id, title, file }) => ({ id, title, content: prose(Number.parseInt(path.basename(file)), size) }))
  await fetch(`${bare.url}/seed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documents, page: null }),
  })
}
const id = ids[count >> 1]!
const link = await call('POST', `/api/documents/${id}/share`, { permission: 'comment' })
const sharePage = `${galley.shareUrl}/share/${link.token}`
const html = await (await fetch(sharePage)).text()
await fetch(`${bare.url}/seed`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ documents: [], page: { token: link.token, id, html } }),
})
const word = /\b(\w{6,})\b/.exec(prose(count >> 1, size).slice(400))![1]!
// The index catches up before a search; that work belongs to the writes above, not to the searches below.
await call('GET', `/api/documents?q=${word}`)
await new Promise((resolve) => setTimeout(resolve, 1000))

const text = prose(count >> 1, size)
const content = (n: number) => JSON.stringify({ content: `${text.slice(0, 2000)} ${n} ${text.slice(2020)}` })
const headers = { authorization }
const work: { name: string; galley: Load; bare: Load }[] = [
  {
    name: 'owner reads a 5 KB document',
    galley: { url: `${galley.url}/api/documents/${id}`, headers },
    bare: { url: `${bare.url}/documents/${id}` },
  },
  {
    name: 'recipient reads it by token',
    galley: { url: `${galley.shareUrl}/api/documents/${id}?share_token=${link.token}` },
    bare: { url: `${bare.url}/linked/${link.token}` },
  },
  {
    name: 'recipient opens the share page',
    galley: { url: sharePage },
    bare: { url: `${bare.url}/share/${link.token}` },
  },
  {
    name: `list of 50 among ${count}`,
    galley: { url: `${galley.url}/api/documents`, headers },
    bare: { url: `${bare.url}/documents` },
  },
  {
    name: `full-text search among ${count}`,
    galley: { url: `${galley.url}/api/documents?q=${word}`, headers },
    bare: { url: `${bare.url}/search?q=${word}` },
  },
  // Galley does the same in both rows, and keeps as a version what it replaces; the first shows what that costs.
  {
    name: 'durable write of 5 KB',
    galley: { url: `${galley.url}/api/documents/${id}`, method: 'PATCH', headers, body: content },
    bare: { url: `${bare.url}/documents/${id}`, method: 'PATCH', body: content },
  },
  {
    name: 'durable write, bare keeps too',
    galley: { url: `${galley.url}/api/documents/${id}`, method: 'PATCH', headers, body: content },
    bare: { url: `${bare.url}/kept-documents/${id}`, method: 'PATCH', body: content },
  },
]

const figure = (value: number, digits = 0) => value.toFixed(digits)
const row = (cells: string[]) => {
  const widths = [34, 6, 9, 9, 7, 16, 16]
  print(cells.map((cell, i) => (i < 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' '))
}
const times = (one: Measured) => `${figure(one.p50, 1)} / ${figure(one.p99, 1)}`

print()
print(
  `${rounds} rounds of ${seconds} s each, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}`,
)
print()
row(['work', 'conns', 'Galley/s', 'bare/s', 'ratio', 'p50/p99 ms', 'bare p50/p99'])
for (const { name, ...loads } of work.filter((one) => wants(one.name))) {
  for (const connections of [1, 32]) {
    const mine: Measured[] = []
    const theirs: Measured[] = []
    await measure(loads.galley, connections, 1)
    await measure(loads.bare, connections, 1)
    for (let i = 0; i < rounds; i++) {
      mine.push(await measure(loads.galley, connections, seconds))
      theirs.push(await measure(loads.bare, connections, seconds))
    }
    const [a, b] = [median(mine), median(theirs)]
    row([
      name,
      String(connections),
      figure(a.perSecond),
      figure(b.perSecond),
      figure(a.perSecond / b.perSecond, 2),
      times(a),
      times(b),
    ])
  }
}

await benchLargeWrites({ url: galley.url, authorization, call, wants, print })
await benchLongWork({
  galley,
  data,
  folder,
  call,
  authorization,
  ids,
  documents: count,
  rounds,
  only: values.only,
  print,
})

const middle = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!
const mib = (value: number | undefined) => (value === undefined ? 'unknown here' : `${figure(value)} MiB`)
print()
if (wants('start'))
  print(
    `process start to first answer   Galley ${figure(middle(coldStarts.galley))} ms, bare ${figure(middle(coldStarts.bare))} ms (median of 5)`,
  )
print(`memory, idle                    Galley ${mib(idle.galley)}, bare ${mib(idle.bare)}`)
const printMemory = (when: string) =>
  print(
    `memory, ${count} documents, ${when}   Galley ${mib(residentMemory(galley.process))}, bare ${mib(residentMemory(bare.process))}`,
  )
printMemory('at the end of the load')
// What is given back is given back after some seconds without work, and those that V8 waits then.
await new Promise((resolve) => setTimeout(resolve, 45_000))
printMemory('45 s later')
await galley.stop()
if (wants('memory') || wants('weight')) {
  const again = await startGalley(data)
  await fetch(`${again.url}/api/documents`, { headers })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  print(`memory, ${count} documents, fresh start  Galley ${mib(residentMemory(again.process))}`)
  print(
    `share page of a 5 KB document   ${figure((await pageWeight(`${again.shareUrl}/share/${link.token}`)) / 1024, 1)} KB in all, as sent`,
  )
  await again.stop()
}
await bare.stop()

/** Bytes on the wire of the page and of every file it links to. */
async function pageWeight(url: string): Promise<number> {
  const weigh = async (address: string) => {
    const { default: http } = await import('node:http')
    return new Promise<{ bytes: number; type: string }>((resolve, reject) => {
      http
        .get(address, { headers: { 'accept-encoding': 'br, gzip' } }, (response) => {
          let bytes = 0
          response.on('data', (chunk: Buffer) => (bytes += chunk.length))
          response.on('end', () => resolve({ bytes, type: String(response.headers['content-type']) }))
        })
        .on('error', reject)
    })
  }
  const markup = await (await fetch(url)).text()
  const files = [
    ...markup.matchAll(/<(?:link[^>]*rel="(?:stylesheet|modulepreload)"[^>]*href|script[^>]*src)="([^"]+)"/g),
  ].map((match) => new URL(match[1]!, url).href)
  const weights = await Promise.all([url, ...new Set(files)].map(weigh))
  return weights.reduce((sum, one) => sum + one.bytes, 0)
}
