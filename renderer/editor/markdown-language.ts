import { defineLanguageFacet, Language, languageDataProp } from '@codemirror/language'
import { styleTags, tags } from '@lezer/highlight'
import {
  Autolink,
  parser,
  Strikethrough,
  TaskList,
  type BlockParser,
  type MarkdownConfig,
} from '@lezer/markdown'
import { boundedTable, boundsOf } from './bounded-markdown.ts'
import { ReadsOn } from './bounded-read-on.ts'

const data = defineLanguageFacet({ closeBrackets: { brackets: ['(', '[', '{', '"'] } })

/** A byte-order mark is none of the text: what stands behind it begins the line. */
const byteOrderMark: BlockParser = {
  name: 'ByteOrderMark',
  before: 'IndentedCode',
  parse(block, line) {
    if (block.lineStart !== 0 || line.basePos !== 0 || !line.text.startsWith('\uFEFF')) return false
    line.moveBase(1)
    // As where a quote begins: the rest of the line is read anew.
    return null
  },
}

/** YAML between `---` lines at the very start, which would otherwise read as a rule and a heading. */
const frontMatterBlock: BlockParser = {
  name: 'FrontMatter',
  before: 'HorizontalRule',
  parse(block, line) {
    if (block.lineStart !== 0 || line.text.replace(/^\uFEFF/, '').trimEnd() !== '---') return false
    if (!/^[\w-]+\s*:/.test(block.peekLine())) return false
    let end = line.text.length
    while (block.nextLine()) {
      end = block.lineStart + line.text.length
      if (/^(---|\.\.\.)\s*$/.test(line.text)) {
        block.nextLine()
        break
      }
    }
    block.addElement(block.elt('FrontMatter', 0, end))
    return true
  },
}
const frontMatter: MarkdownConfig = {
  defineNodes: [{ name: 'FrontMatter', block: true }],
  parseBlock: [byteOrderMark, frontMatterBlock],
}

const gitHubs = parser.configure([boundedTable, TaskList, Strikethrough, Autolink, frontMatter])

/**
 * GitHub’s markdown for the editor, within bounds: the syntax tree that live preview, the outline and the commands read.
 */
export const markdownLanguage = new Language(
  data,
  new ReadsOn(
    gitHubs.configure([
      boundsOf(gitHubs),
      { props: [languageDataProp.add({ Document: data }), styleTags({ FrontMatter: tags.meta })] },
    ]),
  ),
  [],
  'markdown',
)
