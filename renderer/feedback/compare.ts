import { diffSegments, type Segment } from '../../server/domain/diff-segments.ts'

// Below this a comparison takes a few milliseconds, less than starting a worker does.
const SMALL = 60_000

/** The differences between two texts, found without holding up the page. Rejects when aborted. */
export async function compareTexts(before: string, after: string, signal: AbortSignal): Promise<Segment[]> {
  if (before.length + after.length < SMALL || typeof Worker === 'undefined')
    return diffSegments(before, after)
  const worker = new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<Segment[]>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Not wanted any more.')), { once: true })
      worker.addEventListener('message', ({ data }: MessageEvent<Segment[]>) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('The comparison failed.')))
      worker.postMessage({ before, after })
    })
  } finally {
    worker.terminate()
  }
}
