import http from 'node:http'
import { expect } from 'vitest'
import type { Galley } from '../app.ts'
import { routes } from '../contract/routes.ts'
import { unknownId } from './galley.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const pages = ['/', '/docs', '/settings', '/about', '/sign-in', '/library', '/licences.json']

/** Some paths have methods for recipients, too, for whom they are then not absent but shut. */
const refusals = [400, 401, 403, 404, 405, 429]

export interface OwnersThings {
  /** Every credential that an owner may have, as headers. */
  credentials: Record<string, Record<string, string>>
  /** Words that stand in an owner's answers and nowhere in what is shared. */
  words: readonly string[]
  /** A document that isn't shared. */
  documentId: string
  /** Try every lie with every credential, and not only with all of them at once. */
  everyPair: boolean
}

/** What an answer is to a request as it is sent, with any `Host`. */
async function send(address: string, method: string, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const request = http.request({ hostname, port, method, path, headers, agent }, (answer) => {
      let text = JSON.stringify(answer.headers)
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode!, text }))
    })
    request.on('error', reject)
    request.on('upgrade', (answer, socket) => {
      socket.destroy()
      resolve({ status: answer.statusCode!, text: '' })
    })
    request.end(['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : undefined)
  })
}
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })

/**
 * Asks at a public address for everything that is only the owner's, by every method, with every credential of theirs
 * and every lie about where the request comes from, and expects that nothing of it is there.
 */
export async function expectNothingOfTheOwners(address: string, galley: Galley, owners: OwnersThings) {
  const owner = new URL(galley.url)
  const share = new URL(galley.shareUrl)
  const lies: Record<string, string>[] = [
    {},
    { host: owner.host },
    { host: share.host },
    { 'x-forwarded-host': owner.host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
    { forwarded: `for=127.0.0.1;host=${owner.host};proto=http`, 'x-real-ip': '127.0.0.1' },
    { 'cf-connecting-ip': '127.0.0.1', 'true-client-ip': '127.0.0.1', 'x-original-url': '/api/documents' },
    { origin: galley.url, referer: `${galley.url}/`, 'sec-fetch-site': 'same-origin' },
  ]
  const credentials = Object.entries(owners.credentials)
  const all = Object.fromEntries(credentials.flatMap(([, headers]) => Object.entries(headers)))
  const attempts = owners.everyPair
    ? credentials.flatMap((credential) => lies.map((lie) => [...credential, lie] as const))
    : [
        ...credentials.map((credential) => [...credential, {}] as const),
        ...lies.map((lie) => ['all of them', all, lie] as const),
      ]
  const owned = Object.values(routes).filter((route) => !route.share)
  const paths = new Set([
    ...pages,
    ...owned.map(({ url }) => url.replace(':id', owners.documentId).replace(/:\w+/g, unknownId)),
  ])
  expect(owned.length).toBeGreaterThan(10)
  const expectRefusal = async (method: string, path: string, headers: Record<string, string>, by: string) => {
    const json = ['POST', 'PUT', 'PATCH'].includes(method) ? { 'content-type': 'application/json' } : {}
    const { status, text } = await send(address, method, path, { ...json, ...headers })
    const what = `${method} ${path} with ${by}`
    expect(refusals, `${what}: ${status}`).toContain(status)
    for (const word of owners.words) expect(text.includes(word), `${what} tells ${word}`).toBe(false)
  }
  for (const path of paths)
    for (const method of methods)
      await Promise.all(
        attempts.map(([name, credential, lie]) =>
          expectRefusal(method, path, { ...credential, ...lie }, `${name} and ${JSON.stringify(lie)}`),
        ),
      )
  // Routes that recipients have, too, but for whom no link opens them.
  for (const route of Object.values(routes).filter(({ share }) => share))
    for (const [name, credential] of credentials) {
      const path = route.url.replace(':id', owners.documentId).replace(/:\w+/g, unknownId)
      await expectRefusal(route.method, path, credential, name)
    }
}
