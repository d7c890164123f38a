// A running Galley, for tests of the ways in from elsewhere.
import { expect, onTestFinished, vi } from 'vitest'
import { createGalley, type GalleyConfig } from './app.ts'
import type { TunnelStatus } from './contract/tunnel.ts'

/** Starts one on free ports, and calls it as its owner. */
export async function start(dataFolder: string, config: Partial<GalleyConfig> = {}) {
  const galley = await createGalley({ dataFolder, port: 0, sharePort: 0, logLevel: 'silent', ...config })
  onTestFinished(() => galley.close())
  const session = galley.createSession()
  const headers = { cookie: `${session.name}=${session.value}`, 'content-type': 'application/json' }
  const call = async <T>(method: string, url: string, json?: unknown): Promise<T> => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const response = await fetch(galley.url + url, { method, headers, ...body })
    const { data, error } = (await response.json()) as { data: T; error: unknown }
    if (error) throw new Error(JSON.stringify(error))
    return data
  }
  const status = () => call<TunnelStatus>('GET', '/api/tunnel')
  const reaches = (state: TunnelStatus['state']) =>
    vi.waitFor(async () => expect((await status()).state).toBe(state), { timeout: 20_000, interval: 50 })
  return { galley, call, status, reaches, sharePort: Number(new URL(galley.shareUrl).port) }
}

/** The status of a path through the proxy. */
export const opened = async (address: string) => (await fetch(address, { redirect: 'manual' })).status

/** A call that a recipient's page makes. */
export async function shared({ call }: Awaited<ReturnType<typeof start>>): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/api/documents', { title: 'Proof', content: 'Read me.' })
  const { token } = await call<{ token: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'view',
  })
  return `/api/documents/${id}?share_token=${token}`
}
