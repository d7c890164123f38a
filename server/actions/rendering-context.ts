import type { MarkdownRenderer } from '../markdown/index.ts'
import type { ActionContext } from './context.ts'

/** What actions work with that need the rendered page. */
export interface RenderingContext extends ActionContext {
  markdown: MarkdownRenderer
}
