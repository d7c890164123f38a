import type { TunnelReason } from '../../contract/tunnel.ts'
import { isRejection, readLog, reasonOf } from './log.ts'

/** Lines that tell of a rejection before it counts, since a tunnel made a moment ago isn't known everywhere. */
const rejections = 4

/** What one cloudflared has logged so far, as far as it says how its tunnel is. */
export class HeardLog {
  address: string | undefined
  metrics: string | undefined
  isConnected = false
  /** Why it isn't connected, and in which words that was said last. */
  reason: TunnelReason | undefined
  last = ''
  /** Whether the line that was heard last has made a rejection sure. */
  isRejected = false
  #rejected = 0

  /** `address` is known where it isn't given with the tunnel. */
  constructor(address: string | undefined) {
    this.address = address
  }

  hear(line: string): void {
    const read = readLog(line)
    this.isRejected = false
    this.address ??= read.address
    this.metrics ??= read.metrics
    if (read.connected) {
      this.isConnected = true
      this.#rejected = 0
      this.reason = undefined
    }
    if (read.bad) this.#hearBad(read.text)
  }

  #hearBad(text: string): void {
    const reason = reasonOf(text)
    // The line that gave a reason says more than what follows it, such as how to get help.
    if (reason !== undefined || this.reason === undefined) this.last = text
    this.reason = reason ?? this.reason
    this.isRejected = isRejection(text) && ++this.#rejected === rejections
  }
}
