import { Type } from 'typebox'
import { CloudflaredProgram } from '../cloudflared.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { TunnelChange, TunnelStatus } from '../tunnel.ts'

export const tunnelRoutes = defineRoutes('Tunnel', {
  getTunnel: defineRoute({
    about: 'machine',
    method: 'GET',
    url: '/api/tunnel',
    summary: 'Read how people elsewhere reach the share links',
    description: 'Whether links open from elsewhere now, at which address, and if not, why.',
    data: TunnelStatus,
  }),
  updateTunnel: defineRoute({
    about: 'machine',
    method: 'PATCH',
    url: '/api/tunnel',
    summary: 'Switch the tunnel on or off, or set it up',
    description:
      'Only the fields sent change, also within the settings of one kind of tunnel; at least one must be sent. The choice is kept over restarts. The answer tells the state right after the change: read it again to see how it goes on. Only the machine’s own user may: others get 403.',
    body: TunnelChange,
    data: TunnelStatus,
    errors: ['VALIDATION_ERROR'],
  }),
  createSshKey: defineRoute({
    about: 'machine',
    method: 'POST',
    url: '/api/tunnel/ssh-key',
    summary: 'Make a key with which Galley signs in to an SSH server',
    description:
      'An Ed25519 pair, in the place of the one before. The private half is kept in the system’s keychain, or where there is none in a file that only this account reads, and is never shown. Only the machine’s own user may: others get 403.',
    outsideDatabase: true,
    status: 201,
    data: Type.Object({
      public_key: Type.String({
        description: 'What the server has to know of it, as it stands in `authorized_keys`.',
        examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPbmCpsLfGQ3tnYnEWsiF7q7cYdPCVAp6WVxcN9mSbt3 galley'],
      }),
    }),
    errors: ['VALIDATION_ERROR'],
  }),
  getCloudflared: defineRoute({
    about: 'machine',
    method: 'GET',
    url: '/api/tunnel/cloudflared',
    summary: 'Read which cloudflared would be started',
    description:
      'The program that Cloudflare Tunnel takes, if it is on this machine, and what Galley would download, with how far a download is. Only the machine’s own user may, since it names a file of theirs: others get 403.',
    data: CloudflaredProgram,
  }),
  downloadCloudflared: defineRoute({
    about: 'machine',
    method: 'POST',
    url: '/api/tunnel/cloudflared',
    summary: 'Download cloudflared',
    description:
      'Begins, or goes on with, the download that `GET` describes. It is kept only if its checksum is the one that was published, and checked again before each start. The answer tells how things stand right after: read it again to see how it goes on. Only the machine’s own user may: others get 403.',
    outsideDatabase: true,
    body: Type.Object({
      agreed: Type.Literal(true, {
        description:
          'That a person has seen what would be downloaded and from whom, that Cloudflare’s terms apply, and that Cloudflare can read what goes through its tunnels.',
        examples: [true],
      }),
    }),
    data: CloudflaredProgram,
    errors: ['VALIDATION_ERROR'],
  }),
})
