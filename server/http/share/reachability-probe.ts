import type { FastifyInstance } from 'fastify'
import { notFound } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { forwardedFor } from '../remote-address.ts'

/** Answers the questions with which this server looks whether its public address leads here; nobody else's. */
export function mountReachabilityProbe(app: FastifyInstance, { tunnel }: Context) {
  app.get<{ Params: { question: string } }>('/probe/:question', ({ params, headers }, reply) => {
    const answer = tunnel.answerTo(params.question, forwardedFor(headers))
    if (answer === undefined) throw notFound('Page')
    return reply
      .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .type('text/plain')
      .send(answer)
  })
}
