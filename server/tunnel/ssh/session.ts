import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Client, ServerHostKeyAlgorithm } from 'ssh2'
import type { SshSettings } from '../../contract/ssh.ts'
import type { TunnelFailure } from '../provider.ts'
import { type TunnelSession } from '../provider.ts'
import {
  closedByServer,
  connectionFailure,
  forwardingFailure,
  tooLate,
  unknownServer,
  type Stage,
} from './failures.ts'
import { passOn, type Destination } from './pass-on.ts'

/** Milliseconds. */
export interface SshTimes {
  /** For how long an answer is waited for while connecting. */
  connect: number
  /** Between two signs of life; after two that weren't answered the server counts as silent. */
  keepalive: number
  /** For how long a server may take to say goodbye. */
  goodbye: number
}
const usualTimes: SshTimes = { connect: 15_000, keepalive: 15_000, goodbye: 1_000 }

/** No SHA-1, no DSA. The first that both have is taken, so the same server always shows the same key. */
const hostKeyAlgorithms: ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
]

const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

/**
 * Signs in to the server and has it forward its port here. Nothing is signed, and nobody named, before
 * the server has shown the key that was confirmed.
 * @throws TunnelFailure
 */
export async function openSession(
  settings: SshSettings,
  privateKey: string,
  to: Destination,
  signal: AbortSignal,
  times: Partial<SshTimes> = {},
): Promise<TunnelSession> {
  const ssh2 = (await import('ssh2')).default
  const { connect: patience, keepalive, goodbye } = { ...usualTimes, ...times }
  const client = new ssh2.Client()
  let stage: Stage = 'connecting'
  let failure: TunnelFailure | undefined
  let closing = false
  let said = ''

  // A socket of our own: after `end` the client no longer lets go of one whose other side is gone.
  const socket = connect({ host: settings.host, port: settings.port })
  // Else small answers wait for what Nagle and delayed acknowledgements do to each other, some 40 ms each.
  socket.setNoDelay(true)
  socket.once('connect', () => (stage = 'greeting'))

  const { promise: ended, resolve: end } = Promise.withResolvers<TunnelFailure | null>()
  client.on('error', (error) => (failure ??= connectionFailure(settings, error, stage)))
  client.on('close', () => end(closing ? null : (failure ??= closedByServer(settings, stage))))

  const giveUp = () => {
    failure ??= tooLate(settings, stage)
    socket.destroy()
    end(failure)
  }
  const late = setTimeout(giveUp, patience)
  signal.addEventListener('abort', giveUp)
  try {
    if (signal.aborted) giveUp()
    else
      client.connect({
        sock: socket,
        username: settings.user,
        privateKey,
        // The one above counts from the first packet on.
        readyTimeout: 0,
        keepaliveInterval: keepalive,
        keepaliveCountMax: 2,
        algorithms: { serverHostKey: hostKeyAlgorithms },
        hostVerifier(key: Buffer) {
          const shown = fingerprint(key)
          if (shown === settings.host_key) return true
          failure = unknownServer(settings, shown)
          return false
        },
        // OpenSSH says only here why it won't listen.
        debug(line) {
          said = /^Debug output from server: (.*)$/.exec(line)?.[1] ?? said
        },
      })
    await raceWithEnd(ready(client), ended, settings, stage)
    stage = 'open'
    passOn(client, settings.bind_port, to)
    await raceWithEnd(
      listen(client, settings).catch(() => {
        throw (failure ??= forwardingFailure(settings, said))
      }),
      ended,
      settings,
      stage,
    )
    void runNothing(client)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', giveUp)
  }

  return {
    address: settings.public_address,
    stable: true,
    ended,
    // The signs of life do that, and end the session.
    check: () => Promise.resolve(),
    async close() {
      closing = true
      await sayGoodbye(client, socket, ended, goodbye)
    },
  }
}

const ready = (client: Client) => new Promise<void>((resolve) => void client.once('ready', resolve))

const listen = (client: Client, { bind_address: address, bind_port: port }: SshSettings) =>
  new Promise<void>((resolve, reject) => {
    client.forwardIn(address, port, (error) => (error ? reject(error) : resolve()))
  })

/**
 * OpenSSH's server sends small packets at once (TCP_NODELAY) only after a connection has run a command. Before that, a
 * request that follows a bit of flow control waits for our acknowledgement of it, some 40 ms. With OpenSSH 9.2 and one
 * visitor, answers of 6 KB come 320 times a second without this and 2,000 with it, those of 60 KB 45 and 1,100; `ssh -R`
 * has what there is without. The line in `authorized_keys` makes of every command one that does nothing.
 */
const runNothing = (client: Client) =>
  new Promise<void>((resolve) => {
    client.exec('true', (error: Error | undefined, channel) => {
      resolve()
      if (error) return
      // Left to end by itself: a person's shell may be reading its settings.
      channel.stderr.resume()
      channel
        .on('error', () => undefined)
        .resume()
        .end()
    })
    // Where no command is allowed it is slower, and that is all.
  }).catch(() => undefined)

/** Throws why the session has ended if it does so first. */
async function raceWithEnd(
  work: Promise<void>,
  ended: Promise<TunnelFailure | null>,
  settings: SshSettings,
  stage: Stage,
) {
  await Promise.race([
    work,
    ended.then((why) => {
      throw why ?? closedByServer(settings, stage)
    }),
  ])
}

async function sayGoodbye(client: Client, socket: Socket, ended: Promise<unknown>, patience: number) {
  client.end()
  const cut = setTimeout(() => socket.destroy(), patience)
  // Destroying the socket makes the client say that it is closed.
  await ended
  clearTimeout(cut)
}
