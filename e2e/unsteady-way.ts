// A way to the server that can be cut, and that can lose an answer: a tunnel to a laptop that sleeps.
import { createServer, request as forward } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export interface UnsteadyWay {
  origin: string
  port: number
  /**
   * `open`; `closed`: the machine is away; `tunnel`: a tunnel’s error page answers; `portal`: a sign-in page does, with
   * 200; `withdrawn`: Galley answers, but not to the public name; `silent`: nothing is heard, as of a machine that sleeps.
   */
  set(state: 'open' | 'closed' | 'tunnel' | 'portal' | 'withdrawn' | 'silent'): void
  /**
   * Loses the answer to the next POST whose path ends so, though its request arrives: there and then the machine goes
   * away. Resolves when that has happened.
   */
  loseAnswer(path: string): Promise<void>
  close(): Promise<void>
}

export async function openUnsteadyWay(to: string): Promise<UnsteadyWay> {
  const target = new URL(to)
  let state: Parameters<UnsteadyWay['set']>[0] = 'open'
  let losing: { path: string; lost: () => void } | null = null
  const sockets = new Set<Socket>()

  const set: UnsteadyWay['set'] = (next) => {
    state = next
    if (next !== 'open') for (const socket of sockets) socket.destroy()
  }
  const server = createServer((request, response) => {
    if (state === 'closed') return void request.socket.destroy()
    if (state === 'silent') return
    if (state === 'tunnel' || state === 'portal') {
      response.writeHead(state === 'portal' ? 200 : 530, { 'content-type': 'text/html' })
      return void request.resume().on('end', () => response.end('<h1>Welcome to the Grand Hotel</h1>'))
    }
    const lose =
      request.method === 'POST' && losing && request.url!.split('?')[0]!.endsWith(losing.path) ? losing : null
    if (lose) losing = null
    const { hostname, port } = target
    const host = state === 'withdrawn' ? 'withdrawn.example' : target.host
    const headers = { ...request.headers, host }
    if (headers.origin) headers.origin = target.origin
    const onward = forward({ hostname, port, path: request.url, method: request.method, headers })
    onward.on('error', () => request.socket.destroy())
    onward.on('response', (answer) => {
      if (lose) {
        return void answer.resume().on('end', () => {
          set('closed')
          lose.lost()
        })
      }
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  server.on('upgrade', (request, socket, head) => {
    if (state === 'silent') return
    if (state !== 'open') return void socket.destroy()
    const onward = connect(Number(target.port), target.hostname, () => {
      const lines = Object.entries({ ...request.headers, host: target.host, origin: target.origin })
      onward.write(
        `GET ${request.url!} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${String(value)}`).join('\r\n')}\r\n\r\n`,
      )
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    set,
    loseAnswer: (path) => new Promise((resolve) => (losing = { path, lost: resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
