import type { FastifyReply, FastifyRequest } from 'fastify'
import { readShared, type SharedDocument } from '../actions/shared-document.ts'
import { GalleyError } from '../contract/errors.ts'
import type { LinkedDocument } from '../contract/records/linked-documents.ts'
import type { Route } from '../contract/route.ts'
import { accessOf, type Right } from '../domain/access.ts'
import { preferredType } from './accepted-type.ts'
import { FileAnswer, share, SharedAnswer } from './answer.ts'
import type { Context } from './context.ts'
import { envelopeOf, headersOf } from './failure.ts'
import { linkCalls } from './link-calls.ts'
import { linkedHeaders } from './page/headers.ts'
import type { Packed } from './shared-answers.ts'

/** What a link’s address answers with: the page for people, the text, or the document as data with what may be done. */
export const linkTypes = ['text/html', 'text/markdown', 'application/json'] as const
export type LinkType = (typeof linkTypes)[number]

export const linkTypeFor = ({ headers }: FastifyRequest): LinkType => preferredType(headers.accept, linkTypes)

interface AddressedLink {
  token: string
  allows_agents: 0 | 1
}

/** Where agents speak to a link, if they may. */
export const mcpAddress = ({ token, allows_agents }: AddressedLink) =>
  allows_agents === 1 ? `/share/${token}/mcp` : null

/** Says on the page where programs find the same, what describes the calls, and where agents speak to it. */
export const linkHeader = (link: AddressedLink) => {
  const mcp = mcpAddress(link)
  return [
    ...linkTypes.slice(1).map((type) => `</share/${link.token}>; rel="alternate"; type="${type}"`),
    '</api/openapi.json>; rel="service-desc"; type="application/json"',
    '</llms.txt>; rel="service-doc"; type="text/markdown"',
    ...(mcp === null ? [] : [`<${mcp}>; rel="service"; title="Model Context Protocol"`]),
  ].join(', ')
}

/** What a link leads to, for programs. */
export function linkAnswer(
  context: Context,
  shared: SharedDocument,
  type: Exclude<LinkType, 'text/html'>,
  rights: ReadonlyMap<Route, Right>,
  /** Names all that is said of the document and the link. */
  key: string,
): Packed | Promise<Packed> {
  const { link, head, ownerName } = shared
  const asText = () => new FileAnswer(type, head.id, readShared(context, shared).content)
  const asData = (): LinkedDocument => {
    const document = readShared(context, shared)
    return {
      ...document,
      owner_name: ownerName,
      expires_at: expiryOf(shared),
      mcp: mcpAddress(link),
      calls: linkCalls(rights, { documentId: document.id, token: link.token, access: accessOf(link) }),
    }
  }
  const answer =
    type === 'text/markdown'
      ? new SharedAnswer<never>(`linked ${head.id} ${head.revision} ${head.updated_at}`, asText)
      : new SharedAnswer(`linked ${key}`, asData)
  return share(context, answer, link.id)
}

export const expiryOf = ({ link }: SharedDocument) =>
  link.expires_at === null ? null : new Date(link.expires_at).toISOString()

/** Tells a program what a person would be told by a page. */
export function sendLinkFailure(reply: FastifyReply, failure: GalleyError, type: LinkType) {
  void reply.code(failure.status).headers(headersOf(failure)).headers(linkedHeaders(type))
  return reply.send(type === 'application/json' ? envelopeOf(failure) : `${failure.message}\n`)
}

export const deadLink = () =>
  new GalleyError(
    'NOT_FOUND',
    'This link doesn’t open anything. It may have expired or been withdrawn, or a piece of it was lost when it was copied. Ask the person who sent it for a new one.',
  )
export const unavailable = () =>
  new GalleyError(
    'NOT_FOUND',
    'This document is not available. The person who shared it has put it away; if they bring it back, this link opens it again.',
  )
