import type { FastifyRequest } from 'fastify'
import { forbidden, notFound } from '../contract/errors.ts'
import { changes, type Route } from '../contract/route.ts'
import { may, type Holder } from '../domain/access.ts'
import type { DocumentHead, DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import { identify, Refused, type Caller, type Credentials } from './caller.ts'
import type { Context } from './context.ts'
import { remoteAddress, type Arrived } from './remote-address.ts'

/** What of a request decides access. */
export type Approaching = Pick<FastifyRequest, 'headers' | 'query' | 'params'> & { raw: Arrived }

/** A caller whose credentials hold, at a document they may see. */
export interface Approach {
  caller: Caller
  /** On routes that aren't about one document it must not be touched. */
  document: DocumentHead
  params: Record<string, string>
  /** Not validated yet. */
  query: Readonly<Record<string, unknown>>
}

/** What decides access to the very record a path names, beyond the document it belongs to. */
export interface Guard {
  /** Throws 404 if there is no such record. */
  find?: (approach: Approach) => unknown
  /** Throws 403 if the caller may not do this to it. */
  permit?: (approach: Approach) => void
  /** Throws 403 if the caller may not do what the body, not yet validated, asks for. */
  permitBody?: (approach: Approach, body: Readonly<Record<string, unknown>>) => void
}

/** A caller who may make this call, and the document it is about. */
export interface Admitted {
  caller: Caller
  /** Null on routes that aren't about one document; with its text on those that say they read it. */
  document: DocumentHead | DocumentRow | null
}

/**
 * Decides access: the only place that does. Runs before the body is read, in the order of the interface:
 * credentials (401), visibility (404), permission (403), then the guests' rate limit (429). Only what the body says
 * about permission waits until it is read.
 * Answers at once where no limit has to be asked, which is nearly always: waiting for nothing takes time too.
 */
export function admit(
  context: Context,
  known: Credentials,
  route: Route,
  request: Approaching,
  guard: Guard = {},
): Admitted | Promise<Admitted> {
  const { store, limiters } = context
  try {
    const admitted = decide(store, known, route, request, guard)
    const { caller } = admitted
    if (caller.kind !== 'link' || caller.account) return admitted
    if (route.locates)
      return limiters.guestLocate(caller.link.id, remoteAddress(context, request.raw)).then(() => admitted)
    if (!changes(route)) return admitted
    return limiters.guestWrite(caller.link.id, bodyBytes(request.headers)).then(() => admitted)
  } catch (refused) {
    if (!(refused instanceof Refused) || !refused.presented) throw refused
    return limiters.failedCredential(remoteAddress(context, request.raw)).then(() => {
      throw refused
    })
  }
}

/**
 * Decides again once the body is here, which may take its sender long: whatever was revoked or ran out meanwhile
 * writes nothing. Nothing is waited for between this and the write.
 */
export const admitAgain = (
  { store }: Context,
  known: Credentials,
  route: Route,
  request: Approaching,
  guard: Guard = {},
): Admitted => decide(store, known, route, request, guard)

function decide(
  store: Store,
  known: Credentials,
  route: Route,
  request: Approaching,
  guard: Guard,
): Admitted {
  const caller = identify(store, known, request)
  const allowed = answer(caller, route)
  if (caller.kind === 'link' && allowed === 'unauthorized') throw new Refused(false)

  const { id } = request.params as { id?: string }
  const about = id !== undefined && route.url.startsWith('/api/documents/:id')
  // A link's holder may be given what somebody else is being sent already: then nobody reads it again.
  const find = route.readsText && caller.kind !== 'link' ? store.documents.find : store.documents.findHead
  const document = about ? (find(id) ?? null) : null
  if (about) {
    if (caller.kind === 'link') {
      if (!document && store.trash.holds(caller.link.document, id)) throw notFound('Document')
      // A token of another document is no credential for this one, whether this one exists or not.
      if (document?.number !== caller.link.document) throw new Refused(true)
    } else if (!document || !sees(caller, document, route)) {
      throw notFound('Document')
    }
  }

  const approach = {
    caller,
    document: document!,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
  }
  guard.find?.(approach)
  if (allowed !== 'yes') throw forbidden(tooLittle(caller))
  guard.permit?.(approach)
  return { caller, document }
}

/**
 * Someone else's document isn't there, except where the interface promises a 403: accepting and rejecting on a
 * document one doesn't own. The route's guard gives that 403 once it knows that the suggestion exists.
 */
const sees = (caller: Caller & { kind: 'owner' }, document: DocumentHead, route: Route) =>
  document.owner_id === caller.user.id ||
  (route.action === 'suggestion.resolve' && route.url.includes('/:suggestion_id/'))

/** How long the body will be; undefined if the caller doesn't say. */
function bodyBytes(headers: Approaching['headers']): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}
/** Whether anything comes after the headers, wanted or not. */
export const hasBody = (headers: Approaching['headers']) => bodyBytes(headers) !== 0

const holder = (caller: Caller): Holder =>
  caller.kind === 'owner'
    ? { kind: 'owner', access: caller.access }
    : { kind: 'link', permission: caller.link.permission }

function answer(caller: Caller, route: Route) {
  // A route that isn't in the table is nobody's.
  if (route.action === null) return 'forbidden'
  if (caller.kind === 'owner' && caller.access === 'read' && changes(route)) return 'forbidden'
  return may(holder(caller), route.action)
}

const tooLittle = (caller: Caller) =>
  caller.kind === 'owner'
    ? 'This API key may only read.'
    : `This link’s permission (${caller.link.permission}) doesn’t allow that.`
