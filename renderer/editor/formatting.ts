import { syntaxTree } from '@codemirror/language'
import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type SelectionRange,
  type StateCommand,
} from '@codemirror/state'

import { emphasisAt, emphasisBefore, justFormatted, nodeOf, type InlineMark } from './emphasis.ts'
import type { FormatName } from './format-names.ts'

/** Commands that give words and lines their markdown marks, and take them away again. */

const blockPrefix = /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+)?/
const spaces = (text: string) => text.length - text.trimStart().length

interface Stretch {
  from: number
  to: number
}

/** The words a command is about: what is selected, line by line, or else the word at the cursor. */
function stretches(state: EditorState, range: SelectionRange): Stretch[] {
  if (range.empty) {
    const word = state.wordAt(range.head)
    return [word ? { from: word.from, to: word.to } : { from: range.head, to: range.head }]
  }
  const found: Stretch[] = []
  for (let at = range.from; at <= range.to;) {
    const line = state.doc.lineAt(at)
    const prefix = blockPrefix.exec(line.text)![0].length
    const first = Math.max(range.from, line.from + Math.min(prefix, line.length))
    const text = state.sliceDoc(first, Math.max(first, Math.min(range.to, line.to)))
    const from = first + spaces(text)
    const to = from + text.trim().length
    if (to > from) found.push({ from, to })
    at = line.to + 1
  }
  return found
}

const runBefore = (state: EditorState, at: number, sign: string) => {
  let run = 0
  while (at - run > 0 && state.sliceDoc(at - run - 1, at - run) === sign) run++
  return run
}
const runAfter = (state: EditorState, at: number, sign: string) => {
  let run = 0
  while (state.sliceDoc(at + run, at + run + 1) === sign) run++
  return run
}
/** Whether a run of signs holds the mark: `***` is both strong and emphasis, `**` is not emphasis. */
const holds = (run: number, mark: InlineMark) =>
  mark === '*' ? run === 1 || run === 3 : mark === '`' ? run === 1 : run >= 2 && run <= 3

/** What has this very mark already and reaches into a stretch. */
function marksWithin(state: EditorState, { from, to }: Stretch, mark: InlineMark): Stretch[] {
  const found: Stretch[] = []
  syntaxTree(state).iterate({
    from,
    to,
    enter: (node) => {
      if (node.name !== nodeOf[mark] || node.from >= to || node.to <= from) return
      const { from: start, to: end } = node.node.firstChild!
      const run = state.sliceDoc(start, end)
      if (run === mark) found.push({ from: node.from, to: node.to })
    },
  })
  return found
}

interface Marked extends Stretch {
  /** Where the marks stand: right outside the stretch, right inside it, further out, or nowhere. */
  marks: 'outside' | 'inside' | 'around' | 'none'
  /** What takes the marks away, or puts them there. */
  changes: ChangeSpec[]
}

function marked(state: EditorState, { from, to }: Stretch, mark: InlineMark): Marked {
  const sign = mark[0]!
  const size = mark.length
  const text = state.sliceDoc(from, to)
  const inside = /^([*~`])\1*/.exec(text)?.[0] ?? ''
  const tail = /([*~`])\1*$/.exec(text)?.[0] ?? ''
  const within = from === to ? [] : marksWithin(state, { from, to }, mark)
  if (inside[0] === sign && tail[0] === sign && holds(inside.length, mark) && holds(tail.length, mark)) {
    // `**one** and **two**` begins and ends with marks, of which neither is the other’s.
    const isOne = within.length === 0 || within.some((one) => one.from <= from && one.to >= to)
    if (isOne && text.length > inside.length + tail.length) {
      const changes = [
        { from, to: from + size },
        { from: to - size, to },
      ]
      return { from, to, marks: 'inside', changes }
    }
  }
  if (holds(runBefore(state, from, sign), mark) && holds(runAfter(state, to, sign), mark)) {
    const changes = [
      { from: from - size, to: from },
      { from: to, to: to + size },
    ]
    return { from, to, marks: 'outside', changes }
  }
  const around = within.find((one) => one.from < from && one.to > to)
  if (around) return { from, to, marks: 'around', changes: splitAround(state, around, { from, to }, mark) }

  // Marks don’t nest: those of words within give way to the ones around all, of which some may stand already.
  const first = Math.min(from, ...within.map((one) => one.from))
  const last = Math.max(to, ...within.map((one) => one.to))
  const opens = within.some((one) => one.from === first)
  const closes = within.some((one) => one.to === last)
  const changes: ChangeSpec[] = within.flatMap((one) => [
    ...(one.from === first ? [] : [{ from: one.from, to: one.from + size }]),
    ...(one.to === last ? [] : [{ from: one.to - size, to: one.to }]),
  ])
  if (!opens) changes.push({ from: first, insert: mark })
  if (!closes) changes.push({ from: last, insert: mark })
  return { from: opens ? first + size : first, to: closes ? last - size : last, marks: 'none', changes }
}

/** Takes a mark away from the middle of what has it: what stands before and behind keeps it. */
function splitAround(state: EditorState, around: Stretch, { from, to }: Stretch, mark: InlineMark) {
  const size = mark.length
  const before = state.sliceDoc(around.from + size, from).trimEnd().length
  const behind = spaces(state.sliceDoc(to, around.to - size))
  const isLast = to + behind >= around.to - size
  return [
    before > 0
      ? { from: around.from + size + before, insert: mark }
      : { from: around.from, to: around.from + size },
    isLast ? { from: around.to - size, to: around.to } : { from: to + behind, insert: mark },
  ]
}

/**
 * What the command means at a cursor where words with the mark end or have ended: that one writes on without it, or
 * with it again. Null where it is about the word at the cursor.
 */
function endOrResume(state: EditorState, at: number, mark: InlineMark) {
  const inside = emphasisAt(state, at, mark)
  if (!inside) {
    const before = emphasisBefore(state, at, mark)
    return before && { range: EditorSelection.cursor(before.close.from) }
  }
  const { open, close } = inside
  const written = state.sliceDoc(open.to, close.from)
  if (written.trim() === '') {
    const changes = [open, close]
    return { changes, range: EditorSelection.cursor(at - (open.to - open.from)) }
  }
  // The same command twice takes back what it did.
  if (state.field(justFormatted, false)) return null
  const sign = state.sliceDoc(close.from, close.to)
  const others = state.sliceDoc(at, close.from).trim()
  if (/^[*_~`]*$/.test(others)) {
    // Marks that follow a space would mean nothing. Others that end here too go on.
    const gap = written.slice(0, at - open.to).length - written.slice(0, at - open.to).trimEnd().length
    const isAlike = others.replaceAll(sign[0]!, '') === ''
    const reopened = isAlike
      ? ''
      : others
          .match(/(.)\1*/g)!
          .reverse()
          .join('')
    const ended = `${isAlike ? '' : others}${sign}${' '.repeat(gap)}${reopened}`
    const insert = ended + others
    const same = insert === state.sliceDoc(at - gap, close.to)
    return {
      changes: same ? [] : [{ from: at - gap, to: close.to, insert }],
      range: EditorSelection.cursor(at - gap + ended.length),
    }
  }
  if (at === open.to || state.wordAt(at)) return null
  const before = state.sliceDoc(open.to, at)
  const after = state.sliceDoc(at, close.from)
  const changes = [
    { from: open.to + before.trimEnd().length, insert: sign },
    { from: at + spaces(after), insert: sign },
  ]
  return { changes, range: EditorSelection.cursor(at + sign.length) }
}

/**
 * Puts a mark around the selected words, each line on its own, or takes it away where all of them have it. With
 * nothing selected it is about the word at the cursor, and behind words that have the mark about what comes next.
 */
export function toggleInline(mark: InlineMark): StateCommand {
  const size = mark.length
  return ({ state, dispatch }) => {
    if (state.readOnly) return false
    const spec = state.changeByRange((range) => {
      const atCursor = range.empty && endOrResume(state, range.head, mark)
      if (atCursor) return atCursor
      const places = stretches(state, range).map((stretch) => marked(state, stretch, mark))
      const remove = places.length > 0 && places.every((place) => place.marks !== 'none')
      const changes = places
        .filter(({ marks }) => remove || marks === 'none')
        .flatMap((place) => place.changes)
      const set = state.changes(changes)
      const first = places[0]
      const last = places.at(-1)
      if (!first || !last) return { changes: set, range }
      if (range.empty) {
        const inside = set.mapPos(range.head, range.head === last.to ? -1 : 1)
        const empty = first.from === first.to
        return {
          changes: set,
          range: EditorSelection.cursor(empty ? first.from + (remove ? -size : size) : inside),
        }
      }
      // Of several lines the marks are selected too, so that the same command finds all of them again.
      const outwards = places.length > 1 ? -1 : 1
      const from = set.mapPos(first.from, outwards)
      const to = set.mapPos(last.to, -outwards)
      return {
        changes: set,
        range: range.head < range.anchor ? EditorSelection.range(to, from) : EditorSelection.range(from, to),
      }
    })
    const userEvent = spec.changes.empty ? 'select' : 'input.format'
    dispatch(state.update(spec, { userEvent, scrollIntoView: true }))
    return true
  }
}

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
  let node = syntaxTree(state).resolveInner(range.from, 1)
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
  const at = word.from
  dispatch(
    state.update({
      changes: { from: word.from, to: word.to, insert: isUrl ? `[](${text})` : `[${text}]()` },
      selection: { anchor: isUrl || text === '' ? at + 1 : at + text.length + 3 },
      userEvent: 'input.format',
      scrollIntoView: true,
    }),
  )
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
    const places = main.empty ? [] : stretches(state, main).map((one) => marked(state, one, mark))
    const isOn = main.empty
      ? emphasisAt(state, main.head, mark) !== null
      : places.length > 0 && places.every(({ marks }) => marks !== 'none')
    if (isOn) found.add(name)
  }
  for (let node = syntaxTree(state).resolveInner(main.head, -1); node.parent; node = node.parent) {
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
