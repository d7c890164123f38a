/**
 * `npm run bench -- --live`: how soon what one types is in the others’ copies and, in Chromium, on another’s screen; how
 * long many who write and read need to be in step; what a change into a long text costs the server; and what a connection
 * takes of its memory. Server, writers and browser share the machine. With `--beside` the same of a bare Yjs server, which
 * is fetched for it. Prints a table; asserts nothing.
 */
import { chromium } from '@playwright/test'
import { cpus } from 'node:os'
import path from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { galley as runGalley, startGalley } from '../processes.ts'
import { prose } from '../prose.ts'
import {
  first,
  intoALongText,
  manyInStep,
  memory,
  ms,
  nextLetter,
  pause,
  print,
  quantile,
  toOthersCopies,
  typeTogether,
  waitUntil,
  type Side,
} from './measures.ts'
import { BenchWriter, typingPause } from './writer.ts'
import { startYjs } from './yjs.ts'

const { values } = parseArgs({
  options: {
    live: { type: 'boolean' },
    beside: { type: 'boolean' },
    seconds: { type: 'string', default: '20' },
  },
})
const seconds = Number(values.seconds)

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

const galley: Side = {
  pid: server.process.pid!,
  typingPause,
  create: async (content) => (await create(content)).id,
  open: async (id, onText) => {
    const document = await read(id)
    return BenchWriter.open({ url: liveUrl(id), headers: authorization, document, onText })
  },
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
  await typeTogether(writers, seconds, () => {
    const letter = nextLetter()
    typed.set(letter, Date.now())
    return letter
  })
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

async function readersInStep() {
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
  await typeTogether(writers, seconds, () => 'a')
  const [all, last] = [performance.now(), () => Math.max(...writers.map(({ shared }) => shared.revision))]
  await waitUntil(() => writers.every(({ shared }) => !shared.isDirty && shared.revision === last()))
  const written = performance.now() - all
  const { revision, content } = await read(id)
  if (!writers.every(({ text }) => text === content)) throw new Error('they are not in step')
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

async function comment(id: string, text: string) {
  const words = [...new Set(text.match(/\b[a-z]{6,}\b/g))].slice(0, 200)
  for (const exact of words)
    await call('POST', `/api/documents/${id}/comments`, {
      body: 'x',
      anchor: { exact, start: text.indexOf(exact) },
    })
}

process.stdout.write(`Node ${process.version}, ${cpus().length} processors\n`)
await memory(galley)
await toOthersCopies(galley, seconds)
await toAnothersScreen()
await readersInStep()
print('With 200 comments:')
await intoALongText(galley, comment)
if (values.beside) {
  print('Without comments:')
  await intoALongText(galley)
  await manyInStep(galley, seconds)
}
await server.stop()
if (values.beside) {
  print('A bare Yjs server, which keeps nothing on a disk:')
  const yjs = await startYjs()
  await memory(yjs)
  await toOthersCopies(yjs, seconds)
  await intoALongText(yjs)
  await manyInStep(yjs, seconds)
  yjs.stop()
}
process.exit(0)
