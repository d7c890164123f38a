import { createHash } from 'node:crypto'
import { unauthorized } from '../contract/errors.ts'
import type { Author } from '../store/author.ts'
import type { ShareLinkRow } from '../store/share-links.ts'
import type { UserRow } from '../store/users.ts'
import type { Turn } from '../threads/fair-queue.ts'

/** A signed-in user, by key or session, or whoever uses the command line. */
export interface AccountPrincipal {
  user: UserRow
  access: 'full' | 'read'
  author: Author
  /** Where a session was the credential. */
  session: { digest: Buffer; secret: string } | null
  /** When the API key that was the credential expires, in milliseconds. */
  endsAt: number | null
}
export interface OwnerPrincipal extends AccountPrincipal {
  kind: 'owner'
}
/** For a link, `account` only names the author; the link alone decides what may be done. */
interface LinkPrincipal {
  kind: 'link'
  link: ShareLinkRow
  account: AccountPrincipal | null
  /** The stored name of the guest, once they have one. */
  guestKey: string | null
}
/** Who asks. */
export type Principal = OwnerPrincipal | LinkPrincipal

/** Whether nothing but a link says who it is: anybody may come as a new one each time. */
export const isGuest = (principal: Principal) => principal.kind === 'link' && principal.account === null

/** Whether the link or the key that let somebody in has expired since. */
export function isExpired(principal: Principal, now: number): boolean {
  const endsAt = principal.kind === 'link' ? principal.link.expires_at : principal.endsAt
  return endsAt !== null && endsAt <= now
}

/**
 * The account of whoever asks.
 * @throws GalleyError UNAUTHORIZED if they came by a link
 */
export function accountOf(principal: Principal): OwnerPrincipal {
  if (principal.kind !== 'owner') throw unauthorized()
  return principal
}

/** Whoever uses the command line of this machine, as one of its users. `channel` tells what they use of it. */
export const commandLinePrincipal = (user: UserRow, channel: string): OwnerPrincipal => ({
  kind: 'owner',
  user,
  access: 'full',
  author: { id: user.id, name: user.name, key: channel },
  session: null,
  endsAt: null,
})

/** A guest's stored name: a digest, so that the database alone lets nobody pass for them. */
export const guestKey = (secret: string) =>
  `guest:${createHash('sha256').update(secret).digest('hex').slice(0, 32)}`

/** 401, and whether a credential was presented that wasn't good. */
export class Refused extends Error {
  readonly presented: boolean
  readonly reply = unauthorized()
  constructor(presented: boolean) {
    super('Unauthorized')
    this.presented = presented
  }
}

/** Whose turn heavy work on a document uses: the link's that asks, or the owner's. */
export const turnOf = (principal: Principal, document: { id: string }): Turn =>
  principal.kind === 'link' ? turnOfLink(principal.link, document) : turnOfOwner(document)

export const turnOfLink = (link: { id: string }, document: { id: string }): Turn => ({
  document: document.id,
  member: link.id,
  guest: true,
})

export const turnOfOwner = ({ id }: { id: string }): Turn => ({ document: id, member: 'owner', guest: false })

/** By what somebody is known again who reacts to a comment; null for a guest who isn’t known yet. */
export function reactorOf(principal: Principal): string | null {
  const account = principal.kind === 'owner' ? principal : principal.account
  if (account) return `user:${account.user.id}`
  return principal.kind === 'link' ? principal.guestKey : null
}

/** Whether somebody wrote a record: an account by its id, a guest by their stored name. */
export function wrote(
  principal: Principal,
  record: { author_id: string | null; author_key: string },
): boolean {
  const account = principal.kind === 'owner' ? principal : principal.account
  if (account && record.author_id === account.user.id) return true
  return principal.kind === 'link' && principal.guestKey !== null && record.author_key === principal.guestKey
}
