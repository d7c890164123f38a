import type { FastifyInstance } from 'fastify'

/** What the body of an upload is called once it is let in, whatever its sender called it. */
export const fileBody = 'application/x-galley-file'

/** Hands the bytes of an upload on as they come: a file is never held in memory. */
export function acceptBytes(app: FastifyInstance) {
  app.addContentTypeParser(fileBody, (_request, body, done) => done(null, body))
}
