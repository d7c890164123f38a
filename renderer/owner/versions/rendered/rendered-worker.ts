import { loadParts } from '../../../../server/markdown/code-and-maths.ts'
import type { NumberedSegment } from '../../../feedback/folded-diff.ts'
import { compareRendered } from './rendered-comparison.ts'

self.addEventListener('message', ({ data: segments }: MessageEvent<NumberedSegment[]>) => {
  void loadParts(segments.map(({ text }) => text).join(''))
    .then((parts) => compareRendered(segments, parts))
    // Nested too deep, or too large when laid out.
    .catch(() => null)
    .then((rows) => self.postMessage(rows))
})
