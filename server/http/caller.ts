import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { forbidden, unauthorized } from '../contract/errors.ts'
import type { Author } from '../store/author.ts'
import type { ShareLinkRow } from '../store/share-links.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import { isOwnOrigin } from './origin.ts'

/** A signed-in user, by key or session. */
export interface Account {
  user: UserRow
  access: 'full' | 'read'
  author: Author
  /** Where a session cookie was the credential. */
  session: { digest: Buffer; secret: string; cookie: string } | null
}
/** Who is calling. For a link, `account` only names the author; the link alone decides what may be done. */
export type Caller =
  | ({ kind: 'owner' } & Account)
  | { kind: 'link'; link: ShareLinkRow; account: Account | null; guestKey: string | null }

/** What of a request may carry credentials. */
type Bearing = Pick<FastifyRequest, 'headers' | 'query'>

/** Which credentials a listener knows. */
export interface Credentials {
  /** The name of the cookie that holds a session; null where sessions mean nothing. */
  sessions: string | null
  keys: boolean
}

/** Whether nothing but a link says who it is: anybody may come as a new one each time. */
export const isGuest = (caller: Caller) => caller.kind === 'link' && caller.account === null

/**
 * The account of an owner's call.
 * @throws GalleyError UNAUTHORIZED if a link made it
 */
export function accountOf(caller: Caller): Account {
  if (caller.kind !== 'owner') throw unauthorized()
  return caller
}

/**
 * The name of the cookie that holds a session's secret. Cookies know no ports, so that two Galleys on one machine would
 * sign each other's browsers out; each folder of data has a name of its own.
 */
export const sessionCookieOf = (dataFolder: string) =>
  `galley_session_${createHash('sha256').update(dataFolder).digest('hex').slice(0, 8)}`
/** The same where the page came over TLS: by this prefix a browser takes it over TLS only, and sends it nowhere else. */
export const secureCookieOf = (sessionCookie: string) => `__Host-${sessionCookie}`
export const guestCookie = 'galley_guest'

/** The stored name of a guest: a digest, so that the database alone lets nobody pass for them. */
export const guestKey = (secret: string) =>
  `guest:${createHash('sha256').update(secret).digest('hex').slice(0, 32)}`

/**
 * All values that the request's cookies give a name. A page of another server on this machine can add one of ours, so
 * that the first need not be the one that counts. No library is asked to parse cookies that aren't ours.
 */
export function cookiesOf(request: Bearing, name: string): string[] {
  const header = request.headers.cookie
  if (header === undefined) return []
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
}

/**
 * Who makes this request: the one place that reads credentials.
 * A share token decides when there is one; otherwise a bearer key; otherwise the session cookie.
 * @throws GalleyError UNAUTHORIZED, with `presented` telling whether something was tried (and so counts as a failure)
 */
export function identify(store: Store, known: Credentials, request: Bearing): Caller {
  const token = (request.query as { share_token?: unknown }).share_token
  if (token !== undefined) {
    const link = typeof token === 'string' ? store.shareLinks.findValid(token) : undefined
    if (!link) throw new Refused(true)
    const guest = cookiesOf(request, guestCookie).find((value) => /^[0-9a-f]{32}$/.test(value))
    return {
      kind: 'link',
      link,
      account:
        byKey(store, known, request) ??
        // A page from elsewhere may hold the link, but may not put its words into the signed-in user's mouth.
        (isOwnOrigin(request.headers) ? bySession(store, known, request) : undefined) ??
        null,
      guestKey: guest === undefined ? null : guestKey(guest),
    }
  }
  if (request.headers.authorization !== undefined) {
    const account = byKey(store, known, request)
    if (!account) throw new Refused(true)
    return { kind: 'owner', ...account }
  }
  const account = bySession(store, known, request)
  if (account) {
    if (!isOwnOrigin(request.headers)) throw forbidden('This page may not act for the signed-in user.')
    return { kind: 'owner', ...account }
  }
  const { sessions } = known
  throw new Refused(
    sessions !== null &&
      [secureCookieOf(sessions), sessions].some((name) => cookiesOf(request, name).length > 0),
  )
}

/** 401, and whether a credential was presented that wasn't good. */
export class Refused extends Error {
  readonly presented: boolean
  readonly reply = unauthorized()
  constructor(presented: boolean) {
    super('Unauthorized')
    this.presented = presented
  }
}

/**
 * The user that a browser which asks for a page is signed in as, if it is; undefined where sessions mean nothing. It
 * only says who looks: it lets nobody in.
 */
export const viewerOf = (store: Store, known: Credentials, request: Bearing): UserRow | undefined =>
  bySession(store, known, request)?.user

function byKey(store: Store, known: Credentials, request: Bearing): Account | undefined {
  const header = request.headers.authorization
  if (!known.keys || header === undefined) return undefined
  const key = /^Bearer +(\S+) *$/i.exec(header)?.[1]
  const found = key === undefined ? undefined : store.apiKeys.findValid(key)
  if (!found) return undefined
  const { row, user } = found
  return {
    user,
    access: row.access,
    author: { id: user.id, name: user.name, key: `key:${row.id}`, keyName: row.name },
    session: null,
  }
}

function bySession(store: Store, known: Credentials, request: Bearing): Account | undefined {
  if (known.sessions === null) return undefined
  for (const cookie of [secureCookieOf(known.sessions), known.sessions])
    for (const secret of cookiesOf(request, cookie)) {
      const session = store.sessions.findValid(secret)
      if (!session) continue
      const { user } = session
      const key = `session:${session.digest.toString('hex').slice(0, 32)}`
      return {
        user,
        access: 'full',
        author: { id: user.id, name: user.name, key },
        session: { digest: session.digest, secret, cookie },
      }
    }
  return undefined
}
