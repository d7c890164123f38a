import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { GalleyError, type Allowance } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { liveLimits } from '../contract/live-limits.ts'

export type Limiters = ReturnType<typeof createLimiters>

/** What the largest body counts as. */
const mostPoints = 10

const tooManyChanges =
  'Too many changes through this link. Wait a little and try again; nothing you wrote is lost.'

type Limiter = RateLimiterMemory

/** So many in a minute. */
const limiter = (keyPrefix: string, points: number): Limiter =>
  new RateLimiterMemory({ keyPrefix, points, duration: 60 })

const allowanceOf = (
  { keyPrefix, points, duration }: Limiter,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Allowance => ({
  ...{ name: keyPrefix, quota: points, seconds: duration },
  ...{ left: Math.max(0, remainingPoints), resets: Math.ceil(msBeforeNext / 1000) },
})

/** Counts per minute, in memory: a restart forgives. */
export function createLimiters() {
  const failures = limiter('failures', limits.failedCredentialsPerMinute)
  const locates = limiter('link-selections', limits.guestLocatesPerMinute)
  const visitorLocates = limiter('selections', limits.visitorLocatesPerMinute)
  const guestWrites = limiter('changes', limits.guestWritesPerMinute)

  const visitorAgents = limiter('agent-calls', limits.visitorAgentCallsPerMinute)
  const linkAgents = limiter('link-agent-calls', limits.linkAgentCallsPerMinute)

  const visitorChanges = limiter('typing', limits.guestChangesPerMinute)
  const linkChanges = limiter('link-typing', limits.linkChangesPerMinute)

  const visitorOpens = limiter('connections', liveLimits.visitorOpensPerMinute)
  const linkOpens = limiter('link-connections', liveLimits.linkOpensPerMinute)

  const tooMany = (message: string, allowance: Allowance) =>
    new GalleyError('RATE_LIMITED', message, {
      retryAfter: Math.max(1, allowance.resets),
      allowances: [allowance],
    })
  const spend = async (limiter: Limiter, key: string, message: string, points = 1): Promise<Allowance> => {
    try {
      return allowanceOf(limiter, await limiter.consume(key, points))
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw tooMany(message, allowanceOf(limiter, refusal))
    }
  }
  /** A large body counts as several writes: it costs as much. Of an unknown length, it counts as the largest. */
  const guestWrite = async (linkId: string, bytes: number | undefined) => {
    const points = Math.min(mostPoints, 1 + Math.floor((bytes ?? Infinity) / limits.guestWriteBytes))
    return [await spend(guestWrites, linkId, tooManyChanges, points)]
  }
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
      if (spent && spent.remainingPoints < count)
        throw tooMany(tooManyChanges, allowanceOf(guestWrites, spent))
      await spend(guestWrites, linkId, tooManyChanges, count)
    },
    /** Counts a credential that was refused; throws once the address has had too many refused. Valid ones never come here. */
    failedCredential: async (address: string): Promise<void> => {
      const message = 'Too many failed attempts from this address. Wait a little and try again.'
      await spend(failures, address, message)
    },
    /** One visitor runs out of selections before all others of the link do. */
    guestLocate: async (linkId: string, address: string) => {
      const message = 'Too many selections in a short time. Wait a little and try again.'
      const own = await spend(visitorLocates, `${linkId} ${address}`, message)
      return [own, await spend(locates, linkId, message)]
    },
    guestWrite,
    /** A live connection that begins: who goes and comes again and again has others wait as well. */
    liveOpening: async (linkId: string, address: string) => {
      const message = 'Too many connections in a short time. Wait a little and try again.'
      await spend(visitorOpens, `${linkId} ${address}`, message)
      await spend(linkOpens, linkId, message)
    },
    /** A message of an agent that has come by a link. */
    agentCall: async (linkId: string, address: string) => {
      const message = 'Too many calls through this link in a short time. Wait a little and try again.'
      const own = await spend(visitorAgents, `${linkId} ${address}`, message)
      return [own, await spend(linkAgents, linkId, message)]
    },
    /** What is typed. One visitor can’t use up what the link’s others have; and what isn’t small is a write like others. */
    guestChange: async (linkId: string, address: string, bytes: number | undefined) => {
      if (bytes === undefined || bytes > limits.guestChangeBytes) return guestWrite(linkId, bytes)
      const own = await spend(visitorChanges, `${linkId} ${address}`, tooManyChanges)
      return [own, await spend(linkChanges, linkId, tooManyChanges)]
    },
  }
}
