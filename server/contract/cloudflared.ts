import { Type, type Static } from 'typebox'

/** By Cloudflare Tunnel: a temporary link, or a tunnel of the owner's account. */
export const CloudflaredSettings = Type.Object({
  named: Type.Boolean({
    description:
      'Whether it is a tunnel of a Cloudflare account, for which the secret `cloudflared-token` is set, with an address that stays. Otherwise a temporary link, whose address is another after each start.',
    examples: [false],
  }),
  public_address: Type.String({
    maxLength: 300,
    description:
      'Where the named tunnel is reached, as it is set up at Cloudflare: `https://` and a host name. Empty as long as it isn’t set.',
    examples: ['https://galley.example.org'],
  }),
  program: Type.String({
    maxLength: 1000,
    description:
      'Path of the owner’s own cloudflared. It is set on this machine only: by `galley tunnel program`, by `galley serve --cloudflared-program`, or in the desktop app. Empty takes the one that Galley has downloaded, or one on the PATH.',
    examples: [''],
  }),
})
export type CloudflaredSettings = Static<typeof CloudflaredSettings>

const size = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

/** The program that Cloudflare Tunnel takes: what there is, and what could be downloaded. */
export const CloudflaredProgram = Type.Object({
  program: Type.Union(
    [
      Type.Object({
        file: Type.String({ examples: ['/usr/local/bin/cloudflared'] }),
        version: Type.String({ examples: ['2026.10.0'] }),
        origin: Type.Enum(['chosen', 'path', 'downloaded'], {
          description: 'Whether the owner named it, it stands on the PATH, or Galley downloaded it.',
          examples: ['path'],
        }),
      }),
      Type.Null(),
    ],
    { description: 'What would be started now; null if there is nothing that may be.' },
  ),
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why there is none, or why the last download failed, for a person; null otherwise.',
    examples: [null],
  }),
  download: Type.Union(
    [
      Type.Object({
        version: Type.String({ examples: ['2026.10.0'] }),
        vendor: Type.String({ examples: ['Cloudflare, Inc.'] }),
        licence: Type.String({ examples: ['Apache-2.0'] }),
        url: Type.String({
          examples: [
            'https://github.com/cloudflare/cloudflared/releases/download/2026.10.0/cloudflared-linux-amd64',
          ],
        }),
        size: size('In bytes.', 40_129_756),
        sha256: Type.String({
          description: 'What comes is kept only if it has this checksum.',
          examples: ['d33ff2d14475178d2012c2c56beba87389ac5ded27649519f198a7d3134a99db'],
        }),
      }),
      Type.Null(),
    ],
    {
      description:
        'What Galley would download for this machine, once asked to; null where it knows no checksum for it.',
    },
  ),
  terms: Type.String({
    description: 'Cloudflare’s terms, to which whoever uses its tunnels agrees.',
    examples: ['https://www.cloudflare.com/website-terms/'],
  }),
  instructions: Type.String({
    description: 'Where Cloudflare says how to install it oneself.',
    examples: ['https://developers.cloudflare.com/tunnel/downloads/'],
  }),
  progress: Type.Union(
    [
      Type.Object({
        received: size('Bytes that have come.', 1_048_576),
        size: size('Bytes there will be.', 40_129_756),
      }),
      Type.Null(),
    ],
    { description: 'Of a download that runs; null if none does.', examples: [null] },
  ),
})
export type CloudflaredProgram = Static<typeof CloudflaredProgram>
