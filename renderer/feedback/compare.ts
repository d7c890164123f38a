import type { Segment } from '../../server/domain/diff-segments.ts'

// Below this a comparison takes a few milliseconds, less than starting a worker does.
const SMALL = 60_000

/** The differences between two texts, found without holding up the page. Rejects when aborted. */
export async function compareTexts(before: string, after: string, signal: AbortSignal): Promise<Segment[]> {
  if (before.length + after.length < SMALL || typeof Worker === 'undefined') {
    const { diffSegments } = await import('../../server/domain/diff-segments.ts')
    return diffSegments(before, after)
  }
  return askWorker(
    new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module' }),
    { before, after },
    signal,
  )
}

/** What a worker answers to its one question. */
export async function askWorker<Answer>(
  worker: Worker,
  question: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await new Promise<Answer>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Not wanted any more.')), { once: true })
      worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('The worker failed.')))
      worker.postMessage(question)
    })
  } finally {
    worker.terminate()
  }
}
