import { diffSegments } from '../../server/domain/diff-segments.ts'

self.addEventListener('message', ({ data }: MessageEvent<{ before: string; after: string }>) => {
  self.postMessage(diffSegments(data.before, data.after))
})
