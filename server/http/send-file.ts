import type { FastifyReply, FastifyRequest } from 'fastify'
import { GalleyError } from '../contract/errors.ts'
import { shownTypes } from '../contract/records/files.ts'
import { byteRangeOf } from '../domain/byte-range.ts'
import { dispositionOf } from './answer.ts'
import type { Context } from './context.ts'
import { hasTag } from './precondition.ts'

interface ServedFile {
  name: string
  sha256: string
  size: number
  type: string
}

/**
 * Answers with the bytes of a file, or a part of them. Nothing that it holds runs, however it is opened; what isn't known
 * to be harmless is only offered for download.
 */
export function sendFile(
  blobs: Context['blobs'],
  { name, sha256, size, type }: ServedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const etag = `"${sha256}"`
  // Asked for each time, so that whoever may not see it any more doesn't.
  const kept = { etag, 'cache-control': 'private, no-cache' }
  if (hasTag(request, etag)) return void reply.code(304).headers(kept).send()
  if (!blobs.has(sha256))
    throw new GalleyError('NOT_FOUND', 'The bytes of this file are missing from Galley’s data folder.')
  const { range, 'if-range': ifRange = etag } = request.headers
  const part = ifRange === etag ? byteRangeOf(range, size) : null
  if (part) void reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
  void reply
    .headers({
      ...kept,
      'accept-ranges': 'bytes',
      'content-type': type,
      'content-length': part ? part.end - part.start + 1 : size,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': shownTypes.includes(type) ? 'inline' : dispositionOf(name),
    })
    .send(blobs.read(sha256, part))
}
