import { Type } from 'typebox'
import { defineRoute } from '../route.ts'
import { PublicAddress, TunnelProvider, TunnelStatus } from '../tunnel.ts'

export const tunnelRoutes = {
  getTunnel: defineRoute({
    operationId: 'getTunnel',
    method: 'GET',
    url: '/api/tunnel',
    tag: 'Tunnel',
    summary: 'Read how people elsewhere reach the share links',
    description: 'Whether links open from elsewhere now, at which address, and if not, why.',
    action: 'tunnel.read',
    share: false,
    status: 200,
    data: TunnelStatus,
    errors: [],
  }),
  updateTunnel: defineRoute({
    operationId: 'updateTunnel',
    method: 'PATCH',
    url: '/api/tunnel',
    tag: 'Tunnel',
    summary: 'Switch the tunnel on or off, or set it up',
    description:
      'Only the fields sent change; at least one must be sent. The choice is kept over restarts. The answer tells the state right after the change: read it again to see how it goes on. Only the machine’s own user may: others get 403.',
    action: 'tunnel.manage',
    share: false,
    body: Type.Object(
      {
        on: Type.Optional(Type.Boolean({ examples: [true] })),
        provider: Type.Optional(TunnelProvider),
        public_address: Type.Optional(PublicAddress),
      },
      { anyOf: [{ required: ['on'] }, { required: ['provider'] }, { required: ['public_address'] }] },
    ),
    status: 200,
    data: TunnelStatus,
    errors: ['VALIDATION_ERROR'],
  }),
}
