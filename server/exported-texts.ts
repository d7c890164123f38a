import type { PageWithFeedback } from './actions/export-with-feedback.ts'
import type { RenderedPage } from './actions/rendered-document.ts'
import { builtAssets } from './built-assets.ts'
import { exportedPage } from './http/exported-page.ts'
import { loadPageAssets, type PageAssets } from './http/page/assets.ts'

export { wordFile } from './http/word/word-file.ts'

let assets: PageAssets | undefined

/** A document as a web page that holds all it needs, as a command writes it. */
export const pageText = (
  blobs: Parameters<typeof exportedPage>[1],
  page: RenderedPage | PageWithFeedback,
): Promise<string> => exportedPage((assets ??= loadPageAssets(`${builtAssets()}/share`)), blobs, page)
