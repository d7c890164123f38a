import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { TunnelProvider } from '../contract/tunnel.ts'

/** What the owner chose. Nothing in it is secret. */
export interface TunnelSettings {
  on: boolean
  provider: TunnelProvider
  /** As it was typed; null as long as it wasn't. */
  publicAddress: string | null
}

export const unset: TunnelSettings = { on: false, provider: 'url', publicAddress: null }

/** The settings in a file of the data folder. A missing or damaged file is like none: everything is off. */
export function readTunnelSettings(file: string): TunnelSettings {
  try {
    const { on, provider, publicAddress } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    if (typeof on !== 'boolean' || provider !== 'url') return unset
    if (publicAddress !== null && typeof publicAddress !== 'string') return unset
    return { on, provider, publicAddress }
  } catch {
    return unset
  }
}

/** Written under another name and renamed, so that it is never half there. */
export function writeTunnelSettings(file: string, settings: TunnelSettings) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}
