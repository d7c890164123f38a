import type { FastifyBaseLogger } from 'fastify'
import type { MarkdownRenderer } from '../markdown/index.ts'
import type { Store } from '../store/store.ts'
import type { DocumentEvent } from '../contract/events.ts'
import type { Limiters } from './limiters.ts'
import type { PageAssets } from './page/assets.ts'

/** What every route works with; made once, in `app.ts`. */
export interface Context {
  store: Store
  markdown: MarkdownRenderer
  limiters: Limiters
  log: FastifyBaseLogger
  version: string
  /** The built style sheets and scripts that pages link to; throws if they haven’t been built. */
  assets: () => PageAssets
  /** The address that share links start with, without a trailing slash. */
  shareUrl: () => string
  /** Tells whoever watches the document. Called after the commit, never inside a transaction. */
  publish: (event: DocumentEvent) => void
}
