import type { ProviderName, TunnelSetup } from '../contract/tunnel.ts'
import { UsageError, type CommandDefinition, type CommandInput } from './command.ts'

type Values = CommandInput['values']

/** What the command line takes for one kind of tunnel. */
interface TunnelOptions {
  /** Those of the options below that mean something to it. */
  takes: readonly (keyof typeof options)[]
  settings(values: Values): TunnelSetup
}

const options = {
  'public-address': { type: 'string' },
  'ssh-server': { type: 'string' },
  'ssh-host-key': { type: 'string' },
  'ssh-listen': { type: 'string' },
  'ssh-direct': { type: 'boolean' },
  'cloudflared-program': { type: 'string' },
} as const satisfies CommandDefinition['options']

const kinds: Record<ProviderName, TunnelOptions> = {
  url: {
    takes: ['public-address'],
    settings: (values) => ({
      url: { public_address: required(values, 'url', 'public-address') },
    }),
  },
  ssh: {
    takes: ['public-address', 'ssh-server', 'ssh-host-key', 'ssh-listen', 'ssh-direct'],
    settings(values) {
      const direct = values['ssh-direct'] === true
      const listen = text(values, 'ssh-listen')
      return {
        ssh: {
          ...serverOf(required(values, 'ssh', 'ssh-server')),
          public_address: required(values, 'ssh', 'public-address'),
          host_key: hostKeyOf(text(values, 'ssh-host-key')),
          behind_proxy: !direct,
          ...(direct ? { bind_address: '0.0.0.0' } : {}),
          ...(listen === undefined ? {} : placeOf(listen)),
        },
      }
    },
  },
  cloudflared: {
    takes: ['public-address', 'cloudflared-program'],
    settings(values) {
      const address = text(values, 'public-address')
      return {
        cloudflared: {
          named: address !== undefined,
          public_address: address ?? '',
          program: text(values, 'cloudflared-program') ?? '',
        },
      }
    },
  },
  ngrok: {
    takes: ['public-address'],
    settings: (values) => ({ ngrok: { domain: text(values, 'public-address') ?? '' } }),
  },
}
const names = Object.keys(kinds) as ProviderName[]

export const tunnelOptions: CommandDefinition['options'] = { tunnel: { type: 'string' }, ...options }
export const tunnelHelp: CommandDefinition['help'] = [
  [
    '--tunnel KIND',
    'let people elsewhere open share links: url, through a proxy of your own that points at the share port; ssh, through an SSH server of your own; cloudflared, through Cloudflare; ngrok, through ngrok',
  ],
  [
    '--public-address URL',
    'where they reach that proxy or server, such as https://galley.example.org; cloudflared: of a tunnel of your account, with its token in GALLEY_CLOUDFLARED_TOKEN (a temporary link without); ngrok: of a domain that you reserved (the authtoken is in GALLEY_NGROK_TOKEN)',
  ],
  ['--cloudflared-program P', 'cloudflared: the path of your own cloudflared'],
  ['--ssh-server U@H[:N]', 'ssh: the user and the server'],
  [
    '--ssh-host-key F',
    'ssh: the fingerprint of the server’s key, SHA256:…; “galley tunnel status” tells what it shows',
  ],
  ['--ssh-listen [A:]N', 'ssh: the address and port of the server that are brought here (127.0.0.1:4781)'],
  ['--ssh-direct', 'ssh: visitors come to that port themselves, without a web server in front (on 0.0.0.0)'],
]

/**
 * What the options say of the tunnel; undefined if there is to be none beyond what was set up in the app.
 * @throws UsageError
 */
export function readTunnelOptions(values: Values): TunnelSetup | undefined {
  const kind = values['tunnel']
  const given = (Object.keys(options) as (keyof typeof options)[]).filter(
    (name) => values[name] !== undefined,
  )
  if (kind === undefined) {
    if (given.length > 0) throw new UsageError(`--${given[0]} goes with --tunnel.`)
    return undefined
  }
  if (!isKind(kind))
    throw new UsageError(
      `--tunnel takes ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, not “${String(kind)}”.`,
    )
  const { takes, settings } = kinds[kind]
  const stray = given.find((name) => !takes.includes(name))
  if (stray !== undefined) throw new UsageError(`--tunnel ${kind} takes no --${stray}.`)
  return { provider: kind, ...settings(values) }
}

const isKind = (value: unknown): value is ProviderName => (names as unknown[]).includes(value)

const text = (values: Values, name: keyof typeof options): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

function required(values: Values, kind: ProviderName, name: keyof typeof options): string {
  const value = text(values, name)
  if (value === undefined) throw new UsageError(`--tunnel ${kind} and --${name} go together.`)
  return value
}

function serverOf(typed: string): { user: string; host: string; port: number } {
  const [, user, bracketed, plain, port] =
    /^([^@\s]+)@(?:\[([^\]]+)\]|([^:\s]+))(?::(\d+))?$/.exec(typed) ?? []
  const host = bracketed ?? plain
  if (user === undefined || host === undefined)
    throw new UsageError(`--ssh-server takes USER@HOST or USER@HOST:PORT, not “${typed}”.`)
  return { user, host, port: port === undefined ? 22 : portOf('ssh-server', port) }
}

function hostKeyOf(typed: string | undefined): string | null {
  if (typed === undefined) return null
  if (!/^SHA256:[A-Za-z0-9+/]{43}$/.test(typed))
    throw new UsageError('--ssh-host-key takes a fingerprint such as ssh-keygen -l prints it, SHA256:… .')
  return typed
}

/** `4781`, `0.0.0.0:4781` or `[::]:4781`. */
export function placeOf(typed: string): { bind_address?: string; bind_port: number } {
  const [, address, port] = /^(?:(.+):)?(\d+)$/.exec(typed) ?? []
  if (port === undefined) throw new UsageError(`--ssh-listen takes a port or ADDRESS:PORT, not “${typed}”.`)
  return {
    ...(address === undefined ? {} : { bind_address: address }),
    bind_port: portOf('ssh-listen', port),
  }
}

function portOf(option: string, digits: string): number {
  const port = Number(digits)
  if (port < 1 || port > 65535)
    throw new UsageError(`--${option} takes a port number from 1 to 65535, not “${digits}”.`)
  return port
}
