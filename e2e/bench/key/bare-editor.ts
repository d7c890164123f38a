// CodeMirror with markdown and nothing else, as its own documentation begins: what the owner's editor is measured beside.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  defaultHighlightStyle,
  defineLanguageFacet,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { GFM, parser } from '@lezer/markdown'

const data = defineLanguageFacet()
const markdown = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  'markdown',
)

const text = await (await fetch(`/texts/${location.hash.slice(1)}`)).text()
const view = new EditorView({
  parent: document.body,
  state: EditorState.create({
    doc: text,
    extensions: [
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      markdown,
      syntaxHighlighting(defaultHighlightStyle),
      keymap.of([...defaultKeymap, ...historyKeymap]),
    ],
  }),
})
view.focus()
