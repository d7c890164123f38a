import { ApiError, createClientOf } from '../../contract/client-of.ts'
import { routes } from '../../contract/routes.ts'
import { UsageError } from '../command.ts'
import { harmless } from '../documents/shown.ts'
import type { AskedGalley } from './asked-galley.ts'

/** So long an answer may take to begin, where nothing says that it takes longer. */
const answersWithin = 30_000
/** More than that is an upload: how long it is under way, the line says. */
const upload = 64 * 1024

/** A Galley that is asked over HTTP, with a key. */
export function galleyElsewhere(
  address: string,
  key: string,
  { ask = fetch, within = answersWithin }: { ask?: typeof fetch; within?: number } = {},
): AskedGalley {
  let upTo = 0
  const withKey: typeof fetch = async (url, init) => {
    const headers = { ...(init?.headers as Record<string, string>), authorization: `Bearer ${key}` }
    // A key must not follow to wherever an answer points.
    const response = await answerOf((signal) => ask(url, { ...init, headers, redirect: 'manual', signal }), {
      signal: init?.signal ?? null,
      within: isLong(String(url), init?.body) ? null : within,
    })
    const told = response.headers.get('galley-events-up-to')
    if (told !== null) upTo = Number(told)
    return response
  }
  const client = createClientOf(routes, { base: baseOf(address), fetch: withKey })
  const call: typeof client.call = async (name, options) => {
    const answer = await client.call(name, options)
    if (!isPlain(answer)) throw new ApiError('BAD_ANSWER', 200, 'The answer didn’t come from Galley.')
    return answer
  }
  return {
    call,
    // It answers, or nothing is done.
    isRunning: () => true,
    async events(query, left) {
      const events = await call('listEvents', { query: { ...query }, ...(left && { signal: left }) })
      return { events, upTo }
    },
  }
}

/** Whether it waits for something to happen, or much is sent. */
const isLong = (url: string, body: unknown) =>
  new URL(url).searchParams.has('wait') || (typeof body === 'string' && body.length > upload)

/** Gives up where no answer has begun by then; how long all of it takes is another matter. */
async function answerOf(
  ask: (signal: AbortSignal) => Promise<Response>,
  { signal, within }: { signal: AbortSignal | null; within: number | null },
): Promise<Response> {
  const silence = new AbortController()
  const timer = within === null ? undefined : setTimeout(() => silence.abort(), within)
  try {
    return await ask(signal ? AbortSignal.any([signal, silence.signal]) : silence.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** What Galley itself makes up has nothing in it that a terminal would obey, and is printed as it is. */
function isPlain(answer: unknown): boolean {
  const left = [answer]
  for (let one = left.pop(); left.length > 0 || one !== undefined; one = left.pop())
    if (typeof one === 'object' && one !== null)
      for (const [field, value] of Object.entries(one)) {
        if (typeof value === 'object') left.push(value)
        else if (typeof value === 'string' && ownField.test(field) && value !== harmless(value)) return false
      }
  return true
}
const ownField = /(?:^|_)(?:id|at|kind|status|permission|access|token|url|code|error)$/

/** @throws UsageError */
function baseOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`GALLEY_URL is “${address}”, which is no address such as http://127.0.0.1:4780.`)
  // The key is sent as a header; what stands in an address ends up in logs.
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'GALLEY_URL has a name or password in it. Leave it out; the key is all that is needed.',
    )
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
