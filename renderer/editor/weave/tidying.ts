import { ChangeSet, type Text, type Transaction } from '@codemirror/state'
import { separator } from '../../../server/domain/separator.ts'
import { emptiedMarks } from '../emptied-marks.ts'
import { halvesMended } from './half-marks.ts'
import { first, isTidying, type Piece, type Weave } from './weave.ts'

/*
 * What brings a text in order that undo or redo has left where others have changed it since: words don’t run together,
 * others’ words stay blocks of their own, and no marks are left around nothing or without their other half. It is a step
 * of its own that belongs to the one that was turned, and goes as soon as that is turned again.
 */

/** A piece on its way through the turn. */
interface Turned {
  id: number
  text: string
  /** Where it is in the text before and after. */
  before: number
  after: number
  did: boolean
  does: boolean
  /** Whether what was turned has written it or taken it out. */
  isTurned: boolean
  /** Whether only others have written it. */
  isOthers: boolean
  piece: Piece
}

const isText = (text: string) => text.trim() !== ''
const longest = 20_000

interface Known {
  /** What was turned. */
  steps: ReadonlySet<number>
  /** The letters that are signs and meant something when they went. */
  signs: ReadonlySet<number>
  /** The first letter that has come since what comes back was there. */
  since: number
  /** Whether it is done again: what stood beside one another then does so. */
  isAgain: boolean
  /** Whether a text is as it stood before, whatever it means. */
  isAsItStood: (doc: Text) => boolean
}

/**
 * @param transaction what undo or redo has done
 * @param before the weave before it
 * @param after the weave after it
 */
export function tidying(
  transaction: Transaction,
  before: Weave,
  after: Weave,
  { steps, signs, since, isAgain, isAsItStood }: Known,
): ChangeSet {
  const { startState, state, changes } = transaction
  const pieces = turnedPieces(transaction, before, after, steps)
  const { length } = state.doc
  const unneeded = needless(pieces, after)
  const without = ChangeSet.of(unneeded, length)
  if (isAsItStood(without.apply(state.doc))) return without
  const over = together([...emptied(transaction, pieces), ...unneeded])
  const rest = pieces.map((piece) => {
    const isOver =
      piece.does && over.some(({ from, to }) => from <= piece.after && piece.after + piece.text.length <= to)
    return isOver ? { ...piece, does: false } : piece
  })
  let all = ChangeSet.of(over, length)
  all = all.compose(
    ChangeSet.of(parting(rest, { text: startState.doc, length, since, isAgain }), length).map(all),
  )
  const now = () => state.update({ changes: all, filter: false }).state
  const cameBack = pieces.flatMap(({ id, text, did, does, after: at }) =>
    !did && does ? [...text].flatMap((_, i) => (signs.has(id + i) ? [all.mapPos(at + i, 1)] : [])) : [],
  )
  return all.compose(halvesMended(startState, changes.compose(all), now(), cameBack))
}

interface Place {
  from: number
  to: number
}

/** In order, with those in one that touch. */
function together(places: readonly Place[]): Place[] {
  const all: Place[] = []
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

function turnedPieces(
  { startState: { doc } }: Transaction,
  before: Weave,
  after: Weave,
  steps: ReadonlySet<number>,
): Turned[] {
  const found: Turned[] = []
  let [old, now] = [0, 0]
  // Far from what is turned nothing is looked at.
  const near = new Set<number>()
  const all = before.pieces
  const isTurned = ({ by, out }: Piece) =>
    by.some((one) => steps.has(one)) || out.some((one) => steps.has(one))
  for (const [i, piece] of all.entries())
    if (isTurned(piece))
      for (let j = Math.max(0, i - 40); j <= Math.min(all.length - 1, i + 40); j++) near.add(j)
  for (const [i, piece] of all.entries()) {
    const [did, does] = [before.stands(piece), after.stands(piece)]
    if (near.has(i)) {
      const text = did ? doc.sliceString(old, old + Math.min(piece.length, longest)) : piece.text
      const end =
        did && piece.length > longest ? doc.sliceString(old + piece.length - 1, old + piece.length) : ''
      found.push({
        ...{ id: piece.id, text: text + end, before: old, after: now, did, does, piece },
        isTurned: isTurned(piece),
        isOthers: !piece.by.includes(first) && piece.by.every((one) => one < 0),
      })
    }
    if (did) old += piece.length
    if (does) now += piece.length
  }
  return found
}

/** What was tidied around words that are gone now, and isn’t about anything any more. */
function needless(pieces: readonly Turned[], after: Weave): { from: number; to: number }[] {
  const isTidy = ({ piece }: Turned) => isUnwritten(piece, after)
  const standing = pieces.filter((one) => one.does || (one.did && one.isTurned))
  return standing.flatMap((one, i) => {
    if (!one.did || !one.does || !isTidy(one)) return []
    if (isBetweenOfOne(one.piece, after)) return [{ from: one.after, to: one.after + one.text.length }]
    const sides = [-1, 1].map((by) => {
      let [at, isGone] = [i + by, false]
      // What has come back may stand between.
      while (standing[at] && (isTidy(standing[at]!) || !standing[at]!.does || !standing[at]!.did)) {
        isGone ||= !standing[at]!.does && !standing[at]!.piece.by.some(isTidying)
        at += by
      }
      return { isGone, isSomebodys: standing[at] !== undefined && !standing[at]!.piece.by.includes(first) }
    })
    const isOver = sides.some(({ isGone }) => isGone) && !sides.some(({ isSomebodys }) => isSomebodys)
    return isOver ? [{ from: one.after, to: one.after + one.text.length }] : []
  })
}

const isUnwritten = ({ by }: Piece, { undone }: Weave) =>
  by.every((step) => isTidying(step) || undone.has(step))

/** Whether what stands on both sides of what was tidied was written side by side, or stood first at an end of the text. */
function isBetweenOfOne({ id }: Piece, after: Weave): boolean {
  const { pieces } = after
  const at = pieces.findIndex((piece) => piece.id <= id && id < piece.id + piece.length)
  const isBeside = (piece: Piece) => after.stands(piece) && !isUnwritten(piece, after)
  const right = pieces.findIndex((piece, i) => i > at && isBeside(piece))
  const left = pieces.findLastIndex((piece, i) => i < at && isBeside(piece))
  const [before, behind] = [pieces[left], pieces[right]]
  if (before && behind) return before.id + before.length === behind.id
  const rest = before ? pieces.slice(at) : pieces.slice(0, at)
  return ((before ?? behind)?.by.includes(first) ?? true) && rest.every((piece) => isUnwritten(piece, after))
}

interface Insertion {
  from: number
  insert: string
}

/** Others’ words, or what is gone around them, from one standing piece to the next. */
interface Run {
  /** What was taken out before it. */
  gone: string
  text: string
  from: number
  /** Where it stood before. */
  before: number
  isOthers: boolean
  /** Whether undo or redo has brought it back. */
  isBack: boolean
  /** Whether it has come since what comes back was there. */
  isNew: boolean
  /** The numbers of its letters at its ends, and of the oldest of those that are gone before it. */
  first: number
  last: number
  oldest: number
  /** What others have taken out with one’s own words: white space that would part what stands beside. */
  goneToo: string
}

const ofLine = /^[ \t]*(?:(?:[-*+]|\d+[.)]|#{1,6}|>)[ \t]+(?:\[[ xX]\][ \t]+)?)+/

const ofLines = new RegExp(ofLine.source, 'gm')

/** What keeps others’ words apart from what stands beside them now. */
function parting(
  pieces: readonly Turned[],
  { text, length, since, isAgain }: { text: Text; length: number; since: number; isAgain: boolean },
): Insertion[] {
  const { runs, rest } = runsOf(pieces, since)
  const found: Insertion[] = []
  for (const [i, run] of runs.entries()) {
    const last = i > 0 ? runs[i - 1]! : null
    const before = last?.text ?? ''
    const isOld = isAgain && Math.max(last?.last ?? 0, run.first) < since
    const insert = run.gone === '' ? between(runs, i, text) : isOld ? '' : (behindGone(run, last) ?? '')
    const isLine = insert === '' && before !== '' && isMarkAlone(before, run.gone, run.text)
    if (insert !== '') found.push({ from: run.from, insert })
    else if (isLine) found.push({ from: run.from, insert: ' ' })
  }
  const last = runs.at(-1)
  // At the end of the text.
  if (last?.isOthers && isText(last.text) && /^\n+$/.test(rest) && last.from + last.text.length === length)
    found.push({ from: length, insert: rest })
  return found
}

function runsOf(pieces: readonly Turned[], since: number): { runs: Run[]; rest: string } {
  const runs: Run[] = []
  let [gone, goneToo, oldest] = ['', '', Infinity]
  const over = new Set(
    pieces.filter(({ isTurned, did, does }) => isTurned && !did && !does).flatMap(({ piece }) => piece.out),
  )
  for (const { id, text, did, does, before, after, isTurned, isOthers, piece } of pieces) {
    if (!does) {
      if (did || isTurned) [gone, oldest] = [gone + text, Math.min(oldest, id)]
      else if (piece.out.some((one) => over.has(one))) goneToo += text
      continue
    }
    const [isBack, isNew] = [!did, isOthers && id >= since]
    const last = runs.at(-1)
    const isSame = last?.isOthers === isOthers && last.isBack === isBack && last.isNew === isNew
    const end = id + piece.length - 1
    if (last && gone === '' && goneToo === '' && isSame) [last.text, last.last] = [last.text + text, end]
    else
      runs.push({
        gone,
        text,
        from: after,
        before,
        isOthers,
        isBack,
        isNew,
        goneToo,
        first: id,
        last: end,
        oldest,
      })
    ;[gone, goneToo, oldest] = ['', '', Infinity]
  }
  return { runs, rest: gone }
}

/** What has to stand between words that stand beside one another now where others’ or one’s own stood between. */
function behindGone(run: Run, last: Run | null): string | null {
  const { gone, text, goneToo } = run
  const before = last?.text ?? ''
  if (run.isOthers && isText(text) && isText(gone.replaceAll(ofLines, ''))) {
    const isLineStart = before === '' || before.endsWith('\n')
    const lines = /^\n*/.exec(gone)![0]
    const end = gone.lastIndexOf('\n') + 1
    const mark = isLineStart || end > 0 ? (ofLine.exec(gone.slice(end))?.[0] ?? '') : ''
    const breaks = isLineStart ? lines : (/\n+(?=[^\n]*$)/.exec(gone)?.[0] ?? '')
    const put =
      (last === null ? '' : breaks) + (ofLine.test(text) ? '' : /^\s/.test(text) ? mark.trimEnd() : mark)
    if (put !== '') return put
  }
  if (last?.isOthers && isText(last.text)) {
    const breaks = /\n+/.exec(gone)?.[0] ?? ''
    if (breaks !== '' && !text.startsWith('\n') && !last.text.endsWith('\n')) return breaks
  }
  // What stood side by side before one’s own came between does so again.
  const isMet =
    ((last?.isOthers ?? false) || run.isOthers) && Math.max(last?.last ?? 0, run.first) > run.oldest
  if (!isMet && (run.isBack || last?.isBack)) return null
  const isApart = isMet
    ? /\s/.test(gone) && (isText(gone) || (last?.gone ?? '') !== '')
    : /^\s*\S*$/.test(goneToo) && /\s/.test(goneToo) && isText(gone)
  return isApart ? separator(before.slice(-40), text.slice(0, 40), '') : null
}

/** The same where nothing is gone: words that came back, and others’ that came to their place meanwhile. */
function between(runs: readonly Run[], i: number, text: Text): string {
  const [last, run] = [runs[i - 1], runs[i]!]
  if (!last || !(last.isBack ? run.isNew && !run.isBack : run.isBack && last.isNew)) return ''
  const around = (runs[i - 2]?.text ?? '').slice(-1)
  const behind = (runs[i + 1]?.text ?? '').slice(0, 1)
  const isWord = (text: string) => /[\p{L}\p{N}\p{M}_'’]/u.test(text)
  // What continues a word, or did, is of one with it.
  if (isWord(around) && /^\S*$/.test(last.text) && isWord(last.text.slice(0, 1))) return ''
  if (isWord(behind) && /^\S*$/.test(run.text) && isWord(run.text.slice(-1))) return ''
  const stood = last.isBack
    ? text.sliceString(Math.max(0, run.before - 1), run.before)
    : text.sliceString(last.before + last.text.length, last.before + last.text.length + 1)
  if (isWord(stood)) return ''
  return separator(last.text.slice(-200), run.text.slice(0, 200))
}

/** Whether a line’s mark is left that others have put there, without the white space that makes it one. */
const isMarkAlone = (before: string, gone: string, text: string) =>
  /^[ \t]+$/.test(gone) && /^\S/.test(text) && /(?:^|\n)[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>)$/.test(before)

/** Others’ marks that stand around nothing now. */
function emptied(
  { startState, changes }: Transaction,
  pieces: readonly Turned[],
): { from: number; to: number }[] {
  const gone = pieces.filter(({ did, does }) => did && !does)
  if (gone.length === 0) return []
  const oldest = Math.min(...gone.map(({ id }) => id))
  // Marks that were there before were empty before.
  const known = pieces
    .filter(({ did, does, isOthers, id }) => did && does && isOthers && id > oldest)
    .map(({ before, text }) => ({ from: before, to: before + text.length }))
  if (known.length === 0) return []
  const places: { from: number; to: number }[] = []
  for (const { before, text } of gone) {
    const last = places.at(-1)
    if (last?.to === before) last.to += text.length
    else places.push({ from: before, to: before + text.length })
  }
  return emptiedMarks(startState.doc, places, known)
    .flatMap(({ marks }) => marks)
    .map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from)
}
