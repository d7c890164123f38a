import { parseHtml } from './html-tree.ts'
import { pastedMarkdown, type PastedMarkdown } from './pasted-markdown.ts'

/** What HTML from the clipboard says as markdown; null where its plain text says the same. */
export const readHtml = (html: string): PastedMarkdown | null => pastedMarkdown(parseHtml(html))
