import { indentLess, indentMore } from '@codemirror/commands'
import {
  ChangeSet,
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type Line,
  type StateCommand,
  type Text,
} from '@codemirror/state'
import { isIn } from './blocks-around.ts'
import { leadLength } from './line-start.ts'
import { isSuggesting } from './suggesting/own-suggestions.ts'
import {
  contentOf,
  eachItem,
  itemLength,
  listAround,
  listLine,
  markOf,
  parentOf,
  renumber,
  shift,
  siblingBefore,
  taskBox,
  type ItemMark,
  type ListLine,
} from './list-lines.ts'

/** What Enter, Backspace and Tab do in lists and quotes. */

const code = /^(?:FencedCode|CodeBlock|FrontMatter|HTMLBlock)$/
const inCode = (state: EditorState, at: number) => isIn(state, at, code, -1)

/** Enter within a list or quote begins the next item; on an empty one it leaves the list or the quote. */
export const continueMarkup: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  if (state.readOnly || state.selection.ranges.length > 1 || inCode(state, main.head)) return false
  const line = state.doc.lineAt(main.from)
  const seen = listLine(line)
  const { item, quotes, space, rest } = seen
  if (!item && quotes === '') return false
  const box = item ? (taskBox.exec(rest)?.[0] ?? '') : ''
  const lead = line.length - rest.length + box.length
  if (main.from < line.from + lead) return false

  if (main.empty && rest.slice(box.length).trim() === '') {
    const parent = item ? outerItem(state.doc, line) : null
    const changes = parent
      ? asItemOf(parent, line)
      : leaving(state.doc, line, item ? quotes : outerQuotes(quotes))
    const moved = state.changes(changes)
    const after = withNumbers(moved, state, line.number)
    dispatch(
      state.update({
        changes: after,
        selection: { anchor: line.from + changes.cursor },
        userEvent: 'input',
        scrollIntoView: true,
      }),
    )
    return true
  }

  const next = item ? `${markOf(following(item, state.doc, line))}${box ? '[ ] ' : ''}` : ''
  const insert = `\n${quotes}${space}${next}`
  const { from, to } = main
  dispatch(
    state.update({
      changes: withNumbers(state.changes({ from, to, insert }), state, line.number + 1),
      selection: EditorSelection.cursor(from + insert.length),
      userEvent: 'input',
      scrollIntoView: true,
    }),
  )
  return true
}

/** The mark of the item after one. Where all items of a list have the same number, this one has it too. */
function following(item: ItemMark, doc: Text, line: Line): ItemMark {
  if (item.ordinal === null) return item
  const lines = listAround(doc, line.number, line.number)
  const steps = new Map<ListLine, number>()
  let step = 1
  eachItem(lines, (one, before) => {
    if (!before) return
    // The first two tell: what was suggested may have brought a number twice.
    const now = steps.get(before) ?? (before.item!.ordinal === one.item!.ordinal ? 0 : 1)
    if (one.number === line.number || (before.number === line.number && !steps.has(before))) step = now
    steps.set(one, now)
  })
  return { ...item, ordinal: item.ordinal + step }
}

/** Numbers the items behind a change anew, but where one suggests: markdown counts from the first, whatever they say. */
function withNumbers(changes: ChangeSet, state: EditorState, number: number): ChangeSet {
  if (isSuggesting(state)) return changes
  const after = changes.apply(state.doc)
  if (number > after.lines) return changes
  const lines = listAround(after, number, number)
  const old = lines.map(leadOf)
  renumber(lines, number)
  return changes.compose(ChangeSet.of(leadChanges(lines, old), after.length))
}

/** The item around an empty one. */
function outerItem(doc: Text, line: Line): ListLine | null {
  const lines = listAround(doc, line.number, line.number)
  const parent = parentOf(
    lines,
    lines.findIndex(({ number }) => number === line.number),
  )
  return lines[parent] ?? null
}

type TypedReplacement = { from: number; to: number; insert: string; cursor: number }

/** An empty item as the next of the list that an item is of. */
function asItemOf({ quotes, space, item, rest }: ListLine, { from, to }: Line): TypedReplacement {
  const ordinal = item!.ordinal === null ? null : item!.ordinal + 1
  const box = taskBox.test(rest) ? '[ ] ' : ''
  const insert = `${quotes}${space}${markOf({ ...item!, ordinal })}${box}`
  return { from, to, insert, cursor: insert.length }
}

function outerQuotes(quotes: string): string {
  const outer = quotes.replace(/>[ \t]?$/, '')
  return outer.includes('>') ? outer : ''
}
const bare = (text: string) => text.replace(/^[\s>]*/, '')

/**
 * An empty line behind a list or quote, apart from what stands before it: else what is typed there would go on with
 * that. Apart from what follows too, for which it would be the beginning.
 */
function leaving(doc: Text, { from, to, number }: Line, quotes: string): TypedReplacement {
  const apart = quotes.trimEnd()
  const before = number > 1 && bare(doc.line(number - 1).text) !== '' ? `${apart}\n` : ''
  const after = number < doc.lines && bare(doc.line(number + 1).text) !== '' ? `\n${apart}` : ''
  return { from, to, insert: `${before}${quotes}${after}`, cursor: before.length + quotes.length }
}

/**
 * Backspace at the start of a line’s words removes the whole of the mark before them, not just its space: a heading’s, an
 * item’s or task’s, or one level of a quote.
 */
export const deleteMark: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  const { head } = main
  if (state.readOnly || !main.empty || state.selection.ranges.length > 1 || inCode(state, head)) return false
  const line = state.doc.lineAt(head)
  if (head !== line.from + leadLength(state, line)) return false
  const lead = line.text.slice(0, head - line.from)
  const mark = lastMark.exec(lead)?.[0]
  if (mark === undefined) return false
  const changes: ChangeSpec[] = [{ from: head - mark.length, to: head }]
  // What closes a heading would be words.
  const closing = mark.startsWith('#') && /[ \t]+#+[ \t]*$/.exec(line.text.slice(lead.length))?.[0]
  if (closing) changes.push({ from: line.to - closing.length, to: line.to })
  dispatch(state.update({ changes, userEvent: 'delete.backward', scrollIntoView: true }))
  return true
}

/** The innermost mark of those that stand before a line’s words. */
const lastMark = /(?:#{1,6}[ \t]+|\[[ xX]\][ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)$/

const leadOf = ({ quotes, space, item }: ListLine) => `${quotes}${space}${item ? markOf(item) : ''}`

/** What makes lines of a text look like these, which had other leads. */
function leadChanges(lines: readonly ListLine[], old: readonly string[]): ChangeSpec[] {
  return lines.flatMap((line, i) => {
    const insert = leadOf(line)
    const was = old[i]!
    return insert === was ? [] : [{ from: line.from, to: line.from + was.length, insert }]
  })
}

/** Moves the items that are selected, with all that belongs to them, a level in or out. Null where none is. */
function movedItems(state: EditorState, way: 'in' | 'out'): ChangeSpec[] | null {
  const changes: ChangeSpec[] = []
  let end = 0
  for (const range of state.selection.ranges) {
    const first = state.doc.lineAt(range.from).number
    const last = state.doc.lineAt(range.to)
    // A selection that ends at the start of a line doesn’t mean that line.
    const to = last.from === range.to && last.number > first ? last.number - 1 : last.number
    if (!listLine(state.doc.line(first)).item || inCode(state, range.from)) return null
    // A list that an earlier range was in is done.
    if (first <= end) continue
    const lines = listAround(state.doc, first, to)
    end = lines.at(-1)!.number
    const old = lines.map(leadOf)
    const wasFirst = new Set<ListLine>()
    eachItem(lines, (line, before) => before ?? wasFirst.add(line))
    const moved = new Set<ListLine>()
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!
      if (line.number < first || line.number > to || !line.item) continue
      const count = itemLength(lines, i)
      if (move(lines, i, count, way)) moved.add(line)
      i += count - 1
    }
    renumber(
      lines,
      first,
      (line) => moved.has(line),
      (line) => moved.has(line) || !wasFirst.has(line),
      (line) => moved.has(line) || !isSuggesting(state),
    )
    changes.push(...leadChanges(lines, old))
  }
  return changes
}

function move(lines: readonly ListLine[], at: number, count: number, way: 'in' | 'out'): boolean {
  const line = lines[at]!
  const content = contentOf(line)
  const target = way === 'in' ? siblingBefore(lines, at) : parentOf(lines, at)
  const model = lines[target]
  if (way === 'in') {
    if (!model) return false
    shift(lines, at, 1, contentOf(model) - line.indent)
    // It goes on with the list that is there.
    const before = lines[siblingBefore(lines, at)]
    if (before) takeMarkOf(line, before)
  } else {
    if (line.indent === 0) return false
    shift(lines, at, 1, (model?.indent ?? 0) - line.indent)
    if (model) takeMarkOf(line, model)
  }
  shift(lines, at + 1, count - 1, contentOf(line) - content)
  return true
}

function takeMarkOf(line: ListLine, { item, number }: ListLine): void {
  line.item = {
    ...item!,
    ordinal: item!.ordinal === null ? null : item!.ordinal + (number < line.number ? 1 : 0),
  }
}

const moveItems =
  (way: 'in' | 'out', otherwise: StateCommand): StateCommand =>
  (target) => {
    const { state, dispatch } = target
    if (state.readOnly) return false
    const changes = movedItems(state, way)
    if (!changes) return otherwise(target)
    const set = state.changes(changes)
    if (!set.empty) {
      const userEvent = way === 'in' ? 'input.indent' : 'delete.dedent'
      dispatch(
        state.update({
          changes: set,
          selection: state.selection.map(set, 1),
          userEvent,
          scrollIntoView: true,
        }),
      )
    }
    return true
  }

/** Tab moves list items in; elsewhere it indents what is selected, or types two spaces. */
export const indent = moveItems('in', (target) => {
  const { state, dispatch } = target
  if (state.selection.ranges.some((range) => !range.empty)) return indentMore(target)
  dispatch(state.update(state.replaceSelection('  '), { userEvent: 'input', scrollIntoView: true }))
  return true
})

export const outdent = moveItems('out', indentLess)
