import type { PreparedFile } from './prepared-picture.ts'

/** A file on its way into the text. */
export class Arriving {
  readonly name: string
  /** Under which it waits, if it does. */
  readonly id: string
  /** As it is sent; null before that is made. */
  ready: PreparedFile | null = null
  /** What it shows. */
  drawn: ImageBitmap | null = null
  fraction = 0
  isSending = false
  failure: string | null = null
  /** Whether it would be refused again. */
  isFinal = false
  /** Whether it is sent by itself later, and whether until then it outlives the page. */
  waits: 'kept' | 'on the page' | null = null
  #listener: () => void = () => {}
  readonly #controller = new AbortController()

  constructor(name: string, id = newId()) {
    this.name = name
    this.id = id
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  stop(): void {
    this.#controller.abort()
  }

  follow(listener: () => void): void {
    this.#listener = listener
  }

  changed(): void {
    this.#listener()
  }
}

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
