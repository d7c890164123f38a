import { Type, type Static } from 'typebox'

/** A SHA-256 fingerprint of a server's key, as OpenSSH writes it. */
const HostKey = Type.String({
  pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
  examples: ['SHA256:yLoaCp7xSLHlPEUNCzmMH4hL2WAQMx1xuKqmQjlC7dM'],
})

/** By remote port forwarding of an SSH server of the owner's own. */
export const SshSettings = Type.Object({
  host: Type.String({
    maxLength: 255,
    description: 'Name or address of the SSH server. Empty as long as it isn’t set.',
    examples: ['server.example.org'],
  }),
  port: Type.Integer({ minimum: 1, maximum: 65535, description: 'Of the SSH server.', examples: [22] }),
  user: Type.String({
    maxLength: 100,
    description: 'The account on the server. Empty as long as it isn’t set.',
    examples: ['galley'],
  }),
  host_key: Type.Union([HostKey, Type.Null()], {
    description:
      'Fingerprint of the server’s key, as a person has confirmed it: Galley signs in nowhere else. Null as long as none is. A change of `host` or `port` alone forgets it.',
  }),
  bind_address: Type.String({
    maxLength: 100,
    description:
      'The address of the server at which it listens for visitors: `127.0.0.1` for a web server of its own, `0.0.0.0` for everybody, where its `GatewayPorts` allows that.',
    examples: ['127.0.0.1'],
  }),
  bind_port: Type.Integer({
    minimum: 1,
    maximum: 65535,
    description: 'The port of the server that is brought here.',
    examples: [4781],
  }),
  behind_proxy: Type.Boolean({
    description:
      'Whether a web server on the SSH server takes the visitors first. Their addresses are then taken from the last entry of its `X-Forwarded-For`, for rate limits only.',
    examples: [true],
  }),
  public_address: Type.String({
    maxLength: 300,
    description:
      'Where people elsewhere reach the server: `https://` and the name that its web server answers to, or `http://` with the port that is forwarded. No path. Empty as long as it isn’t set.',
    examples: ['https://galley.example.org'],
  }),
})
export type SshSettings = Static<typeof SshSettings>

/**
 * The line for `authorized_keys` that lets Galley's key in for this one forwarding and for nothing else: no shell, no
 * files, no other port. `port-forwarding` allows both directions, so the other one is bound to where nothing listens;
 * `restrict` lets commands run, so the only one does nothing.
 */
export function authorizedKeysLine(
  publicKey: string,
  { bind_address: address, bind_port: port }: Pick<SshSettings, 'bind_address' | 'bind_port'>,
): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `restrict,port-forwarding,permitopen="127.0.0.1:1",permitlisten="${host}:${port}",command="/bin/false" ${publicKey}`
}
