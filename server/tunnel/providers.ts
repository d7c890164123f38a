import { tunnelProviders, type ProviderName, type TunnelSettings } from '../contract/tunnel.ts'
import { cloudflareTunnel } from './cloudflared/kind.ts'
import { ngrokTunnel } from './ngrok-kind.ts'
import { ownAddress } from './own-address.ts'
import type { ProviderKind, ProviderParts, TunnelProvider } from './provider.ts'
import { sshServer } from './ssh/ssh-server.ts'

/** Every kind of tunnel there is, by its name. */
const kinds: { readonly [Name in ProviderName]: ProviderKind<TunnelSettings[Name]> } = {
  url: ownAddress,
  ssh: sshServer,
  cloudflared: cloudflareTunnel,
  ngrok: ngrokTunnel,
}

const kindOf = <Name extends ProviderName>(name: Name): ProviderKind<TunnelSettings[Name]> => kinds[name]

export const unsetSettings = Object.fromEntries(
  tunnelProviders.map((name) => [name, kinds[name].unset]),
) as unknown as TunnelSettings

/** One kind's settings with what was changed of them. */
function changed<Name extends ProviderName>(
  name: Name,
  before: TunnelSettings,
  change: Partial<TunnelSettings[Name]>,
) {
  return kindOf(name).tidy({ ...before[name], ...change }, before[name])
}

/** @throws TunnelFailure if what was typed makes no sense */
export const changedSettings = (
  before: TunnelSettings,
  changes: { [Name in ProviderName]?: Partial<TunnelSettings[Name]> },
): TunnelSettings =>
  Object.fromEntries(
    tunnelProviders.map((name) => [
      name,
      changes[name] ? changed(name, before, changes[name]) : before[name],
    ]),
  ) as unknown as TunnelSettings

/** @throws TunnelFailure if something is missing without which it can't be switched on */
export const requireComplete = <Name extends ProviderName>(name: Name, settings: TunnelSettings): void =>
  kindOf(name).requireComplete(settings[name])

export const publicAddressOf = <Name extends ProviderName>(
  name: Name,
  settings: TunnelSettings,
): string | null => kindOf(name).publicAddress(settings[name])

/** One kind of tunnel, as it is set up. It refuses to open one that isn't set up whole, wherever the settings are from. */
export function createProvider<Name extends ProviderName>(
  name: Name,
  settings: TunnelSettings,
  parts: ProviderParts,
): TunnelProvider {
  const kind = kindOf(name)
  const provider = kind.create(settings[name], parts)
  return {
    ...provider,
    async preflight() {
      kind.requireComplete(settings[name])
      await provider.preflight()
    },
  }
}
