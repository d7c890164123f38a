/** A bare Yjs server, as it is published: it follows texts in memory, and keeps nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import path from 'node:path'
import { WebSocket } from 'ws'
import { pause, type Side, type Writer } from './measures.ts'

const folder = path.resolve(import.meta.dirname, '../beside')
/** Its kind of message, and a kind of the editors’ places, which nobody here has. */
const [sync, awareness] = [0, 1]

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

interface YText {
  readonly length: number
  insert(at: number, text: string): void
  toString(): string
  observe(see: (event: { delta: { insert?: string }[] }, by: { origin: unknown }) => void): void
}
interface YDoc {
  getText(): YText
  on(what: 'update', see: (update: Uint8Array, origin: unknown) => void): void
}
type Encoder = object
interface Parts {
  Doc: new () => YDoc
  protocol: {
    writeSyncStep1(to: Encoder, doc: YDoc): void
    writeUpdate(to: Encoder, update: Uint8Array): void
    readSyncMessage(from: object, to: Encoder, doc: YDoc, origin: unknown): number
  }
  encoding: {
    createEncoder(): Encoder
    writeVarUint(to: Encoder, number: number): void
    toUint8Array(from: Encoder): Uint8Array
  }
  decoding: { createDecoder(of: Uint8Array): object; readVarUint(from: object): number }
}

/** They are only there once they were asked for. */
function load(): Parts {
  const required = createRequire(path.join(folder, 'package.json'))
  const part = (name: string): unknown => required(name)
  return {
    ...(part('yjs') as Pick<Parts, 'Doc'>),
    protocol: part('y-protocols/sync') as Parts['protocol'],
    encoding: part('lib0/encoding') as Parts['encoding'],
    decoding: part('lib0/decoding') as Parts['decoding'],
  }
}

const nameOf = (message: Uint8Array) => Buffer.from(message).toString('base64')

/** Sends each letter at once. */
class YjsWriter implements Writer {
  readonly #text: YText
  readonly #socket: WebSocket
  #isSynced = false
  /** What was sent and hasn’t come back, as the server sends all to all. */
  readonly #onWay = new Set<string>()

  private constructor(url: string, parts: Parts, onText?: (inserted: string) => void) {
    const { Doc, protocol, encoding, decoding } = parts
    const doc = new Doc()
    const say = (write: (to: Encoder) => void): Uint8Array => {
      const encoder = encoding.createEncoder()
      encoding.writeVarUint(encoder, sync)
      write(encoder)
      const message = encoding.toUint8Array(encoder)
      if (message.length > 1) this.#socket.send(message)
      return message
    }
    this.#text = doc.getText()
    this.#socket = new WebSocket(url)
    this.#socket.on('open', () => say((encoder) => protocol.writeSyncStep1(encoder, doc)))
    this.#socket.on('message', (data: Buffer) => {
      const decoder = decoding.createDecoder(new Uint8Array(data))
      const kind = decoding.readVarUint(decoder)
      if (kind === awareness) return
      this.#onWay.delete(nameOf(data))
      say((encoder) => {
        const what = protocol.readSyncMessage(decoder, encoder, doc, this)
        if (what === 1) this.#isSynced = true
      })
    })
    doc.on('update', (update, origin) => {
      if (origin === this) return
      this.#onWay.add(nameOf(say((encoder) => protocol.writeUpdate(encoder, update))))
    })
    this.#text.observe(({ delta }, { origin }) => {
      if (origin === this) for (const { insert } of delta) if (insert !== undefined) onText?.(insert)
    })
  }

  static async open(url: string, parts: Parts, onText?: (inserted: string) => void): Promise<YjsWriter> {
    const writer = new YjsWriter(url, parts, onText)
    while (!writer.#isSynced) await pause(2)
    return writer
  }

  get isDirty(): boolean {
    return this.#onWay.size > 0
  }

  get length(): number {
    return this.#text.length
  }

  get text(): string {
    return this.#text.toString()
  }

  type(at: number, insert: string): void {
    this.#text.insert(Math.min(at, this.#text.length), insert)
  }

  close(): void {
    this.#socket.terminate()
  }
}

export async function startYjs(): Promise<Side & { stop(): void }> {
  const parts = load()
  const port = await freePort()
  const server = spawn(
    process.execPath,
    [path.join(folder, 'node_modules/@y/websocket-server/src/server.js')],
    {
      env: { ...process.env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  process.on('exit', () => server.kill('SIGKILL'))
  await once(server.stdout, 'data')
  let texts = 0
  const open = (document: string, onText?: (inserted: string) => void) =>
    YjsWriter.open(`ws://127.0.0.1:${port}/${document}`, parts, onText)
  return {
    pid: server.pid!,
    typingPause: 0,
    open,
    async create(content) {
      const document = `text-${texts++}`
      const writer = await open(document)
      writer.type(0, content)
      while (writer.isDirty) await pause(2)
      writer.close()
      return document
    },
    stop: () => void server.kill(),
  }
}
