import type { PastedBlock, Run } from './blocks.ts'
import { blocksOf } from './html-blocks.ts'
import { descendants, isElement, textOf, type HtmlElement } from './html-tree.ts'
import { hasMarkdownBeside } from './markdown-beside.ts'
import { markdownOf } from './markdown-writer.ts'

export interface PastedMarkdown {
  markdown: string
  /** What it begins and ends with; words alone are put between others. */
  first: PastedBlock['kind'] | 'words'
  last: PastedBlock['kind'] | 'words'
}

/** What HTML from the clipboard says as markdown; null where its plain text says the same. */
export function pastedMarkdown(root: HtmlElement): PastedMarkdown | null {
  if (isCode(root) || [...descendants(root)].some(({ attributes }) => hasMarkdownBeside(attributes)))
    return null
  const blocks = blocksOf(root)
  const [first] = blocks
  if (!first) return null
  const markdown = markdownOf(blocks)
  if (blocks.length > 1 || first.kind !== 'paragraph') {
    return { markdown, first: first.kind, last: blocks.at(-1)!.kind }
  }
  return first.runs.every(isPlain) ? null : { markdown, first: 'words', last: 'words' }
}

const isPlain = (run: Run) =>
  run.kind === 'break' || (run.kind === 'text' && Object.values(run.marks).every((on) => !on))

/** Programs for code copy it with its colours; its text is what is meant. */
function isCode(root: HtmlElement): boolean {
  const body = [...descendants(root)].find(({ tag }) => tag === 'body') ?? root
  const whole = body.children.filter((child) => isElement(child) || child.trim() !== '')
  const [only] = whole
  if (whole.length !== 1 || !only || !isElement(only)) return false
  const isPre = only.tag === 'pre' || /white-space:\s*pre\b/i.test(only.attributes['style'] ?? '')
  return isPre && textOf(only).trim() !== ''
}
