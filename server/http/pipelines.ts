import type { FastifyInstance } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../contract/limits.ts'

/**
 * Ends connections that send request after request without waiting for an answer. Each would be worked on at once, and
 * its answer kept until those before it are read.
 */
export function boundPipelines(app: FastifyInstance) {
  const unanswered = new WeakMap<Socket, number>()
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    if (count > limits.pipelinedRequests) return void socket.destroy()
    response.once('close', () => void unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
  })
}
