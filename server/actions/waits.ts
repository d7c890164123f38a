import { GalleyError } from '../contract/errors.ts'
import { mayEndCredentials, type GalleyEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import type { ActionContext } from './context.ts'
import type { Feed } from './feed.ts'
import { credentialOf, type Principal } from './principal.ts'
import type { AccountTask, DocumentTask } from './task.ts'
import { whileAllowed } from './while-allowed.ts'

/** What happens can be waited for. */
export interface WaitingContext extends ActionContext {
  feed: Pick<Feed, 'next' | 'waiting'>
}

const linkPrefix = 'link '
const isOfLink = (waiter: string) => waiter.startsWith(linkPrefix)

/**
 * Who waits. No key can keep the others of its account from waiting, no account and no link all others, nor all links
 * together the accounts.
 * @throws GalleyError RATE_LIMITED where too many wait already
 */
function waiterOf(feed: Pick<Feed, 'waiting'>, principal: Principal): string {
  const { keyWaits, eventWaits, eventWaitsInAll, linkWaits, linkWaitsInAll } = limits
  const refuse = (why: string) => {
    throw new GalleyError('RATE_LIMITED', `${why} Ask again in a moment, or without “wait”.`, {
      retryAfter: 5,
    })
  }
  const isLink = principal.kind === 'link'
  const waiter = isLink
    ? `${linkPrefix}${principal.link.id}`
    : `${principal.user.id} ${credentialOf(principal)}`
  const refuseFrom = (most: number, whose: string, isTheirs: (waiter: string) => boolean) => {
    if (feed.waiting(isTheirs) >= most) refuse(`${most} calls ${whose} wait already, which is the most.`)
  }
  if (isLink) refuseFrom(linkWaits, 'by this link', (one) => one === waiter)
  else {
    const whose = principal.key ? 'of your key' : 'of your sessions'
    refuseFrom(keyWaits, whose, (one) => one === waiter)
    refuseFrom(eventWaits, 'of your account', (one) => one.startsWith(`${principal.user.id} `))
  }
  if (feed.waiting() >= eventWaitsInAll || (isLink && feed.waiting(isOfLink) >= linkWaitsInAll))
    refuse('Too many wait just now.')
  return waiter
}

interface Wait {
  isWanted: (event: GalleyEvent) => boolean
  /** When it ends without, by `performance.now()`. */
  until: number
  /** Ends it for whoever has left. */
  left: AbortSignal | undefined
}

/**
 * Waits until there is such an event; false where it is over without. Every wait is one of these: what lets somebody in
 * may end meanwhile, and then the wait does.
 * @throws what refuses them now, or RATE_LIMITED where too many wait already
 */
export async function waitFor(
  task: DocumentTask<WaitingContext> | AccountTask<WaitingContext>,
  { isWanted, until, left }: Wait,
): Promise<boolean> {
  const { feed } = task.context
  const waiter = waiterOf(feed, task.principal)
  const { ended, stop } = whileAllowed(() => task.authorize())
  try {
    // Before this line nothing waits, so that nothing is missed by who has just looked.
    const ends = left ? AbortSignal.any([left, ended]) : ended
    for (;;) {
      let isHere = false
      const hear = (event: GalleyEvent) => (isHere ||= isWanted(event)) || mayEndCredentials(event)
      const hasCome = await feed.next({ waiter, isWanted: hear }, until - performance.now(), ends)
      // Whoever may no longer wait hears it at once, and not when they are asked after next.
      task.authorize()
      if (isHere || !hasCome) return isHere
    }
  } finally {
    stop()
  }
}
