/**
 * What others ask for while something long is under way, and how long they wait. It runs in a thread of its own, so
 * that whoever asks for the long work doesn't hold up those who are measured. Requests go out at a steady pace, whether
 * those before are answered or not: a server that stands still holds up all that come meanwhile.
 */
import http from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

export interface OthersRequest {
  name: string
  url: string
  /** Milliseconds from one to the next. */
  every: number
  method?: 'GET' | 'PATCH'
  headers?: Record<string, string>
  /** One after the other. */
  bodies?: string[]
  /** One after the other, instead of `url`. */
  urls?: string[]
}

/** How long each answer took, in ms, by name; and how many were refused. */
export interface Waited {
  times: Record<string, number[]>
  refused: number
}

/** Others ask from `begin` to `end`. */
export function startOthers(requests: readonly OthersRequest[]) {
  const worker = new Worker(new URL(import.meta.url), { workerData: requests })
  worker.unref()
  return {
    begin: () => worker.postMessage('begin'),
    end: () =>
      new Promise<Waited>((resolve) => {
        worker.once('message', resolve)
        worker.postMessage('end')
      }),
    close: () => worker.terminate(),
  }
}

function ask(port: NonNullable<typeof parentPort>, requests: readonly OthersRequest[]) {
  const agent = new http.Agent({ keepAlive: true })
  let waited: Waited | undefined
  let unanswered = 0
  const due = requests.map(() => 0)
  const counts = requests.map(() => 0)

  function send({ name, url, urls, method = 'GET', headers = {}, bodies }: OthersRequest, count: number) {
    const into = waited!
    const body = bodies?.[count % bodies.length]
    const sent = performance.now()
    unanswered++
    const answered = (isGood: boolean) => {
      unanswered--
      ;(into.times[name] ??= []).push(performance.now() - sent)
      if (!isGood) into.refused++
    }
    const request = http.request(
      urls?.[count % urls.length] ?? url,
      {
        agent,
        method,
        headers: {
          ...headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        response.resume()
        response.on('end', () => answered(response.statusCode === 200))
      },
    )
    request.on('error', () => answered(false))
    request.end(body)
  }

  function tick() {
    if (!waited) return
    const now = performance.now()
    for (const [index, request] of requests.entries()) {
      for (; due[index]! <= now; due[index]! += request.every) send(request, counts[index]!++)
    }
    setTimeout(tick, 1)
  }

  port.on('message', (message) => {
    if (message === 'begin') {
      waited = { times: {}, refused: 0 }
      due.fill(performance.now())
      tick()
      return
    }
    const all = waited!
    waited = undefined
    const tell = () => (unanswered > 0 ? void setTimeout(tell, 5) : port.postMessage(all))
    tell()
  })
}

if (!isMainThread && parentPort) ask(parentPort, workerData as OthersRequest[])
