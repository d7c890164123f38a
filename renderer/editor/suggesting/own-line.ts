import type { Text } from '@codemirror/state'
import type { Detached } from './own-suggestions.ts'

/**
 * Whether words that have lost their place stand beside other words than those of the line that they were in: then that
 * line is gone, and what is beside them is a neighbour’s. Told by the word before them and the one behind.
 */
export function isLineGone(
  doc: Text,
  { from, to }: { from: number; to: number },
  { anchor: { prefix, suffix } }: Detached,
): boolean {
  if (prefix === '' && suffix === '') return false
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)]
  const before = /\S+[^\S\n]*$/.exec(prefix)?.[0]
  const behind = /^[^\S\n]*\S+/.exec(suffix)?.[0]
  const staysBefore = before !== undefined && first.text.slice(0, from - first.from).endsWith(before)
  const staysBehind = behind !== undefined && last.text.slice(to - last.from).startsWith(behind)
  return !staysBefore && !staysBehind
}
