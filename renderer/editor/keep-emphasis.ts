import { ChangeSet, EditorState, Transaction, type Extension, type Text } from '@codemirror/state'
import { linesToBe } from './emphasis.ts'
import { mendedSigns, signedBlock, type SignedBlock } from './command-marks.ts'
import { arePlaced, commandSigns, commandSignsAfter, formatted, formattedHere, signsIn } from './formatted.ts'
import {
  markedWords,
  marksOf,
  placeFor,
  placeWithout,
  readersLooks,
  type MarkedWords,
  type LineRange,
} from './emphasis-places.ts'

/**
 * Keeps what the commands have marked marked: a letter typed behind `**Stop!**` would make its marks mean nothing, so
 * they move to where they do. So do those of words that are left with a space at their end. While somebody writes
 * between marks, `keep` goes by what they will mean; once the cursor is beyond them, `leave` by which signs are the
 * commands’.
 */

/** The marks on a line of which some are the commands’. */
function marksOn(state: EditorState, at: number): MarkedWords[] {
  const line = state.doc.lineAt(at)
  const places = state.field(formatted).filter(({ from, to }) => from <= line.to && to >= line.from)
  if (places.length === 0) return []
  const written = markedWords(line.text)
  const column = state.selection.main.head - line.from
  const around = (words: MarkedWords[]) =>
    words.filter(({ open, close }) => open.to <= column && close.from > column).length
  // Where somebody writes, what the marks will mean counts, as far as they were made for that.
  const isHere = column >= 0 && column <= line.length && state.selection.main.empty
  const toBe = isHere ? (linesToBe(state, line.from + column) ?? []).map(markedWords) : []
  const best = toBe.sort((a, b) => around(b) - around(a))[0] ?? []
  const begun = best.filter(({ open }) =>
    places.some(({ from }) => {
      const start = from - line.from
      return start >= open.to && start <= column && onlyMarks.test(line.text.slice(open.to, start))
    }),
  )
  const isNew = (one: MarkedWords) =>
    ![one.open, one.close].some((mark) =>
      begun.some(
        ({ open, close }) => overlap(mark, open) || overlap(mark, { from: close.from - 1, to: close.to - 1 }),
      ),
    )
  const back = (at: number) => line.from + at - (at > column ? 1 : 0)
  return [
    ...begun.map((one) => moved(one, back)),
    ...written.filter(isNew).map((one) => moved(one, (at) => line.from + at)),
  ].filter(({ open, close }) => places.some(({ from, to }) => from <= close.to && to >= open.from))
}

const onlyMarks = /^[*_~`]*$/
const overlap = (one: LineRange, other: LineRange) => one.from < other.to && one.to > other.from

function moved<Words extends Omit<MarkedWords, 'mark'>>(
  words: Words,
  to: (at: number, side: -1 | 1) => number,
): Words {
  const both = (one: LineRange) => ({ from: to(one.from, 1), to: to(one.to, -1) })
  return { ...words, open: both(words.open), close: both(words.close) }
}

/** What puts the marks of a line’s words, which mean nothing where they are, to where they do. */
function mended(doc: Text, broken: readonly MarkedWords[]): ChangeSet {
  let set = ChangeSet.of(
    broken.flatMap(({ open, close }) => [open, close]),
    doc.length,
  )
  // What is inside others first.
  for (const { mark, open, close } of broken.toSorted(
    (a, b) => a.close.from - a.open.to - (b.close.from - b.open.to),
  )) {
    const now = set.apply(doc)
    const line = now.lineAt(set.mapPos(open.to, 1))
    const words = { from: set.mapPos(open.to, 1) - line.from, to: set.mapPos(close.from, -1) - line.from }
    const place = placeFor(line.text, words, mark)
    if (!place) continue
    const marks = [place.from, place.to].map((at) => ({ from: line.from + at, insert: mark }))
    set = set.compose(ChangeSet.of(marks, now.length))
  }
  return set
}

const isOwn = (transaction: Transaction) =>
  !transaction.annotation(arePlaced) &&
  transaction.annotation(Transaction.addToHistory) !== false &&
  !transaction.isUserEvent('undo') &&
  !transaction.isUserEvent('redo')

const keep = EditorState.transactionFilter.of((transaction) => {
  const { startState, newDoc } = transaction
  if (!(transaction.docChanged || transaction.selection) || startState.readOnly || !isOwn(transaction))
    return transaction
  if (startState.field(formatted).length === 0 || startState.selection.ranges.length > 1) return transaction
  if (blockLeft(transaction)) return transaction
  const { main } = transaction.newSelection
  const text = ({ from, to }: LineRange) => newDoc.sliceString(from, to)
  const here = marksOn(startState, startState.selection.main.head)
    .map((one) => moved(one, (at, side) => transaction.changes.mapPos(at, side)))
    .filter(({ mark, open, close }) => text(open) === mark && text(close) === mark)
    // While one writes at their end, they will mean something when that is done.
    .filter(
      ({ open, close }) =>
        !main.empty ||
        main.head < open.to ||
        main.head > close.from ||
        !onlyMarks.test(text({ from: main.head, to: close.from })),
    )
  if (here.length === 0) return transaction
  const lines = here.filter(({ open, close }) => newDoc.lineAt(open.from).to >= close.to)
  const broken = lines
    .map((one) => newDoc.lineAt(one.open.from))
    .filter(({ text, from }, i) => !means(text, from, lines[i]!))
  // What is around it, or in it, may not mean anything either once that has moved.
  const again = lines.filter(({ open }) =>
    broken.some(({ from, to }) => from <= open.from && to >= open.from),
  )
  if (again.length === 0) return transaction
  const changes = mended(newDoc, again)
  // Who was behind the marks stays behind them.
  const isBehind = again.some(({ close }) => close.to <= main.head)
  const selection = transaction.newSelection.map(changes, isBehind ? 1 : -1)
  const line = changes.apply(newDoc).lineAt(changes.mapPos(again[0]!.open.from))
  const effects = markedWords(line.text).map(({ open }) =>
    formattedHere.of({ from: line.from + open.to, to: line.from + open.to }),
  )
  return [transaction, { changes, selection, effects: [...effects, signsIn(changes)], sequential: true }]
})

function means(line: string, start: number, { mark, open, close }: MarkedWords): boolean {
  const marks = marksOf(line)
  const place = (at: number) => placeWithout(marks, at)
  const words = markedWords(line).filter((one) => one.mark === mark)
  if (readersLooks(line, mark) < words.length) return false
  return words.some(
    (one) =>
      place(one.open.to) === place(open.to - start) && place(one.close.from) === place(close.from - start),
  )
}

/** What holds the commands’ signs of the line that somebody was on, as it is after a transaction, where they are beyond those. */
function blockLeft(transaction: Transaction): (SignedBlock & { first: number }) | null {
  const { startState, newDoc, changes, newSelection } = transaction
  const line = startState.doc.lineAt(startState.selection.main.head)
  const start = changes.mapPos(line.from, -1)
  const end = changes.mapPos(line.to, 1)
  const signs = commandSignsAfter(transaction)
  const here = signs.filter((at) => at >= start && at < end)
  const [first] = here
  const { head } = newSelection.main
  if (first === undefined || (head > first && head <= here.at(-1)!)) return null
  const block = signedBlock(newDoc, first, signs)
  return block && { ...block, first }
}

/** Whoever leaves what has the commands’ marks leaves none that readers would see. */
const leave = EditorState.transactionFilter.of((transaction) => {
  const { startState, newDoc, newSelection } = transaction
  if (!(transaction.docChanged || transaction.selection) || startState.readOnly || !isOwn(transaction))
    return transaction
  if (startState.selection.ranges.length > 1) return transaction
  const left = blockLeft(transaction)
  const changes = left && mendedSigns(newDoc, left)
  if (!changes) return transaction
  // Who was behind the marks stays behind them.
  const selection = newSelection.map(changes, newSelection.main.head > left.first ? 1 : -1)
  return [transaction, { changes, selection, effects: signsIn(changes), sequential: true }]
})

/** Looking for a longer one would take the square of a line of spaces. */
const longestGap = 1_000

/** White space typed first between marks of the commands goes before them: behind it they mean what they are to. */
const beginBehindSpace = EditorState.transactionFilter.of((transaction) => {
  const { startState, newDoc, newSelection } = transaction
  if (!transaction.docChanged || !transaction.isUserEvent('input') || !isOwn(transaction)) return transaction
  const { head, empty } = newSelection.main
  if (startState.readOnly || !empty || newSelection.ranges.length > 1) return transaction
  const line = newDoc.lineAt(head)
  const before = line.text.slice(0, head - line.from)
  const [gap = ''] = /[ \t]*$/.exec(before.slice(-longestGap))!
  if (gap === '' || !/[*~]$/.test(before.slice(0, before.length - gap.length))) return transaction
  const column = before.length - gap.length
  const toBe = `${before.slice(0, column)}x${line.text.slice(before.length)}`
  const signs = new Set(commandSignsAfter(transaction))
  const areSigns = ({ from, to }: LineRange, offset: number) =>
    Array.from({ length: to - from }, (_, i) => line.from + from + i + offset).every((at) => signs.has(at))
  const from = markedWords(toBe)
    .filter(
      ({ open, close }) =>
        open.to <= column &&
        close.from > column &&
        onlyMarks.test(toBe.slice(open.to, column) + toBe.slice(column + 1, close.from)) &&
        areSigns({ from: open.from, to: column }, 0) &&
        areSigns({ from: column + 1, to: close.to }, gap.length - 1),
    )
    .reduce((least, { open }) => Math.min(least, open.from), column)
  if (from === column) return transaction
  const changes = [
    { from: line.from + from, insert: gap },
    { from: line.from + column, to: head },
  ]
  return [transaction, { changes, selection: { anchor: head }, sequential: true }]
})

// The last is asked first.
export const keepEmphasis: Extension = [formatted, commandSigns, leave, keep, beginBehindSpace]
