import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { ActionContext } from '../actions/context.ts'
import { accountByKey, accountBySession, validLink } from '../actions/credentials.ts'
import { guestKey, Refused, type AccountPrincipal, type Principal } from '../actions/principal.ts'
import { forbidden } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { firstCodePoints } from '../domain/code-points.ts'
import { shownName } from '../domain/shown-name.ts'
import { isOwnOrigin } from './origin.ts'

/** What of a request may carry credentials. */
type Bearing = Pick<FastifyRequest, 'headers' | 'query'>

/** Which credentials a listener knows. */
export interface Credentials {
  /** The name of the cookie that holds a session; null where sessions mean nothing. */
  sessions: string | null
  keys: boolean
  /** False where what a share link allows isn’t enough; a token is refused there, also beside a session. */
  tokens?: false
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

/**
 * All values that the request's cookies give a name. A page of another server on this machine can add one of ours, so
 * that the first need not be the one that counts. No library is asked to parse cookies that aren't ours.
 */
function cookiesOf(request: Bearing, name: string): string[] {
  const header = request.headers.cookie
  if (header === undefined) return []
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
}

/** Where a share token may stand beside the query, of which others keep logs. */
export const shareTokenHeader = 'galley-share-token'

/**
 * The share token of a request: from its query or its header, which mean the same.
 * @throws Refused where both are there and name two
 */
function shareTokenOf({ query, headers }: Bearing): unknown {
  const inQuery = (query as { share_token?: unknown }).share_token
  const inHeader = headers[shareTokenHeader]
  if (inHeader !== undefined && inQuery !== undefined && inHeader !== inQuery) throw new Refused(true)
  return inQuery ?? inHeader
}

/**
 * Who makes this request: the one place of this channel that reads credentials.
 * A share token decides when there is one; otherwise a bearer key; otherwise the session cookie.
 * @throws Refused, with `presented` telling whether something was tried (and so counts as a failure)
 */
export function principalOf(context: ActionContext, known: Credentials, request: Bearing): Principal {
  const token = shareTokenOf(request)
  if (token !== undefined) {
    if (known.tokens === false) throw new Refused(true)
    const link = validLink(context, token)
    const guest = cookiesOf(request, guestCookie).find((value) => /^[0-9a-f]{32}$/.test(value))
    return {
      kind: 'link',
      link,
      account:
        byKey(context, known, request) ??
        // A page from elsewhere may hold the link, but may not put its words into the signed-in user's mouth.
        (isOwnOrigin(request.headers) ? bySession(context, known, request) : undefined) ??
        null,
      guestKey: guest === undefined ? null : guestKey(guest),
    }
  }
  if (request.headers.authorization !== undefined) {
    const account = byKey(context, known, request)
    if (!account) throw new Refused(true)
    return { kind: 'owner', ...account }
  }
  const account = bySession(context, known, request)
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

/** Whether a request comes with a key that alone decides what it may do; with a share token the link decides. */
export type PresentedKey = 'valid' | 'invalid' | 'none'
export function presentedKey(context: ActionContext, known: Credentials, request: Bearing): PresentedKey {
  const { query, headers } = request
  const isByLink = 'share_token' in (query as object) || headers[shareTokenHeader] !== undefined
  if (isByLink || headers.authorization === undefined) return 'none'
  return byKey(context, known, request) ? 'valid' : 'invalid'
}

/** The header by which an agent's program says again who it is, as it was told at the beginning. */
export const agentSession = 'mcp-session-id'

/** Who an agent is that has come by a link: a guest like any other, whose name its program gives. */
export interface LinkAgent {
  name: string
  /** Known to nobody but its program: by it the agent changes later what it wrote. */
  secret: string
}

/** What an agent says again with each message. Nothing is kept of it here. */
export const sessionOf = ({ name, secret }: LinkAgent) =>
  `${secret}.${Buffer.from(name, 'utf8').toString('base64url')}`

/** Who says so with a message; undefined where it doesn't, or not as it was told. */
export function agentOf({ headers }: Pick<FastifyRequest, 'headers'>): LinkAgent | undefined {
  const [, secret, name] = /^([0-9a-f]{32})\.([\w-]{1,640})$/.exec(String(headers[agentSession] ?? '')) ?? []
  if (secret === undefined || name === undefined) return undefined
  return { secret, name: agentName(Buffer.from(name, 'base64url').toString('utf8')) }
}

/** As others may be shown it. */
export const agentName = (said: unknown): string =>
  firstCodePoints(shownName(typeof said === 'string' ? said : ''), limits.authorNameLength).trim() || 'Agent'

/**
 * An agent that has come by a link's own address.
 * @throws Refused where the link opens nothing; GalleyError FORBIDDEN where it isn't for agents
 */
export function agentByLink(context: ActionContext, token: string, agent?: LinkAgent): Principal {
  const link = validLink(context, token)
  if (link.allows_agents === 0)
    throw forbidden('This link isn’t for agents. Whoever sent it can let them use it.')
  if (!agent) return { kind: 'link', link, account: null, guestKey: null }
  return { kind: 'link', link, account: null, guestKey: guestKey(agent.secret), agent: agent.name }
}

/**
 * The user that a browser which asks for a page is signed in as, if it is; undefined where sessions mean nothing. It
 * only says who looks: it lets nobody in.
 */
export const viewerOf = (context: ActionContext, known: Credentials, request: Bearing) =>
  bySession(context, known, request)?.user

/** The cookie that a session came by. */
export const cookieOfSession = (request: Bearing, sessionCookie: string, secret: string) =>
  [secureCookieOf(sessionCookie), sessionCookie].find((name) => cookiesOf(request, name).includes(secret))

function byKey(context: ActionContext, known: Credentials, request: Bearing): AccountPrincipal | undefined {
  const header = request.headers.authorization
  if (!known.keys || header === undefined) return undefined
  const key = /^Bearer +(\S+) *$/i.exec(header)?.[1]
  return key === undefined ? undefined : accountByKey(context, key)
}

function bySession(
  context: ActionContext,
  known: Credentials,
  request: Bearing,
): AccountPrincipal | undefined {
  if (known.sessions === null) return undefined
  for (const cookie of [secureCookieOf(known.sessions), known.sessions])
    for (const secret of cookiesOf(request, cookie)) {
      const account = accountBySession(context, secret)
      if (account) return account
    }
  return undefined
}
