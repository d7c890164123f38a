import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { openApiDocument } from '../openapi.ts'
import { pack, type Packable } from '../packing.ts'
import { docsPage } from '../page/docs-page.ts'
import { docsHeaders } from '../page/headers.ts'
import { hasTag } from '../precondition.ts'

interface Reference extends Packable {
  etag: string
}

/** `/api/openapi.json`, for tools, and `/docs`, the same for people. Both say nothing of this server's documents. */
export function mountReference(app: FastifyInstance, context: Context) {
  const document = once(() => JSON.stringify(openApiDocument(context.version, context.sessionCookie)))
  const page = once(() =>
    docsPage(openApiDocument(context.version, context.sessionCookie), {
      style: `share/${context.assets().docsStyle}`,
    }),
  )
  app.get('/api/openapi.json', (request, reply) =>
    send(request, reply.header('content-type', 'application/json; charset=utf-8'), document()),
  )
  app.get('/docs', (request, reply) => send(request, reply.headers(docsHeaders), page()))
}

/** Made when it is first asked for; the same until another Galley is started. */
function once(make: () => string): () => Reference {
  let made: Reference | undefined
  return () => {
    if (made) return made
    const plain = Buffer.from(make())
    // Weak: it names what is said, in whichever encoding.
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    return (made = { plain, packed: new Map(), etag })
  }
}

/** Nothing in it is secret, or anybody's words: it may be kept, if it is asked for again each time. */
async function send(request: FastifyRequest, reply: FastifyReply, reference: Reference) {
  void reply.headers({ etag: reference.etag, 'cache-control': 'no-cache' })
  if (hasTag(request, reference.etag)) return reply.code(304).header('vary', 'accept-encoding').send()
  const { headers, bytes } = await pack(request, reference)
  return reply.headers(headers).send(bytes)
}
