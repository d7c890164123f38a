import type { PreviewQuestion } from './preview.ts'
import { suggestionPreview } from './suggestion-preview.ts'

self.addEventListener('message', ({ data: { source, range, words } }: MessageEvent<PreviewQuestion>) => {
  self.postMessage(suggestionPreview(source, range)({ range, words }))
})
