/** How long a PATCH of a large text with many comments takes, from the request to the whole answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from './long-work.ts'
import { prose } from './prose.ts'

const megabyte = 1024 * 1024
const anchors = 200
const times = 9

interface Setting {
  url: string
  authorization: string
  call: Call
  wants: (name: string) => boolean
  print: (line: string) => void
}

export async function benchLargeWrites({ url, authorization, call, wants, print }: Setting) {
  for (const megabytes of [1, 9]) {
    const name = `PATCH of ${megabytes} MB, ${anchors} anchors`
    if (!wants(name)) continue
    const size = megabytes * megabyte
    const text = prose(size, size)
    const { id } = await call<{ id: string }>('POST', '/api/documents', { content: text })
    for (let n = 0; n < anchors; n++) {
      const start = Math.floor((size / anchors) * n)
      const exact = text.slice(start, start + 30)
      await call('POST', `/api/documents/${id}/comments`, {
        body: 'Remark.',
        anchor: { exact, start, end: start + exact.length },
      })
    }
    const took: number[] = []
    for (let n = 0; n < times; n++) {
      const at = size >> 1
      const body = JSON.stringify({
        content: `${text.slice(0, at)} Sentence ${n} is new. ${text.slice(at + 40)}`,
      })
      await sleep(200)
      const began = performance.now()
      const response = await fetch(`${url}/api/documents/${id}`, {
        method: 'PATCH',
        headers: { authorization, 'content-type': 'application/json' },
        body,
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${name}: ${response.status}`)
      took.push(performance.now() - began)
    }
    took.sort((a, b) => a - b)
    print(
      `${name.padEnd(34)} ${took[times >> 1]!.toFixed(0)} ms (median of ${times}; the quickest ${took[0]!.toFixed(0)} ms)`,
    )
  }
}
