import { isIP } from 'node:net'
import type { Secrets } from '../../contract/secrets.ts'
import type { SshSettings } from '../../contract/ssh.ts'
import { readAddress, readAddressIfAny } from '../address.ts'
import { notSetUp, type ProviderKind } from '../provider.ts'
import { findSecret } from '../secret.ts'
import { publicKeyOf } from './key.ts'
import { openSession } from './session.ts'

/**
 * A port of an SSH server of the owner's, which the server forwards here. What comes through it reaches the share
 * listener by a connection of this process's own, like everything else that does.
 */
export const sshServer: ProviderKind<SshSettings> = {
  unset: {
    host: '',
    port: 22,
    user: '',
    host_key: null,
    bind_address: '127.0.0.1',
    bind_port: 4781,
    behind_proxy: true,
    public_address: '',
  },
  tidy(typed, before) {
    const settings = {
      ...typed,
      host: readHost(typed.host),
      user: readUser(typed.user),
      bind_address: readBindAddress(typed.bind_address),
      public_address: readAddressIfAny(typed.public_address),
    }
    // A yes to one server is none to another.
    const moved = settings.host !== before.host || settings.port !== before.port
    return moved && settings.host_key === before.host_key ? { ...settings, host_key: null } : settings
  },
  requireComplete({ host, user, public_address: address }) {
    if (host === '') throw notSetUp('Say which SSH server Galley should use.')
    if (user === '') throw notSetUp('Say as which user Galley signs in to the SSH server.')
    if (address === '') throw notSetUp('Say at which address people reach that server.')
    readAddress(address)
  },
  publicAddress: ({ public_address: address }) => address || null,
  create(settings, { secrets, clientAddresses }) {
    return {
      name: 'ssh',
      preflight: async () => void (await readKey(secrets)),
      async open(port, signal) {
        const onConnection = (from: number, address: string) =>
          clientAddresses.enter(from, port, { address, behindProxy: settings.behind_proxy })
        return openSession(settings, await readKey(secrets), { port, onConnection }, signal)
      },
    }
  },
}

async function readKey(secrets: Secrets): Promise<string> {
  const key = await findSecret(secrets, 'ssh-key')
  if (key === undefined)
    throw notSetUp(
      'Galley has no key yet to sign in with. Make one in the settings, or with “galley tunnel ssh-key”.',
    )
  if ((await publicKeyOf(key)) === undefined)
    throw notSetUp('What is kept as Galley’s SSH key is none, or has a passphrase. Make a new one.')
  return key
}

function readHost(typed: string): string {
  const host = typed.trim().replace(/^\[(.*)\]$/, '$1')
  if (/[\s/@]/.test(host) || (host.includes(':') && isIP(host) === 0))
    throw notSetUp(`“${host}” is no server’s name. It looks like server.example.org.`)
  return host
}

function readUser(typed: string): string {
  const user = typed.trim()
  if (/[\s@:]/.test(user)) throw notSetUp(`“${user}” is no user’s name.`)
  return user
}

function readBindAddress(typed: string): string {
  const address = typed.trim().replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0)
    throw notSetUp(`“${address}” is no address to listen on. It looks like 127.0.0.1 or 0.0.0.0.`)
  return address
}
