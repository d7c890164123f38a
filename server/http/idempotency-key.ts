import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { invalid } from '../contract/errors.ts'
import { gathered, isLong, jsonParts } from './slices.ts'

/**
 * The request's `Idempotency-Key` (as in draft-ietf-httpapi-idempotency-key-header), if it has one.
 * @throws GalleyError VALIDATION_ERROR for one that might be somebody else's by chance
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{16,255}$/.test(key)) return key
  throw invalid('“Idempotency-Key” takes 16 to 255 visible ASCII characters that are random, such as a UUID.')
}

/** What tells a request from another one with the same key; of a long one it is made in slices. */
export function digestOf({ method, url, body }: FastifyRequest): Buffer | Promise<Buffer> {
  const hash = createHash('sha256').update(`${method} ${url}\n`)
  const asked = body ?? null
  if (!isLong(asked)) return hash.update(JSON.stringify(asked)).digest()
  return (async () => {
    for await (const part of gathered(jsonParts(asked))) hash.update(part)
    return hash.digest()
  })()
}
