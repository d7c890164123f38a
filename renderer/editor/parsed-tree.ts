import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { Tree } from '@lezer/common'

/**
 * A command has to know what stands around it, or it takes a table for words. The parser gives up after a time, also
 * where the machine was busy with something else: so it gets many short ones, of which that takes one. In ms.
 */
const slices = { length: 2, most: 25 }
/** What is around a place is read on so far, in characters: a table or code that ends there is known whole. */
const ahead = 3_000

/** The tree of the text up to a place and somewhat further; after 50 ms of work as far as it is known. */
export function parsedTree(state: EditorState, to: number): Tree {
  const upTo = Math.min(state.doc.length, to + ahead)
  for (let slice = 0; slice < slices.most; slice++) {
    const tree = ensureSyntaxTree(state, upTo, slices.length)
    if (tree) return tree
  }
  return syntaxTree(state)
}
