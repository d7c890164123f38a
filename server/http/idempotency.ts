import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { GalleyError, invalid } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { digest } from '../store/digest.ts'
import type { Store } from '../store/store.ts'
import { isGuest, type Caller } from './caller.ts'
import { gathered, isLong, jsonParts } from './slices.ts'

/** What is said again to a request that is made again. */
interface Answered {
  data: unknown
  headers: Record<string, string | string[]>
}
/** What handlers may say in headers besides the body. */
const keptHeaders = ['set-cookie', 'etag'] as const

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

/**
 * Runs `work` and keeps its answer in the same transaction, or gives the answer that is kept. An answer that comes
 * later (a promise) isn't kept: what changes something does so before it returns. Nor is an error, which has changed
 * nothing: the request may be made again.
 * @throws GalleyError VALIDATION_ERROR if the key came with another request before, ALREADY_DONE if its answer is no
 * longer kept
 */
export function once<T>(
  store: Store,
  {
    key,
    asked,
    caller,
    reply,
  }: { key: string; asked: Buffer; caller: Caller | undefined; reply: FastifyReply },
  work: () => T,
): T {
  // In an object: a transaction refuses to return a promise, and would leave it to nobody.
  return store.transaction((): { data: T } => {
    for (const who of callers(caller)) {
      const kept = store.keptAnswers.find(nameOf(who, key))
      if (!kept) continue
      if (!kept.request.equals(asked))
        throw invalid(
          'This “Idempotency-Key” came with another request before. Take a new one for each request.',
        )
      if (kept.sealed === null)
        throw new GalleyError(
          'ALREADY_DONE',
          'This was done before, and its answer is no longer kept. It isn’t done again.',
        )
      const { data, headers } = unseal(kept.sealed, key)
      void reply.headers(headers).header('idempotency-replayed', 'true')
      return { data: data as T }
    }
    const data = work()
    if (data instanceof Promise) return { data }
    const headers = Object.fromEntries(
      keptHeaders.flatMap((name) => {
        const value = reply.getHeader(name)
        return value === undefined ? [] : [[name, value as string | string[]]]
      }),
    )
    const [who] = callers(caller)
    const sealed = seal({ data, headers }, key)
    // Guests may make much in a day and delete it again: what they were answered must not fill the disk.
    const guestOf = caller?.kind === 'link' && isGuest(caller) ? caller.link.id : undefined
    const isKept = guestOf === undefined || sealed.length <= limits.guestAnswerBytes
    store.keptAnswers.keep(nameOf(who!, key), { request: asked, sealed: isKept ? sealed : null }, guestOf)
    return { data }
  }).data
}

/**
 * Whose key it is, most exactly first. A guest's first answer brings their cookie; if it got lost on its way, they may
 * have got another one by the time they ask again.
 */
function callers(caller: Caller | undefined): string[] {
  if (caller === undefined) return ['ticket']
  if (caller.kind === 'owner') return [`user ${caller.user.id}`]
  const link = `link ${caller.link.id}`
  if (caller.account) return [`${link} ${caller.account.user.id}`]
  return caller.guestKey === null ? [link] : [`${link} ${caller.guestKey}`, link]
}

const nameOf = (who: string, key: string) => digest(`${who}\n${key}`)

/** The database has only digests of keys, so what is sealed with one can't be opened with the database alone. */
const secretOf = (key: string) => Buffer.from(hkdfSync('sha256', key, '', 'galley kept answer', 32))

function seal(answered: Answered, key: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secretOf(key), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(answered), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

function unseal(sealed: Buffer, key: string): Answered {
  const decipher = createDecipheriv('aes-256-gcm', secretOf(key), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  return JSON.parse(text.toString('utf8')) as Answered
}
