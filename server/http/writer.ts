import type { FastifyReply } from 'fastify'
import { invalid } from '../contract/errors.ts'
import { guestName } from '../domain/guest-name.ts'
import { randomHex } from '../store/digest.ts'
import type { Author } from '../store/author.ts'
import { guestCookie, guestKey, type Caller } from './caller.ts'
import { isFromSecurePage } from './origin.ts'

/**
 * Who is writing. A guest without a cookie gets one, which is what later lets them edit what they wrote; it is
 * HttpOnly and of the API's paths only.
 */
export function writer(caller: Caller, reply: FastifyReply, name: string | undefined): Author {
  if (caller.kind === 'owner') return caller.author
  if (caller.account) return caller.account.author
  if (name?.trim() === '') throw invalid('“author_name” must not be empty.')
  const called = guestName(name ?? '') || 'Guest'
  if (caller.guestKey !== null) return { id: null, name: called, key: caller.guestKey }
  const secret = randomHex(16)
  const year = 365 * 24 * 60 * 60
  void reply.header(
    'set-cookie',
    `${guestCookie}=${secret}; HttpOnly; SameSite=Strict; Path=/api; Max-Age=${year}${isFromSecurePage(reply.request.headers) ? '; Secure' : ''}`,
  )
  return { id: null, name: called, key: guestKey(secret) }
}
