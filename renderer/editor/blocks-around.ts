import type { EditorState } from '@codemirror/state'
import { parsedTree } from './parsed-tree.ts'

/** Whether a place is within something of these names. */
export function isIn(state: EditorState, at: number, names: RegExp, side: -1 | 1): boolean {
  for (let node = parsedTree(state, at).resolveInner(at, side); node.parent; node = node.parent) {
    if (names.test(node.name)) return true
  }
  return false
}
