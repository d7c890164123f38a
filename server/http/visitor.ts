import type { FastifyRequest } from 'fastify'
import type { DocumentTask } from '../actions/task.ts'
import type { Visitor } from '../actions/visit-log.ts'
import type { Context } from './context.ts'
import { remoteAddress } from './remote-address.ts'

/** Whoever looks at a page through a browser, as far as the request tells. */
export const visitorOf = (context: Pick<Context, 'tunnel'>, { headers, raw }: FastifyRequest): Visitor => ({
  address: remoteAddress(context, raw),
  forwardedFor: headers['x-forwarded-for'],
  userAgent: headers['user-agent'],
})

/** A guest says in passing how they want to be called. */
export const noteName = (
  { context, request, task }: { context: Context; request: FastifyRequest; task: DocumentTask },
  name: string | undefined,
) => context.visits.name(visitorOf(context, request), task.principal, name)

/**
 * Whether a page is about to be looked at: it isn't where only its head is asked for, where a script or the page's
 * worker asks to keep it, or where a browser fetches it in case somebody will want it.
 */
export function looksOpened({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET') return false
  // What a page's worker hands on for a reader has no destination either, but is still a navigation.
  if (headers['sec-fetch-dest'] === 'empty' && headers['sec-fetch-mode'] !== 'navigate') return false
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => String(headers[name] ?? ''))
  return !purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose))
}
