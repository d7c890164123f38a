import { Type, type Static } from 'typebox'
import { nullable, Timestamp } from './records.ts'

/** How people elsewhere reach the share listener. `url`: by a reverse proxy or VPN of the owner's own. */
export const TunnelProvider = Type.Enum(['url'], {
  description:
    'How people elsewhere reach the share listener. `url`: through a reverse proxy or VPN that the owner has pointed at its port.',
  examples: ['url'],
})
export type TunnelProvider = Static<typeof TunnelProvider>

export const tunnelStates = ['off', 'starting', 'online', 'reconnecting', 'failed'] as const

/** Why a tunnel isn't online. Each has words of its own in `message`. */
export const tunnelReasons = [
  'consent needed',
  'not installed',
  'checksum mismatch',
  'sign-in rejected',
  'host key changed',
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

export const PublicAddress = Type.String({
  maxLength: 300,
  description:
    'Where people elsewhere reach the share listener: `https://` and a host name, perhaps with a port. No path.',
  examples: ['https://galley.example.org'],
})

export const TunnelStatus = Type.Object({
  state: Type.Enum([...tunnelStates], {
    description:
      '`online` only while a fetch of the public address comes back through it; `failed` where waiting mends nothing.',
    examples: ['online'],
  }),
  provider: nullable(TunnelProvider),
  public_address: Type.Union([PublicAddress, Type.Null()], {
    description: 'As it is set up, whether or not it works now.',
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
})
export type TunnelStatus = Static<typeof TunnelStatus>
