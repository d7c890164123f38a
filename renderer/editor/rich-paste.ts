import { EditorSelection, type EditorState, type Extension, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { contentOf, listLine } from './list-lines.ts'
import type { PastedMarkdown } from './paste/pasted-markdown.ts'
import type * as ReadHtml from './paste/read-html.ts'
import { pastedSheet, pastingInCell } from './tables/table-paste.ts'
import { parsedTree } from './parsed-tree.ts'

let reading: typeof ReadHtml | null = null

// Longer HTML is pasted plain: it is a whole program's state, not a text.
const longestHtml = 5_000_000
/** How long after Ctrl+Shift+V a paste may come that it means, in ms. */
const soon = 1000

const isCodeAt = (state: EditorState, at: number) => {
  for (let node = parsedTree(state, at).resolveInner(at, -1); node.parent; node = node.parent) {
    if (/Code|FrontMatter|HTMLBlock|URL/.test(node.name)) return true
  }
  return false
}

/**
 * What other programs put on the clipboard with its look comes in as markdown; with Ctrl+Shift+V, and in code, as plain
 * text. What reads it is loaded with the first paste.
 */
export function richPaste(): Extension {
  let plainAt = -Infinity
  return EditorView.domEventHandlers({
    keydown(event) {
      // Without Shift it is meant with its look again, however soon it comes after.
      if (event.key.toLowerCase() === 'v') plainAt = event.shiftKey ? event.timeStamp : -Infinity
    },
    paste(event, view) {
      const { clipboardData: data, timeStamp } = event
      const { state } = view
      if (!data || state.readOnly) return false
      const html = data.getData('text/html')
      const plain = data.getData('text/plain')
      const isCode = isCodeAt(state, state.selection.main.from)
      const isPlain = timeStamp - plainAt < soon
      if (isPlain) plainAt = -Infinity
      const hasLook = html !== '' && html.length <= longestHtml && !data.types.includes('vscode-editor-data')
      if (!hasLook || isCode || isPlain) return pastePlain(event, view, plain, isCode || isPlain)
      // In a table the cells of a spreadsheet are meant, not a table of their own.
      const inCell = /<table\b/i.test(html) ? pastingInCell(state, plain, true) : null
      if (inCell) {
        event.preventDefault()
        view.dispatch(inCell)
        return true
      }
      if (!reading) {
        event.preventDefault()
        void pasteLater(view, html, plain)
        return true
      }
      const pasted = reading.readHtml(html)
      if (!pasted) return pastePlain(event, view, plain)
      event.preventDefault()
      view.dispatch(pasting(state, pasted))
      return true
    },
  })
}

/**
 * Plain text that isn’t left to the editor: what would break a table, and what a spreadsheet copied.
 * @param asIs so that what isn’t in a table stays as it is
 */
function pastePlain(event: ClipboardEvent, view: EditorView, plain: string, asIs = false): boolean {
  const { state } = view
  const sheet = asIs ? null : pastedSheet(plain)
  const spec = pastingInCell(state, plain) ?? (sheet && pasting(state, sheet))
  if (!spec) return false
  event.preventDefault()
  view.dispatch(spec)
  return true
}

async function pasteLater(view: EditorView, html: string, plain: string): Promise<void> {
  let pasted: PastedMarkdown | null = null
  try {
    reading ??= await import('./paste/read-html.ts')
    pasted = reading.readHtml(html)
  } catch {
    // The words come in all the same.
  }
  const { state } = view
  if (pasted) view.dispatch(pasting(state, pasted))
  else
    view.dispatch(pastingInCell(state, plain) ?? state.replaceSelection(state.toText(plain)), {
      userEvent: 'input.paste',
      scrollIntoView: true,
    })
}

/** Puts pasted markdown where the cursor is, or in place of what is selected, apart from the text around it. */
export function pasting(state: EditorState, { markdown, first, last }: PastedMarkdown): TransactionSpec {
  const inCell = pastingInCell(state, markdown)
  if (inCell) return inCell
  const change = state.changeByRange(({ from, to }) => {
    const line = state.doc.lineAt(from)
    const seen = listLine(line)
    const lead = line.length - seen.rest.length
    // What is pasted into a quote or an item is a part of it.
    const within = `${seen.quotes}${seen.item ? ' '.repeat(contentOf(seen)) : ''}`
    const isAlone = state.sliceDoc(Math.min(line.from + lead, from), from).trim() === ''
    const isList = first === 'list' && seen.item !== null && isAlone && from >= line.from + lead
    const prefix = isList ? seen.quotes + seen.space : within
    const text = markdown
      .split('\n')
      .map((words, i) => (i === 0 ? words : (prefix + words).trimEnd()))
      .join('\n')
    if (first === 'words')
      return { changes: { from, to, insert: text }, range: EditorSelection.cursor(from + text.length) }

    const apart = `\n${within.trimEnd()}`
    let before = ''
    if (!isAlone && first !== 'paragraph') before = `${apart}\n${within}`
    else if (isAlone && !seen.item && line.number > 1 && hasWords(state.doc.line(line.number - 1).text)) {
      before = `${apart.slice(1)}\n${within.slice(seen.quotes.length)}`
    }
    const end = state.doc.lineAt(to)
    let after = ''
    if (state.sliceDoc(to, end.to).trim() !== '') after = last === 'paragraph' ? '' : `${apart}\n${within}`
    else if (end.number < state.doc.lines && hasWords(state.doc.line(end.number + 1).text) && !isList)
      after = apart
    const start = isList ? line.from + seen.quotes.length + seen.space.length : from
    return {
      changes: { from: start, to, insert: before + text + after },
      range: EditorSelection.cursor(start + before.length + text.length),
    }
  })
  return { ...change, userEvent: 'input.paste', scrollIntoView: true }
}

const hasWords = (text: string) => text.replace(/^[\s>]+/, '').trim() !== ''
