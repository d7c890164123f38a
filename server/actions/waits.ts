import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { ActionContext } from './context.ts'
import type { Feed } from './feed.ts'
import type { Principal } from './principal.ts'

/** What happens can be waited for. */
export interface WaitingContext extends ActionContext {
  feed: Pick<Feed, 'next' | 'waiting'>
}

const linkPrefix = 'link '
const isOfLink = (waiter: string) => waiter.startsWith(linkPrefix)

/**
 * Who waits. No account and no link can keep the others from waiting, nor all links together the accounts.
 * @throws GalleyError RATE_LIMITED where too many wait already
 */
export function waiterOf(feed: Pick<Feed, 'waiting'>, principal: Principal): string {
  const { eventWaits, eventWaitsInAll, linkWaits, linkWaitsInAll } = limits
  const refuse = (why: string) => {
    throw new GalleyError('RATE_LIMITED', `${why} Ask again in a moment, or without “wait”.`, {
      retryAfter: 5,
    })
  }
  const isLink = principal.kind === 'link'
  const waiter = isLink ? `${linkPrefix}${principal.link.id}` : principal.user.id
  const [most, whose] = isLink ? [linkWaits, 'by this link'] : [eventWaits, 'of your account']
  if (feed.waiting((one) => one === waiter) >= most)
    refuse(`${most} calls ${whose} wait already, which is the most.`)
  if (feed.waiting() >= eventWaitsInAll || (isLink && feed.waiting(isOfLink) >= linkWaitsInAll))
    refuse('Too many wait just now.')
  return waiter
}
