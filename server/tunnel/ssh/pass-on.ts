import { connect } from 'node:net'
import type { Client, ClientChannel } from 'ssh2'

/** More visitors than this at once are turned away: each costs memory on both sides. */
const most = 512

export interface Destination {
  /** Of 127.0.0.1. */
  port: number
  /** Told before anything is sent from where a visitor's connection comes, and who it is. Returns what ends that. */
  onConnection: (from: number, address: string) => () => void
}

/**
 * Brings each connection that the server forwards from its `from` port to the destination, and to nothing else,
 * whatever the server asks for.
 *
 * By a connection over loopback rather than by handing the channel to the HTTP server: a real socket keeps the
 * listener's limits on time, and its share of what is open, as they are for everybody else.
 */
export function passOn(client: Client, from: number, to: Destination): void {
  let open = 0
  client.on('tcp connection', (details, accept, deny) => {
    if (details.destPort !== from || open >= most) return deny()
    open++
    const channel = accept()
    channel.once('close', () => open--)
    join(channel, details.srcIP, to)
  })
}

function join(channel: ClientChannel, address: string, { port, onConnection }: Destination) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
  const cut = () => {
    socket.destroy()
    channel.destroy()
  }
  for (const stream of [socket, channel]) {
    stream.on('error', cut)
    stream.once('close', cut)
  }
  socket.once('connect', () => {
    socket.once('close', onConnection(socket.localPort!, address))
    channel.pipe(socket)
    socket.pipe(channel)
  })
}
