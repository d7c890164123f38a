import { connect } from 'node:net'
import type { Client, ClientChannel } from 'ssh2'

/** More visitors than this at once are turned away: each costs memory on both sides. */
const most = 512

/**
 * Brings each connection that the server forwards from its `from` port to 127.0.0.1:`to`, and to nothing else,
 * whatever the server asks for.
 */
export function passOn(client: Client, from: number, to: number): void {
  let open = 0
  client.on('tcp connection', (details, accept, deny) => {
    if (details.destPort !== from || open >= most) return deny()
    open++
    const channel = accept()
    channel.once('close', () => open--)
    join(channel, to)
  })
}

function join(channel: ClientChannel, port: number) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
  const cut = () => {
    socket.destroy()
    channel.destroy()
  }
  for (const stream of [socket, channel]) {
    stream.on('error', cut)
    stream.once('close', cut)
  }
  channel.pipe(socket)
  socket.pipe(channel)
}
