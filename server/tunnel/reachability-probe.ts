import { randomBytes } from 'node:crypto'
import { TunnelFailure, type ProbeResult } from './provider.ts'
import { lastOf } from './client-addresses.ts'

/** Where the share listener answers probes, followed by the question. */
export const probePath = '/probe/'

/** No answer is longer, so no more is read of one. */
const longest = 256

/** One of the addresses that are for examples, where nobody is. */
const claimed = '192.0.2.1'

/**
 * Probes whether an address leads to this very server: a random question is asked at the public address, and only the
 * share listener of this process knows the answer, and only while the question is open.
 */
export function createReachabilityProbes() {
  const open = new Map<string, { answer: string; cameFor?: string | undefined }>()
  return {
    /** What the share listener says to a question that came with this `X-Forwarded-For`; undefined if nobody asked it. */
    answerTo(question: string, forwardedFor?: string): string | undefined {
      const asked = open.get(question)
      if (asked) asked.cameFor = lastOf(forwardedFor)
      return asked?.answer
    },
    /** Sends one to `address`; throws a TunnelFailure that says what came instead. */
    async send(address: string, signal: AbortSignal): Promise<ProbeResult> {
      const [question, answer] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
      const asked: { answer: string; cameFor?: string | undefined } = { answer }
      open.set(question, asked)
      try {
        const response = await fetch(`${address}${probePath}${question}`, {
          signal,
          // A page to sign in on, or a warning of the provider's, is not us.
          redirect: 'manual',
          headers: { accept: 'text/plain', 'x-forwarded-for': claimed },
        })
        const text = await start(response)
        if (response.status !== 200 || text !== answer) throw otherAnswer(address, response.status)
        return { namesClients: asked.cameFor !== undefined && asked.cameFor !== claimed }
      } catch (error) {
        throw error instanceof TunnelFailure ? error : unreachable(address, error, signal)
      } finally {
        open.delete(question)
      }
    },
  }
}

async function start(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    // Leaving the loop cancels the rest.
    if (text.length > longest) break
  }
  return text
}

const otherAnswer = (address: string, status: number) =>
  new TunnelFailure(
    'wrong answer',
    `${address} answers, but it isn’t this Galley that does (status ${status}). Is it pointed at the port of the share listener, and does it pass every path on?`,
  )

/** What a failed fetch means; the codes are Node's (`errno`) and undici's. */
function unreachable(address: string, error: unknown, signal: AbortSignal): TunnelFailure {
  const code = codeOf(error)
  const { hostname } = new URL(address)
  const failure = (reason: TunnelFailure['reason'], message: string) =>
    new TunnelFailure(reason, message, { cause: error })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return failure(
      'offline',
      `The name ${hostname} can’t be found. Is this machine online, and the name right?`,
    )
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH' || code === 'ENETDOWN')
    return failure('offline', `There is no way to ${hostname} from here. Is this machine online?`)
  if (code === 'ECONNREFUSED')
    return failure('other side silent', `Nothing listens at ${address}. Is the proxy running?`)
  if (/CERT|TLS|SSL|SIGNATURE/.test(code))
    return failure('wrong answer', `The certificate of ${hostname} isn’t valid (${code}).`)
  if (signal.aborted || /TIMEOUT|ABORT/i.test(code))
    return failure('other side silent', `${address} doesn’t answer in time.`)
  return failure('network blocked', `${address} can’t be reached (${code || 'the connection was cut'}).`)
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } }
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? (error as { code?: unknown }).code
  return typeof code === 'string' ? code : ''
}
