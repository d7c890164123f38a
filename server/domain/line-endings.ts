export type LineEndings = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'

/** Which line endings a text uses: one kind throughout, several, or none at all. */
export function lineEndings(text: string): LineEndings {
  const kinds = new Set<'lf' | 'crlf' | 'cr'>()
  for (const [ending] of text.matchAll(/\r\n?|\n/g)) {
    kinds.add(ending === '\n' ? 'lf' : ending === '\r' ? 'cr' : 'crlf')
    if (kinds.size > 1) return 'mixed'
  }
  return [...kinds][0] ?? 'none'
}

/** The text as an editor wants it, with every line ending a single `\n`. */
export function toLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/**
 * Text from an editor with the line endings its document had, so that a uniformly CRLF document stays one. What was
 * mixed, or had none, gets `\n`.
 */
export function withLineEndings(lfText: string, style: LineEndings): string {
  if (style === 'crlf') return lfText.replaceAll('\n', '\r\n')
  if (style === 'cr') return lfText.replaceAll('\n', '\r')
  return lfText
}
