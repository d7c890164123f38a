import type { FastifyReply } from 'fastify'
import { isFromSecurePage } from './origin.ts'
import { guestCookie } from './principal.ts'

const year = 365 * 24 * 60 * 60

/** Gives a guest's browser the secret that lets them edit what they wrote; it is HttpOnly and of the API's paths only. */
export function setGuestCookie(reply: FastifyReply, secret: string) {
  const secure = isFromSecurePage(reply.request.headers) ? '; Secure' : ''
  void reply.header(
    'set-cookie',
    `${guestCookie}=${secret}; HttpOnly; SameSite=Strict; Path=/api; Max-Age=${year}${secure}`,
  )
}
