import type { SshSettings } from '../../contract/ssh.ts'
import type { TunnelReason } from '../../contract/tunnel.ts'
import { TunnelFailure } from '../provider.ts'

/** How far the connection had come when it failed. */
export type Stage = 'connecting' | 'greeting' | 'open'

const serverOf = ({ host, port }: SshSettings) => (port === 22 ? host : `${host}, port ${port}`)

/** What a failed connection means. The codes are Node's (`errno`), the levels ssh2's. */
export function connectionFailure(
  settings: SshSettings,
  error: Error & { code?: string; level?: string },
  stage: Stage,
): TunnelFailure {
  const server = serverOf(settings)
  const fail = (reason: TunnelReason, message: string, final = false) =>
    new TunnelFailure(reason, message, { final, cause: error })
  if (error.level === 'client-authentication')
    return fail(
      'sign-in rejected',
      `${settings.host} doesn’t let Galley’s key in as ${settings.user}. Is the line with the key in that account’s authorized_keys?`,
      true,
    )
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fail(
        'offline',
        `The name ${settings.host} can’t be found. Is this machine online, and the name right?`,
      )
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
      return fail('offline', `There is no way to ${settings.host} from here. Is this machine online?`)
    case 'ECONNREFUSED':
      return fail(
        'other side silent',
        `Nothing listens at ${server}. Is the SSH server running, and the port right?`,
      )
    default:
  }
  if (stage === 'open') {
    return error.level === 'client-timeout' || error.code === 'ETIMEDOUT'
      ? fail('other side silent', `${server} has stopped answering.`)
      : fail('process ended', `The connection to ${server} was cut.`)
  }
  // Said of the level below it, where a connection is closed before any key was shown.
  if (error.message.startsWith('Connection lost')) return closedByServer(settings, stage)
  if (error.level === 'handshake' || error.level === 'protocol')
    return fail('wrong answer', `${server} answers, but not as an SSH server that Galley understands.`)
  if (stage === 'greeting' && error.level === 'client-timeout')
    return fail('other side silent', `${server} takes the connection, but doesn’t answer.`)
  return fail('network blocked', `${server} can’t be reached. A firewall may be in the way.`)
}

export const tooLate = (settings: SshSettings, stage: Stage): TunnelFailure =>
  stage === 'connecting'
    ? new TunnelFailure(
        'network blocked',
        `${serverOf(settings)} can’t be reached in time. A firewall may be in the way.`,
      )
    : new TunnelFailure(
        'other side silent',
        `${serverOf(settings)} takes the connection, but doesn’t answer.`,
      )

export const closedByServer = (settings: SshSettings, stage: Stage): TunnelFailure =>
  stage === 'open'
    ? new TunnelFailure('process ended', `${serverOf(settings)} has closed the connection.`)
    : new TunnelFailure('network blocked', `${serverOf(settings)} closes the connection at once.`)

/** Nobody has said yet that this is the right server, or it isn't the one they said yes to. */
export const unknownServer = (settings: SshSettings, shown: string): TunnelFailure =>
  settings.host_key === null
    ? new TunnelFailure(
        'consent needed',
        `Is this the right server? ${serverOf(settings)} shows the key ${shown}. Compare it with what the server itself says, and confirm it.`,
        { final: true, toConfirm: shown },
      )
    : new TunnelFailure(
        'host key changed',
        `${serverOf(settings)} shows another key than before: ${shown}. If you didn’t change it, somebody may be between you and the server. Confirm the new key only if the server itself says the same.`,
        { final: true, toConfirm: shown },
      )

/** The server refused to listen. `said` is what it told about that, if it did. */
export function forwardingFailure(settings: SshSettings, said: string): TunnelFailure {
  const port = `${settings.bind_address}:${settings.bind_port}`
  return /refused|disabled/i.test(said)
    ? new TunnelFailure(
        'port forbidden',
        `${settings.host} doesn’t allow Galley to listen on ${port}. Does the line in authorized_keys name this port, and does the server’s AllowTcpForwarding permit it?`,
        { final: true },
      )
    : new TunnelFailure(
        'port taken',
        `${settings.host} can’t listen on ${port}: the port is taken there, perhaps still by the connection before, or not free to use.`,
      )
}
