import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { limits } from '../contract/limits.ts'
import { AddressRefused, checkedAddresses, type Address, type Resolve } from './addresses.ts'

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Whether it may go to an address of the inner network. */
  innerNetwork: boolean
  /** Gives it up. */
  signal: AbortSignal
}

/** What came of sending something. */
export interface PostOutcome {
  arrived: boolean
  /** Of the answer, if there was one. */
  status: number | null
  /** Why it hasn't arrived, in words. */
  error: string | null
  /** How long the receiver asks not to be asked again, in ms. */
  retryAfter: number
}

/** Sends something once, within bounds of time and size, to where it may go. It never rejects. */
export function createPost(resolve: Resolve, timeout = limits.webhookSeconds * 1_000) {
  return async ({ url, headers, body, innerNetwork, signal }: WebhookRequest): Promise<PostOutcome> => {
    const late = AbortSignal.timeout(timeout)
    const ended = AbortSignal.any([signal, late])
    try {
      const target = new URL(url)
      const addresses = await before(ended, checkedAddresses(target.hostname, innerNetwork, resolve))
      return await exchange(target, addresses, { headers, body, ended })
    } catch (error) {
      return failed(
        null,
        late.aborted ? `It hasn’t answered within ${timeout / 1_000} seconds.` : said(error),
      )
    }
  }
}

/** Whoever can't be stopped is waited for no longer. */
function before<T>(ended: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('Given up.'))
    if (ended.aborted) giveUp()
    ended.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', giveUp))
  })
}

function exchange(
  target: URL,
  addresses: readonly Address[],
  { headers, body, ended }: { headers: Record<string, string>; body: string; ended: AbortSignal },
): Promise<PostOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<PostOutcome>()
  // An import would read all that these have, and so have Node load its `fetch`, with every start: 13 MiB.
  const { request: begin } = process.getBuiltinModule(
    target.protocol === 'https:' ? 'node:https' : 'node:http',
  )
  const request = begin(target, {
    method: 'POST',
    // A connection for this one alone: one that is kept may lead to where another webhook may send.
    agent: false,
    lookup: lookupOf(addresses),
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Galley-Webhooks',
      accept: '*/*',
    },
    signal: ended,
  })
  let outcome: PostOutcome | undefined
  const end = (error: Error = new Error('Ended.')) => (outcome ? resolve(outcome) : reject(error))
  // Not every connection that is given up, or that its receiver takes for something else, says how its request ended.
  const giveUp = () => end(new Error('Given up.'))
  if (ended.aborted) giveUp()
  ended.addEventListener('abort', giveUp)
  request.on('error', end)
  request.on('close', () => end())
  request.on('upgrade', (answer, socket) => {
    outcome = outcomeOf(answer)
    socket.destroy()
    end()
  })
  request.on('response', (answer) => {
    // The status says it all. Of what follows a little is read, for receivers that don't like to be interrupted.
    outcome = outcomeOf(answer)
    const patience = setTimeout(() => request.destroy(), limits.webhookAnswerMs)
    let size = 0
    answer.on('data', (part: Buffer) => {
      size += part.length
      if (size > limits.webhookAnswerBytes) request.destroy()
    })
    answer.on('error', () => {})
    answer.on('close', () => {
      clearTimeout(patience)
      end()
    })
  })
  request.end(body)
  return promise
}

/** Connects to what was checked, and asks nobody. */
const lookupOf =
  (addresses: readonly Address[]): LookupFunction =>
  (_name, options, done) => {
    if (options.all) done(null, [...addresses])
    else done(null, addresses[0]!.address, addresses[0]!.family)
  }

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): PostOutcome {
  if (status >= 200 && status < 300) return { arrived: true, status, error: null, retryAfter: 0 }
  const seconds = Number(headers['retry-after'])
  const redirects = status >= 300 && status < 400 ? ' Redirects aren’t followed.' : ''
  return failed(
    status,
    `It answered ${status}.${redirects}`,
    Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0,
  )
}

const failed = (status: number | null, error: string, retryAfter = 0): PostOutcome => ({
  arrived: false,
  status,
  error,
  retryAfter,
})

const known: Record<string, string> = {
  ENOTFOUND: 'Its name isn’t known.',
  EAI_AGAIN: 'Its name can’t be looked up just now.',
  ECONNREFUSED: 'Nothing answers at its address.',
  ECONNRESET: 'It ended the connection without an answer.',
  EHOSTUNREACH: 'Its address can’t be reached from here.',
  ENETUNREACH: 'Its address can’t be reached from here.',
  ETIMEDOUT: 'Its address can’t be reached from here.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}

function said(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  const { code, errors } = error as { code?: unknown; errors?: { code?: unknown }[] }
  const name = String(code ?? errors?.[0]?.code ?? '')
  if (known[name] !== undefined) return known[name]
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(name)) return `Its certificate can’t be trusted (${name}).`
  return name === '' ? 'It couldn’t be sent.' : `It couldn’t be sent (${name}).`
}
