import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { LiveMessage } from '../contract/live.ts'
import { hosts, type TestCredentials, type TestGalley } from './galley.ts'

export interface Dialling {
  as?: TestCredentials
  on?: 'owner' | 'share'
  headers?: Record<string, string>
}

export type Dials = Awaited<ReturnType<typeof dials>>
export const liveUrl = (id: string) => `/api/documents/${id}/live`

/** Live connections to a Galley, which listens from now on. */
export async function dials(galley: TestGalley) {
  const ports = { owner: 0, share: 0 }
  for (const on of ['owner', 'share'] as const) {
    await galley.apps[on].listen({ host: '127.0.0.1', port: 0 })
    ports[on] = (galley.apps[on].server.address() as AddressInfo).port
  }

  function dial(url: string, { as = {}, on = 'owner', headers = {} }: Dialling = {}) {
    const query = as.token === undefined ? '' : `${url.includes('?') ? '&' : '?'}share_token=${as.token}`
    return new WebSocket(`ws://127.0.0.1:${ports[on]}${url}${query}`, {
      headers: {
        host: hosts[on],
        ...(as.key === undefined ? {} : { authorization: `Bearer ${as.key}` }),
        ...(as.session === undefined ? {} : { cookie: `galley_session=${as.session}` }),
        ...headers,
      },
    })
  }

  /** An open connection, and what it has heard. */
  async function connect(url: string, dialling?: Dialling) {
    const socket = dial(url, dialling)
    const heard: LiveMessage[] = []
    socket.on('message', (data) => heard.push(JSON.parse((data as Buffer).toString('utf8')) as LiveMessage))
    const closed = once(socket, 'close').then(([code]) => code as number)
    await once(socket, 'open')
    const changes = () => heard.flatMap((one) => (one.type === 'changed' ? [one.what] : []))
    const people = () => {
      const last = heard.findLast((one) => one.type === 'present')
      return last?.type === 'present' ? last.people : undefined
    }
    return { socket, heard, changes, people, closed }
  }

  /** The status and code with which a connection is refused. */
  async function refusal(url: string, dialling?: Dialling) {
    const socket = dial(url, dialling)
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      AsyncIterable<Buffer> & { statusCode: number; headers: Record<string, string> },
    ]
    let text = ''
    for await (const part of response) text += part.toString()
    socket.on('error', () => {})
    socket.terminate()
    expect(response.headers['cache-control']).toBe('no-store')
    return [response.statusCode, (JSON.parse(text) as { error: { code: string } }).error.code]
  }

  return { ports, dial, connect, refusal }
}
