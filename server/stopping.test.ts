import Fastify from 'fastify'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createStop } from './stopping.ts'

it('a connection that was upgraded and never ends is cut off', async () => {
  const app = Fastify()
  const stop = createStop(app, 50)
  app.server.on('upgrade', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toContain('101')
  const ended = once(socket, 'close')
  await stop()
  await ended
})
