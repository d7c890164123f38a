/**
 * `npm run bench -- --live`: how soon what one types is in the others’ copies and, in Chromium, on another’s screen; how
 * long many who write and read need to be in step; what a change into a long text costs the server; and what a connection
 * takes of its memory. Server, writers and browser share the machine. Prints a table; asserts nothing.
 */
import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { galley as runGalley, startGalley } from '../processes.ts'
import { prose } from '../prose.ts'
import { BenchWriter } from './writer.ts'

const { values } = parseArgs({
  options: { live: { type: 'boolean' }, seconds: { type: 'string', default: '20' } },
})
const seconds = Number(values.seconds)
const keysPerSecond = 5

const folder = mkdtempSync(path.join(tmpdir(), 'galley-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const data = path.join(folder, 'data')
const server = await startGalley(data)
const key = await runGalley(data, 'key', 'create', '--name', 'bench')
const authorization = { authorization: `Bearer ${key}` }

async function call<T>(method: string, url: string, body?: unknown): Promise<T> {
  const response = await fetch(`${server.url}${url}`, {
    method,
    headers: { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data: answer, error } = (await response.json()) as { data: T; error: { message: string } | null }
  if (error) throw new Error(`${method} ${url}: ${error.message}`)
  return answer
}
interface Document {
  id: string
  revision: number
  content: string
}
const read = (id: string) => call<Document>('GET', `/api/documents/${id}`)
const create = (content: string) => call<Document>('POST', '/api/documents', { content })
const share = (id: string, permission: string) =>
  call<{ token: string }>('POST', `/api/documents/${id}/share`, { permission })
const liveUrl = (id: string) => `${server.url.replace('http', 'ws')}/api/documents/${id}/live`

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const quantile = (times: readonly number[], part: number) =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? NaN
const print = (name: string, ...cells: string[]) =>
  process.stdout.write(`${name.padEnd(58)}${cells.map((cell) => cell.padStart(14)).join('')}\n`)
const ms = (time: number) => `${time.toFixed(1)} ms`

/** A letter that stands nowhere else, and by which it is told when it was typed. */
const first = 0xe000
const sent: number[] = []
const nextLetter = () => {
  sent.push(performance.now())
  return String.fromCharCode(first + sent.length - 1)
}
const sinceSent = (letter: string) => performance.now() - sent[letter.charCodeAt(0) - first]!

/** Each types five letters a second, at a pace of their own, each into a paragraph of their own. */
async function typeTogether(writers: readonly BenchWriter[], isOver: () => boolean, letter: () => string) {
  const every = 1_000 / keysPerSecond
  await Promise.all(
    writers.map(async (writer, i) => {
      await pause((every * i) / writers.length)
      let next = performance.now()
      while (!isOver()) {
        writer.type(placeOf(i), letter())
        next += every
        await pause(Math.max(0, next - performance.now()))
      }
    }),
  )
}
const placeOf = (i: number) => 40 * (i + 1)

async function waitUntil(isSo: () => boolean): Promise<number> {
  const since = performance.now()
  while (!isSo()) await pause(2)
  return performance.now() - since
}

async function toOthersCopies() {
  const { id } = await create(prose(7, 100 * 1024))
  const latencies: number[] = []
  const writers: BenchWriter[] = []
  for (let i = 0; i < 10; i++)
    writers.push(
      await BenchWriter.open({
        ...{ url: liveUrl(id), headers: authorization, document: await read(id) },
        onText: (inserted) => {
          for (const letter of inserted) if (letter.charCodeAt(0) >= first) latencies.push(sinceSent(letter))
        },
      }),
    )
  const end = performance.now() + seconds * 1_000
  await typeTogether(writers, () => performance.now() > end, nextLetter)
  await pause(500)
  for (const writer of writers) writer.close()
  print(
    'a key to others’ copies, 10 writers, 100 KB: p50 / p99 / max',
    ms(quantile(latencies, 0.5)),
    ms(quantile(latencies, 0.99)),
    ms(Math.max(...latencies)),
  )
}

async function toAnothersScreen() {
  const content = `${Array.from({ length: 12 }, (_, i) => `Line ${i} of the first lines, where all of them write.`).join('\n\n')}\n\n${prose(8, 100 * 1024)}`
  const { id } = await create(content)
  const { token } = await share(id, 'edit')
  const browser = await chromium.launch({
    ...(process.env.GALLEY_CHROMIUM ? { executablePath: process.env.GALLEY_CHROMIUM } : {}),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const { share_url: shareUrl } = await call<{ share_url: string }>('GET', '/api/status')
  await page.goto(`${shareUrl}/share/${token}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.locator('.cm-content').waitFor()
  await page.evaluate((least) => {
    const seen = new Map<string, number>()
    Object.assign(window, { seenLetters: seen })
    new MutationObserver(() => {
      const text = document.querySelector('.cm-content')!.textContent
      const now = Array.from(text).filter(
        (letter) => letter.charCodeAt(0) >= least && letter.charCodeAt(0) < 0xf8ff && !seen.has(letter),
      )
      for (const letter of now) seen.set(letter, 0)
      // What was changed by now is on the screen with the frame after this one has begun.
      if (now.length > 0)
        requestAnimationFrame(() => setTimeout(() => now.forEach((letter) => seen.set(letter, Date.now()))))
    }).observe(document.querySelector('.cm-content')!, {
      childList: true,
      subtree: true,
      characterData: true,
    })
  }, first)
  const writers: BenchWriter[] = []
  for (let i = 0; i < 10; i++)
    writers.push(
      await BenchWriter.open({ url: liveUrl(id), headers: authorization, document: await read(id) }),
    )
  const typed = new Map<string, number>()
  const end = performance.now() + seconds * 1_000
  await typeTogether(
    writers,
    () => performance.now() > end,
    () => {
      const letter = nextLetter()
      typed.set(letter, Date.now())
      return letter
    },
  )
  await pause(1_000)
  const seen = await page.evaluate(() => [
    ...(window as unknown as { seenLetters: Map<string, number> }).seenLetters,
  ])
  const latencies = seen.flatMap(([letter, at]) => (typed.has(letter) ? [at - typed.get(letter)!] : []))
  await browser.close()
  for (const writer of writers) writer.close()
  print(
    `a key to another’s screen, 10 writers, 100 KB: p50 / p99 (${latencies.length} of ${typed.size} seen)`,
    ms(quantile(latencies, 0.5)),
    ms(quantile(latencies, 0.99)),
  )
}

/** Somebody who reads: told that the text has changed, they ask for it, at most once a second, as the share page does. */
function reader(url: string, pageUrl: string) {
  const socket = new WebSocket(url)
  const state = { heard: 0, shown: 0, isBusy: false, isOver: false }
  const look = async () => {
    if (state.isBusy || state.isOver || state.shown >= state.heard) return
    state.isBusy = true
    const began = performance.now()
    try {
      const response = await fetch(pageUrl)
      const {
        data: { revision },
      } = (await response.json()) as { data: { revision: number } }
      state.shown = Math.max(state.shown, revision)
    } finally {
      setTimeout(
        () => {
          state.isBusy = false
          void look()
        },
        Math.max(0, 1_000 - (performance.now() - began)),
      )
    }
  }
  socket.on('message', (message) => {
    const { what, revision = 0 } = JSON.parse((message as Buffer).toString()) as {
      what?: string
      revision?: number
    }
    if (what !== 'content') return
    state.heard = Math.max(state.heard, revision)
    void look()
  })
  return { state, socket }
}

async function manyInStep() {
  const { id } = await create(prose(9, 100 * 1024))
  const writers: BenchWriter[] = []
  for (let i = 0; i < 50; i++)
    writers.push(
      await BenchWriter.open({ url: liveUrl(id), headers: authorization, document: await read(id) }),
    )
  const readers: ReturnType<typeof reader>[] = []
  for (let link = 0; link < 10; link++) {
    const { token } = await share(id, 'view')
    for (let i = 0; i < 20; i++)
      readers.push(
        reader(
          `${liveUrl(id)}?share_token=${token}`,
          `${server.url}/api/documents/${id}/rendered?share_token=${token}`,
        ),
      )
  }
  await pause(1_000)
  const end = performance.now() + seconds * 1_000
  await typeTogether(
    writers,
    () => performance.now() > end,
    () => 'a',
  )
  const [all, last] = [performance.now(), () => Math.max(...writers.map(({ text }) => text.revision))]
  await waitUntil(() => writers.every(({ text }) => !text.isDirty && text.revision === last()))
  const written = performance.now() - all
  const { revision, content } = await read(id)
  if (!writers.every(({ text }) => text.current.toString() === content))
    throw new Error('they are not in step')
  await waitUntil(() => readers.every(({ state }) => state.shown >= revision))
  print(
    '50 writers and 200 readers: all in step after the last key',
    ms(written),
    ms(performance.now() - all),
  )
  for (const one of readers) {
    one.state.isOver = true
    one.socket.terminate()
  }
  for (const writer of writers) writer.close()
}

async function intoALongText() {
  const text = prose(10, 1024 * 1024)
  const { id } = await create(text)
  const words = [...new Set(text.match(/\b[a-z]{6,}\b/g))].slice(0, 200)
  for (const exact of words)
    await call('POST', `/api/documents/${id}/comments`, {
      body: 'x',
      anchor: { exact, start: text.indexOf(exact) },
    })
  const writer = await BenchWriter.open({
    url: liveUrl(id),
    headers: authorization,
    document: await read(id),
  })
  const cpu = () => {
    const fields = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  const times: number[] = []
  const pushOne = async (i: number) => {
    const began = performance.now()
    writer.type(500_000 + i, 'x')
    while (writer.text.isDirty) await pause(1)
    times.push(performance.now() - began - 20)
  }
  for (let i = 0; i < 50; i++) await pushOne(i)
  times.length = 0
  const before = cpu()
  for (let i = 0; i < 500; i++) await pushOne(i)
  print(
    'one change into 1 MB with 200 anchors: there and back p50, the server’s time',
    ms(quantile(times, 0.5)),
    ms((cpu() - before) / 500),
  )
  writer.close()
}

/** First of all: what a server has had to hold once it may keep. */
async function memory() {
  const { id } = await create(prose(11, 5 * 1024))
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))![1])
  await pause(3_000)
  const document = await read(id)
  const before = rss()
  const writers: BenchWriter[] = []
  for (let i = 0; i < 500; i++)
    writers.push(await BenchWriter.open({ url: liveUrl(id), headers: authorization, document }))
  await pause(3_000)
  print('memory for each of 500 connections that follow', `${((rss() - before) / 500).toFixed(0)} KB`)
  for (const writer of writers) writer.close()
}

process.stdout.write(`Node ${process.version}, ${cpus().length} processors\n`)
await memory()
await toOthersCopies()
await toAnothersScreen()
await manyInStep()
await intoALongText()
await server.stop()
