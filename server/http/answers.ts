import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { ReadBudget } from './read-budget.ts'
import { SharedAnswers, type Packed } from './shared-answers.ts'
import { remoteAddress, type Tunnelled } from './remote-address.ts'

/** A shorter answer is sent as it is: the system's buffers hold it. */
const counted = 16 * 1024
/** A longer one is sent piece by piece, as its reader takes it. */
const streamed = 256 * 1024
const piece = 128 * 1024
/** An answer of which nothing was taken for so long is given up. */
const idleMs = 30_000
/** Where there is no more room, one of which nothing was taken for so long has to go. */
const stalledMs = 2_000
/** So many long answers begin at one time, of one link and of all; the others wait until some end, or aren't taken. */
const movingPerLink = 8
const movingInAll = 24
/** From so long without anything taken on, an answer holds up no other. */
const restingMs = 250

interface Unread {
  link: string
  bytes: Buffer
  askedAt: number
  /** When its reader last took something; null while it has yet to begin. */
  movedAt: number | null
  giveUp(): void
}

export type Answers = ReturnType<typeof createAnswers>

/**
 * What guests have asked for and not yet read. Each text is held once, however many are being sent it; what all of them
 * hold is bounded, by link and in all, and so is what is made anew for them in a minute. Whoever doesn't read loses the
 * connection: after a while, or as soon as others need the room.
 */
export function createAnswers(tunnelled: Tunnelled, now: () => number = () => performance.now()) {
  const unread = new Map<Buffer, Set<Unread>>()
  const shared = new SharedAnswers(now)
  const made = new ReadBudget(now)

  /** Long answers that are being made. */
  const coming = new Set<{ link: string; bytes: number }>()
  const heldBy = (link?: string) => {
    let sum = 0
    for (const one of coming) if (link === undefined || one.link === link) sum += one.bytes
    for (const [bytes, readers] of unread)
      if (link === undefined || [...readers].some((one) => one.link === link)) sum += bytes.length
    return sum
  }
  /** Gives up the answer that has been waiting longest for whoever asked for it, with all who were being sent it. */
  const giveUpOne = (link?: string): boolean => {
    let longest: { readers: Set<Unread>; movedAt: number } | undefined
    for (const readers of unread.values()) {
      if (link !== undefined && ![...readers].some((one) => one.link === link)) continue
      const movedAt = Math.max(...[...readers].map((one) => one.movedAt ?? one.askedAt))
      if (movedAt <= now() - stalledMs && (!longest || movedAt < longest.movedAt))
        longest = { readers, movedAt }
    }
    if (!longest) return false
    for (const one of [...longest.readers]) {
      leave(one)
      one.giveUp()
    }
    return true
  }
  const leave = (one: Unread) => {
    waiting.get(one)?.()
    waiting.delete(one)
    const readers = unread.get(one.bytes)
    if (!readers?.delete(one) || readers.size > 0) return
    unread.delete(one.bytes)
    shared.release(one.bytes)
  }
  /** Begins what waits for its turn, until nothing does. */
  const waiting = new Map<Unread, () => void>()
  let looking: NodeJS.Timeout | undefined
  const mayBegin = ({ link }: Unread) => {
    let moving = 0
    let ofLink = 0
    for (const readers of unread.values())
      for (const { movedAt, bytes, link: other } of readers) {
        if (movedAt === null || movedAt <= now() - restingMs || bytes.length < streamed) continue
        moving++
        if (other === link) ofLink++
      }
    return moving < movingInAll && ofLink < movingPerLink
  }
  const look = () => {
    for (const [one, begin] of waiting) {
      if (!mayBegin(one)) continue
      waiting.delete(one)
      one.movedAt = now()
      begin()
    }
    if (waiting.size > 0) return
    clearInterval(looking)
    looking = undefined
  }
  async function* pieces(one: Unread, onBegin: () => void) {
    if (!mayBegin(one)) {
      looking ??= setInterval(look, restingMs / 5).unref()
      await new Promise<void>((resolve) => void waiting.set(one, resolve))
    }
    onBegin()
    for (let at = 0; at < one.bytes.length; at += piece) {
      one.movedAt = now()
      yield one.bytes.subarray(at, at + piece)
    }
  }
  const refuse = (message: string, seconds: number) =>
    new GalleyError('RATE_LIMITED', message, { retryAfter: seconds })

  return {
    /**
     * Says that a guest asks, before anything is made for them.
     * @throws GalleyError RATE_LIMITED if they have too much that is unread, or have had too much
     */
    requireRoom(request: FastifyRequest, link: string) {
      ;(request as Carrier)[guestOf] = link
      if (unread.size > 0 || coming.size > 0) {
        while (heldBy(link) >= limits.unreadBytesPerLink)
          if (!giveUpOne(link)) throw refuse('Too much that was asked for here hasn’t been read yet.', 5)
        while (heldBy() >= limits.unreadBytes)
          if (!giveUpOne()) throw refuse('Galley has very much to send just now. Try again in a moment.', 5)
      }
      const address = remoteAddress(tunnelled, request.raw)
      const wait = Math.max(
        made.secondsUntil(link, limits.guestReadBytesPerMinute),
        made.secondsUntil(`${link} ${address}`, limits.visitorReadBytesPerMinute),
      )
      if (wait > 0) throw refuse('Too much was asked for in a short time. Wait a little and try again.', wait)
    },
    /** Says that a long answer for a guest begins to be made: it counts as unread; what is returned ends that. */
    making(link: string, bytes: number): () => void {
      const one = { link, bytes }
      coming.add(one)
      return () => void coming.delete(one)
    },
    /** What somebody else is being sent, or waits for, under this name, or what is kept at its place; else it is made. */
    shared: (name: string, make: () => Packed | Promise<Packed>, place?: string) =>
      shared.get(name, make, place),
    /** Has a listener count what it sends to guests. */
    countOn(app: FastifyInstance) {
      app.decorateRequest<null>(guestOf as unknown as string, null as never)
      app.addHook('onSend', (request, reply, payload, done) => {
        const link = (request as Carrier)[guestOf]
        if (!link) return done()
        if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done()
        if (payload.length < counted) return done()
        if (request.method === 'HEAD') {
          // Nobody is sent it, but it was made.
          count(request, link, payload.length)
          return done()
        }
        const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
        done(null, send(request, reply, link, bytes))
      })
    },
    /** How many bytes are held for guests, and how many answers. */
    get held() {
      return {
        bytes: heldBy(),
        answers: [...unread.values()].reduce((sum, { size }) => sum + size, 0),
      }
    },
  }

  function count(request: FastifyRequest, link: string, bytes: number) {
    made.add(link, bytes)
    made.add(`${link} ${remoteAddress(tunnelled, request.raw)}`, bytes)
  }

  function send(request: FastifyRequest, reply: FastifyReply, link: string, bytes: Buffer) {
    const readers = unread.get(bytes) ?? new Set<Unread>()
    if (readers.size === 0) count(request, link, bytes.length)
    unread.set(bytes, readers)
    shared.hold(bytes)
    const { raw } = reply
    const giveUp = () => void raw.socket?.destroy()
    const one: Unread = { link, bytes, askedAt: now(), movedAt: null, giveUp }
    readers.add(one)
    raw.once('finish', () => leave(one))
    raw.once('close', () => leave(one))
    // Nothing taken for so long, and the connection is closed.
    const limitTime = () => void raw.setTimeout(idleMs, giveUp)
    if (bytes.length < streamed) {
      limitTime()
      return bytes
    }
    void reply.header('content-length', bytes.length)
    return Readable.from(pieces(one, limitTime), { objectMode: false, highWaterMark: 1 })
  }
}

const guestOf = Symbol('guest')
type Carrier = FastifyRequest & { [guestOf]?: string | null }
