import type { FastifyInstance } from 'fastify'
import type { Duplex } from 'node:stream'

/**
 * What stops a listener: it takes nothing new, lets running requests end, and cuts off what still runs after `patience`
 * ms. Made before anybody connects, for a connection that was upgraded is no longer one that the HTTP server knows how to
 * cut, though it waits for it.
 */
export function createStop(app: FastifyInstance, patience: number): () => Promise<void> {
  const upgraded = new Set<Duplex>()
  app.server.on('upgrade', (_request, socket) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
  })
  return async () => {
    const cut = setTimeout(() => {
      app.server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    }, patience)
    try {
      await app.close()
    } finally {
      clearTimeout(cut)
    }
  }
}
