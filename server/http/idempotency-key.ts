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

/**
 * The same, if it is 128 random bits, as Galley’s pages have them, or a random UUID: only of those a guest’s secret may be
 * made. Two guests who happen on the same key would be one, and could change what the other wrote.
 */
export function randomKeyOf(request: FastifyRequest): string | undefined {
  const key = idempotencyKeyOf(request)
  if (
    key === undefined ||
    !/^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/i.test(key)
  )
    return undefined
  // Of random digits fewer than these hardly come once in a billion keys; of those that somebody thought up, mostly.
  const digits = new Set(key.toLowerCase().replaceAll('-', ''))
  return digits.size < 6 ? undefined : key
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
