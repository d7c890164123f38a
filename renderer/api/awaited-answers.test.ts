import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { AwaitedAnswers } from './awaited-answers.svelte.ts'

let server: Server
let address: string
/** What was asked for. */
let asked: string[]
/** What was asked of it while it says nothing. */
let held: { method: string | undefined; go: () => void }[]
let state: 'answers' | 'asleep' | 'works'
let wasBack: number

const answer = ({ url }: IncomingMessage, response: ServerResponse) => response.end(`of ${url}`)
beforeEach(async () => {
  asked = []
  held = []
  state = 'answers'
  wasBack = 0
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const isHeld = state === 'asleep' || (state === 'works' && request.url !== '/probe')
    if (isHeld) held.push({ method: request.method, go: () => answer(request, response) })
    else answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const awaited = (probe = 30) =>
  new AwaitedAnswers({
    ...{ probe: `${address}/probe`, onBack: () => void wasBack++ },
    times: { patience: 30, probe, anew: 150 + probe },
  })
const wake = () => {
  state = 'answers'
  for (const { go } of held.splice(0)) go()
}
const textOf = (answers: AwaitedAnswers, path: string, init?: RequestInit) =>
  answers.fetch(`${address}${path}`, init).then((response) => response.text())

it('says that nothing is heard while all is silent, and has what was asked answered after it', async () => {
  const answers = awaited()
  state = 'asleep'
  const text = textOf(answers, '/long')
  await vi.waitFor(() => expect(answers.isSilent).toBe(true))
  wake()
  expect(await text).toBe('of /long')
  expect(answers.isSilent).toBe(false)
  expect(wasBack).toBe(1)
})

it('notices a silence though the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const answers = awaited()
  state = 'asleep'
  const text = textOf(answers, '/long')
  vi.setSystemTime(Date.now() - 24 * 60 * 60_000)
  await vi.waitFor(() => expect(answers.isSilent).toBe(true))
  wake()
  expect(await text).toBe('of /long')
})

it('stays silent while what got lost is asked anew', async () => {
  const answers = awaited()
  state = 'asleep'
  const text = textOf(answers, '/long')
  await vi.waitFor(() => expect(answers.isSilent).toBe(true))
  const seen: boolean[] = []
  await vi.waitFor(() => {
    seen.push(answers.isSilent)
    expect(asked.filter((one) => one === 'GET /long').length).toBeGreaterThan(2)
  })
  expect(seen).not.toContain(false)
  wake()
  expect(await text).toBe('of /long')
})

it('waits for code as well, and takes what the browser has already for no answer', async () => {
  const answers = awaited()
  state = 'asleep'
  let arrive = () => {}
  const code = answers.waitFor(() => new Promise<void>((resolve) => (arrive = resolve)))
  await vi.waitFor(() => expect(answers.isSilent).toBe(true))
  await answers.waitFor(() => Promise.resolve())
  expect(answers.isSilent).toBe(true)
  wake()
  await vi.waitFor(() => expect(answers.isSilent).toBe(false))
  arrive()
  await code
})

it('has what the browser itself asks for asked anew where it may have got lost', async () => {
  const answers = awaited()
  state = 'asleep'
  let arrive = () => {}
  let again = 0
  const code = answers.waitFor(
    () => new Promise<void>((resolve) => (arrive = resolve)),
    () => void again++,
  )
  await vi.waitFor(() => expect(answers.isSilent).toBe(true))
  wake()
  await vi.waitFor(() => expect(again).toBeGreaterThan(0))
  arrive()
  await code
})

it('takes an answer that keeps coming for none that is silent', async () => {
  const answers = awaited()
  const seen: boolean[] = []
  server.removeAllListeners('request').on('request', ({ url }, response) => {
    // Nothing else comes through beside it.
    if (url === '/probe') return
    const parts = setInterval(() => response.write('.'), 10)
    setTimeout(() => {
      clearInterval(parts)
      response.end()
    }, 300)
  })
  const watching = setInterval(() => seen.push(answers.isSilent), 5)
  expect(await textOf(answers, '/large')).toMatch(/^\.+$/)
  clearInterval(watching)
  expect(seen).not.toContain(true)
})

it('takes nothing for silence that only takes long', async () => {
  const answers = awaited(5_000)
  state = 'works'
  const seen: boolean[] = []
  const text = textOf(answers, '/long')
  await vi.waitFor(() => {
    seen.push(answers.isSilent)
    expect(asked.filter((one) => one === 'GET /probe').length).toBeGreaterThan(2)
  })
  wake()
  expect(await text).toBe('of /long')
  expect(seen).not.toContain(true)
  expect(asked.filter((one) => one === 'GET /long')).toHaveLength(1)
})

it('makes reads anew that got lost, and what writes never', async () => {
  const answers = awaited()
  state = 'asleep'
  const text = textOf(answers, '/long')
  const written = textOf(answers, '/write', { method: 'POST' })
  await vi.waitFor(() => expect(asked.filter((one) => one === 'GET /long').length).toBeGreaterThan(1))
  state = 'answers'
  // Of these nobody waits for an answer any more.
  held = held.filter(({ method }) => method === 'POST')
  expect(await text).toBe('of /long')
  wake()
  expect(await written).toBe('of /write')
  expect(asked.filter((one) => one === 'POST /write')).toHaveLength(1)
})

it('ends a wait where whoever asked does, silence only with what is heard, and leaves a refusal as it is', async () => {
  const answers = awaited()
  state = 'asleep'
  const left = new AbortController()
  const text = textOf(answers, '/long', { signal: left.signal })
  await vi.waitFor(() => expect(answers.isSilent).toBe(true))
  left.abort()
  await expect(text).rejects.toThrow()
  expect(answers.isSilent).toBe(true)
  wake()
  await vi.waitFor(() => expect(answers.isSilent).toBe(false))
  expect(wasBack).toBe(1)
  server.closeAllConnections()
  server.close()
  await expect(textOf(answers, '/long')).rejects.toThrow()
})
