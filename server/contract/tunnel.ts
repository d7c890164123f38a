import { Type, type Static, type TPartial } from 'typebox'
import { nullable, Timestamp } from './records/fields.ts'
import { SecretName, SecretValue } from './secrets.ts'
import { CloudflaredSettings } from './cloudflared.ts'
import { NgrokSettings } from './ngrok.ts'
import { SshSettings } from './ssh.ts'

/** By a reverse proxy or VPN of the owner's own. */
const UrlSettings = Type.Object({
  public_address: Type.String({
    maxLength: 300,
    description:
      'Where people elsewhere reach the proxy: `https://` and a host name, perhaps with a port. No path. Empty as long as it isn’t set.',
    examples: ['https://galley.example.org'],
  }),
})

/**
 * What each kind of tunnel is set up with, by its name. Nothing in it is secret: what is, is kept apart. A further kind
 * begins with an entry here; the types then ask for the rest of it.
 */
export const providerSettings = {
  url: UrlSettings,
  ssh: SshSettings,
  cloudflared: CloudflaredSettings,
  ngrok: NgrokSettings,
}
export type ProviderName = keyof typeof providerSettings
export type TunnelSettings = { [Name in ProviderName]: Static<(typeof providerSettings)[Name]> }

export const tunnelProviders = Object.keys(providerSettings) as ProviderName[]
export const ProviderName = Type.Enum(tunnelProviders, {
  description:
    'How people elsewhere reach the share listener. `url`: through a reverse proxy or VPN that the owner has pointed at its port. `ssh`: through a port of an SSH server of the owner’s, which Galley has forwarded here. `cloudflared`: through Cloudflare Tunnel. `ngrok`: through ngrok.',
  examples: ['url'],
})

/** What an account elsewhere gave to let Galley in. Set, never shown. The SSH key isn't set but made. */
const Secret = Type.Union([SecretValue, Type.Null()], { writeOnly: true })

type ProviderChanges = { [Name in ProviderName]: TPartial<(typeof providerSettings)[Name]> }
const { program: _onlyOnThisMachine, ...settable } = CloudflaredSettings.properties
const parts = {
  ...(Object.fromEntries(
    tunnelProviders.map((name) => [name, Type.Partial(providerSettings[name])]),
  ) as ProviderChanges),
  // Which program is started is said on this machine only.
  cloudflared: Type.Partial(Type.Object(settable)),
}
const optional = {
  on: Type.Boolean({ examples: [true] }),
  provider: ProviderName,
  ...parts,
  secrets: Type.Partial(Type.Object({ 'ngrok-token': Secret, 'cloudflared-token': Secret }), {
    description:
      'What an account elsewhere gave to let Galley in. Kept in the system’s keychain, or where there is none in a file that only this account reads, and never shown again; null forgets it.',
  }),
}
/** A change of how people elsewhere reach the share listener: what isn't in it stays. */
export const TunnelChange = Type.Partial(Type.Object(optional), {
  anyOf: Object.keys(optional).map((name) => ({ required: [name] })),
})
export type TunnelChange = Static<typeof TunnelChange>
/** What is said of the tunnel when a server is started, which switches it on. */
export type TunnelSetup = Omit<TunnelChange, 'on' | 'secrets' | 'cloudflared'> & {
  cloudflared?: Partial<TunnelSettings['cloudflared']>
}

const tunnelStates = ['off', 'starting', 'online', 'reconnecting', 'failed'] as const

/** Why a tunnel isn't online. Each has words of its own in `message`. */
const tunnelReasons = [
  'consent needed',
  'not installed',
  'checksum mismatch',
  'sign-in rejected',
  'host key changed',
  'port forbidden',
  'port taken',
  'rate limited',
  'network blocked',
  'offline',
  'other side silent',
  'wrong answer',
  'process ended',
  'not set up',
] as const
export type TunnelReason = (typeof tunnelReasons)[number]

export const TunnelStatus = Type.Object({
  state: Type.Enum([...tunnelStates], {
    description:
      '`online` only while a fetch of the public address comes back through it; `failed` where waiting mends nothing.',
    examples: ['online'],
  }),
  provider: ProviderName,
  settings: Type.Object(providerSettings, {
    description: 'What each kind of tunnel is set up with, whether or not it is the one in use.',
  }),
  secrets: Type.Array(SecretName, {
    description: 'Which secrets are known to be kept. Never what they are.',
    examples: [[]],
  }),
  ssh_public_key: Type.Union([Type.String(), Type.Null()], {
    description:
      'What an SSH server has to know of the key with which Galley signs in; null if there is none.',
    examples: [null],
  }),
  public_address: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the links open once it works, as far as that is known beforehand.',
    examples: ['https://galley.example.org'],
  }),
  share_url: Type.String({
    description:
      'What share links start with now, without a trailing slash: the public address while it works.',
    examples: ['https://galley.example.org'],
  }),
  share_port: Type.Integer({
    description: 'The port of this machine that a proxy has to point at.',
    examples: [4781],
  }),
  since: Type.Union([Timestamp, Type.Null()], { description: 'When it came online; null otherwise.' }),
  retry_at: Type.Union([Timestamp, Type.Null()], { description: 'When it is tried again; null otherwise.' }),
  reason: nullable(Type.Enum([...tunnelReasons], { examples: ['offline'] })),
  message: Type.Union([Type.String(), Type.Null()], {
    description: 'What is the matter and what to do, for a person; null if nothing is.',
    examples: [null],
  }),
  to_confirm: Type.Union([Type.String(), Type.Null()], {
    description:
      'What waits for a person’s yes. For `ssh`: the fingerprint of the server’s key; sending it as `ssh.host_key` confirms it.',
    examples: [null],
  }),
})
export type TunnelStatus = Static<typeof TunnelStatus>
