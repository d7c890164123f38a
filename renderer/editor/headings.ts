import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { Tree } from '@lezer/common'

export interface EditorHeading {
  level: number
  text: string
  from: number
}

/** Of a longer heading the beginning is enough to tell it by; looking for its marks takes the square of its length. */
const longest = 1_000
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

/** A part of the parsing that is done in one go, in ms, and so many at most: what isn’t parsed by then has to wait. */
const parsing = { slice: 4, most: 100 }
const blocksInOneGo = 200
const holdsBlocks = /^(Document|Blockquote|BulletList|OrderedList|ListItem)$/

/** The document’s headings in order, also within quotes and lists; can be stopped on the way. */
export function* headings(state: EditorState): Generator<void, EditorHeading[]> {
  let tree: Tree | null = null
  for (let slices = 0; !tree && slices < parsing.most; slices++) {
    tree = ensureSyntaxTree(state, state.doc.length, parsing.slice)
    yield
  }
  const found: EditorHeading[] = []
  const node = (tree ?? syntaxTree(state)).cursor()
  for (let count = 1; node.next(holdsBlocks.test(node.name)); count++) {
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)
    if (level) {
      const text = words(
        state.sliceDoc(node.from, Math.min(state.doc.lineAt(node.from).to, node.from + longest)),
      )
      if (text !== '') found.push({ level: Number(level[1]), text, from: node.from })
    }
    if (count % blocksInOneGo === 0) yield
  }
  return found
}
