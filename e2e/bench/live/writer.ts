import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { LiveText } from '../../../server/contract/live.ts'
import { ChangeSet, changesToJson } from '../../../server/domain/change-set.ts'
import { SharedText, textOf } from '../../../server/domain/shared-text.ts'
import type { Writer } from './measures.ts'

/** How long the app’s editor waits for the next letter while others are there. */
export const typingPause = 20

interface Options {
  /** Of the connection, with a share token if that lets it in. */
  url: string
  headers?: Record<string, string>
  document: { revision: number; content: string }
  /** Called with what others have written, once it is in this copy. */
  onText?: ((inserted: string) => void) | undefined
}

let clients = 0

/** An editor without a picture: one copy of the text, which sends one change at a time and takes in all others. */
export class BenchWriter implements Writer {
  readonly shared: SharedText
  readonly #socket: WebSocket
  readonly #client = `bench-${String(clients++).padStart(20, '0')}`
  readonly #onText: Options['onText']
  #you = ''
  #isOnItsWay = false
  #timer: ReturnType<typeof setTimeout> | undefined

  private constructor({ url, headers = {}, document, onText }: Options) {
    this.shared = new SharedText(document)
    this.#onText = onText
    this.#socket = new WebSocket(url, { headers })
    this.#socket.on('message', (data) =>
      this.#hear(JSON.parse((data as Buffer).toString('utf8')) as LiveText),
    )
  }

  static async open(options: Options): Promise<BenchWriter> {
    const writer = new BenchWriter(options)
    await once(writer.#socket, 'open')
    writer.#say({ type: 'follow', since: writer.shared.revision, client: writer.#client })
    while (writer.#you === '') await new Promise((resolve) => setTimeout(resolve, 2))
    return writer
  }

  get isDirty(): boolean {
    return this.shared.isDirty
  }

  get length(): number {
    return this.shared.current.length
  }

  get text(): string {
    return this.shared.current.toString()
  }

  type(at: number, insert: string): void {
    const { length } = this.shared.current
    this.shared.change(ChangeSet.of({ from: Math.min(at, length), insert: textOf(insert) }, length))
    this.#timer ??= setTimeout(() => this.#push(), typingPause)
  }

  /** Tells where they are, as an editor does that is clicked into. */
  place(at: number): void {
    this.#say({ type: 'cursor', revision: this.shared.revision, at: { anchor: at, head: at } })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#socket.terminate()
  }

  #say(saying: object): void {
    this.#socket.send(JSON.stringify(saying))
  }

  #push(): void {
    this.#timer = undefined
    if (this.#isOnItsWay) return
    const change = this.shared.outgoing()
    if (!change) return
    this.#isOnItsWay = true
    const { base, hash, number, changes } = change
    this.#say({
      type: 'push',
      base,
      number,
      changes: changesToJson(changes),
      ...(hash === null ? {} : { hash }),
    })
  }

  #hear(message: LiveText): void {
    if (message.type === 'refused' || message.type === 'apart')
      throw new Error(`refused: ${JSON.stringify(message)}`)
    if (message.type === 'following') this.#you = message.you
    if (message.type !== 'updates') return
    for (const { by, ...update } of message.updates) {
      const isOwn = by === this.#you
      const arrived = this.shared.receive([{ ...update, changes: isOwn ? null : update.changes }])
      if (isOwn) {
        this.#isOnItsWay = false
        if (this.shared.isDirty) this.#timer ??= setTimeout(() => this.#push(), 0)
      }
      for (const changes of arrived)
        changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => this.#onText?.(inserted.toString()))
    }
  }
}
