import type { FastifyRequest } from 'fastify'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { EventPage, ListedEvents } from '../actions/events.ts'
import { credentialOf, type OwnerPrincipal } from '../actions/principal.ts'
import type { AccountTask } from '../actions/task.ts'
import type { WaitingContext } from '../actions/waits.ts'
import { whileAllowed } from '../actions/while-allowed.ts'
import { limits } from '../contract/limits.ts'
import { preferredType } from './accepted-type.ts'
import type { Call } from './call.ts'
import type { Context } from './context.ts'
import { HeldPlaces } from './held-places.ts'

type EventCall = Call<
  AccountTask<WaitingContext>,
  Omit<ListedEvents, 'left'>,
  unknown,
  ListedEvents,
  EventPage
>

export const wantsStream = ({ method, headers }: FastifyRequest) =>
  method === 'GET' &&
  preferredType(headers.accept, ['application/json', 'text/event-stream']) === 'text/event-stream'

/** The streams that are open. */
const open = new WeakMap<Context['feed'], HeldPlaces>()

/**
 * Events as they happen, as server-sent events (the HTML standard, section 9.2). What is wrong with the request is
 * answered as ever; once the stream has begun, it only ends: when the client leaves, the credential ends or Galley stops.
 */
export async function streamEvents(call: EventCall): Promise<undefined> {
  const { request, reply, query, task } = call
  const { kind, document } = query
  const named = request.headers['last-event-id']
  const from =
    typeof named === 'string' && named !== ''
      ? { since: named, sinceIn: 'Last-Event-ID' }
      : { since: query.since ?? 'latest' }
  const leave = enter(call.context, task.principal)
  const left = call.left()
  try {
    const page = await call.perform({ kind, document, ...from, limit: limits.eventPageMax })
    task.authorize()
    void reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // A proxy in front would hold it back otherwise.
      'x-accel-buffering': 'no',
    })
    follow(call, page, left)
      .catch(() => undefined)
      .finally(() => {
        leave()
        raw.end()
      })
  } catch (error) {
    leave()
    throw error
  }
}

async function follow(call: EventCall, page: EventPage, gone: AbortSignal) {
  const { task, query, reply, context } = call
  const { kind, document } = query
  const { ended, stop } = whileAllowed(() => task.authorize())
  const left = AbortSignal.any([gone, ended])
  try {
    // It names no number: whoever is cut off before the events below would go on behind them.
    await write(reply.raw, 'retry: 3000\n\n', left)
    for (let next = page; !left.aborted && !context.feed.closed();) {
      for (const event of next.events)
        await write(reply.raw, `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`, left)
      // Without data it says only up to where these are all, and that the connection is alive.
      await write(reply.raw, `id: ${next.upTo}\n\n`, left)
      task.authorize()
      const since = String(next.upTo)
      const wait = limits.eventStreamSeconds
      next = await call.perform({ kind, document, since, wait, left, limit: limits.eventPageMax })
    }
  } finally {
    stop()
  }
}

/** Waits for whoever reads slowly, who can't make Galley hold more than a little for them. */
async function write(raw: ServerResponse, text: string, left: AbortSignal) {
  left.throwIfAborted()
  if (!raw.write(text)) await once(raw, 'drain', { signal: left })
}

/** @throws GalleyError RATE_LIMITED where too many are open */
function enter({ feed }: Context, principal: OwnerPrincipal): () => void {
  const places =
    open.get(feed) ??
    new HeldPlaces({
      ...{ each: limits.keyStreams, account: limits.eventStreams, inAll: limits.eventStreamsInAll },
      refusal: 'Too many streams of events are open just now. Close one of them.',
    })
  open.set(feed, places)
  return places.take({ credential: credentialOf(principal), account: principal.user.id })
}
