import http from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/**
 * A reverse proxy that passes requests on to the share listener at `to`, and WebSocket connections if it is told to: with
 * all that is said over them, or nothing but that they are open.
 */
export async function startProxy({ sockets = false }: { sockets?: boolean | 'silent' } = {}) {
  const at = { to: 0 }
  const open = new Set<Socket>()
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request
    const passed = http.request({ host: '127.0.0.1', port: at.to, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end('Bad gateway'))
    request.pipe(passed)
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  })
  if (sockets)
    server.on('upgrade', (request, socket, head) => {
      const onward = connect(at.to, '127.0.0.1', () => {
        const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
        onward.write(`GET ${request.url!} HTTP/1.1\r\n${lines.join('')}\r\n`)
        onward.write(head)
        if (sockets === true) return void onward.pipe(socket).pipe(onward)
        onward.once('data', (answer: Buffer) => {
          const end = answer.indexOf('\r\n\r\n') + 4
          socket.write(answer.subarray(0, end))
        })
        onward.resume()
        socket.resume()
      })
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `http://localhost:${(server.address() as AddressInfo).port}`
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve)
      for (const socket of open) socket.destroy()
    })
  return { at, address, stop }
}
