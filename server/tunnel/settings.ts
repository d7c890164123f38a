import { readFileSync } from 'node:fs'
import { Check } from 'typebox/value'
import { SecretName } from '../contract/secrets.ts'
import { providerSettings, ProviderName, tunnelProviders, type TunnelSettings } from '../contract/tunnel.ts'
import { writeFileAtomicSync } from '../platform/atomic-file.ts'
import { unsetSettings } from './providers.ts'

/** What the owner chose. Nothing in it is secret. */
export interface TunnelChoice {
  on: boolean
  provider: ProviderName
  settings: TunnelSettings
  /** Which secrets are kept elsewhere, so that nobody has to ask a keychain for them to know. */
  secrets: SecretName[]
  /** Of the key with which Galley signs in to an SSH server. */
  sshPublicKey: string | null
}

export const unset: TunnelChoice = {
  on: false,
  provider: 'url',
  settings: unsetSettings,
  secrets: [],
  sshPublicKey: null,
}

/**
 * The choice in a file of the data folder. A missing or damaged file is like none: everything is off. Damaged or older
 * settings of one kind of tunnel are like none of that kind.
 */
export function readTunnelChoice(file: string): TunnelChoice {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const { on, provider, secrets, sshPublicKey } = found
    if (typeof on !== 'boolean' || !Check(ProviderName, provider)) return unset
    const whole = isRecord(found['settings'])
      ? found['settings']
      : { url: { public_address: found['publicAddress'] } }
    const kept = tunnelProviders.map((name) => {
      const none = unset.settings[name]
      const merged = only(Object.keys(none), { ...none, ...(isRecord(whole[name]) ? whole[name] : {}) })
      return [name, Check(providerSettings[name], merged) ? merged : none] as const
    })
    return {
      on,
      provider,
      settings: Object.fromEntries(kept) as unknown as TunnelSettings,
      secrets: Array.isArray(secrets) ? secrets.filter((name) => Check(SecretName, name)) : [],
      sshPublicKey: typeof sshPublicKey === 'string' ? sshPublicKey : null,
    }
  } catch {
    return unset
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const only = (names: readonly string[], record: Record<string, unknown>) =>
  Object.fromEntries(names.map((name) => [name, record[name]]))

export function writeTunnelChoice(file: string, choice: TunnelChoice) {
  writeFileAtomicSync(file, `${JSON.stringify(choice, null, 2)}\n`)
}
