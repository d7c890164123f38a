import { undoDepth } from '@codemirror/commands'
import {
  ChangeSet,
  StateEffect,
  StateField,
  type ChangeDesc,
  type ChangeSpec,
  type Text,
  type Transaction,
} from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import type { TakenWords } from '../../server/domain/taken-words.ts'
import { fromElsewhere } from './from-elsewhere.ts'
import { longest, lostPieces, piecesOf, putIn, type Lost, type Place } from './lost-words.ts'
import { withoutTaken } from './not-to-return.ts'
import { isByHistory, isTyped, numberOf, takenBackBy } from './own-steps.ts'
import { moved, tidied, without, type Stretch, type Stretches } from './suggesting/stretches.ts'
import type { Mend } from './undo-gaps.ts'

/*
 * Words that were written here, and that somebody else took out and put back, as by undo of their own. The history takes
 * them for the other’s then; here they are this writer’s again, so that undo and redo take words whole.
 */

/** Words that undo took out with the others that were written with them, for redo to put back among these. */
interface Away {
  at: number
  /** By which step. */
  number: number
  text: string
  /** What it took out itself, and how much of that stood before these. */
  rest: string
  offset: number
  /** What other steps took out around that place, and how much of it stands before these. */
  around: readonly { number: number; offset: number }[]
}

interface OwnWords {
  /** Keyed by the first of the steps that are one for undo. */
  written: Stretches
  returned: Stretches
  lost: readonly Lost[]
  away: readonly Away[]
  /** The last step, which one it goes on with if it is of one with that, and how many there were before. */
  last: { number: number; before: number; depth: number }
}

const most = 200

/** What has come back or is away after a step of the history and its mend, which are one to what was away before. */
const put = StateEffect.define<{ returned: Stretches; away: readonly Away[] }>()

/** Whole words that stand, in places of the text that is left, though others took out letters in which they were changed. */
export const putWhole = StateEffect.define<{ ranges: readonly Range[]; cuts: readonly Cut[] }>()

/** Where something was taken out here, and by which step first. */
export interface Cut {
  at: number
  number: number
}

export const ownWords = StateField.define<OwnWords>({
  create: () => ({
    ...{ written: [], returned: [], lost: [], away: [] },
    last: { number: 0, before: 0, depth: 0 },
  }),
  update(words, transaction) {
    let now = words
    if (transaction.docChanged)
      now = isTyped(transaction) ? afterOwnStep(words, transaction) : afterOther(words, transaction)
    for (const effect of transaction.effects)
      if (effect.is(put)) {
        const { returned, away } = effect.value
        now = { ...now, returned: tidied([...now.returned, ...returned]), away: away.slice(-most) }
      }
    for (const effect of transaction.effects)
      if (effect.is(putWhole)) {
        const { ranges, cuts } = effect.value
        const places = cuts.map(({ at, number }): Stretch => ({
          from: at,
          to: at,
          kind: 'put in',
          key: number,
        }))
        const inOrder = (all: Stretches) => all.toSorted((a, b) => a.key - b.key)
        const changed = [...inOrder(now.written), ...inOrder(places)]
        const rests = ranges.flatMap((range) => restsOfWords(changed, transaction.newDoc, range))
        now = { ...now, returned: newest([...now.returned, ...rests]) }
      }
    return now
  },
})

const ofWord = /[\p{L}\p{N}\p{M}_'’]/u

/** The other letters of the words in a range in which something was changed here: they go with what was written first, or else taken out. */
function restsOfWords(changed: readonly Stretch[], doc: Text, { start, end }: Range): Stretch[] {
  const text = doc.sliceString(start, end)
  const isIn = (at: number) => at >= start && at < end && ofWord.test(text[at - start]!)
  const found: Stretch[] = []
  for (const one of changed) {
    let { from, to } = one
    if (from < start || to > end) continue
    if (isIn(from) || from === to) while (isIn(from - 1)) from--
    if (isIn(to - 1) || one.from === to) while (isIn(to)) to++
    found.push(...without([{ ...one, from, to }], [...changed, ...found]))
  }
  return found
}

function afterOwnStep(words: OwnWords, transaction: Transaction): OwnWords {
  const { changes, startState } = transaction
  const [number, depth, isBack] = [numberOf(transaction), undoDepth(startState), isByHistory(transaction)]
  const { last } = words
  // As many as before it: it is one with the step before.
  const isOne = last.before > 0 && last.number > 0 && depth === last.depth
  const first = isOne ? last.before : last.number
  const rekeyed = isOne
    ? words.written.map((one) => (one.key === last.number ? { ...one, key: first } : one))
    : words.written
  const came: Stretch[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => came.push({ from, to, kind: 'put in', key: number }))
  return {
    ...followed(words, changes),
    written: newest([...moved(rekeyed, changes), ...came]),
    away: words.away.map((one) => awayAfter(one, changes, transaction)),
    last: { number: isBack ? 0 : number, before: first, depth },
  }
}

/** Where words belong after another step: where they did, once that brings back what stood around them. */
function awayAfter(away: Away, changes: ChangeDesc, step: Pick<Step, 'effects' | 'startState'>): Away {
  const [number, numbers] = [numberOf(step), takenBackBy(step)]
  const last = away.around.at(-1)
  let found: Away | null = null
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (found || away.at < fromA || away.at > toA) return
    if (last && numbers.includes(last.number))
      found = { ...away, at: Math.min(toB, fromB + last.offset), around: away.around.slice(0, -1) }
    else if (fromA < toA)
      found = { ...away, at: fromB, around: [...away.around, { number, offset: away.at - fromA }] }
  })
  return found ?? { ...away, at: changes.mapPos(away.at, 1) }
}

function followed(words: OwnWords, changes: ChangeDesc): Pick<OwnWords, 'returned' | 'lost' | 'away'> {
  const at = (place: number) => changes.mapPos(place, 1)
  return {
    returned: moved(words.returned, changes),
    lost: words.lost.map((one) => ({ ...one, from: changes.mapPos(one.from, -1), to: at(one.to) })),
    away: words.away.map((one) => ({ ...one, at: at(one.at) })),
  }
}

/** After a change of somebody else’s, or one that only mends: what it takes out of one’s own, and what it puts back. */
function afterOther(words: OwnWords, transaction: Transaction): OwnWords {
  const { changes } = transaction
  const now = { ...words, ...followed(words, changes), written: moved(words.written, changes) }
  if (!transaction.annotation(fromElsewhere)) return now
  const back: Stretch[] = []
  const fresh: Lost[] = []
  const known = [...words.lost]
  changes.iterChangedRanges((fromA, toA, from, to) => {
    const came = to - from <= longest ? transaction.newDoc.sliceString(from, to) : ''
    for (const [i, one] of came === '' ? [] : known.entries()) {
      const pieces = one.from <= toA && fromA <= one.to ? piecesOf(came, one.pieces) : null
      if (!pieces) continue
      const made = putIn(one.pieces, pieces, from)
      back.push(...made.back)
      fresh.push(...made.left)
      known.splice(i, 1)
      break
    }
    const pieces = lostPieces([...words.written, ...words.returned], known, transaction, {
      from: fromA,
      to: toA,
    })
    if (pieces) fresh.push({ from, to, pieces })
  })
  if (back.length === 0 && fresh.length === 0) return now
  const left = now.lost.filter((_, i) => known.includes(words.lost[i]!))
  return {
    ...now,
    returned: newest([...now.returned, ...back]),
    lost: [...left, ...fresh].slice(-most).sort((a, b) => a.from - b.from || a.to - b.to),
  }
}

/** In order, and no more than so many. */
function newest(all: readonly Stretch[]): Stretch[] {
  const tidy = tidied(all)
  return tidy.length <= most ? tidy : tidied(tidy.sort((a, b) => b.key - a.key).slice(0, most))
}

/** What a step of the history has done to the text, with what has been mended of it. */
export type MadeByStep = Pick<Transaction, 'changes' | 'newDoc' | 'startState'>
type Step = MadeByStep & Pick<Transaction, 'effects'>

/**
 * What takes out words that have come back with those that a step of the history takes out, or puts them back among
 * these, but for such as others have taken out first.
 * @param made what the step has done with what was mended of it
 */
export function wholeWords(
  { effects }: Transaction,
  { changes: all, newDoc, startState }: MadeByStep,
  taken: readonly TakenWords[] = [],
): Mend {
  const step = { effects, changes: all, newDoc, startState }
  const words = step.startState.field(ownWords, false)
  const numbers = takenBackBy(step)
  const away = words?.away.filter(({ number }) => numbers.includes(number)) ?? []
  const back = away.flatMap((one) => {
    const text = withoutTaken(one, step, taken)
    return text === '' ? [] : [{ ...one, text }]
  })
  const out = words?.returned.filter(({ key }) => numbers.includes(key)) ?? []
  if (!words || (back.length === 0 && out.length === 0)) return { changes: [], effects: [] }
  const { changes, returned, away: gone } = back.length > 0 ? putBack(step, back) : takenOut(step, out)
  const whole = step.changes.compose(ChangeSet.of(changes, step.newDoc.length))
  const others = words.away.filter(({ number }) => !numbers.includes(number))
  const known = others.map((one) => awayAfter(one, whole, step))
  return { changes, effects: [put.of({ returned, away: [...known, ...gone] })] }
}

interface Made {
  changes: ChangeSpec[]
  returned: Stretch[]
  away: Away[]
}

function takenOut(step: Step, out: Stretches): Made {
  const { changes, startState, newDoc } = step
  let rest = ''
  const gone: Place[] = []
  changes.iterChangedRanges((from, to) => {
    gone.push({ from, to })
    rest += startState.doc.sliceString(from, to)
  })
  const offsetOf = (at: number) =>
    gone.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, at) - from), 0)
  const made: Made = { changes: [], returned: [], away: [] }
  let shift = 0
  for (const one of out)
    for (const { from, to } of moved([one], changes)) {
      made.changes.push({ from, to })
      const text = newDoc.sliceString(from, to)
      const offset = offsetOf(one.from)
      made.away.push({ at: from - shift, number: numberOf(step), text, rest, offset, around: [] })
      shift += to - from
    }
  return made
}

function putBack(step: Step, back: readonly Away[]): Made {
  const { changes, newDoc } = step
  let came = ''
  const places: Place[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    if (from < to) places.push({ from, to })
    came += newDoc.sliceString(from, to)
  })
  const placeOf = ({ at, rest, offset }: Away) => {
    if (rest === '' || rest !== came) return changes.mapPos(at, 1)
    let left = offset
    for (const { from, to } of places) {
      if (left <= to - from) return from + left
      left -= to - from
    }
    return changes.mapPos(at, 1)
  }
  const made: Made = { changes: [], returned: [], away: [] }
  let shift = 0
  for (const one of back) {
    const from = placeOf(one)
    made.changes.push({ from, insert: one.text })
    const start = from + shift
    made.returned.push({ from: start, to: start + one.text.length, kind: 'put in', key: numberOf(step) })
    shift += one.text.length
  }
  return made
}
