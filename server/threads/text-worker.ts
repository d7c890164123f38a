import { parentPort } from 'node:worker_threads'
import type { WorkerReply } from './worker-thread.ts'
import type { TextRequest, TextResult } from './text-threads.ts'
import { here } from './text-work.ts'

const port = parentPort
if (!port) throw new Error('the text worker runs in a worker thread')

const reply = (message: WorkerReply<TextResult>): void => port.postMessage(message)

port.on('message', ({ kind, asked }: TextRequest) => {
  reply({ kind: 'begun' })
  try {
    reply({ kind: 'done', result: { given: here(kind, asked as never) } })
  } catch (error) {
    reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})
reply({ kind: 'ready' })
