import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../contract/errors.ts'
import { readJson, readMessage } from '../domain/json-body.ts'
import type { Turn } from '../threads/fair-queue.ts'
import { isLight } from '../threads/text-work.ts'
import type { TextThreads } from '../threads/text-threads.ts'

/** Reads JSON bodies; a long one on another thread, in the turn of whoever sent it. */
export function acceptJson(
  app: FastifyInstance,
  texts: Pick<TextThreads, 'workOut'>,
  turnFor: (request: FastifyRequest) => Turn,
) {
  const kindOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config.message ? 'message' : 'read')
  const read = async (request: FastifyRequest, bytes: Buffer) => {
    const answer = await texts.workOut(kindOf(request), bytes, turnFor(request), bytes.length)
    if ('refused' in answer) throw invalid(answer.refused)
    return answer.value
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/json/i, { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    if (bytes.length === 0) return done(null, undefined)
    const kind = kindOf(request)
    if (!isLight(kind, bytes)) {
      read(request, bytes).then((value) => done(null, value), done)
      return
    }
    try {
      done(null, kind === 'message' ? readMessage(bytes) : readJson(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}
