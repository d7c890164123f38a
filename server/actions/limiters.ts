import { RateLimiterMemory } from 'rate-limiter-flexible'
import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'

export type Limiters = ReturnType<typeof createLimiters>

/** What the largest body counts as. */
const mostPoints = 10

const tooManyChanges =
  'Too many changes through this link. Wait a little and try again; nothing you wrote is lost.'

/** Counts per minute, in memory: a restart forgives. */
export function createLimiters() {
  const failures = new RateLimiterMemory({ points: limits.failedCredentialsPerMinute, duration: 60 })
  const locates = new RateLimiterMemory({ points: limits.guestLocatesPerMinute, duration: 60 })
  const visitorLocates = new RateLimiterMemory({ points: limits.visitorLocatesPerMinute, duration: 60 })
  const guestWrites = new RateLimiterMemory({ points: limits.guestWritesPerMinute, duration: 60 })

  const visitorChanges = new RateLimiterMemory({ points: limits.guestChangesPerMinute, duration: 60 })
  const linkChanges = new RateLimiterMemory({ points: limits.linkChangesPerMinute, duration: 60 })

  const tooMany = (message: string, ms: number) =>
    new GalleyError('RATE_LIMITED', message, { retryAfter: Math.max(1, Math.ceil(ms / 1000)) })
  const spend = async (limiter: RateLimiterMemory, key: string, message: string, points = 1) => {
    try {
      await limiter.consume(key, points)
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal
      throw tooMany(message, (refusal as { msBeforeNext: number }).msBeforeNext)
    }
  }
  /** A large body counts as several writes: it costs as much. Of an unknown length, it counts as the largest. */
  const guestWrite = (linkId: string, bytes: number | undefined) =>
    spend(
      guestWrites,
      linkId,
      tooManyChanges,
      Math.min(mostPoints, 1 + Math.floor((bytes ?? Infinity) / limits.guestWriteBytes)),
    )
  return {
    /** Many changes at once cost as much as one after the other. Those that can't be made now cost nothing. */
    async guestWrites(linkId: string, count: number) {
      const most = limits.guestWritesPerMinute
      // Whoever asks for more at once than for a minute would be told to wait for ever. One is spent already.
      if (count >= most)
        throw new GalleyError(
          'PAYLOAD_TOO_LARGE',
          `By a link at most ${most} are made at once. Send them in parts.`,
        )
      const spent = await guestWrites.get(linkId)
      if (spent && spent.remainingPoints < count) throw tooMany(tooManyChanges, spent.msBeforeNext)
      await spend(guestWrites, linkId, tooManyChanges, count)
    },
    /** Counts a credential that was refused; throws once the address has had too many refused. Valid ones never come here. */
    failedCredential: (address: string) =>
      spend(failures, address, 'Too many failed attempts from this address. Wait a little and try again.'),
    /** One visitor runs out of selections before all others of the link do. */
    guestLocate: async (linkId: string, address: string) => {
      const message = 'Too many selections in a short time. Wait a little and try again.'
      await spend(visitorLocates, `${linkId} ${address}`, message)
      await spend(locates, linkId, message)
    },
    guestWrite,
    /** What is typed. One visitor can’t use up what the link’s others have; and what isn’t small is a write like others. */
    guestChange: async (linkId: string, address: string, bytes: number | undefined) => {
      if (bytes === undefined || bytes > limits.guestChangeBytes) return guestWrite(linkId, bytes)
      await spend(visitorChanges, `${linkId} ${address}`, tooManyChanges)
      await spend(linkChanges, linkId, tooManyChanges)
    },
  }
}
