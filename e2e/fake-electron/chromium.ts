// Debian's Chromium, or any other, without a window, and a connection to its debugging port.
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'

type Params = Record<string, unknown>
// What CDP answers is described by the protocol, not by types of ours.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ProtocolAnswer = any

export interface Chromium {
  send(method: string, params?: Params, session?: string): Promise<ProtocolAnswer>
  /** Calls the listener with each event of that name, and the session it belongs to. */
  on(event: string, listener: (params: ProtocolAnswer, session: string | undefined) => void): void
  off(event: string, listener: (params: ProtocolAnswer, session: string | undefined) => void): void
  close(): Promise<void>
}

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const switches = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  '--no-startup-window',
  '--remote-debugging-port=0',
]

/** Starts Chromium on a profile and prints “DevTools listening on …”, for which Playwright waits. */
export async function launchChromium(profile: string): Promise<Chromium> {
  const { GALLEY_HEADLESS, GALLEY_CHROMIUM } = process.env
  const program = GALLEY_HEADLESS ?? GALLEY_CHROMIUM ?? programs.find((file) => existsSync(file))
  if (!program) throw new Error('the fake needs a Chromium; say where in GALLEY_CHROMIUM')
  const child = spawn(program, [...switches, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.once('exit', () => child.kill('SIGKILL'))

  const address = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const found = /^DevTools listening on (ws:\/\/\S+)$/m.exec(printed)?.[1]
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`Chromium ended before it listened:\n${printed}`)))
  })
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('Chromium’s debugging port can’t be reached'))
  })
  // Only now. Playwright then evaluates scripts through the inspector, which interrupts Node anywhere; one that comes
  // within Node’s own `URL`, with which a WebSocket begins, gives it another address.
  process.stderr.write(`\nDevTools listening on ${address}\n`)

  const events = new EventEmitter().setMaxListeners(0)
  const waiting = new Map<
    number,
    { method: string; resolve: (answer: ProtocolAnswer) => void; reject: (why: Error) => void }
  >()
  let last = 0
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as {
      id?: number
      error?: { message: string }
      result?: unknown
      method: string
      params: unknown
      sessionId?: string
    }
    if (message.id === undefined) {
      events.emit(message.method, message.params, message.sessionId)
      return
    }
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) asked?.reject(new Error(`${asked.method}: ${message.error.message}`))
    else asked?.resolve(message.result)
  }
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium has gone'))
    waiting.clear()
  }
  const send: Chromium['send'] = (method, params = {}, session) =>
    new Promise((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) return reject(new Error('Chromium has gone'))
      const id = ++last
      waiting.set(id, { method, resolve, reject })
      socket.send(JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) }))
    })

  return {
    send,
    on: (event, listener) => void events.on(event, listener),
    off: (event, listener) => void events.off(event, listener),
    async close() {
      const patience = new Promise((resolve) => setTimeout(resolve, 3000))
      await Promise.race([send('Browser.close').catch(() => {}), patience])
      await Promise.race([ended, patience])
      if (child.exitCode === null) child.kill('SIGKILL')
    },
  }
}
