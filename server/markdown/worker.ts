import { parentPort } from 'node:worker_threads'
import { readDocument, type MarkdownDocument } from './document.ts'
import { loadParts, type Parts } from './code-and-maths.ts'
import { renderPlainly } from './plain.ts'
import { limitOf, renderDocument } from './render.ts'
import type { RenderLimits } from './render-limits.ts'
import { SelectionMap } from './selection.ts'
import type { JobResults, Job, RenderReply, RenderRequest } from './worker-messages.ts'

// Readers select again and again in the same text, so the last document stays read.
let last: { source: string; limits: RenderLimits; map: SelectionMap } | null = null

async function answer(request: RenderRequest): Promise<JobResults[Job['kind']]> {
  const { source, limits } = request
  const parts = request.kind === 'plain' ? {} : await loadParts(source)
  reply({ kind: 'begun' })
  if (request.kind === 'plain') return renderPlainly(source, request.limit)
  if (request.kind === 'render') return renderDocument(readDocument(source, limits.maxDepth), parts, limits)
  const map = mapOf(source, parts, limits)
  if (request.kind === 'sourceRange') return map.sourceRange(request.from, request.to)
  return request.ranges.map((range) => map.renderedRange(range))
}

function mapOf(source: string, parts: Parts, limits: RenderLimits): SelectionMap {
  if (last?.source === source) return last.map
  const document: MarkdownDocument = readDocument(source, limits.maxDepth)
  last = { source, limits, map: new SelectionMap(document, parts, limits) }
  return last.map
}

const port = parentPort
if (!port) throw new Error('the markdown worker runs in a worker thread')

const reply = (message: RenderReply): void => port.postMessage(message)

port.on('message', (request: RenderRequest) => {
  answer(request).then(
    (result) => reply({ kind: 'done', result }),
    (error: unknown) => {
      const limit = limitOf(error)
      if (limit) reply({ kind: 'limited', limit })
      else reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    },
  )
})
reply({ kind: 'ready' })
