import { askWorker } from '../../../feedback/compare.ts'
import type { NumberedSegment } from '../../../feedback/folded-diff.ts'
import type { ComparedRow } from './rendered-comparison.ts'
import { foldRows, type ShownRow } from './folded-rows.ts'

/** So long two texts are laid out, in milliseconds; what others write may be made to take for ever. */
const longest = 20_000

/** A comparison as both texts read, which is worked out elsewhere. */
export class RenderedLook {
  /** Null until it is there. */
  rows = $state.raw<readonly ShownRow[] | null>(null)
  failed = $state(false)

  forget(): void {
    this.rows = null
    this.failed = false
  }

  /** Begins, and returns what ends it; what is shown stays until then. */
  begin(segments: readonly NumberedSegment[]): () => void {
    const ending = new AbortController()
    this.failed = false
    void compareRendered(segments, AbortSignal.any([ending.signal, AbortSignal.timeout(longest)])).then(
      (rows) => {
        if (ending.signal.aborted) return
        this.rows = rows && foldRows(rows)
        this.failed = rows === null
      },
    )
    return () => ending.abort()
  }

  unfold(fold: ShownRow): void {
    if (fold.kind !== 'fold') return
    this.rows = this.rows?.flatMap((row) => (row === fold ? fold.rows : [row])) ?? null
  }
}

const compareRendered = (segments: readonly NumberedSegment[], signal: AbortSignal) =>
  askWorker<ComparedRow[] | null>(
    new Worker(new URL('./rendered-worker.ts', import.meta.url), { type: 'module' }),
    segments,
    signal,
  ).catch(() => null)
