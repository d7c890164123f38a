import { isolateHistory } from '@codemirror/commands'
import {
  EditorSelection,
  EditorState,
  type StateCommand,
  type Text,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import { formats } from '../formats.ts'
import { leadLength } from '../line-start.ts'
import { markdownLanguage } from '../markdown-language.ts'
import type { PastedMarkdown } from '../paste/pasted-markdown.ts'
import { pasting } from '../rich-paste.ts'
import { isSuggesting } from '../suggesting/own-suggestions.ts'
import type { InsertName } from './insert-items.ts'

/** Where the cursor goes in what is inserted; no text has it. */
const here = '\u{f8fe}'

type Made = { changes: Transaction['changes']; cursor: number }
type Maker = (state: EditorState, isSuggested: boolean) => Made

function block(markdown: string, first: PastedMarkdown['first'], last = first): Maker {
  return (state) => {
    const pasted = state.update(pasting(state, { markdown, first, last }))
    const { from } = state.selection.main
    const at = from + pasted.newDoc.sliceString(from, pasted.newSelection.main.head).indexOf(here)
    const without = pasted.state.changes({ from: at, to: at + here.length })
    return { changes: pasted.changes.compose(without), cursor: at }
  }
}

/** What a command does to the line. */
const format =
  (command: StateCommand): Maker =>
  (state) => {
    let made: Transaction | null = null
    command({ state, dispatch: (transaction) => (made = transaction) })
    const { changes, newSelection } = (made as Transaction | null) ?? state.update({})
    return { changes, cursor: newSelection.main.head }
  }

const isDefinition = (line: string) => /^\[\^[^\]]+\]:/.test(line)

/**
 * A mark where the cursor is, and its words at the end of the text, where the cursor goes on.
 * @param own what makes a name of the note’s number that nobody else gives to theirs
 */
const footnote = (state: EditorState, own = ''): Made => {
  const { doc } = state
  const taken = [...doc.toString().matchAll(/\[\^(\d{1,6})(?:-[a-z]{4})?\]/g)].map(([, number]) =>
    Number(number),
  )
  const number = Math.max(0, ...taken) + 1
  const { from } = state.selection.main
  const mark = `[^${number}${own}]`
  const changes = state.changes([
    { from, insert: mark },
    { from: doc.length, insert: `${apartFrom(doc)}${mark}: ` },
  ])
  return { changes, cursor: changes.newLength }
}

/** Two who suggest a note each don’t see the other’s, and of two notes of one name only the first one’s words are shown. */
const ownName = () =>
  `-${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}`

/** What parts a footnote's words from the end of a text. Those of several stand line by line. */
function apartFrom(doc: Text): string {
  let number = doc.lines
  while (number > 1 && doc.line(number).text.trim() === '') number--
  const blank = doc.lines - number
  const wanted = isDefinition(doc.line(number).text) ? 1 : 2
  return '\n'.repeat(Math.max(0, wanted - blank))
}

const formula: Maker = (state, isSuggested) => {
  const line = state.doc.lineAt(state.selection.main.from)
  const isAlone = line.text.slice(leadLength(state, line)).trim() === ''
  if (isAlone && !isCell(state)) return block(`$$\n${here}\n$$`, 'code')(state, isSuggested)
  const { from } = state.selection.main
  return { changes: state.changes({ from, insert: '$$' }), cursor: from + 1 }
}
const isCell = (state: EditorState) => state.doc.lineAt(state.selection.main.from).text.includes('|')

const makers: Record<Exclude<InsertName, 'file'>, Maker> = {
  table: block(
    `| ${here}    |     |     |\n| --- | --- | --- |\n|     |     |     |\n|     |     |     |`,
    'table',
  ),
  footnote: (state, isSuggested) => footnote(state, isSuggested ? ownName() : ''),
  maths: formula,
  codeBlock: block(`\`\`\`\n${here}\n\`\`\``, 'code'),
  diagram: block(`\`\`\`mermaid\nflowchart LR\n  A[First] --> B[Then]${here}\n\`\`\``, 'code'),
  divider: block(`---\n\n${here}`, 'rule'),
  quote: format(formats.quote),
  bullets: format(formats.bullets),
  ordered: format(formats.ordered),
  tasks: format(formats.tasks),
  heading1: format(formats.heading1),
  heading2: format(formats.heading2),
  heading3: format(formats.heading3),
}

/**
 * Puts something in place of what was typed to find it, in one step.
 * @param name null where that only goes
 */
export function inserting(
  state: EditorState,
  { from, to }: { from: number; to: number },
  name: Exclude<InsertName, 'file'> | null,
): TransactionSpec {
  const line = state.doc.lineAt(from)
  const lead = line.from + leadLength(state, line)
  let start = from
  // What was apart from the words for the menu’s sake; what stands in the line keeps its space.
  const staysApart = name === null || name === 'maths'
  while (!staysApart && start > lead && /[ \t]/.test(state.sliceDoc(start - 1, start))) start--
  const cleared = state.changes({ from: start, to })
  const plain = EditorState.create({
    doc: cleared.apply(state.doc),
    selection: { anchor: start },
    extensions: [markdownLanguage],
  })
  const made = name === null ? { changes: null, cursor: start } : makers[name](plain, isSuggesting(state))
  return {
    changes: made.changes ? cleared.compose(made.changes) : cleared,
    selection: EditorSelection.cursor(made.cursor),
    userEvent: 'input',
    annotations: isolateHistory.of('full'),
    scrollIntoView: true,
  }
}
