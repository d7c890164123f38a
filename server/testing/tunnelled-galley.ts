// A running Galley, for tests of the ways in from elsewhere.
import http from 'node:http'
import { expect, onTestFinished, vi } from 'vitest'
import { createGalley, type GalleyConfig } from '../app.ts'
import { limits } from '../contract/limits.ts'
import type { TunnelStatus } from '../contract/tunnel.ts'

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

type Started = Awaited<ReturnType<typeof start>>

async function share({ call }: Started, permission: 'view' | 'edit') {
  const { id } = await call<{ id: string }>('POST', '/api/documents', { title: 'Proof', content: 'Read me.' })
  const { token } = await call<{ token: string }>('POST', `/api/documents/${id}/share`, { permission })
  return { id, query: `?share_token=${token}` }
}

/** A call that a recipient's page makes. */
export async function shared(at: Started, permission: 'view' | 'edit' = 'view'): Promise<string> {
  const { id, query } = await share(at, permission)
  return `/api/documents/${id}${query}`
}

/** Recipients at an address hear of what the owner changes. */
export async function expectLive(at: Started, address: string): Promise<void> {
  const { id, query } = await share(at, 'view')
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/documents/${id}/live${query}`)
  onTestFinished(() => socket.close())
  const heard: string[] = []
  socket.onmessage = ({ data }) => void heard.push(String(data))
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('no connection'))
  })
  await at.call('PATCH', `/api/documents/${id}`, { content: 'Read me again.' })
  await expect.poll(() => heard.some((one) => one.includes('content'))).toBe(true)
}

interface Asking {
  agent?: http.Agent
  /** The visitor’s own address. */
  localAddress?: string
}

/** As raw as a visitor may send it. */
export const ask = (
  address: string,
  method: string,
  url: string,
  headers: Record<string, string>,
  { agent, localAddress }: Asking = {},
) =>
  new Promise<{ status: number; text: string; headers: http.IncomingHttpHeaders }>((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const from = localAddress === undefined ? {} : { localAddress, family: 4 }
    const options = { hostname, port, method, path: url, headers, agent: agent ?? false, ...from }
    const request = http.request(options, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
    })
    request.on('error', reject).end()
  })

/** A link that there isn’t, asked for by somebody who says that they are at `claimed`. */
export const guess = async (address: string, claimed: string, asking: Asking = {}) =>
  (await ask(address, 'GET', `/share/${'0'.repeat(32)}`, { 'x-forwarded-for': claimed }, asking)).status
export async function exhaust(...guessing: Parameters<typeof guess>) {
  let status = 0
  for (let i = 0; i <= limits.failedCredentialsPerMinute && status !== 429; i++)
    status = await guess(...guessing)
  return status
}
