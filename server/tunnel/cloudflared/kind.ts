import path from 'node:path'
import type { CloudflaredSettings } from '../../contract/cloudflared.ts'
import { readAddress, readAddressIfAny } from '../address.ts'
import { behindEdge } from '../behind-edge.ts'
import { findSecret } from '../secret.ts'
import { notSetUp, type ProviderKind } from '../provider.ts'
import { cloudflared } from './cloudflared.ts'
import { findProgram } from './program.ts'

/** A temporary link of Cloudflare's, or a tunnel of the owner's account there. */
export const cloudflareTunnel: ProviderKind<CloudflaredSettings> = {
  unset: { named: false, public_address: '', program: '' },
  tidy: ({ named, public_address: address, program }) => ({
    named,
    public_address: readAddressIfAny(address),
    program: readPath(program),
  }),
  requireComplete({ named, public_address: address }) {
    if (!named) return
    if (address === '') throw notSetUp('Say at which address your Cloudflare tunnel is reached.')
    readAddress(address)
  },
  publicAddress: ({ named, public_address: address }) => (named && address) || null,
  create: ({ named, public_address: address, program }, { secrets, clientAddresses, cloudflared: copy }) =>
    behindEdge(
      cloudflared({
        program: () => findProgram({ chosen: program === '' ? null : program, copy }),
        ...(named
          ? {
              named: {
                address,
                token: () => findSecret(secrets, 'cloudflared-token'),
              },
            }
          : {}),
      }),
      clientAddresses,
    ),
}

function readPath(typed: string): string {
  const file = typed.trim().replace(/^"(.*)"$/, '$1')
  if (file === '' || path.isAbsolute(file)) return file
  throw notSetUp(
    `“${file}” isn’t a whole path. It looks like ${
      process.platform === 'win32' ? 'C:\\Tools\\cloudflared.exe' : '/usr/local/bin/cloudflared'
    }.`,
  )
}
