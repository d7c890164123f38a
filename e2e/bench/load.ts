import autocannon from 'autocannon'

export interface Load {
  url: string
  method?: 'GET' | 'PATCH'
  headers?: Record<string, string>
  /** The body of the nth request. */
  body?: (n: number) => string
}
export interface Measured {
  perSecond: number
  p50: number
  p99: number
}

/** Sends one request after the other on each connection for some seconds; throws if any answer isn't a success. */
export async function measure(load: Load, connections: number, seconds: number): Promise<Measured> {
  let n = 0
  const result = await autocannon({
    url: load.url,
    connections,
    duration: seconds,
    method: load.method ?? 'GET',
    headers: load.headers ?? {},
    ...(load.body
      ? {
          requests: [
            {
              method: load.method ?? 'GET',
              headers: { 'content-type': 'application/json', ...load.headers },
              setupRequest: (request) => ({ ...request, body: load.body!(n++) }),
            },
          ],
        }
      : {}),
  })
  if (result.non2xx > 0 || result.errors > 0 || result.timeouts > 0) {
    throw new Error(
      `${load.url}: ${result.non2xx} refusals, ${result.errors} errors, ${result.timeouts} time-outs`,
    )
  }
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1]!

/** The middle of several rounds, figure by figure. */
export const median = (rounds: readonly Measured[]): Measured => ({
  perSecond: middle(rounds.map((one) => one.perSecond)),
  p50: middle(rounds.map((one) => one.p50)),
  p99: middle(rounds.map((one) => one.p99)),
})
