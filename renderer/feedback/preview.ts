import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { SourceRange } from '../../server/markdown/rendered.ts'
import { askWorker } from './compare.ts'

export interface PreviewQuestion {
  source: string
  range: SourceRange
  words: string
}

/** Others' words may be made to take for ever. */
const longest = 10_000

const signs = /[*_`~[\]<>#|\\&$]|^\s*(?:[-+]|\d+[.)])\s|\n/m

/** Whether there is more to see in how it reads than in its words. */
export const hasMarkup = ({ original_text, suggested_text }: Suggestion): boolean =>
  signs.test(original_text + suggested_text)

/**
 * How the paragraphs around a suggestion will read with it, as HTML; null where that can’t be said, because the text has
 * changed at its words or takes too long to read.
 */
export async function previewOf(
  { range, original_text, suggested_text }: Suggestion,
  source: string | null,
): Promise<string | null> {
  if (!range || source?.slice(range.start, range.end) !== original_text) return null
  const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
  const question: PreviewQuestion = { source, range, words: suggested_text }
  return askWorker<string>(worker, question, AbortSignal.timeout(longest)).catch(() => null)
}
