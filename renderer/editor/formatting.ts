import { type EditorState, type SelectionRange, type StateCommand } from '@codemirror/state'

import { emphasisAt } from './emphasis.ts'
import type { FormatName } from './format-names.ts'
import { isMarked, toggleInline } from './inline-formatting.ts'
import { linkOf } from './link-words.ts'
import { parsedTree } from './parsed-tree.ts'

/** Commands that give lines and links their markdown marks, and take them away again. */

const spaces = (text: string) => text.length - text.trimStart().length

/** Every line that a selection touches, once. */
function selectedLines(state: EditorState) {
  const lines = new Map<number, { from: number; text: string }>()
  for (const range of state.selection.ranges) {
    for (let at = range.from; at <= range.to;) {
      const line = state.doc.lineAt(at)
      // A selection that ends at the start of a line doesn’t mean that line.
      if (!(line.from === range.to && line.from > range.from)) lines.set(line.from, line)
      at = line.to + 1
    }
  }
  const all = [...lines.values()]
  const written = all.filter((line) => line.text.trim() !== '')
  return written.length > 0 ? written : all
}

interface Prefixes {
  /** Matches the prefix this command is about, at the start of a line without its indentation. */
  own: RegExp
  /** Matches whatever prefix gives way to it. */
  other: RegExp
  insert: (index: number) => string
}

function togglePrefix({ own, other, insert }: Prefixes): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false
    const lines = selectedLines(state)
    const split = (text: string) => {
      const indent = spaces(text)
      return { indent, rest: text.slice(indent) }
    }
    const remove = lines.every((line) => own.test(split(line.text).rest))
    const changes = state.changes(
      lines.map((line, i) => {
        const { indent, rest } = split(line.text)
        const from = line.from + indent
        const old = (remove ? own : other).exec(rest)?.[0] ?? ''
        return { from, to: from + old.length, insert: remove ? '' : insert(i) }
      }),
    )
    const selection = state.selection.map(changes, 1)
    dispatch(state.update({ changes, selection, userEvent: 'input.format', scrollIntoView: true }))
    return true
  }
}

const prefixes = {
  heading: (level: number) => new RegExp(`^#{${level}}(?: +|$)`),
  quote: /^> ?/,
  bullets: /^[-*+]\s+(?!\[[ xX]\](?:\s|$))/,
  ordered: /^\d{1,9}[.)]\s+/,
  tasks: /^[-*+]\s+\[[ xX]\](?:\s+|$)/,
}
const anyList = /^(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/

export const toggleHeading = (level: 1 | 2 | 3): StateCommand =>
  togglePrefix({
    own: prefixes.heading(level),
    other: /^(?:#{1,6}(?: +|$))?/,
    insert: () => `${'#'.repeat(level)} `,
  })
export const toggleQuote: StateCommand = togglePrefix({ own: prefixes.quote, other: /^/, insert: () => '> ' })
export const toggleBulletList: StateCommand = togglePrefix({
  own: prefixes.bullets,
  other: anyList,
  insert: () => '- ',
})
export const toggleOrderedList: StateCommand = togglePrefix({
  own: prefixes.ordered,
  other: anyList,
  insert: (i) => `${i + 1}. `,
})
export const toggleTaskList: StateCommand = togglePrefix({
  own: prefixes.tasks,
  other: anyList,
  insert: () => '- [ ] ',
})

/** Ticks the tasks on the selected lines, or unticks them where all are ticked. Does nothing where there is none. */
export const toggleTaskDone: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false
  const boxes = selectedLines(state).flatMap((line) => {
    const box = /^(\s*(?:>\s?)*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])\]/.exec(line.text)
    return box ? [{ at: line.from + box[1]!.length, done: box[2] !== ' ' }] : []
  })
  if (boxes.length === 0) return false
  const insert = boxes.every((box) => box.done) ? ' ' : 'x'
  dispatch(
    state.update({
      changes: boxes.map(({ at }) => ({ from: at, to: at + 1, insert })),
      userEvent: 'input.format',
    }),
  )
  return true
}

/** The link around a position or selection, if there is one. */
function linkAround(state: EditorState, range: SelectionRange) {
  let node = parsedTree(state, range.to).resolveInner(range.from, 1)
  for (; node.parent; node = node.parent) {
    if (node.name === 'Link' && node.to >= range.to && state.sliceDoc(node.from, node.to).includes(']('))
      return node
  }
  return null
}

/** Makes a link of the selected words, the address to be typed next; within a link, leaves only its words. */
export const toggleLink: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false
  const range = state.selection.main
  const link = linkAround(state, range)
  if (link) {
    const marks = link.getChildren('LinkMark')
    const changes = [
      { from: link.from, to: marks[0]!.to },
      { from: marks[1]!.from, to: link.to },
    ]
    dispatch(state.update({ changes, userEvent: 'input.format' }))
    return true
  }
  const word = range.empty ? (state.wordAt(range.head) ?? range) : range
  const text = state.sliceDoc(word.from, word.to)
  const isUrl = /^https?:\/\/\S+$/.test(text)
  const around = (before: string, behind: string) =>
    state.changes([
      { from: word.from, insert: before },
      { from: word.to, insert: behind },
    ])
  const { changes, anchor } = isUrl
    ? { changes: around('[](', ')'), anchor: word.from + 1 }
    : text === ''
      ? { changes: around('[', ']()'), anchor: word.from + 1 }
      : linkOf(state, word, '')
  dispatch(state.update({ changes, selection: { anchor }, userEvent: 'input.format', scrollIntoView: true }))
  return true
}

/** Code: within a line, backticks around the words; over several lines, a fence. */
export const toggleCode: StateCommand = (target) => {
  const { state, dispatch } = target
  const range = state.selection.main
  const first = state.doc.lineAt(range.from)
  const last = state.doc.lineAt(range.to)
  if (first.number === last.number || state.readOnly) return toggleInline('`')(target)
  const fence = /^(`{3,})/
  if (fence.test(first.text) && fence.test(last.text)) {
    const changes = [
      { from: first.from, to: first.to + 1 },
      { from: last.from - 1, to: last.to },
    ]
    dispatch(state.update({ changes, userEvent: 'input.format' }))
    return true
  }
  const changes = state.changes([
    { from: first.from, insert: '```\n' },
    { from: last.to, insert: '\n```' },
  ])
  dispatch(
    state.update({
      changes,
      selection: { anchor: first.from, head: changes.mapPos(last.to, 1) },
      userEvent: 'input.format',
    }),
  )
  return true
}

const marksByName = { bold: '**', italic: '*', strike: '~~', code: '`' } as const
/** What is on in a longer selection isn’t looked for: it changes with each step of a mouse. */
const longestSelection = 5000

/** What is on at the cursor, or in all that is selected: what its command would end or take away. */
export function activeFormats(state: EditorState): Set<FormatName> {
  const { main } = state.selection
  const found = new Set<FormatName>()
  if (main.to - main.from > longestSelection) return found
  for (const name of ['bold', 'italic', 'strike', 'code'] as const) {
    const mark = marksByName[name]
    if (main.empty ? emphasisAt(state, main.head, mark) !== null : isMarked(state, main, mark))
      found.add(name)
  }
  for (let node = parsedTree(state, main.head).resolveInner(main.head, -1); node.parent; node = node.parent) {
    if (node.name === 'FencedCode') found.add('code')
  }
  if (linkAround(state, main)) found.add('link')
  const lines = selectedLines(state).map(({ text }) => text.trimStart())
  const all = (prefix: RegExp) => lines.every((line) => prefix.test(line))
  for (const level of [1, 2, 3] as const) if (all(prefixes.heading(level))) found.add(`heading${level}`)
  for (const name of ['quote', 'bullets', 'ordered', 'tasks'] as const)
    if (all(prefixes[name])) found.add(name)
  return found
}
