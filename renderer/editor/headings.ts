import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

export interface EditorHeading {
  level: number
  text: string
  from: number
}

/** The words of a heading without its marks. */
const words = (line: string) =>
  line
    .replace(/^\s{0,3}#{1,6}\s*/, '')
    .replace(/\s+#+\s*$/, '')
    .replace(/!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/(^|\W)[*_](\S.*?)[*_](?=\W|$)/g, '$1$2')
    .replace(/<[^>]+>/g, '')
    .trim()

/** The document’s headings in order, also within quotes and lists. */
export function headings(state: EditorState): EditorHeading[] {
  const found: EditorHeading[] = []
  const tree = ensureSyntaxTree(state, state.doc.length, 80) ?? syntaxTree(state)
  tree.iterate({
    enter(node) {
      const level = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)
      if (!level) return /^(Document|Blockquote|BulletList|OrderedList|ListItem)$/.test(node.name)
      const text = words(state.sliceDoc(node.from, state.doc.lineAt(node.from).to))
      if (text !== '') found.push({ level: Number(level[1]), text, from: node.from })
      return false
    },
  })
  return found
}
