import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type SelectionRange,
  type StateCommand,
} from '@codemirror/state'
import { emphasisAfter, emphasisAt, emphasisBefore, type InlineMark } from './emphasis.ts'
import {
  blockPrefix,
  cutAtBorders,
  isLetter,
  markedWords,
  placeFor,
  placeWithout,
  standsAt,
  without,
  withMarks,
  type LineRange,
} from './emphasis-places.ts'
import { readersLine } from './readers-line.ts'
import { arePlaced, formattedHere, signsIn } from './formatted.ts'
import { parsedTree } from './parsed-tree.ts'

/** Commands that give words their markdown marks, and take them away again. */

const spaces = (text: string) => text.length - text.trimStart().length

/** What of a text is read for itself, a line or a table’s cell, and the words in it that a command is about. */
interface Words extends LineRange {
  unit: { from: number; text: string }
}

const verbatim =
  /^(?:FencedCode|CodeBlock|HTMLBlock|CommentBlock|ProcessingInstructionBlock|FrontMatter|LinkReference)$/

/** The parts of a line in which words can have marks. */
function unitsOf(state: EditorState, at: number): Words['unit'][] {
  const line = state.doc.lineAt(at)
  let units = [{ from: line.from, text: line.text }]
  parsedTree(state, line.to).iterate({
    from: line.from,
    to: line.to,
    enter: ({ name, from, to }) => {
      if (verbatim.test(name) && from <= line.to && to >= line.from) units = []
      else if (name === 'Table') units = []
      else if (name === 'TableCell') units.push({ from, text: state.sliceDoc(from, to) })
    },
  })
  return units
}

/** The word that a place is in the middle of, its apostrophes included. */
function wordAround(state: EditorState, at: number): LineRange | null {
  const { from: start, text } = state.doc.lineAt(at)
  const letters = /^(?:[\p{L}\p{N}\p{M}_]|['’](?=[\p{L}\p{N}]))*/u
  const column = at - start
  const after = letters.exec(text.slice(column))![0].length
  const before = /(?:[\p{L}\p{N}\p{M}_]|(?<=[\p{L}\p{N}])['’])*$/u.exec(text.slice(0, column))![0].length
  return after > 0 && before > 0 ? { from: at - before, to: at + after } : null
}

/** The words a command is about: what is selected, or else the word that the cursor is in the middle of. */
function wordsOf(state: EditorState, range: SelectionRange): Words[] {
  const word = range.empty ? wordAround(state, range.head) : range
  if (!word) return []
  const found: Words[] = []
  for (let at = word.from; at <= word.to; at = state.doc.lineAt(at).to + 1) {
    for (const unit of unitsOf(state, at)) {
      const prefix = blockPrefix.exec(unit.text)![0].length
      const first = Math.max(word.from, unit.from + prefix)
      const last = Math.min(word.to, unit.from + unit.text.length)
      const text = state.sliceDoc(first, Math.max(first, last))
      const start = first + spaces(text)
      const { from, to } = besideMarks(unit, start, start + text.trim().length)
      if (to > from) found.push({ unit, from, to })
    }
  }
  return found
}

/** A stretch that ends in the middle of no mark. */
function besideMarks(unit: Words['unit'], from: number, to: number): LineRange {
  for (const { open, close } of markedWords(unit.text)) {
    for (const mark of [open, close]) {
      const [start, end] = [unit.from + mark.from, unit.from + mark.to]
      if (from > start && from < end) from = end
      if (to > start && to < end) to = start
    }
  }
  return { from, to }
}

interface Plan {
  unit: Words['unit']
  /** Whether the words have the mark; null where they can’t. */
  isOn: boolean | null
  changes: ChangeSpec[]
  /** Where a place of the unit is afterwards, within marks around what is in that direction, or outside of them. */
  moved: (at: number, towards: 'end' | 'start', side: 'inside' | 'outside') => number
}

const letters = /[^\s\p{P}\p{S}]/u

/** How many signs of marks readers see. */
const leftOver = (text: string) => readersLine(text).words.match(/[*~]/g)?.length ?? 0

/** What takes a mark away from words that have it, or gives it to those that don’t. */
function plan({ unit, ...words }: Words, mark: InlineMark): Plan {
  const { text } = unit
  const size = mark.length
  const from = words.from - unit.from
  const to = words.to - unit.from
  const near = markedWords(text).filter(
    (one) => one.mark === mark && one.open.from <= to && one.close.to >= from,
  )
  const within = near.filter((one) => one.open.from < to && one.close.to > from)
  const isMarkedAt = (at: number) => within.some((one) => one.open.to <= at && one.close.from > at)
  let at = from
  let isOn = letters.test(text.slice(from, to)) || within.length > 0
  for (const sign of text.slice(from, to)) {
    if (isLetter(sign) && !isMarkedAt(at)) isOn = false
    at += sign.length
  }

  const touched = isOn ? within : near
  const gone = touched.flatMap(({ open, close }) => [open, close])
  const bare = without(text, gone)
  const place = (at: number) => placeWithout(gone, at)
  const contents = touched.map(({ open, close }) => ({ from: place(open.to), to: place(close.from) }))
  const chosen = { from: place(from), to: place(to) }
  const wanted = isOn
    ? contents
        .flatMap((one) => [
          { from: one.from, to: Math.min(one.to, chosen.from) },
          { from: Math.max(one.from, chosen.to), to: one.to },
        ])
        .filter((one) => letters.test(bare.slice(one.from, one.to)))
    : cutAtBorders(
        bare,
        {
          from: Math.min(chosen.from, ...contents.map((one) => one.from)),
          to: Math.max(chosen.to, ...contents.map((one) => one.to)),
        },
        mark,
      )

  // From the end on, so that what is before stays where it is.
  let result = bare
  const places: LineRange[] = []
  for (const one of wanted.toReversed()) {
    const found = placeFor(result, one, mark)
    if (!found) continue
    result = withMarks(result, found, mark)
    places.unshift({ from: found.from, to: found.to })
  }
  const changes = changesBetween(unit.from, touched, places, place, mark)
  const moved: Plan['moved'] = (at, towards, side) => {
    const end = place(at - unit.from)
    const inner = side === 'inside'
    const opens = places.filter((one) => one.from < end || (one.from === end && towards === 'end' && inner))
    const closes = places.filter((one) => one.to < end || (one.to === end && (towards === 'end' || !inner)))
    return end + (opens.length + closes.length) * size
  }
  const can = (isOn || result !== text) && (mark === '`' || leftOver(result) <= leftOver(text))
  return { unit, isOn: can ? isOn : null, changes: can ? changes : [], moved }
}

/** Marks that stand where they are wanted stay. */
function changesBetween(
  start: number,
  old: readonly { open: LineRange; close: LineRange }[],
  places: readonly LineRange[],
  place: (at: number) => number,
  mark: InlineMark,
): ChangeSpec[] {
  const changes: ChangeSpec[] = []
  for (const [side, end] of [
    ['open', 'from'],
    ['close', 'to'],
  ] as const) {
    const left = new Set(places.map((one) => one[end]))
    for (const one of old) {
      const { from, to } = one[side]
      if (!left.delete(place(from))) changes.push({ from: start + from, to: start + to })
    }
    for (const at of left) changes.push({ from: start + placeAmong(old, at), insert: mark })
  }
  return changes
}

/** Where a place among what is left without marks is in the text with them. */
function placeAmong(marked: readonly { open: LineRange; close: LineRange }[], at: number): number {
  let result = at
  const marks = marked.flatMap(({ open, close }) => [open, close]).sort((a, b) => a.from - b.from)
  for (const { from, to } of marks) if (from < result) result += to - from
  return result
}

/** Whether all that is selected has the mark. */
export function isMarked(state: EditorState, range: SelectionRange, mark: InlineMark): boolean {
  const plans = wordsOf(state, range).map((words) => plan(words, mark))
  return plans.some(({ isOn }) => isOn) && plans.every(({ isOn }) => isOn !== false)
}

interface AtCursor {
  /** Whether the marks stand where they mean something already. */
  isPlaced?: true
  changes?: ChangeSpec
  range: SelectionRange
}

/**
 * What the command means at a cursor where words with the mark end or have ended: that one writes on without it, or
 * with it again. Null where it is about the word at the cursor.
 */
function endOrResume(state: EditorState, at: number, mark: InlineMark): AtCursor | null {
  const inside = emphasisAt(state, at, mark)
  if (!inside) {
    const before = emphasisBefore(state, at, mark)
    if (before) return { range: EditorSelection.cursor(before.close.from) }
    const after = emphasisAfter(state, at, mark)
    return after && { range: EditorSelection.cursor(after.open.to) }
  }
  const { open, close } = inside
  const written = state.sliceDoc(open.to, close.from)
  if (/^[\s*_~`]*$/.test(written)) {
    const changes = [open, close]
    return { changes, range: EditorSelection.cursor(at - (open.to - open.from)) }
  }
  if (wordAround(state, at)) return null
  const sign = state.sliceDoc(close.from, close.to)
  const others = state.sliceDoc(at, close.from).trim()
  if (/^[*_~`]*$/.test(others)) {
    // Marks that follow a space would mean nothing. Others that end here too go on.
    const gap = written.slice(0, at - open.to).length - written.slice(0, at - open.to).trimEnd().length
    const isAlike = others !== '' && others.replaceAll(sign[0]!, '') === ''
    const reopened = (others.match(/(.)\1*/g) ?? []).reverse().join('')
    const from = at - gap
    if (isAlike) {
      const insert = `${sign}${' '.repeat(gap)}${others}`
      const same = insert === state.sliceDoc(from, close.to)
      return {
        changes: same ? [] : [{ from, to: close.to, insert }],
        range: EditorSelection.cursor(from + sign.length + gap),
      }
    }
    // What was begun right here goes on behind the end.
    const begun =
      gap === 0 && reopened !== '' && state.sliceDoc(open.to, at).endsWith(reopened) ? reopened.length : 0
    const ended = begun > 0 ? '' : others
    const next = ' '.repeat(gap) + reopened
    return {
      changes: [
        { from: from - begun, to: close.from, insert: ended },
        { from: close.to, insert: next + others },
      ],
      range: EditorSelection.cursor(from - begun + ended.length + sign.length + next.length),
    }
  }
  if (at === open.to) {
    const isWithin = state.sliceDoc(open.from - 1, open.from) === sign[0]
    return { range: EditorSelection.cursor(isWithin ? at : open.from) }
  }
  const before = state.sliceDoc(open.to, at)
  const after = state.sliceDoc(at, close.from)
  // With nothing in between, what is behind couldn’t have marks of its own.
  if (before.trimEnd() === before && after.trimStart() === after) {
    const unit = unitsOf(state, at).find(({ from, text }) => from <= at && from + text.length >= close.to)
    if (!unit) return { range: EditorSelection.cursor(at) }
    const { changes, moved } = plan({ unit, from: at, to: close.from }, mark)
    const head = unit.from + moved(at, 'start', 'outside')
    return { isPlaced: true, changes, range: EditorSelection.cursor(head) }
  }
  const changes = [
    { from: open.to + before.trimEnd().length, insert: sign },
    { from: at + spaces(after), insert: sign },
  ]
  const line = state.changes(changes).apply(state.doc).lineAt(at)
  if (leftOver(line.text) > leftOver(state.doc.lineAt(at).text)) return { range: EditorSelection.cursor(at) }
  return { isPlaced: true, changes, range: EditorSelection.cursor(at + sign.length) }
}

/** Marks around nothing, for what is written next; nothing where they would mean nothing. */
function begin(state: EditorState, at: number, mark: InlineMark): AtCursor {
  const unit = unitsOf(state, at).find(({ from, text }) => from <= at && from + text.length >= at)
  const isInMark = unit !== undefined && besideMarks(unit, at, at).from !== at
  const isInCell = state.doc.lineAt(at).length > 0 && unit === undefined
  const nothing = { range: EditorSelection.cursor(at) }
  if (isInCell || isInMark) return nothing
  const text = unit?.text ?? ''
  const column = at - (unit?.from ?? at)
  const written = `${text.slice(0, column)}x${text.slice(column)}`
  if (!standsAt(written, { from: column, to: column + 1 }, mark)) return nothing
  return {
    changes: { from: at, insert: mark + mark },
    range: EditorSelection.cursor(at + mark.length),
  }
}

/**
 * Puts a mark around the selected words, each line on its own, or takes it away where all of them have it. With
 * nothing selected it is about the word that the cursor is in the middle of, and elsewhere about what comes next.
 */
export function toggleInline(mark: InlineMark): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false
    let isPlaced = true
    const spec = state.changeByRange((range) => {
      const atCursor = range.empty && endOrResume(state, range.head, mark)
      if (atCursor) {
        isPlaced = atCursor.isPlaced ?? false
        return atCursor
      }
      const plans = wordsOf(state, range).map((words) => ({ words, ...plan(words, mark) }))
      if (range.empty && plans.length === 0) return begin(state, range.head, mark)
      const possible = plans.filter(({ isOn }) => isOn !== null)
      const remove = possible.every(({ isOn }) => isOn)
      const set = state.changes(
        possible.filter(({ isOn }) => isOn === remove).flatMap(({ changes }) => changes),
      )
      const first = possible[0]
      const last = possible.at(-1)
      if (!first || !last) return { range }
      const placed = (one: typeof first, at: number, towards: 'start' | 'end') => {
        if (one.isOn !== remove) return set.mapPos(at, towards === 'end' ? -1 : 1)
        // Of several lines the marks are selected too, so that the same command finds all of them again.
        const side = possible.length > 1 ? 'outside' : 'inside'
        return set.mapPos(one.unit.from, -1) + one.moved(at, towards, side)
      }
      if (range.empty)
        return { changes: set, range: EditorSelection.cursor(placed(first, range.head, 'end')) }
      const from = placed(first, first.words.from, 'end')
      const to = placed(last, last.words.to, 'start')
      return {
        changes: set,
        range: range.head < range.anchor ? EditorSelection.range(to, from) : EditorSelection.range(from, to),
      }
    })
    const userEvent = spec.changes.empty ? 'select' : 'input.format'
    if (spec.changes.empty && spec.selection.eq(state.selection)) return true
    const made = spec.selection.ranges.map(({ from, to }) => formattedHere.of({ from, to }))
    dispatch(
      state.update(spec, {
        effects: [...made, signsIn(spec.changes)],
        annotations: arePlaced.of(isPlaced),
        userEvent,
        scrollIntoView: true,
        sequential: true,
      }),
    )
    return true
  }
}
