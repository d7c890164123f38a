import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'

/** What the body of an upload is called once it is let in, whatever its sender called it. */
const fileBody = 'application/x-galley-file'

const declared = new WeakMap<IncomingMessage, string>()

/** Lets the body of an upload in, of whatever type its sender says it is. */
export function letBytesIn(request: IncomingMessage): void {
  const { 'content-type': type } = request.headers
  if (type !== undefined) declared.set(request, type)
  request.headers['content-type'] = fileBody
}

/** What the sender of an upload calls it; undefined if nothing. */
export const declaredType = (request: IncomingMessage) => declared.get(request)

/** Hands the bytes of an upload on as they come: a file is never held in memory. */
export function acceptBytes(app: FastifyInstance) {
  app.addContentTypeParser(fileBody, (_request, body, done) => done(null, body))
}
