import { createHash } from 'node:crypto'
import { unauthorized } from '../contract/errors.ts'
import type { AuthorKind, KeyKind } from '../contract/records/authors.ts'
import type { GalleyEvent } from '../contract/events.ts'
import type { KeyAccess } from '../contract/records/keys.ts'
import { actsAsUser } from '../domain/access.ts'
import { personOf } from '../domain/person.ts'
import { authorColumns, type Author } from '../store/author.ts'
import type { ApiKeyRow } from '../store/api-keys.ts'
import type { ShareLinkRow } from '../store/share-links.ts'
import type { UserRow } from '../store/users.ts'
import type { Turn } from '../threads/fair-queue.ts'
import { hasExpired } from '../store/expiry.ts'

/** A signed-in user, by key or session, or whoever uses the command line. */
export interface AccountPrincipal {
  user: UserRow
  access: KeyAccess
  author: Author
  /** Where an API key was the credential. */
  key: ApiKeyRow | null
  /** Where a session was the credential. */
  session: { digest: Buffer; secret: string } | null
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
  /** Where a guest is an agent, how its program is called. */
  agent?: string
}
/** Who asks. */
export type Principal = OwnerPrincipal | LinkPrincipal

/** Whether nothing but a link says who it is: anybody may come as a new one each time. */
export const isGuest = (principal: Principal) => principal.kind === 'link' && principal.account === null

/** Whether the link or the key that let somebody in has expired since. */
export function isExpired(principal: Principal, now: number): boolean {
  const credential = principal.kind === 'link' ? principal.link : principal.key
  return credential !== null && hasExpired(credential, now)
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
  key: null,
  session: null,
})

/** An agent that somebody started on this machine without a key: it may do what they may, and is told from them all the same. */
export function commandLineAgent(user: UserRow): OwnerPrincipal {
  const principal = commandLinePrincipal(user, 'cli:mcp')
  return { ...principal, author: { ...principal.author, keyKind: 'agent' } }
}

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

/** The only documents that a key is for, by their ids; null where it is for all, and where there is no key. */
export const chosenDocuments = (principal: Principal): readonly string[] | null =>
  principal.kind === 'owner' ? (principal.key?.documents ?? null) : null

/** Whether an account’s principal may know of a document of the account. */
export function seesDocument(principal: Principal, id: string | null): boolean {
  const chosen = chosenDocuments(principal)
  return chosen === null || (id !== null && chosen.includes(id))
}

/** Whether it may know of what has happened. Of a restored backup everybody is to hear: all that they know may be another. */
export const isToldTo = (principal: Principal, { kind, documentId }: GalleyEvent): boolean =>
  kind === 'backup.restored' || seesDocument(principal, documentId)

/** By what an account is known that asks: an agent, and a key with less than its user, is told from them. */
export const accountName = ({ key, author, user }: AccountPrincipal): string =>
  key === null || actsAsUser(key) ? `user ${user.id}` : author.key

/** What let an account in: one key, or any of its sessions. */
export const credentialOf = ({ key, user }: AccountPrincipal): string => key?.id ?? `session ${user.id}`

/** By what somebody is known again who reacts to a comment; null for a guest who isn’t known yet. */
export function reactorOf(principal: Principal): string | null {
  const account = principal.kind === 'owner' ? principal : principal.account
  if (account) return accountName(account)
  return principal.kind === 'link' ? principal.guestKey : null
}

/** Who it is, as `personOf` has it of what they write; null for a guest who hasn’t written or said anything yet. */
export function personOfPrincipal(principal: Principal): string | null {
  const account = principal.kind === 'owner' ? principal : principal.account
  if (!account) return principal.kind === 'link' ? principal.guestKey : null
  const [author_id, author_key, author_name, , key_kind] = authorColumns(account.author)
  return personOf({ author_id, author_key, author_name, key_kind })
}

/**
 * As whom others see somebody who is here, and what they are: a key is itself, whoever it was made for. Of a guest only
 * they say how they are called.
 */
export function seenAs(principal: Principal): { name: string | null; kind: AuthorKind } {
  const account = principal.kind === 'owner' ? principal : principal.account
  if (account?.key) return { name: account.key.name, kind: account.key.kind }
  if (account) return { name: account.user.name, kind: 'person' }
  return { name: null, kind: 'guest' }
}

/** For whom what is hidden isn’t shown unless it is theirs: by their stored name; null for owners, who see all. */
export const seenBy = (principal: Principal): string | null =>
  principal.kind === 'owner' ? null : (principal.guestKey ?? '')

/** Whether they are shown a record that may be hidden. */
export const isShownTo = (
  principal: Principal,
  { author_key, hidden }: { author_key: string; hidden: 0 | 1 },
): boolean => principal.kind === 'owner' || hidden === 0 || author_key === principal.guestKey

/** Whether somebody wrote a record: an account by its id, a guest by their stored name. */
export function wrote(
  principal: Principal,
  record: { author_id: string | null; author_key: string; key_kind: KeyKind | null },
): boolean {
  const account = principal.kind === 'owner' ? principal : principal.account
  if (account && record.author_id === account.user.id) {
    const isUsers = record.key_kind !== 'agent' && (account.key === null || actsAsUser(account.key))
    return isUsers || record.author_key === account.author.key
  }
  return principal.kind === 'link' && principal.guestKey !== null && record.author_key === principal.guestKey
}
