import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KnownRevisions } from '../actions/present-document.ts'

export const etagOf = (revision: number) => `"${revision}"`
export const setEtag = (reply: FastifyReply, revision: number) => void reply.header('etag', etagOf(revision))

/** Whether whoever asks has what an entity tag names. */
export const hasTag = (request: FastifyRequest, tag: string) =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one.replace(/^W\//, '') === tag.replace(/^W\//, ''))

/** The revisions that a list of entity tags (RFC 9110, section 13) names. Weak ones count: there is one representation. */
function revisionsOf(header: string): KnownRevisions {
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  const revisions = tags.flatMap((tag) =>
    /^("?)[1-9]\d*\1$/.test(tag) ? [Number(tag.replaceAll('"', ''))] : [],
  )
  return { revisions, any: tags.includes('*') }
}

/** Whether whoever asks has this revision already. */
export function isCurrent(request: FastifyRequest, revision: number): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const { revisions, any } = revisionsOf(header)
  return any || revisions.includes(revision)
}

/** The revisions one of which is to be changed, if the request says so. */
export function ifRevision({ headers }: FastifyRequest): KnownRevisions | undefined {
  const header = headers['if-match']
  return header === undefined ? undefined : revisionsOf(header)
}
