import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { pack, type Packable } from './packing.ts'
import type { Headers } from './page/headers.ts'
import { hasTag } from './precondition.ts'

interface Description extends Packable {
  etag: string
}

export const jsonType: Headers = { 'content-type': 'application/json; charset=utf-8' }

/** A text that says what Galley can do: made when it is first asked for, and the same until another Galley is started. */
export function mountDescription(app: FastifyInstance, url: string, headers: Headers, make: () => string) {
  const description = once(make)
  app.get(url, (request, reply) => send(request, reply.headers(headers), description()))
}

function once(make: () => string): () => Description {
  let made: Description | undefined
  return () => {
    if (made) return made
    const plain = Buffer.from(make())
    // Weak: it names what is said, in whichever encoding.
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    return (made = { plain, packed: new Map(), etag })
  }
}

/** Nothing in it is secret, or anybody's words: it may be kept, if it is asked for again each time. */
async function send(request: FastifyRequest, reply: FastifyReply, description: Description) {
  void reply.headers({ etag: description.etag, 'cache-control': 'no-cache' })
  if (hasTag(request, description.etag)) return reply.code(304).header('vary', 'accept-encoding').send()
  const { headers, bytes } = await pack(request, description)
  return reply.headers(headers).send(bytes)
}
