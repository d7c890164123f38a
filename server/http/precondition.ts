import type { FastifyReply, FastifyRequest } from 'fastify'
import { GalleyError } from '../contract/errors.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Caller } from './caller.ts'
import { documentView } from './view.ts'

const etag = (revision: number) => `"${revision}"`
export const setEtag = (reply: FastifyReply, revision: number) => void reply.header('etag', etag(revision))

/** Whether a list of entity tags (RFC 9110, section 13) names the revision. Weak ones count: there is one representation. */
function names(header: string, revision: number): boolean {
  return header.split(',').some((one) => {
    const tag = one.trim().replace(/^W\//, '')
    return tag === '*' || tag === etag(revision) || tag === String(revision)
  })
}

/** Whether the caller has what an entity tag names. */
export const hasTag = (request: FastifyRequest, tag: string) =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one.replace(/^W\//, '') === tag.replace(/^W\//, ''))

export const isCurrent = (request: FastifyRequest, revision: number) => {
  const header = request.headers['if-none-match']
  return header !== undefined && names(header, revision)
}

/**
 * Whether the caller said which revision they changed.
 * @throws GalleyError PRECONDITION_FAILED, with the current document, if it is no longer that one
 */
export function requireMatch(request: FastifyRequest, document: DocumentRow, caller: Caller): boolean {
  const header = request.headers['if-match']
  if (header === undefined) return false
  if (!names(header, document.revision)) {
    throw new GalleyError(
      'PRECONDITION_FAILED',
      'The document has changed since; this is how it stands now.',
      {
        data: documentView(document, caller),
        headers: { etag: etag(document.revision) },
      },
    )
  }
  return header.trim() !== '*'
}
