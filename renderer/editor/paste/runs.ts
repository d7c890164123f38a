import type { Marks, Run } from './blocks.ts'
import { descendants, textOf, type HtmlElement } from './html-tree.ts'

/** What stands in the lines of a text: where links lead, pictures, formulas, and white space. */

const controls = /[\u0000-\u0020\u007f]/g // eslint-disable-line no-control-regex

/** Where a link may lead; null for what only its page, or nobody, should follow. */
export function addressOf(href: string | undefined): string | null {
  const address = (href ?? '').trim().replace(controls, (sign) => (sign === ' ' ? '%20' : ''))
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  const wanted =
    url.hostname === 'www.google.com' && url.pathname === '/url' ? url.searchParams.get('q') : null
  return wanted !== null && /^https?:\/\//i.test(wanted) && URL.canParse(wanted) ? wanted : address
}

export function picture(attributes: Readonly<Record<string, string>>, marks: Marks): Run[] {
  const src = addressOf(attributes['src'])
  const isDot = [attributes['width'], attributes['height']].some((size) => /^[01](px)?$/.test(size ?? ''))
  if (src === null || src.startsWith('mailto:') || isDot) return []
  const alt = (attributes['alt'] ?? '').replace(/\s+/g, ' ').trim()
  return [{ kind: 'image', src, alt, marks }]
}

/** A formula as it was written, where the page tells. */
export function formula(math: HtmlElement, marks: Marks): Run[] {
  const source = [...descendants(math)].find(
    ({ attributes }) => attributes['encoding'] === 'application/x-tex',
  )
  const tex = (source ? textOf(source) : (math.attributes['alttext'] ?? '')).replace(/\s+/g, ' ').trim()
  if (tex !== '' && !tex.includes('$')) return [{ kind: 'maths', tex, marks }]
  const text = textOf(math).replace(/\s+/g, ' ')
  return text.trim() === '' ? [] : [{ kind: 'text', text, marks }]
}

/** Without white space and breaks at the ends, nor white space in a row. */
export function trimmed(runs: readonly Run[]): Run[] {
  const kept: Run[] = []
  let afterSpace = true
  for (const run of runs) {
    if (run.kind === 'break') {
      while (trimEnd(kept));
      if (kept.length > 0) kept.push(run)
      afterSpace = true
    } else if (run.kind !== 'text') {
      kept.push(run)
      afterSpace = false
    } else {
      const text: string = afterSpace ? run.text.replace(/^ /, '') : run.text
      if (text === '') continue
      kept.push({ ...run, text, marks: { ...run.marks } })
      afterSpace = text.endsWith(' ')
    }
  }
  while (trimEnd(kept) || kept.at(-1)?.kind === 'break') if (kept.at(-1)?.kind === 'break') kept.pop()
  return kept
}

/** Takes white space off the end; whether there was any. */
function trimEnd(runs: Run[]): boolean {
  const last = runs.at(-1)
  if (last?.kind !== 'text' || !last.text.endsWith(' ')) return false
  last.text = last.text.trimEnd()
  if (last.text === '') runs.pop()
  return true
}
